/** Tests the files of a release that is built from small programs. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { packageHash } from '../../constructs/placement/provider-package';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { hashesIn } from './support/consumer';
import { makeGpgKey, PASSPHRASE, PLATFORMS, PUBLISHER, runRelease, smallPrograms } from './support/release';

const BASE = `terraform-provider-vaultadmin_${PROVIDER_VERSION}`;

let folder: string;
let executables: string;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  executables = join(folder, 'executables');
  output = join(folder, 'output');
  smallPrograms(executables);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (more: object = {}) => runRelease({ folder, executables, output, ...more });
const read = (...path: string[]) => readFileSync(join(output, ...path));
const json = (...path: string[]) => JSON.parse(read(...path).toString()) as unknown;
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('the assets are the files that a registry expects, and SHA256SUMS has the hash of each', () => {
  expect(run()).toMatchObject({ status: 0 });
  const zips = PLATFORMS.map((platform) => `${BASE}_${platform}.zip`);
  expect(readdirSync(join(output, 'assets')).sort()).toEqual(
    [...zips, `${BASE}_SHA256SUMS`, `${BASE}_manifest.json`].sort(),
  );
  expect(json('assets', `${BASE}_manifest.json`)).toEqual({
    version: 1,
    metadata: { protocol_versions: ['6.0'] },
  });
  expect(read('assets', `${BASE}_SHA256SUMS`).toString()).toBe(
    [...zips, `${BASE}_manifest.json`]
      .sort()
      .map((name) => `${sha256(read('assets', name))}  ${name}\n`)
      .join(''),
  );
});

test('a zip has the files of its platform, and only programs in it can be executed', () => {
  run();
  const unpacked = join(folder, 'unpacked');
  const zip = join(output, 'assets', `${BASE}_windows_amd64.zip`);
  expect(spawnSync('unzip', ['-q', zip, '-d', unpacked]).status).toBe(0);
  const listed = spawnSync('find', ['.', '-type', 'f', '-printf', '%m %P\n'], {
    cwd: unpacked,
    encoding: 'utf8',
  });
  expect(listed.stdout.split('\n').sort().join('\n').trim()).toBe(
    ['644 NOTICES.txt', '644 parts/b.txt', `755 terraform-provider-vaultadmin_v${PROVIDER_VERSION}.exe`].join(
      '\n',
    ),
  );
  expect(packageHash(unpacked)).toBe(packageHash(join(executables, 'windows_amd64')));
});

test('a release of the same files has the same bytes at another time, in another folder and time zone', () => {
  run();
  const copy = join(folder, 'copy');
  cpSync(executables, copy, { recursive: true });
  for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(copy, file), 1e9, 1e9);
  const again = join(folder, 'again');
  run({ executables: copy, output: again, env: { TZ: 'Pacific/Kiritimati' } });
  for (const file of readdirSync(output, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    expect(readFileSync(path).equals(readFileSync(path.replace(output, again)))).toBe(true);
  }
});

test('the entry for lock files has both hashes of each package, and the hash of the form for Node.js', () => {
  run();
  const entry = read(`terraform_${PROVIDER_VERSION}.lock.hcl`).toString();
  expect(entry).toMatch(`provider "${PROVIDER_ADDRESS}" {\n  version     = "${PROVIDER_VERSION}"\n`);
  const expected = PLATFORMS.flatMap((platform) => [
    packageHash(join(executables, platform)),
    `zh:${sha256(read('assets', `${BASE}_${platform}.zip`))}`,
  ]);
  const ofNode = packageHash(join(__dirname, '..', '..', 'lib', 'provider'));
  expect(hashesIn(entry)).toEqual([...expected, ofNode].sort());
  expect(json(`checksums_${PROVIDER_VERSION}.json`)).toEqual({
    version: PROVIDER_VERSION,
    hashes: hashesIn(entry),
  });
});

test('a release without a key says that it is not signed, and has no registry', () => {
  const { status, stderr } = run();
  expect(status).toBe(0);
  expect(stderr).toContain(
    'NOT SIGNED: GPG_PRIVATE_KEY is not set, so there is no signature, and no registry',
  );
  expect(readdirSync(output).sort()).toEqual([
    'assets',
    `checksums_${PROVIDER_VERSION}.json`,
    'command-line',
    'mirror',
    'npm',
    'oci',
    `terraform_${PROVIDER_VERSION}.lock.hcl`,
  ]);
});

test('a release with a key has a signature of SHA256SUMS, and no trace of the key', () => {
  const key = makeGpgKey();
  const { status, stdout, stderr } = run({ env: key });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toContain(PASSPHRASE);
  const home = mkdtempSync(join(tmpdir(), 'gpg-'));
  const gpg = (...args: string[]) => spawnSync('gpg', ['--batch', '--homedir', home, ...args]).status;
  const [signature, sums] = ['.sig', ''].map((end) => join(output, 'assets', `${BASE}_SHA256SUMS${end}`));
  const [{ ascii_armor: publicKey }] = (
    json(
      'registry',
      'v1',
      'providers',
      'cdktf',
      'vaultadmin',
      PROVIDER_VERSION,
      'download',
      'linux',
      'amd64',
    ) as {
      signing_keys: { gpg_public_keys: [{ ascii_armor: string }] };
    }
  ).signing_keys.gpg_public_keys;
  expect(publicKey).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
  spawnSync('gpg', ['--batch', '--homedir', home, '--import'], { input: publicKey });
  expect(gpg('--verify', signature!, sums!)).toBe(0);
  expect(gpg('--verify', signature!, join(output, 'assets', `${BASE}_manifest.json`))).not.toBe(0);
  spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
  rmSync(home, { recursive: true, force: true });
  for (const file of readdirSync(output, { recursive: true, withFileTypes: true })) {
    if (file.isFile())
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toMatch(/PRIVATE KEY/);
  }
});

test.each([
  ['a text that is not a key', { GPG_PRIVATE_KEY: 'canary-key' }],
  ['a wrong passphrase', { ...makeGpgKey(), GPG_PASSPHRASE: 'canary-wrong' }],
])('an invalid key is refused, and not shown: %s', (_what, env) => {
  const { status, stderr } = run({ env });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: gpg .* failed: [^]*; check GPG_PRIVATE_KEY and GPG_PASSPHRASE\n$/);
  expect(stderr).not.toMatch(/canary/);
});

test('the mirror and the registry keep an earlier version beside a new one', () => {
  run({ env: makeGpgKey() });
  const own = join(output, 'mirror', PROVIDER_ADDRESS);
  const registry = join(output, 'registry', 'v1', 'providers', 'cdktf', 'vaultadmin');
  const rename = (file: string, from: RegExp, to: string) => {
    const text = readFileSync(file, 'utf8').replaceAll(from, to);
    rmSync(file);
    writeFileSync(file, text);
  };
  for (const file of [join(own, 'index.json'), join(registry, 'versions'), join(output, 'oci', 'index.json')])
    rename(file, /"0\.1\.0"/g, '"0.0.9"');
  run({ env: makeGpgKey() });
  expect(json('mirror', PROVIDER_ADDRESS, 'index.json')).toEqual({ versions: { '0.0.9': {}, '0.1.0': {} } });
  const { versions } = json('registry', 'v1', 'providers', 'cdktf', 'vaultadmin', 'versions') as {
    versions: { version: string; platforms: { os: string; arch: string }[] }[];
  };
  expect(versions.map(({ version }) => version)).toEqual(['0.0.9', '0.1.0']);
  expect(versions[1]!.platforms.map(({ os, arch }) => `${os}_${arch}`).sort()).toEqual(PLATFORMS);
  const { manifests } = json('oci', 'index.json') as {
    manifests: { annotations: Record<string, string> }[];
  };
  expect(manifests.flatMap(({ annotations }) => Object.values(annotations))).toEqual(['0.0.9', '0.1.0']);
});

test.each<[what: string, publisher: object, problem: string]>([
  [
    'a placeholder of the repository',
    { repository: 'https://example.com/vault-admin' },
    'repository is the placeholder "https://example.com/vault-admin"; allowed: the https address of the repository; ' +
      'write for example "https://github.com/acme/vault-admin"',
  ],
  [
    'a repository that is not an address',
    { repository: 'acme/vault-admin' },
    'repository is "acme/vault-admin"; allowed: the https address of the repository; ' +
      'write for example "https://github.com/acme/vault-admin"',
  ],
  [
    'a placeholder of the group',
    { mavenGroup: 'internal.vaultadmin' },
    'mavenGroup is the placeholder "internal.vaultadmin"; allowed: a group of yours in Maven repositories; ' +
      'write for example "io.github.acme"',
  ],
  [
    'no group',
    { mavenGroup: undefined },
    'mavenGroup is missing; allowed: a group of yours in Maven repositories; write for example "io.github.acme"',
  ],
  [
    'a placeholder of the packages for .NET',
    { nugetPrefix: 'Example' },
    'nugetPrefix is the placeholder "Example"; allowed: what the names of your packages for .NET begin with; ' +
      'write for example "Acme"',
  ],
  [
    'a placeholder of the modules for Go',
    { goModules: 'example.com' },
    'goModules is the placeholder "example.com"; allowed: the path above your modules for Go; ' +
      'write for example "github.com/acme"',
  ],
  [
    'an address of modules for Go with a scheme',
    { goModules: 'https://github.com/acme' },
    'goModules is "https://github.com/acme"; allowed: the path above your modules for Go; ' +
      'write for example "github.com/acme"',
  ],
  [
    'a placeholder of the address',
    { providerSource: 'registry.example.com/acme/vaultadmin' },
    'providerSource is the placeholder "registry.example.com/acme/vaultadmin"; allowed: HOST/NAMESPACE/vaultadmin in ' +
      'lower case, with letters, digits and "-"; write for example "app.terraform.io/acme/vaultadmin"',
  ],
  [
    'an address that is not one',
    { providerSource: 'acme/vaultadmin' },
    'providerSource is "acme/vaultadmin"; allowed: HOST/NAMESPACE/vaultadmin in lower case, with letters, digits and ' +
      '"-"; write for example "app.terraform.io/acme/vaultadmin"',
  ],
  [
    'a field that is unknown',
    { repo: 'x' },
    'repo is unknown; allowed: repository, mavenGroup, nugetPrefix, goModules, providerSource; remove it',
  ],
])("%s in the publisher's file is refused before anything is written", (_what, changed, problem) => {
  const { status, stderr } = run({ publisher: { ...PUBLISHER, ...changed } });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `error: ${join(folder, 'publisher.json')}: ${problem}\n`,
  });
  expect(readdirSync(folder)).not.toContain('output');
});

test("the project's own file has placeholders, which are refused", () => {
  const file = join(__dirname, '..', '..', 'publisher.json');
  const { status, stderr } = run({ publisher: JSON.parse(readFileSync(file, 'utf8')) as object });
  expect(status).toBe(1);
  for (const name of ['repository', 'mavenGroup', 'nugetPrefix', 'goModules'])
    expect(stderr).toContain(`${name} is the placeholder`);
});

test('the zips of the command line have checksums with a signature, in a folder of their own', () => {
  expect(run({ env: makeGpgKey() })).toMatchObject({ status: 0 });
  const base = `vault-admin_${PROVIDER_VERSION}`;
  const zips = PLATFORMS.map((platform) => `${base}_${platform}.zip`);
  expect(readdirSync(join(output, 'command-line')).sort()).toEqual(
    [...zips, `${base}_SHA256SUMS`, `${base}_SHA256SUMS.sig`].sort(),
  );
  expect(read('command-line', `${base}_SHA256SUMS`).toString()).toBe(
    zips.map((zip) => `${sha256(read('command-line', zip))}  ${zip}\n`).join(''),
  );
  const entries = unzipSync(read('command-line', `${base}_windows_amd64.zip`));
  expect(Object.entries(entries).map(([name, content]) => [name, strFromU8(content)])).toEqual([
    ['vault-admin.exe', 'the command line for windows_amd64'],
  ]);
});

test('executables of another version, and a folder without any, are refused', () => {
  rmSync(join(executables, 'linux_arm64', `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`));
  expect(run()).toMatchObject({
    status: 1,
    stderr:
      `error: ${join(executables, 'linux_arm64')} has no terraform-provider-vaultadmin_v${PROVIDER_VERSION}: ` +
      `run "npm run executables" for version ${PROVIDER_VERSION}\n`,
  });
  smallPrograms(executables);
  rmSync(join(executables, 'vault-admin'), { recursive: true });
  expect(run()).toMatchObject({
    status: 1,
    stderr:
      `error: ${join(executables, 'vault-admin')} has no executables: run "npm run executables", or name another ` +
      'folder with --executables\n',
  });
  const empty = join(folder, 'empty');
  expect(run({ executables: empty })).toMatchObject({
    status: 1,
    stderr: `error: ${empty} has no executables: run "npm run executables", or name another folder with --executables\n`,
  });
});
