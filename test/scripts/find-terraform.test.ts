import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OLDEST_TERRAFORM } from '../../src/model/versions';
import { programPath } from '../support/programs';
import { temporaryFolder } from '../support/temporary-folder';
import { terraformBinary } from '../support/terraform';

const ROOT = join(__dirname, '..', '..');
const SCRIPT = join(ROOT, 'scripts', 'find-terraform.mjs');
const NOWHERE = 'http://127.0.0.1:1';
const VERSION = /const VERSION = '([\d.]+)'/.exec(
  readFileSync(join(SCRIPT, '..', 'open-tofu.mjs'), 'utf8'),
)![1]!;
const [SYSTEM, PROCESSOR] = [process.platform, process.arch === 'x64' ? 'amd64' : process.arch];
const ARCHIVE = `tofu_${VERSION}_${SYSTEM}_${PROCESSOR}.tar.gz`;
const INSTALL =
  /Install Terraform [\d.]+ or newer .* or OpenTofu [\d.]+ or newer .* TERRAFORM_BINARY_NAME\.\n$/;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('find-terraform');
});

function programOf(version: string): string {
  return `#!/bin/sh\necho 'Warning: settings'\necho '{"terraform_version": "${version}"}'\n`;
}

/** Adds a program to the PATH that prints the given version. */
function have(name: string, version: string): void {
  const file = join(folder, name);
  writeFileSync(file, programOf(version));
  chmodSync(file, 0o755);
}

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script with a PATH that has only the programs of the test. */
function find(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const whole = { PATH: folder, XDG_CACHE_HOME: join(folder, 'cache'), OPENTOFU_MIRROR: NOWHERE, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env: whole }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('the first of terraform and tofu in the PATH is found', async () => {
  have('tofu', '1.11.0');
  expect(await find()).toEqual({ status: 0, stdout: 'tofu\n', stderr: '' });
  have('terraform', '1.15.9');
  expect(await find()).toEqual({ status: 0, stdout: 'terraform\n', stderr: '' });
  expect(await find(['--check'])).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('a program that is too old for the provider is also too old for the script', async () => {
  const [major, minor] = OLDEST_TERRAFORM.split('.').map(Number);
  have('terraform', `${major}.${minor}.0`);
  expect((await find()).status).toBe(0);

  have('terraform', `${major}.${minor! - 1}.9`);
  const { status, stderr } = await find();
  expect(status).toBe(1);
  expect(stderr).toContain(`terraform ${major}.${minor! - 1}.9 is too old. `);
  expect(stderr).toContain(`Install Terraform ${OLDEST_TERRAFORM} or newer`);
  expect(stderr).toContain(`OpenTofu ${OLDEST_TERRAFORM} or newer`);
});

describe('if neither is in the PATH', () => {
  let server: Server;
  let mirror: string;
  let paths: string[];
  let files: Record<string, Buffer | string>;
  const cache = () => join(folder, 'cache', 'cdktf-vault-admin-opentofu', VERSION);

  beforeEach(async () => {
    paths = [];
    const archive = archiveOf({ 'CHANGELOG.md': 'x'.repeat(700), LICENSE: '', tofu: programOf('1.12.6') });
    const sum = createHash('sha256').update(archive).digest('hex');
    files = {
      [`tofu_${VERSION}_SHA256SUMS`]: `${'0'.repeat(64)}  another-${ARCHIVE}\n${sum}  ${ARCHIVE}\n`,
      [ARCHIVE]: archive,
    };
    server = createServer(({ url = '' }, response) => {
      paths.push(url);
      const file = files[url.replace(`/releases/v${VERSION}/`, '')];
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const download = (env: Readonly<Record<string, string>> = {}) =>
    find([], { OPENTOFU_MIRROR: mirror, ...env });

  test('a release of OpenTofu is downloaded after a notice of one line, and kept', async () => {
    const kept = join(cache(), 'tofu');
    expect(await download({ OPENTOFU_MIRROR: `${mirror}/` })).toEqual({
      status: 0,
      stdout: `${kept}\n`,
      stderr:
        `neither terraform nor tofu is in the PATH: downloading OpenTofu ${VERSION} from ${mirror}/v${VERSION} to ` +
        `${cache()}\n`,
    });
    expect(paths).toEqual([
      `/releases/v${VERSION}/tofu_${VERSION}_SHA256SUMS`,
      `/releases/v${VERSION}/${ARCHIVE}`,
    ]);
    expect(readFileSync(kept, 'utf8')).toBe(programOf('1.12.6'));
    expect(readdirSync(cache())).toEqual(['tofu']);

    expect(await find()).toEqual({ status: 0, stdout: `${kept}\n`, stderr: '' });
    expect(await find(['--check'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('"npm test" runs its tests with the downloaded program', async () => {
    const program = `#!/bin/sh\necho "$1" >>${join(folder, 'calls')}\nexec ${programPath(terraformBinary())} "$@"\n`;
    const archive = archiveOf({ tofu: program });
    const sum = createHash('sha256').update(archive).digest('hex');
    files = { [`tofu_${VERSION}_SHA256SUMS`]: `${sum}  ${ARCHIVE}\n`, [ARCHIVE]: archive };
    for (const [name, path] of [
      ['node', process.execPath],
      ['sh', '/bin/sh'],
    ] as const)
      symlinkSync(path, join(folder, name));

    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    // The build is left out, because other tests use the built files at the same time.
    const command = `${scripts.test!.replace('node scripts/setup.mjs && ', '')} "$@"`;
    const jest =
      'node --max-semi-space-size=64 --initial-old-space-size=350 node_modules/jest/bin/jest.js --config jest.sources.config.js';
    expect(command).toBe(`node scripts/find-terraform.mjs --check && ${jest} "$@"`);
    const { status, stderr } = await new Promise<Outcome>((resolve) => {
      execFile(
        '/bin/sh',
        ['-c', command, 'npm', '--silent', 'test/provider/functions.test.ts'],
        {
          cwd: ROOT,
          env: {
            PATH: folder,
            HOME: folder,
            XDG_CACHE_HOME: join(folder, 'cache'),
            OPENTOFU_MIRROR: mirror,
          },
        },
        (error, stdout, errors) =>
          resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr: errors }),
      );
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toMatch(/^neither terraform nor tofu is in the PATH: downloading OpenTofu /);
    expect(paths).toHaveLength(2);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('apply\n');
  });

  test('two commands at the same time keep one complete program', async () => {
    const outcomes = await Promise.all([download(), download()]);
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0]);
    expect(readdirSync(cache())).toEqual(['tofu']);
  });

  test.each<[what: string, change: () => void, problem: RegExp]>([
    [
      'an archive with another hash',
      () => (files[ARCHIVE] = archiveOf({ tofu: programOf('1.12.6'), more: '' })),
      /\.tar\.gz has the SHA-256 hash [0-9a-f]{64} instead of [0-9a-f]{64}; it was not kept\n/,
    ],
    [
      'checksums without the archive',
      () => (files[`tofu_${VERSION}_SHA256SUMS`] = `${'0'.repeat(64)}  another.tar.gz\n`),
      /releases\/v[\d.]+ has no tofu_[\w.]+\.tar\.gz\n/,
    ],
    [
      'a release without checksums',
      () => delete files[`tofu_${VERSION}_SHA256SUMS`],
      /_SHA256SUMS could not be downloaded: the server answered 404\n/,
    ],
    [
      'an archive without the program',
      () => {
        const archive = archiveOf({ LICENSE: 'text' });
        files[ARCHIVE] = archive;
        files[`tofu_${VERSION}_SHA256SUMS`] =
          `${createHash('sha256').update(archive).digest('hex')}  ${ARCHIVE}\n`;
      },
      /\.tar\.gz does not contain tofu\n/,
    ],
  ])('%s is refused, and no file is kept', async (_what, change, problem) => {
    change();
    const { status, stdout, stderr } = await download();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(stderr).toContain('neither terraform nor tofu was found (looked for: terraform, tofu). ');
    expect(stderr).toMatch(INSTALL);
    expect(existsSync(join(cache(), 'tofu'))).toBe(false);
  });

  test('a server that cannot be reached is an error, with what to install', async () => {
    const { status, stdout, stderr } = await find(['--check']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`${NOWHERE}/v${VERSION}/tofu_${VERSION}_SHA256SUMS could not be downloaded: `);
    expect(stderr).toMatch(INSTALL);
  });

  test('a mirror that is not an address is an error with an example', async () => {
    const { status, stderr } = await find([], { OPENTOFU_MIRROR: 'mirror' });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'OPENTOFU_MIRROR is not valid: received "mirror"; allowed: a URL with the folders of OpenTofu\'s versions, such as ' +
        'https://github.com/opentofu/opentofu/releases/download\n',
    );
  });

  test('a program that TERRAFORM_BINARY_NAME names is not replaced by another one', async () => {
    const { status, stderr } = await download({ TERRAFORM_BINARY_NAME: 'another' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^neither terraform nor tofu was found \(looked for: another\)\. /);
    expect(paths).toEqual([]);

    have('another', '1.12.0');
    expect(await download({ TERRAFORM_BINARY_NAME: 'another' })).toEqual({
      status: 0,
      stdout: 'another\n',
      stderr: '',
    });
  });
});

/** Returns an archive of files, made by tar. */
function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  const place = join(folder, 'archive');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(place, name), content, { mode: 0o755 });
  const { status, stdout } = spawnSync('tar', ['-cz', ...Object.keys(files)], { cwd: place });
  expect(status).toBe(0);
  return stdout;
}
