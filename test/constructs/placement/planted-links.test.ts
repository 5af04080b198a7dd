import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { App, TerraformAsset, TerraformStack } from 'cdktf';
import { VaultCluster } from '../../../constructs';
import {
  atHome,
  BUILT,
  EXECUTABLE,
  LOCK_FILE,
  OUT,
  OURS,
  PLATFORMS,
  STACK,
  version,
  type Home,
} from '../support/home';

const LINUX = join(OURS, version, 'linux_amd64');
const ARM = join(OURS, version, 'linux_arm64');

/** Links and files in the provider's own folders. `home` is the folder of the user's files. */
const PLANTED: [what: string, place: string, plant: (path: string, home: string) => void][] = [
  ['a link to a secret as the executable', join(ARM, EXECUTABLE), link('.vault-token')],
  ['a link to a secret beside the executable', join(LINUX, 'notes'), link('.vault-token')],
  ['a link to a missing file as the executable', join(LINUX, EXECUTABLE), link('missing')],
  ['a link to itself', ARM, (path) => symlinkSync(path, path)],
  ['a link to a folder as a platform', ARM, link('nested')],
  ['a link to a folder as the first platform', LINUX, link('nested')],
  ['a link to a folder as the version', dirname(LINUX), link('.')],
  ['a link to a folder as the provider', OURS, link('.')],
  [
    'a link by way of other links',
    ARM,
    (path, home) => {
      symlinkSync(home, `${path}-1`);
      symlinkSync(`${path}-1`, path);
    },
  ],
  [
    'a folder with a link to a folder in it',
    ARM,
    (path, home) => {
      mkdirSync(path);
      symlinkSync(home, join(path, 'deeper'));
    },
  ],
  [
    'a second name of a secret as the executable',
    join(ARM, EXECUTABLE),
    (path, home) => linkSync(join(home, '.vault-token'), path),
  ],
  [
    'a second name of a secret as the first executable',
    join(LINUX, EXECUTABLE),
    (path, home) => linkSync(join(home, '.vault-token'), path),
  ],
  [
    'a secret of the same length',
    join(ARM, EXECUTABLE),
    (path) => writeFileSync(path, Buffer.alloc(BUILT.length, 'x'), { mode: 0o755 }),
  ],
  ['a pipe as the executable', join(ARM, EXECUTABLE), (path) => execFileSync('mkfifo', [path])],
  ['a pipe as a platform', ARM, (path) => execFileSync('mkfifo', [path])],
  ['a folder as the executable', join(LINUX, EXECUTABLE), (path) => mkdirSync(path)],
  ['a file as a platform', LINUX, (path) => writeFileSync(path, '')],
  ['a file as the version', dirname(LINUX), (path) => writeFileSync(path, '')],
  ['a file as the provider', OURS, (path) => writeFileSync(path, '')],
  ['another version', join(OURS, '99.0.0', 'linux_amd64', EXECUTABLE), (path) => writeFileSync(path, 'evil')],
];

function link(target: string): (path: string, home: string) => void {
  return (path, home) => symlinkSync(join(home, target), path);
}

describe.each(PLANTED)(`in the provider's folders, %s`, (_what, place, plant) => {
  test.each(['before the first synthesis', 'after a synthesis'])('the synthesis replaces it %s', (when) => {
    atHome((home) => {
      if (when === 'after a synthesis') home.synthesize();
      home.plant(place, (path) => plant(path, home.path('home')));
      home.synthesize();
      home.expectUntouched();
      home.expectPlaced();
    });
  });
});

test.each([
  ['terraform.d', join(STACK, 'terraform.d')],
  ['plugins', join(STACK, 'terraform.d', 'plugins')],
  ['the host', dirname(dirname(OURS))],
  ['the namespace', dirname(OURS)],
])('a link in place of %s is refused', (_what, place) => {
  atHome((home) => {
    const target = home.path('elsewhere');
    mkdirSync(join(target, 'vaultadmin', 'kept'), { recursive: true });
    home.plant(place, (path) => symlinkSync(target, path));
    expect(() => home.synthesize()).toThrow(
      `the vaultadmin provider cannot be placed: ${home.path(place)}: it is a link, not a folder; ` +
        'remove it, or synthesize into another folder',
    );
    expect(readdirSync(join(target, 'vaultadmin'))).toEqual(['kept']);
  });
});

describe.each([
  ['the stack', join(STACK, 'cdk.tf.json')],
  ['the manifest', join(OUT, 'manifest.json')],
])('links in place of %s', (_what, place) => {
  test.each<[what: string, plant: (path: string, home: Home) => void]>([
    ['a link to a secret', (path, home) => symlinkSync(home.token, path)],
    ['a link to a missing file', (path, home) => symlinkSync(home.path('home', 'missing'), path)],
    ['a second name of a secret', (path, home) => linkSync(home.token, path)],
  ])('%s is replaced by the file', (_link, plant) => {
    atHome((home) => {
      home.plant(place, (path) => plant(path, home));
      home.synthesize();
      home.expectUntouched();
      home.expectPlaced();
      expect(lstatSync(home.path(place)).isFile()).toBe(true);
    });
  });
});

