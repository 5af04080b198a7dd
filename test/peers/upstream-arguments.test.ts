/**
 * Tests that the constructs can set every argument of the hashicorp/vault resources that they
 * synthesize.
 */
import {
  AclPolicy,
  AuditDevice,
  AuditLog,
  AutoSnapshot,
  AzureAuthMode,
  Duration,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  RgpPolicy,
  S3Encryption,
  SentinelDocument,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
} from '../../constructs';
import { synthesize } from '../constructs/support/synthesize';
import { Workspace } from '../support/terraform';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());

/** The arguments that no construct sets, with the reason. */
const NOT_SET: Readonly<Record<string, readonly string[]>> = {
  // Terraform would store the values of these arguments in the state.
  vault_raft_snapshot_agent_config: [
    'aws_secret_access_key',
    'aws_session_token',
    'azure_account_key',
    'google_service_account_key',
  ],
};

interface Schema {
  readonly provider_schemas: Readonly<
    Record<string, { readonly resource_schemas: Readonly<Record<string, ResourceSchema>> }>
  >;
}
interface ResourceSchema {
  readonly block: { readonly attributes: Readonly<Record<string, { optional?: true; required?: true }>> };
}

/**
 * Returns the arguments that the constructs set with all of their properties, by type of resource.
 */
function argumentsSet(): Readonly<Record<string, readonly string[]>> {
  const { resource = {} } = synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', {
      name: 'us',
      resourceProvider: ResourceProvider.UPSTREAM,
    });
    const namespace = 'team';
    const sentinel = {
      cluster,
      namespace,
      document: SentinelDocument.fromText('main = rule { true }'),
      enforcementLevel: EnforcementLevel.ADVISORY,
    };
    new AclPolicy(stack, 'Acl', {
      cluster,
      namespace,
      allowOverwrite: false,
      document: PolicyDocument.fromText('# grants nothing'),
    });
    new RgpPolicy(stack, 'Rgp', sentinel);
    new EgpPolicy(stack, 'Egp', { ...sentinel, paths: ['kv/*'] });
    new AuditDevice(stack, 'Audit', {
      cluster,
      namespace,
      description: 'd',
      local: true,
      log: AuditLog.file({ filePath: '/a' }),
    });
    const snapshot = { cluster, namespace, interval: Duration.hours(1), filePrefix: 'f', retain: 2 };
    const storages = [
      SnapshotStorage.local({ maxSpace: Size.gibibytes(1) }),
      ...[S3Encryption.kms('key'), S3Encryption.aes256()].map((encryption) =>
        SnapshotStorage.s3({
          bucket: 'b',
          region: 'r',
          accessKeyId: 'a',
          secretAccessKey: '${var.s}',
          endpoint: 'https://s3.example.com',
          disableTls: true,
          forcePathStyle: true,
          encryption,
          autoload: true,
        }),
      ),
      SnapshotStorage.azureBlob({
        container: 'c',
        accountName: 'a',
        environment: 'AZURECLOUD',
        endpoint: 'https://blob.example.com',
        authMode: AzureAuthMode.ENVIRONMENT,
      }),
      SnapshotStorage.azureBlob({
        container: 'c',
        accountName: 'a',
        authMode: AzureAuthMode.MANAGED,
        clientId: 'c',
      }),
      SnapshotStorage.gcs({
        bucket: 'b',
        endpoint: 'https://gcs.example.com',
        disableTls: true,
      }),
    ];
    storages.forEach(
      (storage, index) =>
        new AutoSnapshot(stack, `Snapshot${index}`, { ...snapshot, storage, pathPrefix: `p${index}/` }),
    );
  });
  return Object.fromEntries(
    Object.entries(resource).map(([type, instances]) => [
      type,
      [...new Set(Object.values(instances).flatMap((each) => Object.keys(each)))],
    ]),
  );
}

(mirror ? test : test.skip)('the constructs set every argument of hashicorp/vault 5.11', async () => {
  const workspace = new Workspace({
    files: {
      'main.tf':
        'terraform {\n  required_providers {\n    vault = {\n      source = "hashicorp/vault"\n    }\n  }\n}\n',
    },
  });
  try {
    await workspace.init(`-plugin-dir=${mirror}`);
    const { stdout } = await workspace.must('providers', 'schema', '-json');
    const [provider] = Object.values((JSON.parse(stdout) as Schema).provider_schemas);
    const set = argumentsSet();
    expect(Object.keys(set).sort()).toEqual([
      'vault_audit',
      'vault_egp_policy',
      'vault_policy',
      'vault_raft_snapshot_agent_config',
      'vault_rgp_policy',
    ]);
    for (const [type, names] of Object.entries(set)) {
      const { attributes } = provider!.resource_schemas[type]!.block;
      const settable = Object.entries(attributes).filter(
        ([name, { optional, required }]) => name !== 'id' && (optional === true || required === true),
      );
      const missing = settable.map(([name]) => name).filter((name) => !names.includes(name));
      expect([type, missing.sort()]).toEqual([type, NOT_SET[type] ?? []]);
    }
  } finally {
    await workspace.dispose();
  }
});
