/**
 * Builds a release of the provider, with the real program for this machine and small files in place
 * of the programs for other platforms.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerPackage } from '../../../constructs/placement/provider-package';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../../src/provider';
import { executableFolder, warnNotTried } from '../../support/executable';
import { sharedByTests } from '../../support/shared-folder';
import { platform } from '../../support/terraform';

const ROOT = join(__dirname, '..', '..', '..');
export const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64', 'windows_amd64'];
export const PUBLISHER = {
  repository: 'https://github.com/acme/vault-admin',
  providerSource: PROVIDER_ADDRESS,
  mavenGroup: 'io.github.acme',
  nugetPrefix: 'Acme',
  goModules: 'github.com/acme',
};
export const PASSPHRASE = 'canary-passphrase';

/** Returns the folder of a signed release of the executable, which the first test file builds. */
export async function release(): Promise<string> {
  return releaseOf('release', await realProgram());
}

/**
 * Returns the folder of a signed release of the form for Node.js. It is a fiftieth of the
 * executable's size, so that terraform installs it in a tenth of the processor time.
 */
export function smallRelease(): string {
  return releaseOf('small-release', providerPackage().folder);
}

function releaseOf(name: string, program: string): string {
  return sharedByTests(name, (folder) => {
    const executables = join(folder, 'executables');
    smallPrograms(executables);
    rmSync(join(executables, platform()), { recursive: true });
    cpSync(program, join(executables, platform()), { recursive: true });
    const output = join(folder, 'output');
    const { status, stderr } = runRelease({ folder, executables, output, env: makeGpgKey() });
    if (status !== 0) throw new Error(stderr);
    return output;
  });
}

/** Returns the executable without Node, or the form for Node.js if it cannot be built. */
async function realProgram(): Promise<string> {
  try {
    return await executableFolder();
  } catch (error) {
    warnNotTried('releases with the executable without Node', String(error));
    return providerPackage().folder;
  }
}

/** Writes small files in place of the provider and the command line for each platform. */
export function smallPrograms(folder: string): void {
  for (const each of PLATFORMS) {
    const suffix = each.startsWith('windows') ? '.exe' : '';
    const program = join(folder, each, `terraform-provider-vaultadmin_v${PROVIDER_VERSION}${suffix}`);
    mkdirSync(join(folder, each, 'parts'), { recursive: true });
    writeFileSync(program, `the program for ${each}`);
    chmodSync(program, 0o755);
    writeFileSync(join(folder, each, 'parts', 'b.txt'), 'b');
    writeFileSync(join(folder, each, 'NOTICES.txt'), 'notices');
    chmodSync(join(folder, each, 'NOTICES.txt'), 0o600);
    mkdirSync(join(folder, 'vault-admin', each), { recursive: true });
    const commandLine = join(folder, 'vault-admin', each, `vault-admin${suffix}`);
    writeFileSync(commandLine, `the command line for ${each}`, { mode: 0o755 });
  }
}

interface ReleaseRun {
  /** The path of the publisher's file. */
  readonly folder: string;
  readonly executables: string;
  readonly output: string;
  readonly publisher?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `npm run release` without the scripts before it. */
export function runRelease({ folder, executables, output, publisher = PUBLISHER, env = {} }: ReleaseRun): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  const file = join(folder, 'publisher.json');
  writeFileSync(file, JSON.stringify(publisher));
  const script = join(ROOT, 'scripts', 'release', 'run.mjs');
  const args = [script, '--executables', executables, '--output', output, '--publisher', file];
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GPG_'));
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...Object.fromEntries(inherited), ...env },
  });
  return { status, stdout, stderr };
}

/** Returns the variables of a GPG key with a passphrase, generated for a test. */
export function makeGpgKey(): { GPG_PRIVATE_KEY: string; GPG_PASSPHRASE: string } {
  const home = mkdtempSync(join(tmpdir(), 'gpg-'));
  const env = { ...process.env, GNUPGHOME: home };
  const gpg = (...args: string[]) => {
    const passphrase = ['--batch', '--pinentry-mode', 'loopback', '--passphrase-fd', '0'];
    const { status, stdout, stderr } = spawnSync('gpg', [...passphrase, ...args], {
      encoding: 'utf8',
      env,
      input: PASSPHRASE,
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  try {
    gpg('--quick-generate-key', 'Release <release@acme.test>', 'ed25519', 'sign', 'never');
    return { GPG_PRIVATE_KEY: gpg('--armor', '--export-secret-keys'), GPG_PASSPHRASE: PASSPHRASE };
  } finally {
    spawnSync('gpgconf', ['--kill', 'gpg-agent'], { env });
    rmSync(home, { recursive: true, force: true });
  }
}
