import { TerraformVariable, Token, type TerraformResource, type TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import {
  AclPolicy,
  AuditDevice,
  AuditLog,
  AutoSnapshot,
  Capability,
  Duration,
  EgpPolicy,
  EnforcementLevel,
  GcpSignatureAlgorithm,
  KeySpec,
  LateValue,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyType,
  PathsFilter,
  PerfReplicationSet,
  PolicyStatement,
  RgpPolicy,
  SentinelDocument,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
  type AuditDeviceProps,
  Namespace,
  type NamespaceProps,
  type AutoSnapshotProps,
  type AzureKeyVaultKeyProps,
  type EgpPolicyProps,
  type GcpCkmsKeyProps,
  type ManagedKeyProps,
  type PerfReplicationMember,
  type PerfReplicationOptions,
  type RgpPolicyProps,
  type VaultClusterProps,
} from '../../constructs';
import { STRING_PROPS } from '../../constructs/private/string-props';
import { serveProvider } from '../support/served-provider';
import { Workspace } from '../support/terraform';
import { TRIED_PROVIDERS, useLateStack } from './support/late-stack';
import { synthesizeInto } from './support/stack-workspace';
import { resources as resourcesOf, synthesize } from './support/synthesize';

interface SampleTarget {
  readonly stack: TerraformStack;
  readonly cluster: VaultCluster;
  readonly id: string;
}

type Sample = (place: SampleTarget, late: string) => Construct;

const TOKEN = VaultSecret.fromVariable('token');

const acl: (props: (late: string) => object) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new AclPolicy(stack, id, {
      cluster,
      policyName: id,
      statements: [new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ] })],
      ...props(late),
    });
