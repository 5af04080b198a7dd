/**
 * Tests misspelled and unknown properties of every construct and of the objects in its properties.
 * In plain JavaScript, no compiler checks them.
 */
import { App, TerraformStack } from 'cdktf';
import * as constructs from '../../constructs';
import { PROPS } from '../../constructs/generated/props';
import type { PropsType } from '../../constructs/private/known-props';

type Given = Readonly<Record<string, unknown>>;
interface Scene {
  readonly stack: TerraformStack;
  readonly us: constructs.VaultCluster;
  readonly eu: constructs.VaultCluster;
}

/**
 * An object of properties: its name in messages, its required properties, and a function that uses
 * it.
 */
interface Sample {
  readonly subject: string;
  /** Whether an unknown property causes a warning in place of an error. */
  readonly isOfConstruct?: boolean;
  readonly least?: (scene: Scene) => Given;
  readonly use: (given: Given, scene: Scene) => unknown;
}

const C = constructs as unknown as Readonly<
  Record<
    string,
    (new (...given: unknown[]) => unknown) & Readonly<Record<string, (...given: unknown[]) => unknown>>
  >
>;

function construct(kind: string, least: (scene: Scene) => Given = ofCluster): Sample {
  return {
    subject: `[st/X] ${kind}`,
    isOfConstruct: true,
    least,
    use: (given, { stack }) => new C[kind]!(stack, 'X', given),
  };
}

function imported(kind: string, least: (scene: Scene) => Given = ofCluster): Sample {
  const factory = `from${kind}Attributes`;
  return {
    subject: `[st/X] ${kind}.${factory}`,
    isOfConstruct: true,
    least,
    use: (given, { stack }) => C[kind]![factory]!(stack, 'X', given),
  };
}

function factory(kind: string, method: string, least: Given = {}): Sample {
  return {
    subject: `${kind}.${method}`,
    least: () => least,
    use: (given) => C[kind]![method]!(given),
  };
}

/** Returns a sample of an object in a property of another object. */
function within(outer: Sample, prop: string, least: Given = {}, isList = false): Sample {
  return {
    subject: `${outer.subject}: ${prop}${isList ? '[0]' : ''}`,
    least: () => least,
    use: (given, scene) => outer.use({ ...outer.least?.(scene), [prop]: isList ? [given] : given }, scene),
  };
}

const ofCluster = ({ us }: Scene): Given => ({ cluster: us });
const hour = constructs.Duration.hours(1);
const local = constructs.SnapshotStorage.local({ maxSpace: constructs.Size.gibibytes(1) });
const kms = { keySpec: constructs.KeySpec.rsa(2048), kmsKey: 'k', region: 'r' };
const document = constructs.SentinelDocument.fromText('main = rule { true }');
const rgp = (scene: Scene): Given => ({ ...ofCluster(scene), document, enforcementLevel: 'advisory' });

const STATEMENT: Sample = {
  subject: 'PolicyStatement',
  least: () => ({ paths: ['a'], capabilities: ['read'] }),
  use: (given) => new C.PolicyStatement!(given),
};
const MANAGED_KEY = construct('ManagedKey', (scene) => ({
  ...ofCluster(scene),
  backend: constructs.ManagedKeyBackend.awsKms(kms),
}));
const CONTROL_GROUP = within(STATEMENT, 'controlGroup', {
  factors: [{ name: 'managers', groupNames: ['managers'] }],
});
const CLUSTER = construct('VaultCluster', () => ({ name: 'x' }));
const SET = construct('PerfReplicationSet', ({ us, eu }) => ({
  primary: us,
  members: [{ cluster: us }, { cluster: eu, pathsFilter: constructs.PathsFilter.deny(['a/']) }],
}));

/** The interfaces that are only extended by other interfaces. */
type Base = 'CloudStorageProps' | 'PerfReplicationOptions' | 'VaultConnection';

