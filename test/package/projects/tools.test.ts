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

test('engines that are too old say so of our stacks, and of configurations that ask for the provider', () => {
  const { folder: stack, env } = project.terraform;
  for (const engine of oldEngines) {
    const run = (cwd: string, ...args: string[]) =>
      spawnSync(engine, [...args, '-no-color'], { cwd, env, encoding: 'utf8' }).stderr.replaceAll(
        /\s+/g,
        ' ',
      );
    const [version = ''] =
      /\d+\.\d+\.\d+/.exec(spawnSync(engine, ['version'], { encoding: 'utf8' }).stdout) ?? [];
    expect(run(stack, 'init')).toContain(`"required_version": ">= 1.11" This configuration does not support`);
    expect(run(stack, 'init')).toContain(version);

    const written = mkdtempSync(join(folder, 'hcl-'));
    symlinkSync(join(stack, 'terraform.d'), join(written, 'terraform.d'));
    writeFileSync(
      join(written, 'main.tf'),
      'terraform {\n  required_providers {\n' +
        '    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }\n  }\n}\n' +
        'data "vaultadmin_acl_policies" "all" {}\n',
    );
    run(written, 'init');
    expect(run(written, 'plan')).toContain(
      `Terraform (or OpenTofu) ${version} is too old for the provider vaultadmin`,
    );
  }
});