const document = SentinelDocument.fromText('main = rule { true }');
const sentinel = { document, enforcementLevel: EnforcementLevel.ADVISORY };
const rgp: (props: (late: string) => Partial<RgpPolicyProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new RgpPolicy(stack, id, { cluster, policyName: id, ...sentinel, ...props(late) });
const egp: (props: (late: string) => Partial<EgpPolicyProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new EgpPolicy(stack, id, { cluster, policyName: id, ...sentinel, paths: ['a'], ...props(late) });
const audit: (props: (late: string) => Partial<AuditDeviceProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new AuditDevice(stack, id, { cluster, path: id, log: AuditLog.syslog(), ...props(late) });
const namespaced: (props: (late: string) => Partial<NamespaceProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new Namespace(stack, id, { cluster, path: id, ...props(late) });
const snapshot: (props: (late: string) => Partial<AutoSnapshotProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new AutoSnapshot(stack, id, {
      cluster,
      snapshotName: id,
      interval: Duration.hours(1),
      pathPrefix: 'p/',
      storage: SnapshotStorage.local({ maxSpace: Size.gibibytes(1) }),
      ...props(late),
    });
const s3 = { bucket: 'b', region: 'r' };
const key: (backend: (late: string) => ManagedKeyBackend) => Sample =
  (backend) =>
  ({ stack, cluster, id }, late) =>
    new ManagedKey(stack, id, { cluster, keyName: id, backend: backend(late) });
const aws = { kmsKey: 'k', keySpec: KeySpec.rsa(2048) };
const namedKey: (props: (late: string) => Partial<ManagedKeyProps>) => Sample =
  (props) =>
  ({ stack, cluster, id }, late) =>
    new ManagedKey(stack, id, {
      cluster,
      keyName: id,
      backend: ManagedKeyBackend.awsKms(aws),
      ...props(late),
    });
const azure = (props: Partial<AzureKeyVaultKeyProps>) =>
  ManagedKeyBackend.azureKeyVault({ tenantId: 't', vaultName: 'v', keyName: 'n', ...props });
const gcp = (props: Partial<GcpCkmsKeyProps>) =>
  ManagedKeyBackend.gcpCkms({
    keyRing: 'r',
    cryptoKey: 'k',
    algorithm: GcpSignatureAlgorithm.EC_SIGN_P256_SHA256,
    ...props,
  });
const set: (
  member: (late: string) => Partial<PerfReplicationMember>,
  options?: (late: string) => Partial<PerfReplicationOptions>,
) => Sample =
  (member, options = () => ({})) =>
  ({ stack, id }, late) => {
    const [primary, secondary] = ['p', 's'].map(
      (end) =>
        new VaultCluster(stack, `${id}-${end}`, { name: `${id}-${end}`, address: 'https://127.0.0.1:1' }),
    ) as [VaultCluster, VaultCluster];
    return new PerfReplicationSet(stack, id, {
      primary,
      members: [{ cluster: primary }, { cluster: secondary, ...member(late) }],
      ...options(late),
    });
  };

/**
 * By property, a sample of each text of a resource that Terraform checks, with a value that only
 * Terraform knows.
 */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'AclPolicyProps.namespace': acl((late) => ({ namespace: `a/${late}` })),
  'AclPolicyProps.policyName': acl((late) => ({ policyName: `a-${late}` })),
  'AuditDeviceProps.exclude': audit((late) => ({ exclude: `a-${late}` })),
  'AuditDeviceProps.filter': audit((late) => ({ filter: `mount_point == "${late}"` })),
  'AuditDeviceProps.namespace': audit((namespace) => ({ namespace })),
  'AuditDeviceProps.path': audit((path) => ({ path })),
  'AutoSnapshotProps.filePrefix': snapshot((filePrefix) => ({ filePrefix })),
  'AutoSnapshotProps.namespace': snapshot((namespace) => ({ namespace })),
  'AutoSnapshotProps.pathPrefix': snapshot((late) => ({ pathPrefix: `/opt/${late}/` })),
  'AutoSnapshotProps.snapshotName': snapshot((snapshotName) => ({ snapshotName })),
  'AwsKmsKeyProps.endpoint': key((late) =>
    ManagedKeyBackend.awsKms({ ...aws, endpoint: `https://kms.${late}` }),
  ),
  'AwsKmsKeyProps.region': key((region) => ManagedKeyBackend.awsKms({ ...aws, region })),
  'AzureBlobStorageProps.accountName': snapshot((accountName) => ({
    storage: SnapshotStorage.azureBlob({ container: 'c', accountName }),
  })),
  'AzureBlobStorageProps.container': snapshot((container) => ({
    storage: SnapshotStorage.azureBlob({ container }),
  })),
  'AzureBlobStorageProps.endpoint': snapshot((late) => ({
    storage: SnapshotStorage.azureBlob({ container: 'c', endpoint: `https://${late}.example.com` }),
  })),
  'AzureKeyVaultKeyProps.keyName': key((keyName) => azure({ keyName })),
  'AzureKeyVaultKeyProps.resource': key((resource) => azure({ resource })),
  'AzureKeyVaultKeyProps.tenantId': key((tenantId) => azure({ tenantId })),
  'AzureKeyVaultKeyProps.vaultName': key((vaultName) => azure({ vaultName })),
  'EgpPolicyProps.namespace': egp((namespace) => ({ namespace })),
  'EgpPolicyProps.paths': egp((late) => ({ paths: ['b', `a/${late}/*`] })),
  'EgpPolicyProps.policyName': egp((late) => ({ policyName: `a${late}` })),
  'NamespaceProps.namespace': namespaced((late) => ({ namespace: `a/${late}` })),
  'NamespaceProps.path': namespaced((late) => ({ path: `a-${late}` })),
  'FileAuditLogProps.filePath': audit((late) => ({ log: AuditLog.file({ filePath: `/var/log/${late}` }) })),
  'GcpCkmsKeyProps.cryptoKey': key((cryptoKey) => gcp({ cryptoKey })),
  'GcpCkmsKeyProps.cryptoKeyVersion': key((cryptoKeyVersion) => gcp({ cryptoKeyVersion })),
  'GcpCkmsKeyProps.keyRing': key((keyRing) => gcp({ keyRing })),
  'GcpCkmsKeyProps.project': key((project) => gcp({ project })),
  'GcpCkmsKeyProps.region': key((region) => gcp({ region })),
  'GcsStorageProps.bucket': snapshot((bucket) => ({ storage: SnapshotStorage.gcs({ bucket }) })),
  'GcsStorageProps.endpoint': snapshot((late) => ({
    storage: SnapshotStorage.gcs({ bucket: 'b', endpoint: `https://${late}.example.com` }),
  })),
  'ManagedKeyProps.keyName': namedKey((keyName) => ({ keyName })),
  'ManagedKeyProps.namespace': namedKey((namespace) => ({ namespace })),
  'PathsFilter.allow(paths)': set((late) => ({ pathsFilter: PathsFilter.allow([`a/${late}/`]) })),
  'PathsFilter.deny(paths)': set((late) => ({ pathsFilter: PathsFilter.deny(['b/', late]) })),
  'PerfReplicationMember.caFile': set((caFile) => ({ caFile })),
  'PerfReplicationMember.caPath': set((late) => ({ caPath: `/etc/${late}` })),
  'PerfReplicationMember.primaryApiAddr': set((late) => ({ primaryApiAddr: `https://${late}.example.com` })),
  'PerfReplicationMember.secondaryId': set((secondaryId) => ({ secondaryId })),
  'PerfReplicationOptions.primaryClusterAddr': set(
    () => ({}),
    (late) => ({ primaryClusterAddr: `https://${late}.example.com` }),
  ),
  'PerfReplicationOptions.primaryClusterAddrs': ({ stack, ...place }, late) =>
    set(
      () => ({}),
      () => ({ primaryClusterAddrs: { [`${place.id}-p`]: `https://${late}.example.com` } }),
    )({ stack, ...place }, late),
  'RgpPolicyProps.namespace': rgp((namespace) => ({ namespace })),
  'RgpPolicyProps.policyName': rgp((late) => ({ policyName: `a${late}` })),
  'S3StorageProps.bucket': snapshot((bucket) => ({ storage: SnapshotStorage.s3({ ...s3, bucket }) })),
  'S3StorageProps.endpoint': snapshot((late) => ({
    storage: SnapshotStorage.s3({ ...s3, endpoint: `https://${late}.example.com` }),
  })),
  'S3StorageProps.region': snapshot((region) => ({ storage: SnapshotStorage.s3({ ...s3, region }) })),
  'SocketAuditLogProps.address': audit((late) => ({
    log: AuditLog.socket({ address: `${late}.example.com:9` }),
  })),
};

/** By property, a sample of each text in the block of a provider. */
const CONNECTIONS: Readonly<Record<string, (late: string) => Partial<VaultClusterProps>>> = {
  'VaultAuthLogin.namespace': (namespace) => ({ authLogin: { path: 'auth/approle/login', namespace } }),
  'VaultAuthLogin.path': (late) => ({ authLogin: { path: `auth/${late}/login` } }),
  'VaultAuthLogin.secretIdWrappingPath': (late) => ({
    authLogin: {
      path: 'auth/approle/login',
      parameters: { secret_id: TOKEN },
      secretIdWrappingPath: `auth/approle/role/${late}/secret-id`,
    },
  }),
  'VaultConnection.address': (late) => ({ address: `https://${late}.example.com` }),
  'VaultConnection.namespace': (namespace) => ({ namespace }),
  'VaultConnection.tlsServerName': (late) => ({ tlsServerName: `${late}.example.com` }),
};

const BAD = ['..', 'a/../b', '/', '', 'x" or "'];
const names = Object.keys(SAMPLES);
const idOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/-$/, '');

test('each text with a rule has a sample in this test', () => {
  const guarded = Object.entries(STRING_PROPS).flatMap(([name, rule]) =>
    typeof rule === 'string' ? [name] : [],
  );
  expect([...names, ...Object.keys(CONNECTIONS)].sort()).toEqual(guarded.sort());
});

describe.each(TRIED_PROVIDERS)('late texts with resources of %s, through the real terraform', (resources) => {
  const use = useLateStack(resources);

  /** Plans all samples with a value, and returns those that Terraform refuses. */
  async function refused(value: string): Promise<string[]> {
    const { workspace } = use();
    workspace.write('terraform.tfvars.json', { late: value });
    const { stdout } = await workspace.run('plan', '-json');
    const errors = stdout
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => (JSON.parse(line) as { diagnostic?: Diagnosed }).diagnostic ?? [])
      .filter(({ severity }) => severity === 'error');
    const ours = errors.filter(({ summary }) => summary === 'Resource precondition failed');
    for (const { detail } of ours)
      expect(detail).toMatch(/^The value of \$\{var\.late\} in [a-zA-Z]+ is not valid; /);
    const ids = new Set(
      ours.map(({ snippet }) => snippet?.context.split('.')[2]?.replace(/_[0-9A-F]+$/, '')),
    );
    return names.filter((name) => ids.has(idOf(name)));
  }

  test('values that would change the meaning of a text are refused everywhere, and others are accepted', async () => {
    const { workspace, clusterIn } = use();
    synthesizeInto(workspace, (stack) => {
      const late = new TerraformVariable(stack, 'late', { type: 'string', sensitive: true }).stringValue;
      const cluster = clusterIn(stack);
      for (const [name, sample] of Object.entries(SAMPLES)) sample({ stack, cluster, id: idOf(name) }, late);
    });
    await workspace.init();
    const isText = (name: string) => /filter$|exclude$/i.test(name);
    const bad = new Map<string, readonly string[]>();
    for (const value of BAD) bad.set(value, await refused(value));
    expect(bad.get('..')).toEqual(names.filter((name) => !isText(name)));
    expect(bad.get('/')).toEqual(names.filter((name) => !isText(name)));
    expect(bad.get('')).toEqual(names);
    expect(bad.get('a/../b')).toEqual(names.filter((name) => !isText(name)));
    expect(bad.get('x" or "')).toEqual(expect.arrayContaining(names.filter(isText)));
    expect(await refused('ab')).toEqual([]);
  });
});

interface Diagnosed {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly snippet?: { readonly context: string };
}

test.each(Object.entries(CONNECTIONS))(
  'values that would change the meaning of %s make the provider fail',
  async (name, props) => {
    const provider = await serveProvider();
    const workspace = new Workspace({
      env: { ...provider.env, TF_VAR_token: 'root', TF_VAR_secret_id: 's' },
    });
    try {
      synthesizeInto(workspace, (stack) => {
        const late = new TerraformVariable(stack, 'late', { type: 'string' }).stringValue;
        const resources = ResourceProvider.VAULTADMIN;
        const cluster = new VaultCluster(stack, 'us', {
          address: 'https://127.0.0.1:1',
          resourceProvider: resources,
          ...props(late),
        });
        acl(() => ({}))({ stack, cluster, id: 'a' }, late);
      });
      await workspace.init();
      const prop = name.split('.')[1]!;
      for (const value of ['a/../b', '/', '']) {
        const { stderr } = await workspace.run('plan', '-no-color', `-var=late=${value}`);
        expect(stderr.replace(/\s+/g, ' ')).toContain(
          `cannot convert "The value of \${var.late} in ${prop} is not valid; `,
        );
      }
      expect((await workspace.run('plan', '-no-color', '-var=late=ab')).stderr).not.toContain(
        'is not valid; ',
      );
    } finally {
      await workspace.dispose();
      await provider.close();
    }
  },
);

const lifecycleOf = (
  build: (stack: TerraformStack, cluster: VaultCluster) => { resource: TerraformResource },
) =>
  Object.values(
    resourcesOf(
      synthesize((stack) => build(stack, new VaultCluster(stack, 'Cluster'))),
      'vault_egp_policy',
    ),
  )[0]!.lifecycle as { prevent_destroy?: boolean; precondition?: { condition: string }[] } | undefined;

const policy = (stack: TerraformStack, cluster: VaultCluster, paths: string[]) =>
  new EgpPolicy(stack, 'P', { cluster, policyName: 'p', ...sentinel, paths });

test('the conditions stay if an app sets the lifecycle of the resource', () => {
  const lifecycle = lifecycleOf((stack, cluster) => {
    const egp = policy(stack, cluster, ['a/${var.x}']);
    const conditions = egp.resource.lifecycle!.precondition!;
    egp.resource.lifecycle = { preventDestroy: true };
    expect(egp.resource.lifecycle.precondition).toEqual(conditions);
    egp.resource.lifecycle = { ...egp.resource.lifecycle };
    return egp;
  });
  expect(lifecycle).toMatchObject({ prevent_destroy: true });
  expect(lifecycle?.precondition).toHaveLength(1);
});

test('values that are known, and escaped text, have no conditions', () => {
  expect(lifecycleOf((stack, cluster) => policy(stack, cluster, ['a/*', '$${x}/*']))).toBeUndefined();
});

test('a trusted value has no conditions, and may be beside a wildcard', () => {
  expect(
    lifecycleOf((stack, cluster) =>
      policy(stack, cluster, [`a/${PolicyStatement.pattern('${var.x}')}*`, LateValue.trust('${var.x}')]),
    ),
  ).toBeUndefined();
});

test('a value beside a trusted one is checked, even within a directive', () => {
  const unchecked = LateValue.trust('${var.x}');
  for (const path of [`${unchecked}\${var.y}`, `%{ if var.z }${unchecked}\${var.y}%{ endif }`]) {
    const lifecycle = lifecycleOf((stack, cluster) => policy(stack, cluster, [path]));
    expect(lifecycle?.precondition).toHaveLength(1);
    expect(lifecycle?.precondition?.[0]?.condition).toContain('var.y');
  }
});

test('each element of a list that only Terraform knows is checked', () => {
  const lifecycle = lifecycleOf((stack, cluster) => policy(stack, cluster, Token.asList('${var.l}')));
  expect(lifecycle?.precondition?.[0]?.condition).toMatch(
    /^\$\{anytrue\(\[alltrue\(\[for value in var\.l : can\(regex\("[^"]+", tostring\(value\)\)\)\]\), terraform\./,
  );
});

test.each(['${var.x}*', 'a/${var.x}*', '+${var.x}/b', '${var.x}+', 'a/*${var.x}', '{{${var.x}}}'])(
  'the path %s is refused, because a value beside a wildcard could change its meaning',
  (path) => {
    const message =
      / has a value that only Terraform knows beside \*, \+ or a brace, whose meaning the value could change; .* PolicyStatement\.pattern\(value\)$/;
    expect(() => new PolicyStatement({ paths: [path], capabilities: [Capability.READ] })).toThrow(message);
    expect(() => lifecycleOf((stack, cluster) => policy(stack, cluster, [path]))).toThrow(message);
  },
);

test('a name in a grant remains one segment', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster');
    const writer = new AclPolicy(scope, 'P', { cluster, policyName: 'p' });
    ManagedKey.fromManagedKeyAttributes(scope, 'K', {
      cluster,
      backendType: ManagedKeyType.PKCS11,
      keyName: '${var.x}',
    }).grantRead(writer);
  });
  const [{ policy: text }] = Object.values(resourcesOf(stack, 'vault_policy')) as [{ policy: string }];
  expect(text).toMatch(/regex\("\^\(\?:[^/]*\/\*[^"]*\)\[\^\/\*\+\{\}\]\*\$"/);
});