test.each(PLATFORMS)('links to a secret and to a folder below %s are replaced', (platform) => {
  atHome((home) => {
    const folder = join(OURS, version, platform);
    home.plant(join(folder, EXECUTABLE), (path) => symlinkSync(home.token, path));
    home.plant(join(folder, 'deeper'), (path) => symlinkSync(home.path('home'), path));
    home.synthesize();
    home.expectUntouched();
    home.expectPlaced();
  });
});

test('an executable that is a hard link to a file with the same content is replaced, and that file stays', () => {
  atHome((home) => {
    home.synthesize();
    const copy = home.path('home', '.copy');
    writeFileSync(copy, BUILT, { mode: 0o600 });
    home.plant(join(LINUX, EXECUTABLE), (path) => linkSync(copy, path));
    home.synthesize();
    const { mode, nlink } = statSync(copy);
    expect([mode & 0o777, nlink]).toEqual([0o600, 1]);
    rmSync(copy);
    home.expectUntouched();
    home.expectPlaced();
  });
});

test('the folder to synthesize into may be a link, because its owner chose it', () => {
  atHome((home) => {
    mkdirSync(home.path('elsewhere'));
    symlinkSync(home.path('elsewhere'), home.path(OUT));
    home.synthesize();
    home.expectPlaced();
  });
});

test('a provider whose files were copied, and are not executable, stays and becomes executable', () => {
  atHome((home) => {
    home.synthesize();
    home.plant(ARM, (path) => {
      mkdirSync(path);
      for (const file of readdirSync(home.path(LINUX))) {
        writeFileSync(join(path, file), readFileSync(home.path(LINUX, file)), { mode: 0o644 });
      }
    });
    const { ino } = statSync(home.path(LINUX));
    home.synthesize();
    expect(statSync(home.path(LINUX)).ino).toBe(ino);
    home.expectPlaced();
  });
});

test('a lock file that is a link is refused, and the file that it leads to stays unchanged', () => {
  atHome((home) => {
    home.synthesize();
    home.plant(LOCK_FILE, (path) => symlinkSync(home.token, path));
    expect(() => home.synthesize()).toThrow(`${home.path(LOCK_FILE)}: it is a link, not a file`);
    home.expectUntouched();
  });
});

test('a lock file that is a hard link to another file is replaced, and the other file stays', () => {
  atHome((home) => {
    home.synthesize();
    home.plant(LOCK_FILE, (path) => linkSync(home.token, path));
    home.synthesize();
    home.expectUntouched();
    expect(readFileSync(home.path(LOCK_FILE), 'utf8')).toMatch(/^provider "vault-admin\.internal/m);
  });
});

test.each([
  ['a folder', (path: string) => mkdirSync(path), 'it is a folder, not a file'],
  [
    'a pipe',
    (path: string) => execFileSync('mkfifo', [path]),
    'it is neither a file nor a folder, not a file',
  ],
  [
    'larger than 4 MiB',
    (path: string) => writeFileSync(path, Buffer.alloc(4 * 1024 * 1024 + 1, '#')),
    'it has 4194305 bytes; allowed: at most 4 MiB',
  ],
])('a lock file that is %s is refused', (_what, plant, reason) => {
  atHome((home) => {
    home.synthesize();
    home.plant(LOCK_FILE, plant);
    expect(() => home.synthesize()).toThrow(`${home.path(LOCK_FILE)}: ${reason}`);
  });
});

test('a lock file of 4 MiB is read', () => {
  atHome((home) => {
    home.synthesize();
    home.plant(LOCK_FILE, (path) => writeFileSync(path, Buffer.alloc(4 * 1024 * 1024, '#')));
    home.synthesize();
    home.expectPlaced();
  });
});

test('a link in place of the folder of assets is refused, and its target stays', () => {
  atHome((home) => {
    home.plant(join(STACK, 'assets'), (path) => symlinkSync(home.path('home'), path));
    const app = new App({ outdir: home.path(OUT) });
    const stack = new TerraformStack(app, 'stack');
    new VaultCluster(stack, 'Cluster').providerFor(stack);
    // The framework removes a folder of this name, and writes another one.
    new TerraformAsset(stack, 'nested', { path: __filename });
    expect(() => app.synth()).toThrow(
      `the stack cannot be written: ${home.path(STACK, 'assets')}: it is a link, not a folder; remove it, or synthesize`,
    );
    home.expectUntouched();
  });
});

test('a synthesis that fails in the middle leaves the existing files', () => {
  atHome((home) => {
    home.synthesize();
    chmodSync(home.path(LINUX, EXECUTABLE), 0o700);
    renameSync(home.path(LINUX, EXECUTABLE), home.path(LINUX, 'renamed'));
    const failing = jest.spyOn(fs, 'copyFileSync').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device');
    });
    try {
      expect(() => home.synthesize()).toThrow(
        `the vaultadmin provider cannot be placed: ${home.path(OURS)}: ENOSPC: no space left on device; `,
      );
    } finally {
      failing.mockRestore();
    }
    expect(readdirSync(dirname(home.path(OURS)))).toEqual(['vaultadmin']);
    expect(readdirSync(home.path(LINUX))).toContain('renamed');
    home.synthesize();
    home.expectPlaced();
  });
});
