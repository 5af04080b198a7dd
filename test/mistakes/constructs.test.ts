/** Mistakes that people make in apps, also in plain JavaScript, and the texts that they get. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import * as constructs from '../../constructs';

/** The constructs without the types of their arguments, as plain JavaScript has them. */
type Untyped = Readonly<
  Record<
    keyof typeof constructs,
    (new (...given: unknown[]) => unknown) &
      Readonly<Record<'deny' | 'local' | 'awsKms', (given: unknown) => unknown>>
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
  folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  writeFileSync(join(folder, 'app.hcl'), 'path "a" { capabilities = ["read"] }\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
const local = () => constructs.SnapshotStorage.local({ maxSpace: constructs.Size.gibibytes(1) });

test.each<[mistake: string, make: (scene: Scene) => unknown, text: string]>([
  [
    'confirmDataLoss is true',
    ({ stack, us, eu }) =>
      new C.PerfReplicationSet(stack, 'S', {
        primary: us,
        members: [{ cluster: us }, { cluster: eu, confirmDataLoss: true }],
      }),
    '[st/S] secondary of the replication set "eu": confirmDataLoss must be text; received true; write text',
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
    'a primary that is no member',
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
    () => constructs.PolicyDocument.fromFile('policies/none.hcl'),
    `the file "policies/none.hcl" does not exist: it was looked for at ${process.cwd()}/policies/none.hcl; name a file, with its ` +
      'path from the folder in which the app runs, or with join(__dirname, …)',
  ],
  [
    'a file with another name',
    () => constructs.PolicyDocument.fromFile(join(folder, 'apps.hcl')),
    'the file "FOLDER/apps.hcl" does not exist: it was looked for at FOLDER/apps.hcl; name a file, such as "FOLDER/app.hcl", ' +
      'with its path from the folder in which the app runs, or with join(__dirname, …)',
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
      '"soft-mandatory", "hard-mandatory"; use one of the allowed values',
  ],
  [
    'a text in place of the paths of a filter',
    () => C.PathsFilter.deny('secret/'),
    `PathsFilter.deny: paths is "secret/"; allowed: a list of paths; write for example ['us-only/']`,
  ],
])('%s', (_, make, text) => {
  expect(textOf(make)).toBe(text);
});
