import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { PolicyDocument, SentinelDocument, VaultCluster, ResourceProvider } from '../../../constructs';
import { hiddenProvider } from '../../../constructs/placement/settings/hidden-provider';
import { atHome, LOCK_FILE, OUT, STACK, type Home } from '../support/home';

const STACKS = dirname(STACK);
const MANIFEST = join(OUT, 'manifest.json');
const BOTH = [ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN];

type Plant = (path: string, home: Home) => void;

const pipe: Plant = (path) => execFileSync('mkfifo', [path]);
/**
 * Creates a socket without a server: the server is killed, so that it does not remove its socket.
 */
const socket: Plant = (path) => {
  const serve =
    "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ['-e', serve, path]);
  expect(lstatSync(path).isSocket()).toBe(true);
};
const sparse =
  (bytes: number): Plant =>
  (path) => {
    writeFileSync(path, '');
    truncateSync(path, bytes);
  };
const linkTo =
  (target: string): Plant =>
  (path, home) =>
    symlinkSync(home.path('home', target), path);
const linkToLink =
  (target: string): Plant =>
  (path, home) => {
    linkTo(target)(home.path('first'), home);
    symlinkSync(home.path('first'), path);
  };

const linkToPipe: Plant = (path, home) => {
  pipe(home.path('pipe'), home);
  symlinkSync(home.path('pipe'), path);
};

const LINK = 'it is a link, not a folder';

/** Objects in place of a folder, each with the reason in the error. */
const NO_FOLDERS: [what: string, plant: Plant, reason: string][] = [
  ['a link to a folder', linkTo('nested'), LINK],
  ['a link to a link to a folder', linkToLink('nested'), LINK],
  ['a relative link to a folder', (path) => symlinkSync('../home', path), LINK],
  ['a file', (path) => writeFileSync(path, ''), 'it is a file, not a folder'],
  ['a pipe', pipe, 'it is neither a file nor a folder, not a folder'],
];

describe.each(BOTH)('with the resources of %s', (resources) => {
  test.each(NO_FOLDERS)(
    '%s in place of the folder of all stacks is refused before anything is written',
    (_what, plant, reason) => {
      atHome((home) => {
        home.plant(STACKS, (path) => plant(path, home));
        expect(() => home.synthesize(resources)).toThrow(
          `the stack cannot be written: ${home.path(STACKS)}: ${reason}; remove it, or synthesize into another folder`,
        );
        home.expectUntouched();
        expect(readdirSync(home.path(OUT))).toEqual(['stacks']);
      });
    },
  );

  test.each([...NO_FOLDERS, ['a link that leads nowhere', linkTo('missing'), LINK] as const])(
    '%s in place of the folder of the stack is refused before anything is written',
    (_what, plant, reason) => {
      atHome((home) => {
        home.plant(STACK, (path) => plant(path, home));
        expect(() => home.synthesize(resources)).toThrow(
          `the stack cannot be written: ${home.path(STACK)}: ${reason}; remove it, or synthesize into another folder`,
        );
        home.expectUntouched();
        expect(readdirSync(home.path(STACKS))).toEqual(['stack']);
      });
    },
  );

  test('a link that leads nowhere in place of the folder of all stacks is refused, and its target not created', () => {
    atHome((home) => {
      home.plant(STACKS, (path) => linkTo('missing')(path, home));
      expect(() => home.synthesize(resources)).toThrow('EEXIST');
      home.expectUntouched();
    });
  });

  test('a link in place of the folder of all stacks is refused before another stack is written', () => {
    atHome((home) => {
      home.plant(STACKS, (path) => linkTo('.')(path, home));
      const app = new App({ outdir: home.path(OUT) });
      new TerraformStack(app, 'another');
      const stack = new TerraformStack(app, 'stack');
      new VaultCluster(stack, 'Cluster', { resourceProvider: resources }).providerFor(stack);
      expect(() => app.synth()).toThrow('it is a link, not a folder');
      home.expectUntouched();
    });
  });

  describe.each([
    ['the stack', join(STACK, 'cdk.tf.json')],
    ['the manifest', MANIFEST],
  ])('files in place of %s', (_file, place) => {
    test.each<[what: string, plant: Plant]>([
      ['a link to a secret', linkTo('.vault-token')],
      ['a link to a link to a secret', linkToLink('.vault-token')],
      ['a link to a missing file', linkTo('missing')],
      ['a link to itself', (path) => symlinkSync(path, path)],
      ['a second name of a secret', (path, home) => linkSync(home.token, path)],
      ['a sparse file of 1 TiB', sparse(2 ** 40)],
      ['a socket', socket],
      ['a link to a device that is full', (path) => symlinkSync('/dev/full', path)],
      ['a link to a pipe', linkToPipe],
    ])('%s is replaced by the file', (_what, plant) => {
      atHome((home) => {
        home.plant(place, (path) => plant(path, home));
        home.synthesize(resources);
        home.expectUntouched();
        expect(lstatSync(home.path(place)).isFile()).toBe(true);
        expect(() => JSON.parse(readFileSync(home.path(place), 'utf8')) as unknown).not.toThrow();
      });
    });

    test('a pipe is replaced by the file, without waiting for a reader', () => {
      atHome((home) => {
        home.plant(place, (path) => pipe(path, home));
        // The other end of the pipe is open, so that a synthesis that writes to the pipe fails here
        // instead of waiting.
        const otherEnd = openSync(home.path(place), constants.O_RDWR | constants.O_NONBLOCK);
        try {
          home.synthesize(resources);
          expect(lstatSync(home.path(place)).isFile()).toBe(true);
        } finally {
          closeSync(otherEnd);
        }
      });
    });

    test('a folder is refused, and stays', () => {
      atHome((home) => {
        home.plant(place, (path) => mkdirSync(join(path, 'kept'), { recursive: true }));
        expect(() => home.synthesize(resources)).toThrow(
          `the stack cannot be written: ${home.path(place)}: it is a folder, not a file; remove it, or `,
        );
        expect(readdirSync(home.path(place))).toEqual(['kept']);
      });
    });
  });
});

