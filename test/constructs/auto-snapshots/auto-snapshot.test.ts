import { TerraformOutput, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  AutoSnapshot,
  AzureAuthMode,
  Duration,
  S3Encryption,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
  type AutoSnapshotProps,
} from '../../../constructs';
import { SNAPSHOT_STORAGE_TYPES, AZURE_AUTH_MODES } from '../../../src/model';
import { onlyResource, resources, synthesize, synthesizeApp, warnings } from '../support/synthesize';

const UPSTREAM = 'vault_raft_snapshot_agent_config';
const VAULTADMIN = 'vaultadmin_auto_snapshot';
const both = [
  { kind: ResourceProvider.UPSTREAM, type: UPSTREAM },
  { kind: ResourceProvider.VAULTADMIN, type: VAULTADMIN },
];

const LOCAL = SnapshotStorage.local({ maxSpace: Size.bytes(1_000_000) });
const NIGHTLY = {
  snapshotName: 'nightly',
  interval: Duration.hours(24),
  pathPrefix: '/opt/snapshots',
  storage: LOCAL,
};

/** Declares one configuration on the cluster `us`. */
function configured(kind: ResourceProvider, props: Partial<AutoSnapshotProps>) {
  return synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { name: 'us', resourceProvider: kind });
    new AutoSnapshot(stack, 'Nightly', { ...NIGHTLY, ...props, cluster });
  });
}

describe('the resource of an AutoSnapshot', () => {
  const props = { namespace: 'admin', retain: 7, filePrefix: 'us' };

  test('the resource belongs to hashicorp/vault', () => {
    expect(configured(ResourceProvider.UPSTREAM, props).resource).toEqual({
      [UPSTREAM]: {
        Nightly: {
          '//': { metadata: { path: 'stack/Nightly/Resource', uniqueId: 'Nightly' } },
          provider: 'vault.us',
          name: 'nightly',
          namespace: 'admin',
          interval_seconds: 86_400,
          retain: 7,
          path_prefix: '/opt/snapshots',
          file_prefix: 'us',
          storage_type: 'local',
          local_max_space: 1_000_000,
        },
      },
    });
  });

  test('the resource belongs to vaultadmin, with the cluster', () => {
    expect(configured(ResourceProvider.VAULTADMIN, props).resource).toEqual({
      [VAULTADMIN]: {
        Nightly: {
          '//': { metadata: { path: 'stack/Nightly/Resource', uniqueId: 'Nightly' } },
          provider: 'vaultadmin',
          cluster: 'us',
          name: 'nightly',
          namespace: 'admin',
          interval: '24h',
          retain: 7,
          path_prefix: '/opt/snapshots',
          file_prefix: 'us',
          local: { local_max_space: 1_000_000 },
        },
      },
    });
  });
});

