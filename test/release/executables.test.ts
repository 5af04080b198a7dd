/** Tests executables that an app places beside its stacks. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  PolicyDocument,
  ProviderPlatform,
  VaultadminInstallation,
  VaultCluster,
  ResourceProvider,
  type VaultadminInstallationProps,
} from '../../constructs';
import { packageHash, providerPackage } from '../../constructs/placement/provider-package';
import { startEmulator } from '../../src/emulator';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { executableFolder, warnNotTried } from '../support/executable';
import { temporaryFolder } from '../support/temporary-folder';
import { actions, platform, Workspace } from '../support/terraform';
import { hashesIn } from './support/consumer';
import { PLATFORMS, runRelease, smallPrograms } from './support/release';

const LINUX_ARM64 = ProviderPlatform.LINUX_ARM64;
const WINDOWS = ProviderPlatform.WINDOWS_AMD64;

let folder: string;
let executables: string;
const before = process.cwd();
beforeEach(() => {
  folder = temporaryFolder('executables');
  executables = join(folder, 'executables');
  smallPrograms(executables);
});
afterEach(() => process.chdir(before));

/** Synthesizes an app with one policy, and returns the folder of its stack. */
function synthesize(props: VaultadminInstallationProps, connection: object = {}): string {
  const app = new App({ outdir: join(folder, 'out') });
  new VaultadminInstallation(app, 'Provider', props);
  const stack = new TerraformStack(app, 'stack');
  new LocalBackend(stack, { path: 'terraform.tfstate' });
  const cluster = new VaultCluster(stack, 'Us', {
    resourceProvider: ResourceProvider.VAULTADMIN,
    ...connection,
  });
  const document = PolicyDocument.fromText('path "a" { capabilities = ["read"] }');
  new AclPolicy(stack, 'Readers', { cluster, document });
  app.synth();
  return join(folder, 'out', 'stacks', 'stack');
}

const placedIn = (stack: string) => join(stack, 'terraform.d', 'plugins', PROVIDER_ADDRESS, PROVIDER_VERSION);
const lockedIn = (stack: string) => hashesIn(readFileSync(join(stack, '.terraform.lock.hcl'), 'utf8'));
const filesIn = (place: string) => readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();

test('the executables of the chosen platforms are placed, and locked together with the form for Node.js', () => {
  const stack = synthesize({
    executables: [LINUX_ARM64, WINDOWS, LINUX_ARM64],
    executablesFolder: executables,
  });
  expect(readdirSync(placedIn(stack)).sort()).toEqual([LINUX_ARM64, WINDOWS]);
  for (const each of [LINUX_ARM64, WINDOWS]) {
    const [built, placed] = [join(executables, each), join(placedIn(stack), each)];
    expect(filesIn(placed)).toEqual(filesIn(built));
    expect(packageHash(placed)).toBe(packageHash(built));
  }
  expect(statSync(join(placedIn(stack), LINUX_ARM64, 'parts', 'b.txt')).mode & 0o111).toBe(0o111);
  expect(lockedIn(stack)).toEqual(
    [
      providerPackage().hash,
      packageHash(join(executables, LINUX_ARM64)),
      packageHash(join(executables, WINDOWS)),
    ].sort(),
  );
});

test('a placed executable stays if it is unchanged, and is replaced if its content differs', () => {
  const props = { executables: [LINUX_ARM64], executablesFolder: executables };
  const file = join(placedIn(synthesize(props)), LINUX_ARM64, 'parts', 'b.txt');
  const { ino } = statSync(file);
  synthesize(props);
  expect(statSync(file).ino).toBe(ino);

  writeFileSync(file, 'c');
  synthesize(props);
  expect(readFileSync(file, 'utf8')).toBe('b');

  writeFileSync(join(executables, LINUX_ARM64, 'parts', 'b.txt'), 'newer');
  synthesize(props);
  expect(readFileSync(file, 'utf8')).toBe('newer');
});

test('all packages are locked if the folder has the checksums of the release', () => {
  const output = join(folder, 'output');
  expect(runRelease({ folder, executables, output })).toMatchObject({ status: 0 });
  const name = `checksums_${PROVIDER_VERSION}.json`;
  cpSync(join(output, name), join(executables, name));
  const stack = synthesize({ executables: [LINUX_ARM64], executablesFolder: executables });
  const { hashes } = JSON.parse(readFileSync(join(output, name), 'utf8')) as { hashes: string[] };
  expect(hashes).toHaveLength(1 + 2 * PLATFORMS.length);
  expect(lockedIn(stack)).toEqual(hashes);
});

