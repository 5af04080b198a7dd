/**
 * Tests of values that TypeScript's compiler does not check: from plain JavaScript, a cast or a
 * record. `test/mistakes/constructs.test.ts` has the more likely mistakes of this kind.
 */
import { App, Lazy, TerraformStack } from 'cdktf';
import * as constructs from '../../constructs';

type Untyped = Record<string, (...args: unknown[]) => unknown> & (new (...args: unknown[]) => unknown);
const untyped = constructs as unknown as Record<string, Untyped>;

const stack = new TerraformStack(new App(), 'stack');
const cluster = new constructs.VaultCluster(stack, 'Cluster');
const SENTINEL = constructs.SentinelDocument.fromText('main = rule { true }');
const STORAGE = constructs.SnapshotStorage.local({ maxSpace: constructs.Size.gibibytes(1) });
const KMS = constructs.ManagedKeyBackend.awsKms({
  keySpec: constructs.KeySpec.rsa(2048),
  kmsKey: 'k',
  region: 'r',
});
const READ = constructs.Capability.READ;

/** Returns a function that creates a construct `X` without types, and prepares its stack. */
function made(construct: string, props?: unknown): () => unknown {
  return () => {
    const own = new TerraformStack(new App(), 'stack');
    new constructs.VaultCluster(own, 'Own', { name: 'own' });
    new untyped[construct]!(own, 'X', props);
    own.prepareStack();
  };
}

function imported(construct: string, factory: string, attributes?: unknown): () => unknown {
  return () => {
    const own = new TerraformStack(new App(), 'stack');
    untyped[construct]![factory]!(own, 'X', attributes);
    own.prepareStack();
  };
}

const NO_CLUSTER =
  'cluster is missing; allowed: a VaultCluster; write new VaultCluster(...), or check the name by which it was looked up';

