import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { terraformBinary } from '../../support/terraform';
import { Project } from '../support/project';
import { pack } from '../support/tarball';

let folder: string;
let emulator: Emulator;
let project: Project;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tools-'));
  emulator = await startEmulator({ clusters: { us: 0 } });
  project = new Project(pack(folder), emulator.clusters.us as RunningCluster);
  project.synthesize();
  await project.terraform.init();
});
afterAll(async () => {
  await project.dispose();
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What Terraform says in one line where it has `path` as its PATH. */
async function complaint(path: string): Promise<string> {
  const { code, stderr } = await project.terraform.runWith({ PATH: path }, 'validate', '-no-color');
  expect(code).toBe(1);
  return stderr.replaceAll(/\s+/g, ' ');
}

test('where there is no Node.js, Terraform says that it is missing', async () => {
  const path = join(folder, 'without-node');
  mkdirSync(path);
  const terraform = execFileSync('sh', ['-c', `command -v '${terraformBinary()}'`], { encoding: 'utf8' });
  symlinkSync(terraform.trim(), join(path, basename(terraform.trim())));
  expect(await complaint(path)).toContain(
    'The provider vaultadmin is a Node.js program, and there is no "node" in the PATH of Terraform: ' +
      'install Node.js 20.18 or newer, and have it in that PATH',
  );
});

test('where Node.js is too old, Terraform says which one there is, and which is needed', async () => {
  const path = join(folder, 'old-node');
  mkdirSync(path);
  const claim = join(path, 'claim.js');
  writeFileSync(claim, "Object.defineProperty(process.versions, 'node', { value: '16.20.2' });\n");
  const node = join(path, 'node');
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' -r '${claim}' "$@"\n`);
  chmodSync(node, 0o755);
  expect(await complaint([path, process.env.PATH].join(delimiter))).toContain(
    'The provider vaultadmin needs Node.js 20.18 or newer; the "node" in the PATH of Terraform is 16.20.2 ' +
      `(${process.execPath}): install a newer one, and have it first in that PATH`,
  );
});

/** Engines before 1.11, separated by `:`. */
const oldEngines = (process.env.OLD_ENGINES ?? '').split(delimiter).filter((each) => each !== '');
if (oldEngines.length === 0) {
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: Terraform and OpenTofu before 1.11, which have to say that they are too old. ` +
      `OLD_ENGINES=/path/terraform:/path/tofu names some.\n${line}`,
  );
}

const HCL = `
terraform {
  required_providers {
    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }
  }
}
data "vaultadmin_acl_policies" "all" {}
`;

/** What an engine prints on stderr, in one line. */
function complaintOf(engine: string, cwd: string, command: string): string {
  const { env } = project.terraform;
  const { stderr } = spawnSync(engine, [command, '-no-color'], { cwd, env, encoding: 'utf8' });
  return stderr.replaceAll(/\s+/g, ' ');
}

for (const engine of oldEngines) {
  const { stdout } = spawnSync(engine, ['version'], { encoding: 'utf8' });
  const [version = 'none'] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];

  test(`${engine} says of our stacks that it is too old`, () => {
    const complaint = complaintOf(engine, project.terraform.folder, 'init');
    expect(complaint).toContain('"required_version": ">= 1.11" This configuration does not support');
    expect(complaint).toContain(version);
  });

  test(`${engine} is refused by the provider in a configuration of somebody else`, () => {
    const stack = mkdtempSync(join(folder, 'hcl-'));
    symlinkSync(join(project.terraform.folder, 'terraform.d'), join(stack, 'terraform.d'));
    writeFileSync(join(stack, 'main.tf'), HCL);
    complaintOf(engine, stack, 'init');
    expect(complaintOf(engine, stack, 'plan')).toContain(
      `Terraform (or OpenTofu) ${version} is too old for the provider vaultadmin`,
    );
  });
}