describe('a storage with all of its arguments', () => {
  const storages = (
    secret: (name: string) => string | undefined,
    authMode = AzureAuthMode.SHARED,
  ): Record<(typeof SNAPSHOT_STORAGE_TYPES)[number], [SnapshotStorage, object, object]> => ({
    local: [LOCAL, { local_max_space: 1_000_000 }, {}],
    'aws-s3': [
      SnapshotStorage.s3({
        bucket: 'backups',
        region: 'eu-west-1',
        accessKeyId: 'AKIA',
        secretAccessKey: secret('s3_key'),
        sessionToken: secret('s3_session'),
        secretsVersion: 3,
        endpoint: 'minio.example.com:9000',
        disableTls: true,
        forcePathStyle: true,
        encryption: S3Encryption.kms('alias/backups'),
        autoload: true,
      }),
      {
        aws_s3_bucket: 'backups',
        aws_s3_region: 'eu-west-1',
        aws_access_key_id: 'AKIA',
        aws_s3_endpoint: 'minio.example.com:9000',
        aws_s3_disable_tls: true,
        aws_s3_force_path_style: true,
        aws_s3_enable_kms: true,
        aws_s3_kms_key: 'alias/backups',
        autoload_enabled: true,
      },
      { aws_secret_access_key: '${var.s3_key}', aws_session_token: '${var.s3_session}' },
    ],
    'azure-blob': [
      SnapshotStorage.azureBlob({
        container: 'backups',
        accountName: 'account',
        accountKey: secret('account_key'),
        secretsVersion: 3,
        environment: 'AZUREUSGOVERNMENTCLOUD',
        endpoint: 'blob.example.com',
        authMode,
        clientId: 'client',
        autoload: false,
      }),
      {
        azure_container_name: 'backups',
        azure_account_name: 'account',
        azure_blob_environment: 'AZUREUSGOVERNMENTCLOUD',
        azure_endpoint: 'blob.example.com',
        azure_auth_mode: authMode,
        azure_client_id: 'client',
        autoload_enabled: false,
      },
      { azure_account_key: '${var.account_key}' },
    ],
    'google-gcs': [
      SnapshotStorage.gcs({
        bucket: 'backups',
        serviceAccountKey: secret('account'),
        secretsVersion: 3,
        endpoint: 'gcs.example.com',
        disableTls: true,
        autoload: true,
      }),
      {
        google_gcs_bucket: 'backups',
        google_endpoint: 'gcs.example.com',
        google_disable_tls: true,
        autoload_enabled: true,
      },
      { google_service_account_key: '${var.account}' },
    ],
  });

  test.each(SNAPSHOT_STORAGE_TYPES)('the storage becomes a resource of hashicorp/vault: %s', (type) => {
    const key = VaultSecret.fromVariable('s3_key');
    const [storage, fields] = storages(
      (name) => (name === 's3_key' ? key : undefined),
      AzureAuthMode.MANAGED,
    )[type];
    const stack = configured(ResourceProvider.UPSTREAM, { storage, pathPrefix: 'us/' });
    expect(onlyResource(stack, UPSTREAM)).toEqual({
      provider: 'vault.us',
      name: 'nightly',
      interval_seconds: 86_400,
      path_prefix: 'us/',
      storage_type: type,
      ...fields,
      ...(type === 'aws-s3' && { aws_secret_access_key_wo: '${var.s3_key}', secrets_wo_version: 3 }),
    });
  });

  test.each(SNAPSHOT_STORAGE_TYPES)('the storage becomes a block of vaultadmin: %s', (type) => {
    const [storage, fields, secrets] = storages((name) => VaultSecret.fromVariable(name))[type];
    const stack = configured(ResourceProvider.VAULTADMIN, { storage, pathPrefix: 'us/' });
    const writeOnly = Object.entries(secrets).flatMap(([name, value]) => [
      [`${name}_wo`, value as string],
      [`${name}_wo_version`, 3],
    ]);
    expect(onlyResource(stack, VAULTADMIN)).toEqual({
      provider: 'vaultadmin',
      cluster: 'us',
      name: 'nightly',
      interval: '24h',
      path_prefix: 'us/',
      [type.replace('-', '_')]: { ...fields, ...Object.fromEntries(writeOnly) },
    });
  });
});

test('the storage classes have the authentication modes of the model', () => {
  expect(Object.values(AzureAuthMode)).toEqual(AZURE_AUTH_MODES);
});

describe.each(both)('an AutoSnapshot with resources of $kind', ({ kind, type }) => {
  test('its default name is made from its path', () => {
    const stack = configured(kind, { snapshotName: undefined });
    expect(onlyResource(stack, type).name).toBe('stack-nightly');
  });

  test('values that only Terraform knows are passed on', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: kind });
      const variable = (name: string, of: string) => new TerraformVariable(scope, name, { type: of });
      new AutoSnapshot(scope, 'Nightly', {
        cluster,
        snapshotName: variable('name', 'string').stringValue,
        interval: Duration.minutes(variable('minutes', 'number').numberValue),
        pathPrefix: `\${var.folder}`,
        retain: variable('retain', 'number').numberValue,
        storage: SnapshotStorage.local({ maxSpace: Size.bytes(variable('space', 'number').numberValue) }),
      });
    });
    const { name, retain, path_prefix, ...rest } = onlyResource(stack, type);
    expect({ name, retain, path_prefix }).toEqual({
      name: '${var.name}',
      retain: '${var.retain}',
      path_prefix: '${var.folder}',
    });
    expect(JSON.stringify(rest)).toContain('"${(var.minutes * 60)}"');
    expect(JSON.stringify(rest)).toContain('"local_max_space":"${var.space}"');
  });

  test('resources that use its name wait for it', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: kind });
      const snapshot = new AutoSnapshot(scope, 'Nightly', { ...NIGHTLY, cluster });
      expect(snapshot.node.defaultChild).toBe(snapshot.resource);
      new TerraformOutput(scope, 'name', { value: snapshot.snapshotName });
    });
    expect(stack.output).toEqual({ name: { value: `\${${type}.Nightly.name}` } });
  });

  test('its health check is a check block of vaultadmin, for both providers', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resourceProvider: kind });
      const snapshot = new AutoSnapshot(scope, 'Nightly', { ...NIGHTLY, cluster, namespace: 'admin' });
      snapshot.addHealthCheck({ maxIntervals: 3, maxErrors: 1 });
    });
    expect(stack.check).toEqual({
      Nightly: {
        data: {
          vaultadmin_auto_snapshot_status: {
            Nightly: {
              '//': { metadata: { path: 'stack/Nightly/Health', uniqueId: 'Nightly' } },
              provider: 'vaultadmin',
              cluster: 'us',
              namespace: 'admin',
              name: 'nightly',
              interval: '24h',
              max_intervals: 3,
              max_errors: 1,
              depends_on: [`${type}.Nightly`],
            },
          },
        },
        assert: [
          {
            condition: '${data.vaultadmin_auto_snapshot_status.Nightly.healthy}',
            error_message:
              'automated snapshot "nightly" is not healthy: ' +
              '${join("; ", data.vaultadmin_auto_snapshot_status.Nightly.problems)}',
          },
        ],
      },
    });
    expect(Object.keys(stack.provider ?? {})).toContain('vaultadmin');
    expect(Object.keys(stack.terraform.required_providers)).toContain('vaultadmin');
  });
});