const SAMPLES: Readonly<Record<Exclude<PropsType, Base>, Sample>> = {
  AclPolicyProps: construct('AclPolicy'),
  AuditDeviceAttributes: imported('AuditDevice', (scene) => ({ ...ofCluster(scene), path: 'a' })),
  AuditDeviceProps: construct('AuditDevice', (scene) => ({
    ...ofCluster(scene),
    log: constructs.AuditLog.file({ filePath: '/a' }),
  })),
  AutoSnapshotAttributes: imported('AutoSnapshot', (scene) => ({ ...ofCluster(scene), snapshotName: 'a' })),
  AutoSnapshotProps: construct('AutoSnapshot', (scene) => ({
    ...ofCluster(scene),
    interval: hour,
    pathPrefix: '/a',
    storage: local,
  })),
  AwsKmsKeyProps: factory('ManagedKeyBackend', 'awsKms', kms),
  AzureBlobStorageProps: factory('SnapshotStorage', 'azureBlob'),
  AzureKeyVaultKeyProps: factory('ManagedKeyBackend', 'azureKeyVault'),
  ControlGroup: CONTROL_GROUP,
  ControlGroupFactor: within(CONTROL_GROUP, 'factors', {}, true),
  EgpPolicyProps: construct('EgpPolicy', (scene) => ({ ...rgp(scene), paths: ['a'] })),
  FileAuditLogProps: factory('AuditLog', 'file'),
  GcpCkmsKeyProps: factory('ManagedKeyBackend', 'gcpCkms'),
  GcsStorageProps: factory('SnapshotStorage', 'gcs'),
  LocalStorageProps: factory('SnapshotStorage', 'local', { maxSpace: constructs.Size.gibibytes(1) }),
  ManagedKeyAttributes: imported('ManagedKey', (scene) => ({
    ...ofCluster(scene),
    keyName: 'a',
    backendType: constructs.ManagedKeyType.PKCS11,
  })),
  ManagedKeyProps: MANAGED_KEY,
  NamespaceProps: construct('Namespace', (scene) => ({ ...ofCluster(scene), path: 'a' })),
  PerfReplicationMember: {
    subject: `${SET.subject}: members[0]`,
    least: ofCluster,
    use: (given, scene) => SET.use({ primary: scene.us, members: [given, { cluster: scene.eu }] }, scene),
  },
  PerfReplicationPairProps: construct('PerfReplicationPair', ({ us, eu }) => ({
    primary: us,
    clusters: [us, eu],
    pathsFilters: { eu: constructs.PathsFilter.deny(['a/']) },
  })),
  PerfReplicationSetAttributes: imported('PerfReplicationSet', ({ us }) => ({ primary: us, clusterId: 'a' })),
  PerfReplicationSetProps: SET,
  Pkcs11KeyProps: factory('ManagedKeyBackend', 'pkcs11', {
    mechanism: constructs.Pkcs11Mechanism.RSA_PKCS_PSS,
  }),
  PolicyDocumentProps: { subject: 'PolicyDocument', use: (given) => new C.PolicyDocument!(given) },
  PolicyGuardRailsProps: { subject: 'PolicyGuardRails', use: (given) => new C.PolicyGuardRails!(given) },
  PolicyStatementProps: STATEMENT,
  RgpPolicyProps: construct('RgpPolicy', rgp),
  S3StorageProps: factory('SnapshotStorage', 's3', { bucket: 'b', region: 'r' }),
  SnapshotHealthCheckProps: {
    subject: '[st/X] addHealthCheck',
    isOfConstruct: true,
    use: (given, { stack, us: cluster }) =>
      constructs.AutoSnapshot.fromAutoSnapshotAttributes(stack, 'X', {
        cluster,
        snapshotName: 'a',
      }).addHealthCheck(given),
  },
  SocketAuditLogProps: factory('AuditLog', 'socket'),
  SyslogAuditLogProps: factory('AuditLog', 'syslog'),
  TestSign: within(MANAGED_KEY, 'testSign'),
  VaultAuthLogin: within(CLUSTER, 'authLogin'),
  VaultClientAuth: within(CLUSTER, 'clientAuth'),
  VaultClusterProps: CLUSTER,
  VaultadminInstallationProps: {
    subject: '[X] VaultadminInstallation',
    isOfConstruct: true,
    use: (given, { stack }) => new C.VaultadminInstallation!(stack.node.root, 'X', given),
  },
};

function scene(): Scene {
  const stack = new TerraformStack(new App(), 'st');
  const [us, eu] = ['us', 'eu'].map((name) => new constructs.VaultCluster(stack, name, { name })) as [
    constructs.VaultCluster,
    constructs.VaultCluster,
  ];
  return { stack, us, eu };
}

function warningsOf(stack: TerraformStack): unknown[] {
  return stack.node.root.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ data }) => data as unknown));
}

/** Returns the first error of a construct or of its synthesis, without its place. */
function errorOf(make: () => unknown, { stack }: Scene): string {
  try {
    make();
    stack.prepareStack();
    return 'no error';
  } catch (error) {
    return (error as Error).message.split('\n')[0]!.replace(/^[\w/.-]+:\d+: /, '');
  }
}

const types = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
const props = types.flatMap((type) => Object.keys(PROPS[type]).map((prop) => [type, prop] as const));

test.each(props)('a misspelled property is refused: %s.%s', (type, prop) => {
  const { subject, least, use } = SAMPLES[type];
  const place = scene();
  const { [prop]: value = 'any', ...others } = least?.(place) ?? {};
  const misspelled = `${prop}x`;
  const text = errorOf(() => use({ ...others, [misspelled]: value }, place), place);
  const cure = `write ${prop} in place of ${misspelled}`;
  const isMissing =
    text.startsWith(`${subject}: ${prop} is missing; allowed: `) && text.endsWith(`, or ${cure}`);
  expect(isMissing || text).toBe(isMissing || `${subject}: ${misspelled} is not a property; ${cure}`);
});

test.each(types)('an unknown property is reported: %s', (type) => {
  const { subject, isOfConstruct = false, least, use } = SAMPLES[type];
  const place = scene();
  const problem = `somethingElse is not a property; allowed: ${Object.keys(PROPS[type]).join(', ')}; remove somethingElse, or correct its name`;
  const given = { ...least?.(place), somethingElse: 1 };
  if (!isOfConstruct) expect(errorOf(() => use(given, place), place)).toBe(`${subject}: ${problem}`);
  else {
    use(given, place);
    expect(warningsOf(place.stack)).toContain(`${subject.replace(/^\[.*?\] /, '')}: ${problem}`);
  }
});

test('a property that is undefined is not reported', () => {
  const { stack, us } = scene();
  const none = { somethingElse: undefined };
  expect(() => new constructs.AclPolicy(stack, 'P', { cluster: us, ...none })).not.toThrow();
  expect(() => constructs.SnapshotStorage.gcs({ bucket: 'b', ...none })).not.toThrow();
});
