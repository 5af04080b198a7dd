import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { install, packed } from './support/tarball';

let folder: string;
let project: string;

beforeAll(async () => {
  folder = temporaryFolder('imports');
  project = join(folder, 'project');
  install(await packed(), project);
});

/**
 * The end of each program. It prints the loaded files, with their paths below node_modules, and the
 * loaded modules of Node.js.
 */
const REPORT = `
const files = Object.keys(require.cache).map((file) => file.split('/node_modules/').slice(1));
const builtIn = process.moduleLoadList.filter((name) => /^NativeModule [a-z]/.test(name));
console.log(JSON.stringify({ files, builtIn }));
`;

interface Loaded {
  /**
   * The loaded files. The path of each is split at `node_modules`, because packages within the
   * framework are below a second one.
   */
  readonly files: readonly (readonly string[])[];
  readonly builtIn: readonly string[];
}

function loadedBy(program: string): Loaded {
  return JSON.parse(run(`${program};${REPORT}`)) as Loaded;
}

function run(program: string): string {
  // Without this option, the files of linked packages would have paths outside of the project.
  const args = ['--preserve-symlinks', '-e', program];
  return execFileSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
const { AclPolicy, Capability, PolicyStatement, VaultCluster, ResourceProvider } = require('cdktf-vault-admin');
const app = new App();
for (const resources of [ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN]) {
  const stack = new TerraformStack(app, resources);
  const statements = [new PolicyStatement({ paths: ['kv/*'], capabilities: [Capability.READ] })];
  new AclPolicy(stack, 'Reader', { cluster: new VaultCluster(stack, 'Cluster', { resourceProvider: resources }), statements });
}
app.synth();
`;

/**
 * Reads all exports of the package, because a module is only loaded when one of its exports is
 * read.
 */
const ALL_CLASSES = "({ ...require('cdktf-vault-admin') })";
const FRAMEWORK = ['cdktf', 'cdktf-vault-admin', 'constructs'];

test.each([
  ['all constructs', ALL_CLASSES, FRAMEWORK, [], ['lib/src/model/']],
  [
    'a synthesis',
    SYNTHESIS,
    ['@cdktf/provider-vault', ...FRAMEWORK],
    ['lib/policy/index.js', 'lib/provider/index.js'],
    ['lib/src/files/', 'lib/src/model/', 'lib/src/text/'],
  ],
])(
  '%s: the loaded files are those of the framework, the model, and the bindings of used classes',
  (_what, program, packages, bindings, sources) => {
    const loaded = loadedBy(program);
    expect(packagesIn(loaded)).toEqual(packages);

    const folders = filesOf('cdktf-vault-admin', loaded).map(
      (path) => /^lib\/(src\/)?[^/]+\//.exec(path)?.[0] ?? path,
    );
    expect([...new Set(folders)].sort()).toEqual(['lib/constructs/', ...sources]);
    expect(filesOf('@cdktf/provider-vault', loaded).sort()).toEqual(bindings);
  },
);

test('an import of the constructs loads the same modules of Node as the framework, and no network', () => {
  const framework = new Set(loadedBy("require('cdktf')").builtIn);
  const more = loadedBy(ALL_CLASSES).builtIn.filter((name) => !framework.has(name));
  expect(more).toEqual([]);
});

const BINDINGS = `
const { App, TerraformStack, Testing } = require('cdktf');
const { VaultCluster, ResourceProvider } = require('cdktf-vault-admin');
const { PerfReplicationPrimary } = require('cdktf-vault-admin/bindings/perf-replication-primary');
const stack = new TerraformStack(new App(), 'stack');
const cluster = new VaultCluster(stack, 'Cluster');
new PerfReplicationPrimary(stack, 'Primary', { provider: cluster.providerFor(stack, ResourceProvider.VAULTADMIN) });
console.log(Testing.synth(stack));
`;

test('resources without a construct can be created by the bindings, with the provider of a cluster', () => {
  const stack = JSON.parse(run(BINDINGS)) as { resource: object; terraform: object };
  expect(stack.resource).toMatchObject({
    vaultadmin_perf_replication_primary: { Primary: { provider: 'vaultadmin' } },
  });
});

test('the binding of the provider cannot be imported, because no code would place the provider then', () => {
  expect(() => run("require('cdktf-vault-admin/bindings/provider')")).toThrow(
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
  );
});