test.each(['{}', '{"hashes": ["h1:x"]}', '{"hashes": "h1:x"}', 'x'])(
  'checksums that are %j are refused',
  (text) => {
    const file = join(executables, `checksums_${PROVIDER_VERSION}.json`);
    writeFileSync(file, text);
    expect(() => synthesize({ executables: [LINUX_ARM64], executablesFolder: executables })).toThrow(
      `VaultadminInstallation: ${file} is not valid; allowed: {"hashes": ["h1:...", "zh:..."]}, as npm run release ` +
        'writes it; copy it again, or remove it',
    );
  },
);

test('a missing executable in the folder is an error with its path, and nothing is placed', () => {
  const file = join(executables, LINUX_ARM64, `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`);
  rmSync(file);
  expect(() => synthesize({ executables: [LINUX_ARM64], executablesFolder: executables })).toThrow(
    `VaultadminInstallation: ${file} does not exist; unpack the executables of this version there, or build them with ` +
      'npm run executables in a clone',
  );
  expect(existsSync(placedIn(join(folder, 'out', 'stacks', 'stack')))).toBe(false);
});

describe('executables from npm packages', () => {
  const NAME = 'vault-admin-provider-linux-arm64';
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_config_cache: join(folder, 'npm-cache') },
    });

  test('the synthesis fails with the cure if their package is not installed', () => {
    process.chdir(folder);
    expect(() => synthesize({ executables: [LINUX_ARM64] })).toThrow(
      `VaultadminInstallation: the package ${NAME} is not installed; install it with npm install --no-save --force ` +
        `${NAME}@${PROVIDER_VERSION}, or set executablesFolder to a folder that has the executables`,
    );
  });

  test('executables for another system and processor come from a package that npm installed', () => {
    const output = join(folder, 'output');
    runRelease({ folder, executables, output });
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"private": true}');
    process.chdir(app);

    npm(['pack', '--pack-destination', app], join(output, 'npm', NAME));
    const tarball = `./${NAME}-${PROVIDER_VERSION}.tgz`;
    if (platform() !== 'linux_arm64') expect(() => npm(['install', tarball], app)).toThrow('EBADPLATFORM');
    npm(['install', '--no-save', '--force', tarball], app);
    const stack = synthesize({ executables: [LINUX_ARM64] });
    expect(packageHash(join(placedIn(stack), LINUX_ARM64))).toBe(packageHash(join(executables, LINUX_ARM64)));
    expect(lockedIn(stack)).toHaveLength(1 + 2 * PLATFORMS.length);

    const manifest = join(app, 'node_modules', NAME, 'package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${PROVIDER_VERSION}"`, '"0.0.9"'));
    expect(() => synthesize({ executables: [LINUX_ARM64] })).toThrow(
      `VaultadminInstallation: the package ${NAME} has version 0.0.9; allowed: ${PROVIDER_VERSION}, as of this package; ` +
        `install ${NAME}@${PROVIDER_VERSION}`,
    );
  });
});

test('a stack changes between the executable and the form for Node.js without a second init', async () => {
  const real = await executableFolder().catch((error: unknown) =>
    warnNotTried('a change between the forms of the provider', String(error)),
  );
  if (real === undefined) return;
  const emulator = await startEmulator({ clusters: { us: 0 } });
  const workspace = new Workspace();
  const { address, rootToken } = emulator.clusters.us;
  Object.assign(workspace.env, { VAULT_TOKEN: rootToken });
  const deploy = (props: VaultadminInstallationProps) => {
    cpSync(synthesize(props, { address }), workspace.folder, {
      recursive: true,
      verbatimSymlinks: true,
      force: true,
    });
  };
  try {
    const own = platform() as ProviderPlatform;
    const withExecutable = { executables: [own], executablesFolder: join(real, '..') };
    deploy({});
    await workspace.init('-lockfile=readonly');
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.Readers': 'create' });

    workspace.remove('terraform.d');
    deploy(withExecutable);
    expect(existsSync(join(placedIn(workspace.folder), own, 'provider.js'))).toBe(false);
    await workspace.apply();
    await workspace.init('-lockfile=readonly');
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.Readers': 'no-op' });

    // The form for Node.js replaces the executables, and their lock file stays.
    const lockFile = workspace.read('.terraform.lock.hcl');
    workspace.remove('terraform.d');
    deploy({});
    workspace.write('.terraform.lock.hcl', lockFile);
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.Readers': 'no-op' });
    await workspace.init('-lockfile=readonly');
  } finally {
    await workspace.dispose();
    await emulator.close();
  }
});
