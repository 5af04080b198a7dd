import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from './support/tarball';

let folder: string;
let project: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'imports-')));
  project = join(folder, 'project');
  install(pack(folder), project);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program ends with this: it prints the files that were loaded, as packages name them, and Node's own modules. */
const REPORT = `
const files = Object.keys(require.cache).map((file) => file.split('/node_modules/').slice(1));
const builtIn = process.moduleLoadList.filter((name) => /^NativeModule [a-z]/.test(name));
console.log(JSON.stringify({ files, builtIn }));
`;

interface Loaded {
  /** Each by the way to it through packages, of which the framework bundles its own. */
  readonly files: readonly (readonly string[])[];
  readonly builtIn: readonly string[];
}

function loadedBy(program: string): Loaded {
  // Where the project's packages were linked from, their files have other names.
  const args = ['--preserve-symlinks', '-e', `${program};${REPORT}`];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })) as Loaded;
}

function packagesIn({ files }: Loaded): string[] {
  const names = files.map(([path = '']) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function filesOf(name: string, { files }: Loaded): string[] {
  return files.flatMap(([path = '']) => (path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : []));
}

const SYNTHESIS = `
const { App, TerraformStack } = require('cdktf');
const { AclPolicy, Capability, PolicyStatement, VaultCluster, VaultResources } = require('cdktf-vault-admin');
const app = new App();
for (const resources of [VaultResources.UPSTREAM, VaultResources.VAULTADMIN]) {
  const stack = new TerraformStack(app, resources);
  const statements = [new PolicyStatement({ paths: ['kv/*'], capabilities: [Capability.READ] })];
  new AclPolicy(stack, 'Reader', { cluster: new VaultCluster(stack, 'Cluster', { resources }), statements });
}
app.synth();
`;

test.each([
  ['importing the constructs', "require('cdktf-vault-admin')"],
  ['a synthesis', SYNTHESIS],
])('%s loads the framework, the bindings, the constructs and the model', (_what, program) => {
  const loaded = loadedBy(program);
  expect(packagesIn(loaded)).toEqual(['@cdktf/provider-vault', 'cdktf', 'cdktf-vault-admin', 'constructs']);

  const folders = filesOf('cdktf-vault-admin', loaded).map(
    (path) => /^lib\/(src\/)?[^/]+\//.exec(path)?.[0] ?? path,
  );
  expect([...new Set(folders)].sort()).toEqual(['lib/constructs/', 'lib/src/model/']);
  expect(filesOf('@cdktf/provider-vault', loaded).sort()).toEqual([
    'lib/egp-policy/index.js',
    'lib/policy/index.js',
    'lib/provider/index.js',
    'lib/raft-snapshot-agent-config/index.js',
    'lib/rgp-policy/index.js',
  ]);
});

test("importing the constructs takes of Node's own modules what the framework takes, and no network", () => {
  const framework = new Set(loadedBy("require('cdktf')").builtIn);
  const more = loadedBy("require('cdktf-vault-admin')").builtIn.filter((name) => !framework.has(name));
  expect(more).toEqual([]);
});
