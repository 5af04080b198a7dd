/**
 * Tests that one error reports all problems of an app, each with its line in the code of the app.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { transformSync } from 'esbuild';
import {
  AclPolicy,
  AutoSnapshot,
  Capability,
  EnforcementLevel,
  Namespace,
  PolicyDocument,
  PolicyStatement,
  ResourceProvider,
  RgpPolicy,
  SentinelDocument,
  Size,
  SnapshotStorage,
  VaultCluster,
} from '../../constructs';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');

let folder: string;
beforeEach(() => (folder = temporaryFolder('app-errors')));

const UNCLOSED =
  'document cannot be parsed: "}" is missing at the end of the block (line 1, column 1); close the block with "}"';

const notThere = (name: string) =>
  `the file "${join(folder, name)}" does not exist: it was looked for at ${join(folder, name)}; name a file, with its ` +
  'path from the folder in which the app runs, or with join(__dirname, …)';

test.each([false, true])(
  'one error has the problems of all stacks, and nothing is written, with skipValidation = %j',
  (skipValidation) => {
    const app = new App({ outdir: join(folder, 'out'), skipValidation });
    const first = new TerraformStack(app, 'first');
    const second = new TerraformStack(app, 'second');
    const cluster = new VaultCluster(app, 'Us', { resourceProvider: ResourceProvider.VAULTADMIN });
    const document = PolicyDocument.fromText('path "a" {');
    const plain = { cluster, document: PolicyDocument.fromText('# none') };
    new AclPolicy(first, 'Broken', { cluster, policyName: 'a', document });
    new AclPolicy(first, 'Fine', { ...plain, policyName: 'b' });
    new AclPolicy(second, 'Twice', { ...plain, policyName: 'b' });
    const misspelled: object = { namspace: 'team' };
    new AclPolicy(second, 'Misspelled', { ...plain, ...misspelled, policyName: 'c' });
    new AclPolicy(second, 'Late', { cluster, policyName: 'd' }).addStatements(
      new PolicyStatement({ paths: ['/a'], capabilities: ['raed' as never] }),
    );
    const missing = PolicyDocument.fromFile(join(folder, 'app.hcl'));
    new AclPolicy(second, 'Missing', { cluster, document: missing });
    const enforcementLevel = EnforcementLevel.ADVISORY;
    const sentinel = SentinelDocument.fromFile(join(folder, 'app.sentinel'));
    new RgpPolicy(second, 'Rgp', { cluster, document: sentinel, enforcementLevel });
    const [pathPrefix, storage] = ['/a', SnapshotStorage.local({ maxSpace: Size.gibibytes(1) })];
    new AutoSnapshot(second, 'Snapshot', { cluster, pathPrefix, storage, interval: 3600 as never });
    new AclPolicy(second, 'NoCluster', { cluster: undefined as never, policyName: 'B' });
    const eu = new VaultCluster(app, 'Eu', { address: 'vault:8200' });
    const policy = new AclPolicy(second, 'Eu', { ...plain, cluster: eu, policyName: 'b' });
    new Namespace(second, 'Namespace', { cluster, path: 5 as never }).pathFq.concat(policy.policyName);
    let error: Error | undefined;
    try {
      app.synth();
    } catch (thrown) {
      error = thrown as Error;
    }
    const [, first_ = 0] = /app-errors\.test\.ts:(\d+): /.exec(error?.message ?? '') ?? [];
    const at = (lines: number) => `test/constructs/app-errors.test.ts:${Number(first_) + lines}`;
    expect(error?.message.split('\n')).toEqual([
      `${at(0)}: [first/Broken] ACL policy "a": ${UNCLOSED}`,
      `${at(2)}: [second/Twice] ACL policy "b" on cluster "default" is written by [first/Fine] already; ` +
        'give one of the two another policyName, or refer to the other one with fromPolicyName',
      `${at(4)}: [second/Misspelled] AclPolicy: namspace is not a property; write namespace in place of namspace`,
      expect.stringContaining(`${at(5)}: [second/Late] ACL policy "d": document cannot be parsed: path "/a"`),
      `${at(8)}: [second/Missing] ${notThere('app.hcl')}`,
      `${at(11)}: [second/Rgp] ${notThere('app.sentinel')}`,
      `${at(14)}: [second/Snapshot] AutoSnapshot: interval is 3600; allowed: a Duration; write for example ` +
        'Duration.hours(1)',
      `${at(15)}: [second/NoCluster] AclPolicy: cluster is missing; allowed: a VaultCluster; write new ` +
        'VaultCluster(...), or check the name by which it was looked up',
      `${at(16)}: [Eu] Vault cluster: address is not valid; received "vault:8200"; allowed: a URL such as ` +
        'https://vault.example.com:8200, without user name, query and fragment; correct it, or remove it',
      `${at(18)}: [second/Namespace] Namespace: path is 5; allowed: text; write text in quotes`,
    ]);
    expect(existsSync(join(folder, 'out', 'stacks', 'first', 'cdk.tf.json'))).toBe(false);
  },
);

test('a finding that two checks of a construct have is shown once', () => {
  const app = new App({ outdir: join(folder, 'out') });
  const stack = new TerraformStack(app, 'st');
  const cluster = new VaultCluster(stack, 'Us', { resourceProvider: ResourceProvider.VAULTADMIN });
  // The name is checked at once, and again at synthesis, when no more statements can be added.
  const statements = [new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ] })];
  new AclPolicy(stack, 'A', { cluster, policyName: 'App', statements });
  expect(() => app.synth()).toThrow(
    new Error(
      '[st/A] ACL policy "App": policyName must be lower case; received "App"; allowed: lower-case letters, since the ' +
        'server converts names to lower case; write "app"',
    ),
  );
});

const APP = `import { App, TerraformStack } from 'cdktf';
import { AclPolicy, PolicyDocument, ResourceProvider, VaultCluster } from 'cdktf-vault-admin';

interface Unused {
  readonly name: string;
}

const app = new App();
const stack = new TerraformStack(app, 'st');
const cluster = new VaultCluster(stack, 'Us', { resourceProvider: ResourceProvider.VAULTADMIN });
const document = PolicyDocument.fromText('path "a" {');
new AclPolicy(stack, 'A', { cluster, policyName: 'a', document });
`;

test.each([
  [
    'one error',
    '',
    `Error: [st/A] ACL policy "a": ${UNCLOSED}\n    at Object.<anonymous> (FOLDER/main.ts:12:1)\n`,
  ],
  [
    'two errors',
    `new AclPolicy(stack, 'B', { cluster, policyName: 'b', document });`,
    `Error: main.ts:12: [st/A] ACL policy "a": ${UNCLOSED}\nmain.ts:13: [st/B] ACL policy "b": ${UNCLOSED}\n` +
      '    at Object.<anonymous> (FOLDER/main.ts:14:5)\n',
  ],
  [
    'a file that does not exist, and a property of a wrong type',
    `const policy = PolicyDocument.fromFile('none.hcl');
new AclPolicy(stack, 'C', { cluster, policyName: 'c', document: policy }).addStatements();
new AclPolicy(stack, 'D', { cluster: 'us' as never, policyName: 'a' });`,
    `main.ts:13: [st/C] the file "none.hcl" does not exist: it was looked for at FOLDER/none.hcl; name a file, with its path ` +
      'from the folder in which the app runs, or with join(__dirname, …)\n' +
      'main.ts:15: [st/D] AclPolicy: cluster is "us"; allowed: a VaultCluster; write new VaultCluster(...), or check the ' +
      'name by which it was looked up\n    at Object.<anonymous> (FOLDER/main.ts:16:5)\n',
  ],
])(
  'the error has the lines of the TypeScript code, and its trace no lines of the package: %s',
  (_what, more, text) => {
    const { code } = transformSync(`${APP}${more}\napp.synth();\n`, {
      loader: 'ts',
      format: 'cjs',
      sourcemap: 'inline',
      sourcefile: 'main.ts',
    });
    writeFileSync(join(folder, 'main.js'), code);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'cdktf-vault-admin'));
    for (const name of ['cdktf', 'constructs'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    const { status, stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'main.js'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr.replaceAll(folder, 'FOLDER')).toContain(text);
    expect([status, existsSync(join(folder, 'cdktf.out', 'stacks', 'st'))]).toEqual([1, false]);
    expect(stderr.split('\n').filter((line) => line.startsWith('    at ') && line.includes(ROOT))).toEqual(
      [],
    );
  },
);