test('a stack with a health check has both providers, with the same settings', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', address: 'https://us.example.com' });
    new AutoSnapshot(scope, 'Nightly', { ...NIGHTLY, cluster }).addHealthCheck();
  });
  expect(stack.provider).toEqual({
    vault: [{ alias: 'us', address: 'https://us.example.com' }],
    vaultadmin: [{ clusters: { us: { address: 'https://us.example.com', usual_environment: true } } }],
  });
});

test('an imported configuration can have a health check, and writes no resource', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster');
    const snapshot = AutoSnapshot.fromAutoSnapshotAttributes(scope, 'Old', { cluster, snapshotName: 'old' });
    expect(snapshot.snapshotName).toBe('old');
    snapshot.addHealthCheck();
  });
  expect(stack.resource).toBeUndefined();
  expect(stack.check).toMatchObject({
    Old: {
      data: {
        vaultadmin_auto_snapshot_status: { Old: { provider: 'vaultadmin', cluster: 'default', name: 'old' } },
      },
    },
  });
  expect(JSON.stringify(stack.check)).not.toMatch(/depends_on|interval/);
});

test('an imported configuration with an interval is not read from the server', () => {
  const stack = synthesize((scope) => {
    const attributes = {
      cluster: new VaultCluster(scope, 'Cluster'),
      snapshotName: 'old',
      interval: Duration.hours(2),
    };
    AutoSnapshot.fromAutoSnapshotAttributes(scope, 'Old', attributes).addHealthCheck();
  });
  expect(JSON.stringify(stack.check)).toContain('"interval":"2h"');
});

describe('a grant on snapshots', () => {
  const granted = (grant: (snapshot: AutoSnapshot, policy: AclPolicy) => void) => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      const snapshot = new AutoSnapshot(scope, 'Nightly', { ...NIGHTLY, cluster, namespace: 'admin' });
      grant(snapshot, new AclPolicy(scope, 'P', { cluster, policyName: 'p' }));
    });
    return onlyResource(stack, 'vault_policy').policy;
  };

  test('a grant to read the configuration contains sudo', () => {
    expect(granted((snapshot, policy) => snapshot.grantRead(policy))).toBe(
      '# Read the automated snapshot "nightly".\n' +
        'path "admin/sys/storage/raft/snapshot-auto/config/nightly" {\n  capabilities = ["read", "sudo"]\n}\n',
    );
  });

  test('a grant to manage the configuration contains sudo', () => {
    expect(granted((snapshot, policy) => snapshot.grantManage(policy))).toBe(
      '# Manage the automated snapshot "nightly".\n' +
        'path "admin/sys/storage/raft/snapshot-auto/config/nightly" {\n' +
        '  capabilities = ["read", "update", "delete", "sudo"]\n}\n',
    );
  });

  test('a grant to read the status does not contain sudo', () => {
    expect(granted((snapshot, policy) => snapshot.grantReadStatus(policy))).toBe(
      '# Read the status of the automated snapshot "nightly".\n' +
        'path "admin/sys/storage/raft/snapshot-auto/status/nightly" {\n  capabilities = ["read"]\n}\n',
    );
  });
});

