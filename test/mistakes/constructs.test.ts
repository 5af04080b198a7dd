/** Mistakes that people make in apps, also in plain JavaScript, and the texts that they get. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import * as constructs from '../../constructs';
import { temporaryFolder } from '../support/temporary-folder';

/** The constructs without the types of their arguments, as plain JavaScript has them. */
type Untyped = Readonly<
  Record<
    keyof typeof constructs,
    (new (...given: unknown[]) => unknown) &
      Readonly<Record<'deny' | 'local' | 'awsKms' | 'pkcs11' | 'fromFile', (given: unknown) => unknown>>
  >
>;
const C = constructs as unknown as Untyped;

interface Scene {
  readonly stack: TerraformStack;
  readonly us: constructs.VaultCluster;
  readonly eu: constructs.VaultCluster;
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('mistakes');
  writeFileSync(join(folder, 'app.hcl'), 'path "a" { capabilities = ["read"] }\n');
});

function textOf(make: (scene: Scene) => unknown): string {
  const app = new App({ outdir: join(folder, 'out') });
  const stack = new TerraformStack(app, 'st');
  try {
    const [us, eu] = ['us', 'eu'].map(
      (name) => new constructs.VaultCluster(stack, name, { name, address: `https://${name}.example:8200` }),
    ) as [constructs.VaultCluster, constructs.VaultCluster];
    make({ stack, us, eu });
    app.synth();
    return 'no error';
  } catch (error) {
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }
}

const hour = constructs.Duration.hours(1);
const STATEMENT = new constructs.PolicyStatement({
  paths: ['a'],
  capabilities: [constructs.Capability.READ],
});
const local = () => constructs.SnapshotStorage.local({ maxSpace: constructs.Size.gibibytes(1) });