test.each<[string, () => unknown, string]>([
  ['no props of an ACL policy', made('AclPolicy'), `[stack/X] AclPolicy: ${NO_CLUSTER}`],
  [
    'no enforcement level',
    made('RgpPolicy', { cluster, document: SENTINEL }),
    '[stack/X] RgpPolicy: enforcementLevel is missing; allowed: an EnforcementLevel; ' +
      'write for example EnforcementLevel.HARD_MANDATORY',
  ],
  [
    'no paths of an EGP',
    made('EgpPolicy', { cluster, document: SENTINEL, enforcementLevel: 'advisory' }),
    "[stack/X] EgpPolicy: paths is missing; allowed: a list of paths; write for example ['secret/data/app/*']",
  ],
  [
    'no log of an audit device',
    made('AuditDevice', { cluster }),
    '[stack/X] AuditDevice: log is missing; allowed: an AuditLog; write for example AuditLog.file({...})',
  ],
  [
    'a value of Terraform in place of a document',
    made('AclPolicy', { cluster, policyName: 'p', document: Lazy.anyValue({ produce: () => 'text' }) }),
    '[stack/X] AclPolicy: document is a LazyAny; allowed: a PolicyDocument; ' +
      "write for example PolicyDocument.fromFile('policy.hcl')",
  ],
  [
    'no backend of a key',
    made('ManagedKey', { cluster }),
    '[stack/X] ManagedKey: backend is missing; allowed: a ManagedKeyBackend; ' +
      'write for example ManagedKeyBackend.pkcs11({...})',
  ],
  [
    'no attributes of a key',
    imported('ManagedKey', 'fromManagedKeyAttributes', { cluster }),
    '[stack/X] ManagedKey.fromManagedKeyAttributes: backendType is missing; allowed: a ManagedKeyType; ' +
      'write for example ManagedKeyType.PKCS11\n' +
      "[stack/X] ManagedKey.fromManagedKeyAttributes: keyName is missing; allowed: text; write for example 'signing'",
  ],
  [
    'an interval as text, and no storage',
    made('AutoSnapshot', { cluster, interval: '24h', pathPrefix: '/opt' }),
    '[stack/X] AutoSnapshot: interval is "24h"; allowed: a Duration; write for example Duration.hours(1)\n' +
      '[stack/X] AutoSnapshot: storage is missing; allowed: a SnapshotStorage; ' +
      'write for example SnapshotStorage.local({...})',
  ],
  [
    'a path prefix that is not a text',
    made('AutoSnapshot', {
      cluster,
      interval: constructs.Duration.hours(1),
      storage: STORAGE,
      pathPrefix: ['/opt'],
    }),
    "[stack/X] AutoSnapshot: pathPrefix is a list; allowed: text; write for example '/opt/vault/snapshots'",
  ],
  [
    'no path of an audit device',
    imported('AuditDevice', 'fromAuditDeviceAttributes', { cluster }),
    "[stack/X] AuditDevice.fromAuditDeviceAttributes: path is missing; allowed: text; write for example 'file'",
  ],
  [
    'no id of a replication set',
    imported('PerfReplicationSet', 'fromPerfReplicationSetAttributes', { primary: cluster }),
    '[stack/X] PerfReplicationSet.fromPerfReplicationSetAttributes: clusterId is missing; allowed: text; ' +
      "write for example '5c2b0a6e-…'",
  ],
  [
    'no name of a snapshot',
    imported('AutoSnapshot', 'fromAutoSnapshotAttributes', { cluster }),
    '[stack/X] AutoSnapshot.fromAutoSnapshotAttributes: snapshotName is missing; allowed: text; ' +
      "write for example 'hourly'",
  ],
  [
    'a boolean in place of an encryption',
    () => untyped.SnapshotStorage!.s3!({ bucket: 'b', region: 'r', encryption: true }),
    'SnapshotStorage.s3: encryption is true; allowed: an S3Encryption; write for example S3Encryption.kms()',
  ],
  [
    'the backend of a managed key in place of a storage',
    made('AutoSnapshot', { cluster, interval: constructs.Duration.hours(1), storage: KMS, pathPrefix: '/a' }),
    '[stack/X] AutoSnapshot: storage is a ManagedKeyBackend; allowed: a SnapshotStorage; ' +
      'write for example SnapshotStorage.local({...})',
  ],
  [
    'a key specification in place of an encryption',
    () =>
      untyped.SnapshotStorage!.s3!({ bucket: 'b', region: 'r', encryption: constructs.KeySpec.rsa(2048) }),
    'SnapshotStorage.s3: encryption is a KeySpec; allowed: an S3Encryption; write for example S3Encryption.kms()',
  ],
  [
    'no props of a storage',
    () => untyped.SnapshotStorage!.gcs!(),
    'SnapshotStorage.gcs: props is missing; allowed: an object with the properties; write {...}',
  ],
  [
    'a mechanism as text',
    () => untyped.ManagedKeyBackend!.pkcs11!({ library: 'hsm', mechanism: '0x0001' }),
    'ManagedKeyBackend.pkcs11: mechanism is "0x0001"; allowed: a Pkcs11Mechanism; ' +
      'write for example Pkcs11Mechanism.RSA_PKCS_PSS',
  ],
  [
    'an object in place of a key specification',
    () => untyped.ManagedKeyBackend!.awsKms!({ kmsKey: 'alias/k', keyType: 'RSA', keyBits: 2048 }),
    'ManagedKeyBackend.awsKms: keySpec is missing; allowed: a KeySpec; write for example KeySpec.rsa(3072)',
  ],
  [
    'no props of a backend',
    () => untyped.ManagedKeyBackend!.azureKeyVault!(null),
    'ManagedKeyBackend.azureKeyVault: props is missing; allowed: an object with the properties; write {...}',
  ],
  [
    'a statement without props',
    () => new untyped.PolicyStatement!(),
    "PolicyStatement: paths is missing; allowed: a list of paths; write for example ['secret/data/app/*']\n" +
      'PolicyStatement: capabilities is missing; allowed: a list of capabilities; write for example [Capability.READ]',
  ],
  [
    'a TTL as text',
    () => new untyped.PolicyStatement!({ paths: ['a'], capabilities: [READ], minWrappingTtl: '1m' }),
    'PolicyStatement: minWrappingTtl is "1m"; allowed: a Duration; write for example Duration.hours(1)',
  ],
  [
    'a control group without factors',
    () => new untyped.PolicyStatement!({ paths: ['a'], capabilities: [READ], controlGroup: {} }),
    'PolicyStatement: controlGroup: factors is missing; allowed: a list of factors; ' +
      "write for example [{ name: 'managers', groupNames: ['managers'] }]",
  ],
  [
    'a document without text',
    () => untyped.PolicyDocument!.fromText!(undefined),
    'PolicyDocument.fromText: text is missing; allowed: text; ' +
      `write for example 'path "secret/*" { capabilities = ["read"] }'`,
  ],
  [
    'a Sentinel document without text',
    () => untyped.SentinelDocument!.fromText!(undefined),
    "SentinelDocument.fromText: text is missing; allowed: text; write for example 'main = rule { true }'",
  ],
  [
    'no members of a set',
    made('PerfReplicationSet', { primary: cluster, syncTimeout: '1h', switchover: 1 }),
    '[stack/X] PerfReplicationSet: syncTimeout is "1h"; allowed: a Duration; write for example Duration.hours(1)\n' +
      '[stack/X] PerfReplicationSet: switchover is 1; allowed: a Switchover; write for example Switchover.VERIFIED\n' +
      '[stack/X] PerfReplicationSet: members is missing; allowed: a list of members; ' +
      'write for example [{ cluster: us }, { cluster: eu }]',
  ],
  [
    'a missing cluster of a pair',
    made('PerfReplicationPair', { primary: cluster, clusters: [cluster, undefined] }),
    '[stack/X] PerfReplicationPair: clusters[1] is missing; allowed: a VaultCluster; ' +
      'write new VaultCluster(...), or check the name by which it was looked up',
  ],
  [
    'a grant to an imported policy',
    () => {
      const attributes = { cluster, snapshotName: 's' };
      const snapshot = constructs.AutoSnapshot.fromAutoSnapshotAttributes(stack, 'Granted', attributes);
      snapshot.grantRead(constructs.AclPolicy.fromPolicyName(stack, 'P', 'p') as constructs.IAclPolicy);
    },
    '[stack/Granted] grant: policy is an ImportedPolicy; allowed: an AclPolicy that this app writes; ' +
      'write new AclPolicy(...)',
  ],
  [
    'a missing mount',
    () => {
      const attributes = { cluster, backendType: constructs.ManagedKeyType.PKCS11, keyName: 'k' };
      const key = constructs.ManagedKey.fromManagedKeyAttributes(stack, 'Allowed', attributes);
      key.allowOn(undefined as unknown as constructs.IManagedKeyMount);
    },
    '[stack/Allowed] allowOn: mount is missing; allowed: a Mount of the provider hashicorp/vault; ' +
      'write new Mount(...)',
  ],
])('an untyped call fails for %s', (_what, make, message) => {
  expect(make).toThrow(new Error(message));
});

test('an untyped call fails for a variable without a name', () => {
  expect(() => untyped.VaultSecret!.fromVariable!(undefined)).toThrow(
    'VaultSecret.fromVariable requires the name of a Terraform variable',
  );
});