describe('the secrets of a storage', () => {
  const S3 = { bucket: 'b', region: 'r', accessKeyId: 'AKIA' };
  const s3 = (secretAccessKey: string) => SnapshotStorage.s3({ ...S3, secretAccessKey });

  test.each(Object.values(ResourceProvider))(
    'the secrets come from ephemeral variables with %s',
    (resources) => {
      const stack = configured(resources, { storage: s3(VaultSecret.fromVariable('key')) });
      expect(stack.variable).toEqual({
        key: { type: 'string', sensitive: true, nullable: false, ephemeral: true },
      });
    },
  );

  test('the secrets are refused with hashicorp/vault, which would store them, except the secret access key of S3', () => {
    const secret = VaultSecret.fromVariable('key');
    const refused = (storage: SnapshotStorage) => () =>
      configured(ResourceProvider.UPSTREAM, { storage, pathPrefix: 'us/' });
    const problem = (name: string) =>
      `[stack/Nightly] automated snapshot "nightly": ${name} would be in plain text in the state and in plans, since ` +
      'vault_raft_snapshot_agent_config has no write-only argument for it; set resourceProvider: ' +
      'ResourceProvider.VAULTADMIN on the VaultCluster, whose resource writes secrets without storing them';
    const session = { ...S3, secretAccessKey: secret, sessionToken: secret };
    const azure = { container: 'c', accountName: 'a', accountKey: secret, authMode: AzureAuthMode.SHARED };
    expect(refused(SnapshotStorage.s3(session))).toThrow(problem('sessionToken'));
    expect(refused(SnapshotStorage.azureBlob(azure))).toThrow(problem('accountKey'));
    expect(refused(SnapshotStorage.gcs({ bucket: 'b', serviceAccountKey: secret }))).toThrow(
      problem('serviceAccountKey'),
    );
  });

  test('the secrets cause no warning with either provider', () => {
    const found = warnings((scope) => {
      const us = new VaultCluster(scope, 'Us', { name: 'us', address: 'https://us' });
      const eu = new VaultCluster(scope, 'Eu', { name: 'eu', resourceProvider: ResourceProvider.VAULTADMIN });
      const storage = s3(VaultSecret.fromVariable('key'));
      new AutoSnapshot(scope, 'A', { ...NIGHTLY, cluster: us, storage });
      new AutoSnapshot(scope, 'B', { ...NIGHTLY, cluster: eu, storage });
    });
    expect(found).toEqual([]);
  });

  test('the secrets may be ephemeral values with both providers', () => {
    const storage = s3(VaultSecret.fromEphemeral('ephemeral.vault_kv_secret_v2.backup.data.key'));
    const written = { aws_secret_access_key_wo: '${ephemeral.vault_kv_secret_v2.backup.data.key}' };
    const ours = configured(ResourceProvider.VAULTADMIN, { storage });
    expect(onlyResource(ours, VAULTADMIN).aws_s3).toMatchObject(written);
    expect(onlyResource(configured(ResourceProvider.UPSTREAM, { storage }), UPSTREAM)).toMatchObject(written);
  });

  test('another version rotates the secrets with both providers', () => {
    const storage = SnapshotStorage.s3({
      ...S3,
      secretAccessKey: VaultSecret.fromVariable('key'),
      secretsVersion: 3,
    });
    const ours = configured(ResourceProvider.VAULTADMIN, { storage });
    expect(onlyResource(ours, VAULTADMIN).aws_s3).toMatchObject({ aws_secret_access_key_wo_version: 3 });
    const theirs = configured(ResourceProvider.UPSTREAM, { storage });
    expect(onlyResource(theirs, UPSTREAM)).toMatchObject({ secrets_wo_version: 3 });
  });
});

test('two configurations may have one name on different clusters', () => {
  const stacks = synthesizeApp((app) => {
    const stack = new TerraformStack(app, 'stack');
    for (const name of ['us', 'eu']) {
      const cluster = new VaultCluster(stack, name, { name, address: `https://${name}` });
      new AutoSnapshot(stack, `Nightly-${name}`, { ...NIGHTLY, cluster });
    }
  });
  expect(Object.keys(resources(stacks.stack!, UPSTREAM))).toHaveLength(2);
});
