import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFile, spawnSync } from 'node:child_process';
import { basename, delimiter, join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { programPath } from '../../support/programs';
import { temporaryFolder } from '../../support/temporary-folder';
import { terraformBinary } from '../../support/terraform';
import { Project } from '../support/project';
import { packed } from '../support/tarball';

let folder: string;
let emulator: Emulator;
let project: Project;

beforeAll(async () => {
  folder = temporaryFolder('tools');
  emulator = await startEmulator({ clusters: { us: 0 } });
  project = new Project(await packed(), emulator.clusters.us as RunningCluster);
  project.synthesize();
  await project.terraform.init();
});
afterAll(async () => {
  await project.dispose();
  await emulator.close();
});

/** Returns the error of Terraform with `path` as its PATH, in one line. */
async function complaint(path: string): Promise<string> {
  const { code, stderr } = await project.terraform.runWith({ PATH: path }, 'validate', '-no-color');
  expect(code).toBe(1);
  return stderr.replaceAll(/\s+/g, ' ');
}

test('Terraform reports that Node.js is missing', async () => {
  const path = join(folder, 'without-node');
  mkdirSync(path);
  symlinkSync(programPath(terraformBinary()), join(path, basename(terraformBinary())));
  expect(await complaint(path)).toContain(
    'This form of the provider vaultadmin needs Node.js, and there is no "node" in the PATH of Terraform: ' +
      'install Node.js 20.18 or newer, and have it in that PATH, or use the executable for this platform',
  );
});

test('Terraform reports an old version of Node.js, and the required one', async () => {
  const path = join(folder, 'old-node');
  mkdirSync(path);
  const claim = join(path, 'claim.js');
  writeFileSync(claim, "Object.defineProperty(process.versions, 'node', { value: '16.20.2' });\n");
  const node = join(path, 'node');
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' -r '${claim}' "$@"\n`);
  chmodSync(node, 0o755);
  expect(await complaint([path, process.env.PATH].join(delimiter))).toContain(
    'The provider vaultadmin requires Node.js 20.18 or newer; the "node" in the PATH of Terraform is 16.20.2 ' +
      `(${process.execPath}): install a newer one, and have it first in that PATH`,
  );
});

/** The paths of Terraform and OpenTofu before 1.11, separated by `:` in the variable. */
const oldEngines = (process.env.OLD_ENGINES ?? '').split(delimiter).filter((each) => each !== '');
if (oldEngines.length === 0) {
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: Terraform and OpenTofu before 1.11, for which there are messages of their own. ` +
      `OLD_ENGINES=/path/terraform:/path/tofu names some.\n${line}`,
  );
}

const HCL = `
terraform {
  required_providers {
    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }
  }
}
variable "pin" {
  type      = string
  sensitive = true
  default   = "1234"
}
resource "vaultadmin_managed_key" "key" {
  name = "by-an-old-engine"
  pkcs11 {
    library   = "hsm"
    slot      = "0"
    key_label = "key"
    key_bits  = 4096
    mechanism = "0x000D"
    PIN
  }
}
`;
const SENSITIVE = 'pin = var.pin';
const WRITE_ONLY = 'pin_wo = var.pin\npin_wo_version = 1';

/** Returns the text that an engine prints on stderr, in one line. */
function complaintOf(engine: string, cwd: string, command: string): string {
  const { env } = project.terraform;
  const { stderr } = spawnSync(engine, [command, '-no-color'], { cwd, env, encoding: 'utf8' });
  return stderr.replaceAll(/\s+/g, ' ');
}

/** Runs an engine asynchronously, so that the emulator in this process can answer. */
function ended(engine: string, cwd: string, args: readonly string[]): Promise<Ended> {
  const options = { cwd, env: project.terraform.env };
  return new Promise((resolve) => {
    execFile(engine, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

interface Ended {
  readonly code: string | number;
  readonly stdout: string;
  readonly stderr: string;
}

for (const engine of oldEngines) {
  const { stdout } = spawnSync(engine, ['version'], { encoding: 'utf8' });
  const [version = 'none'] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];

  test(`a stack with ${engine} reports that the engine is too old`, () => {
    const complaint = complaintOf(engine, project.terraform.folder, 'init');
    expect(complaint).toContain('"required_version": ">= 1.11" This configuration does not support');
    expect(complaint).toContain(version);
  });

  test(`plain Terraform may use sensitive arguments with ${engine}, with a warning that they are stored`, async () => {
    const stack = mkdtempSync(join(folder, 'hcl-'));
    symlinkSync(join(project.terraform.folder, 'terraform.d'), join(stack, 'terraform.d'));
    const run = (...args: string[]) => ended(engine, stack, [...args, '-no-color']);

    writeFileSync(join(stack, 'main.tf'), HCL.replace('PIN', SENSITIVE));
    await run('init');
    const apply = await run('apply', '-auto-approve');
    expect(apply.stderr).toBe('');
    expect(apply.stdout).toContain(
      `Terraform (or OpenTofu) ${version} is too old to keep secrets out of its states`,
    );
    expect((await run('plan', '-detailed-exitcode')).code).toBe(0);

    writeFileSync(join(stack, 'main.tf'), HCL.replace('PIN', WRITE_ONLY));
    expect((await run('plan')).stderr).toContain('Write-only arguments require Terraform 1.11');
    writeFileSync(join(stack, 'main.tf'), HCL.replace('PIN', SENSITIVE));
    expect((await run('destroy', '-auto-approve')).code).toBe(0);
  });
}