test.each<[what: string, plant: Plant, reason: string]>([
  ['a link to a link to a secret', linkToLink('.vault-token'), 'it is a link, not a file'],
  ['a link to a missing file', linkTo('missing'), 'it is a link, not a file'],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'it is a link, not a file'],
  ['a link to a pipe', linkToPipe, 'it is a link, not a file'],
  ['a link to itself', (path) => symlinkSync(path, path), 'it is a link, not a file'],
  ['a sparse file of 1 TiB', sparse(2 ** 40), 'it has 1099511627776 bytes; allowed: at most 4 MiB'],
  ['a pipe', pipe, 'it is neither a file nor a folder, not a file'],
  ['a socket', socket, 'it is neither a file nor a folder, not a file'],
  ['a folder', (path) => mkdirSync(path), 'it is a folder, not a file'],
])('a lock file that is %s is refused', (_what, plant, reason) => {
  atHome((home) => {
    home.plant(LOCK_FILE, (path) => plant(path, home));
    expect(() => home.synthesize()).toThrow(`${home.path(LOCK_FILE)}: ${reason}`);
    home.expectUntouched();
  });
});

describe.each([
  ['PolicyDocument.fromFile', (path: string) => PolicyDocument.fromFile(path)],
  ['SentinelDocument.fromFile', (path: string) => SentinelDocument.fromFile(path)],
])('the file of %s', (_name, fromFile) => {
  test.each<[what: string, plant: Plant, reason: string | ((path: string) => string)]>([
    ['a pipe', pipe, 'it is neither a file nor a folder, not a file'],
    [
      'a link to a device',
      (path) => symlinkSync('/dev/zero', path),
      'it is neither a file nor a folder, not a file',
    ],
    ['a socket', socket, (path) => `ENXIO: no such device or address, open '${path}'`],
    ['a folder', (path) => mkdirSync(path), 'it is a folder, not a file'],
    ['a sparse file of 1 TiB', sparse(2 ** 40), 'it has 1099511627776 bytes; allowed: at most 32 MiB'],
  ])('the path of %s is refused', (_what, plant, reason) => {
    atHome((home) => {
      plant(home.path('policy'), home);
      expect(() => fromFile(home.path('policy')).render()).toThrow(
        `${home.path('policy')} cannot be read: ${typeof reason === 'string' ? reason : reason(home.path('policy'))}; name a file`,
      );
    });
  });

  test('the path may be a link to a file', () => {
    atHome((home) => {
      linkToLink('nested/thesis.txt')(home.path('policy'), home);
      expect(fromFile(home.path('policy')).render()).toBe('years of work');
    });
  });
});

test.each([
  ['a pipe', pipe],
  ['a sparse file of 1 TiB', sparse(2 ** 40)],
  ['a socket', socket],
  ['a folder', (path: string) => mkdirSync(path)],
  ['a link to a device without end', (path: string) => symlinkSync('/dev/zero', path)],
])('settings of Terraform in %s are not read', (_what, plant) => {
  atHome((home) => {
    plant(home.path('rc'), home);
    const provider = { source: 'vault-admin.internal/cdktf/vaultadmin', version: '1.0.0' };
    expect(hiddenProvider(provider, home.folder, { TF_CLI_CONFIG_FILE: home.path('rc') })).toBeUndefined();
  });
});
