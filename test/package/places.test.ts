import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { temporaryFolder } from '../support/temporary-folder';
import { PLUGINS } from './support/project';
import { install, packed } from './support/tarball';

const APP = `
const { App, TerraformStack } = require('cdktf');
const { AclPolicy, Capability, PolicyStatement, VaultCluster, ResourceProvider } = require('cdktf-vault-admin');
const app = new App();
const stack = new TerraformStack(app, 'policies');
new AclPolicy(stack, 'Reader', {
  cluster: new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN }),
  statements: [new PolicyStatement({ paths: ['kv/*'], capabilities: [Capability.READ] })],
});
app.synth();
`;

let folder: string;
let project: string;
let installed: string;

beforeAll(async () => {
  folder = temporaryFolder('places');
  project = join(folder, 'a project with spaces');
  installed = install(await packed(), project);
  writeFileSync(join(project, 'main.js'), APP);
});
beforeEach(() => rmSync(join(folder, 'run'), { recursive: true, force: true }));

/**
 * Runs an app in a folder of its own.
 *
 * @returns its error, and the folder of the placed provider
 */
function synthesize(app: string): { complaint: string; placed: string } {
  const run = join(folder, 'run');
  mkdirSync(run);
  const { stderr } = spawnSync(process.execPath, [app], { cwd: run, encoding: 'utf8' });
  const manifest = readFileSync(join(installed, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return {
    complaint: stderr,
    placed: join(run, 'cdktf.out', 'stacks', 'policies', PLUGINS, version, 'linux_amd64'),
  };
}

test('the provider is placed in the folder in which the app is run', () => {
  const { complaint, placed } = synthesize(join(project, 'main.js'));
  expect(complaint).toBe('');
  expect(existsSync(join(placed, 'provider.js'))).toBe(true);
});

test('files that are placed from a read-only package can be removed', () => {
  const provider = join(installed, 'lib', 'provider');
  chmodSync(provider, 0o555);
  try {
    const { complaint, placed } = synthesize(join(project, 'main.js'));
    expect(complaint).toBe('');
    expect(statSync(placed).mode & 0o700).toBe(0o700);
  } finally {
    chmodSync(provider, 0o755);
  }
});

test('a bundled app finds the provider in the node_modules above it, and fails with a reason if there is none', () => {
  const bundle = join(project, 'bundle.js');
  buildSync({
    absWorkingDir: project,
    entryPoints: ['main.js'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
  });
  const { complaint, placed } = synthesize(bundle);
  expect(complaint).toBe('');
  expect(existsSync(join(placed, 'provider.js'))).toBe(true);

  rmSync(join(folder, 'run'), { recursive: true });
  const alone = join(folder, 'bundle.js');
  copyFileSync(bundle, alone);
  expect(synthesize(alone).complaint).toContain(
    `the vaultadmin provider is missing: the package cdktf-vault-admin was not found from ${alone}, into which it was ` +
      'bundled; a bundle cannot contain the provider, which is an executable: install cdktf-vault-admin where the bundle runs',
  );
});