test.each<[mistake: string, make: (scene: Scene) => unknown, text: string]>([
  [
    'confirmDataLoss is true',
    ({ stack, us, eu }) =>
      new C.PerfReplicationSet(stack, 'S', {
        primary: us,
        members: [{ cluster: us }, { cluster: eu, confirmDataLoss: true }],
      }),
    '[st/S] PerfReplicationSet: members[1]: confirmDataLoss is true; allowed: text; write text in quotes',
  ],
  [
    'a misspelt property of a member',
    ({ stack, us, eu }) =>
      new C.PerfReplicationSet(stack, 'S', {
        primary: us,
        members: [{ cluster: us }, { cluster: eu, pathFilter: constructs.PathsFilter.deny(['a/']) }],
      }),
    '[st/S] PerfReplicationSet: members[1]: pathFilter is not a property; write ' +
      'pathsFilter in place of pathFilter',
  ],
  [
    'a member twice',
    ({ stack, us, eu }) =>
      new C.PerfReplicationSet(stack, 'S', {
        primary: us,
        members: [{ cluster: us }, { cluster: eu }, { cluster: eu }],
      }),
    '[st/S] performance replication set: two members have the name "eu"; allowed: each cluster once',
  ],
  [
    'a primary that is not a member',
    ({ stack, us, eu }) => new C.PerfReplicationSet(stack, 'S', { primary: us, members: [{ cluster: eu }] }),
    '[st/S] performance replication set: primary is "us", which is not among the members; allowed: "eu"; add it to members, ' +
      'or name one of them',
  ],
  [
    'no cluster',
    ({ stack }) => new C.AclPolicy(stack, 'P', {}),
    '[st/P] AclPolicy: cluster is missing; allowed: a VaultCluster; write new VaultCluster(...), or check the name by which ' +
      'it was looked up',
  ],
  [
    'the name of a cluster in place of the cluster',
    ({ stack }) => new C.AclPolicy(stack, 'P', { cluster: 'us' }),
    '[st/P] AclPolicy: cluster is "us"; allowed: a VaultCluster; write new VaultCluster(...), or check the name by which it ' +
      'was looked up',
  ],
  [
    'a file that does not exist',
    ({ stack, us: cluster }) => {
      const document = constructs.PolicyDocument.fromFile('policies/none.hcl');
      return new constructs.AclPolicy(stack, 'P', { cluster, document });
    },
    `[st/P] the file "policies/none.hcl" does not exist: it was looked for at ${process.cwd()}/policies/none.hcl; name a file, with its ` +
      'path from the folder in which the app runs, or with join(__dirname, …)',
  ],
  [
    'a file with another name',
    ({ stack, us: cluster }) => {
      const document = constructs.PolicyDocument.fromFile(join(folder, 'apps.hcl'));
      return new constructs.AclPolicy(stack, 'P', { cluster, document });
    },
    '[st/P] the file "FOLDER/apps.hcl" does not exist: it was looked for at FOLDER/apps.hcl; name a file, such as "FOLDER/app.hcl", ' +
      'with its path from the folder in which the app runs, or with join(__dirname, …)',
  ],
  [
    'a file with an ACL policy that does not end',
    ({ stack, us: cluster }) => {
      const path = join(folder, 'open.hcl');
      writeFileSync(path, '# Read all.\npath "a" { capabilities = ["read"]\n');
      return new C.AclPolicy(stack, 'P', { cluster, document: constructs.PolicyDocument.fromFile(path) });
    },
    '[st/P] ACL policy "st-p": document cannot be parsed: "}" is missing at the end of the block (FOLDER/open.hcl, line 2, ' +
      'column 1); close the block with "}"',
  ],
  [
    'a file with a Sentinel policy that does not end',
    ({ stack, us: cluster }) => {
      const path = join(folder, 'open.sentinel');
      writeFileSync(path, 'main = rule {\n');
      return new C.RgpPolicy(stack, 'P', {
        cluster,
        document: constructs.SentinelDocument.fromFile(path),
        enforcementLevel: constructs.EnforcementLevel.ADVISORY,
      });
    },
    '[st/P] RGP policy "st-p": document cannot be parsed: expected an expression, found the end of the text ' +
      '(FOLDER/open.sentinel, line 2, column 1); received ""; correct it or, if your server supports more of Sentinel, add the ' +
      'line "# vault-admin: unchecked"',
  ],
  [
    'path in place of paths',
    () => new C.PolicyStatement({ path: ['a'], capabilities: ['read'] }),
    "PolicyStatement: paths is missing; allowed: a list of paths; write for example ['secret/data/app/*'], or write paths in " +
      'place of path',
  ],
  [
    'a text in place of a list of paths',
    () => new C.PolicyStatement({ paths: 'a', capabilities: ['read'] }),
    `PolicyStatement: paths is "a"; allowed: a list of paths; write for example ['secret/data/app/*']`,
  ],
  [
    'a number in place of a Duration',
    ({ stack, us }) =>
      new C.AutoSnapshot(stack, 'A', { cluster: us, interval: 3600, pathPrefix: '/a', storage: local() }),
    '[st/A] AutoSnapshot: interval is 3600; allowed: a Duration; write for example Duration.hours(1)',
  ],
  [
    'a number in place of a Size',
    () => C.SnapshotStorage.local({ maxSpace: 5 }),
    'SnapshotStorage.local: maxSpace is 5; allowed: a Size; write for example Size.gibibytes(20)',
  ],
  [
    'a misspelt storage',
    ({ stack, us }) =>
      new C.AutoSnapshot(stack, 'A', { cluster: us, interval: hour, pathPrefix: '/a', storge: local() }),
    '[st/A] AutoSnapshot: storage is missing; allowed: a SnapshotStorage; write for example SnapshotStorage.local({...}), or ' +
      'write storage in place of storge',
  ],
  [
    'an object in place of a storage',
    ({ stack, us }) =>
      new C.AutoSnapshot(stack, 'A', {
        cluster: us,
        interval: hour,
        pathPrefix: '/a',
        storage: { type: 'local' },
      }),
    '[st/A] AutoSnapshot: storage is another object; allowed: a SnapshotStorage; write for example SnapshotStorage.local({...})',
  ],
  [
    'the name of a size in place of a KeySpec',
    () => C.ManagedKeyBackend.awsKms({ kmsKey: 'x', keySpec: 'rsa-2048' }),
    'ManagedKeyBackend.awsKms: keySpec is "rsa-2048"; allowed: a KeySpec; write for example KeySpec.rsa(3072)',
  ],
  [
    'an address without a scheme',
    ({ stack }) => new constructs.VaultCluster(stack, 'x', { name: 'x', address: 'vault.example:8200' }),
    '[st/x] Vault cluster: address is not valid; received "vault.example:8200"; allowed: a URL such as ' +
      'https://vault.example.com:8200, without user name, query and fragment; correct it, or remove it',
  ],
  [
    'an address that ends with /v1',
    ({ stack }) =>
      new constructs.VaultCluster(stack, 'x', { name: 'x', address: 'https://vault.example/v1/' }),
    '[st/x] Vault cluster: address is not valid; received "https://vault.example/v1/"; allowed: a URL such as ' +
      'https://vault.example.com:8200, without user name, query and fragment; remove /v1 from its end, which is added to each request',
  ],
  [
    'another level of enforcement',
    ({ stack, us }) =>
      new C.EgpPolicy(stack, 'P', {
        cluster: us,
        paths: ['a'],
        enforcementLevel: 'hard',
        document: constructs.SentinelDocument.fromText('main = rule { true }'),
      }),
    '[st/P] EGP policy "st-p": enforcementLevel must be one of the allowed values; received "hard"; allowed: "advisory", ' +
      '"soft-mandatory", "hard-mandatory"; write "hard-mandatory"',
  ],
  [
    'the text of a policy in place of a document',
    ({ stack, us }) => new C.AclPolicy(stack, 'P', { cluster: us, document: 'path "a" {}' }),
    '[st/P] AclPolicy: document is "path \\"a\\" {}"; allowed: a PolicyDocument; write for example ' +
      "PolicyDocument.fromFile('policy.hcl')",
  ],
  [
    'a Sentinel document in an ACL policy',
    ({ stack, us }) =>
      new C.AclPolicy(stack, 'P', {
        cluster: us,
        document: constructs.SentinelDocument.fromText('main = rule { true }'),
      }),
    '[st/P] AclPolicy: document is a SentinelDocument; allowed: a PolicyDocument; write for example ' +
      "PolicyDocument.fromFile('policy.hcl')",
  ],
  [
    'a promise in place of a document',
    ({ stack, us }) =>
      new C.AclPolicy(stack, 'P', {
        cluster: us,
        document: Promise.resolve(new constructs.PolicyDocument()),
      }),
    '[st/P] AclPolicy: document is a Promise; allowed: a PolicyDocument; write for example ' +
      "PolicyDocument.fromFile('policy.hcl')",
  ],
  [
    'statements and a document from text',
    ({ stack, us }) =>
      new constructs.AclPolicy(stack, 'P', {
        cluster: us,
        document: constructs.PolicyDocument.fromText('# none'),
        statements: [STATEMENT],
      }),
    '[st/P] a policy document from text cannot have statements; add them to the text, or build the document from ' +
      'statements only',
  ],
  [
    'objects in place of statements',
    ({ stack, us }) =>
      new C.AclPolicy(stack, 'P', { cluster: us, statements: [{ paths: ['a'], capabilities: ['read'] }] }),
    '[st/P] AclPolicy: statements[0] is another object; allowed: a PolicyStatement; write for example ' +
      'new PolicyStatement({...})',
  ],
  [
    'one statement in place of a list',
    ({ stack, us }) => new C.AclPolicy(stack, 'P', { cluster: us, statements: STATEMENT }),
    '[st/P] AclPolicy: statements is a PolicyStatement; allowed: a list; write [...]',
  ],
  [
    'a list in place of each added statement',
    ({ stack, us }) =>
      new constructs.AclPolicy(stack, 'P', { cluster: us }).addStatements([
        STATEMENT,
      ] as unknown as constructs.PolicyStatement),
    'addStatements: statements[0] is a list; allowed: a PolicyStatement; write for example new PolicyStatement({...})',
  ],
  [
    'a namespace in place of its path',
    ({ stack, us }) =>
      new C.AclPolicy(stack, 'P', {
        cluster: us,
        namespace: new constructs.Namespace(stack, 'N', { cluster: us, path: 'team' }),
      }),
    '[st/P] AclPolicy: namespace is a Namespace; allowed: text; write text in quotes',
  ],
  [
    'a path that is undefined',
    () => new C.PolicyStatement({ paths: ['a', undefined], capabilities: ['read'] }),
    'PolicyStatement: paths[1] is missing; allowed: text; write text in quotes',
  ],
  [
    'a path of a filter that is undefined',
    () => C.PathsFilter.deny(['a/', undefined]),
    "PathsFilter.deny: paths is a list with undefined; allowed: a list of paths; write for example ['us-only/']",
  ],
  [
    'a list in place of parameters',
    () => new C.PolicyStatement({ paths: ['a'], capabilities: ['read'], allowedParameters: ['ttl'] }),
    'PolicyStatement: allowedParameters is a list; allowed: a map; write { name: value }',
  ],
  [
    'a text in place of the values of a parameter',
    () => new C.PolicyStatement({ paths: ['a'], capabilities: ['read'], deniedParameters: { ttl: '1h' } }),
    'PolicyStatement: deniedParameters.ttl is "1h"; allowed: a list; write ["1h"]',
  ],
  [
    'one usage in place of a list',
    ({ stack, us }) =>
      new C.ManagedKey(stack, 'K', {
        cluster: us,
        usages: 'sign',
        backend: constructs.ManagedKeyBackend.awsKms({ kmsKey: 'k', keySpec: constructs.KeySpec.rsa(2048) }),
      }),
    '[st/K] ManagedKey: usages is "sign"; allowed: a list; write ["sign"]',
  ],
  [
    'a version of secrets as text',
    () =>
      C.ManagedKeyBackend.awsKms({
        kmsKey: 'k',
        keySpec: constructs.KeySpec.rsa(2048),
        secretsVersion: '2',
      }),
    'ManagedKeyBackend.awsKms: secretsVersion is "2"; allowed: a number; write a number',
  ],
  [
    'a PIN as a number, which is not shown',
    () => C.ManagedKeyBackend.pkcs11({ mechanism: constructs.Pkcs11Mechanism.RSA_PKCS_PSS, pin: 987654 }),
    'ManagedKeyBackend.pkcs11: pin is a number, which is not shown; allowed: text; write text in quotes',
  ],
  [
    'NaN in place of a number',
    ({ stack, us }) =>
      new C.AutoSnapshot(stack, 'A', {
        cluster: us,
        interval: hour,
        retain: Number('x'),
        pathPrefix: '/a',
        storage: local(),
      }),
    '[st/A] AutoSnapshot: retain is NaN; allowed: a number; write a number',
  ],
  [
    'the name of a login in place of its settings',
    ({ stack }) => new C.VaultCluster(stack, 'x', { name: 'x', authLogin: 'approle' }),
    '[st/x] VaultCluster: authLogin is "approle"; allowed: an object with the properties; write {...}',
  ],
  [
    'a text in place of properties',
    () => new C.PolicyDocument('path "a" {}'),
    'PolicyDocument: props is "path \\"a\\" {}"; allowed: an object with the properties; write {...}',
  ],
  [
    'an undefined path of a file',
    () => C.PolicyDocument.fromFile(undefined),
    "fromFile: path is missing; allowed: the path of a file; write for example 'policies/app.hcl'",
  ],
  [
    'a filter for a cluster that the pair does not have',
    ({ stack, us, eu }) =>
      new C.PerfReplicationPair(stack, 'S', {
        primary: us,
        clusters: [us, eu],
        pathsFilters: { asia: constructs.PathsFilter.deny(['a/']) },
      }),
    '[st/S] performance replication pair: pathsFilters names "asia"; allowed: "us", "eu"; write one of these, or remove it',
  ],
  [
    'a list in place of the filters of a pair',
    ({ stack, us, eu }) =>
      new C.PerfReplicationPair(stack, 'S', {
        primary: us,
        clusters: [us, eu],
        pathsFilters: [constructs.PathsFilter.deny(['a/'])],
      }),
    '[st/S] PerfReplicationPair: pathsFilters is a list; allowed: a map; write { name: value }',
  ],
  [
    'a text in place of the paths of a filter',
    () => C.PathsFilter.deny('secret/'),
    `PathsFilter.deny: paths is "secret/"; allowed: a list of paths; write for example ['us-only/']`,
  ],
])('%s', (_, make, text) => {
  expect(textOf(make)).toBe(text);
});
