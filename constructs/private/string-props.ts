import { Token } from 'cdktf';
import { isUnknown } from './known';
import type { LateRule } from './late-rules';
import { guardedText, type LateProp } from './late-values';

/** The mark of a secret. It has no rule, because it is sent unchanged in a body or a header. */
const SECRET = Symbol('secret');

/**
 * The properties and parameters of methods that are secrets, or that have a rule for late values. A
 * test contains the reasons why all other texts need no rule.
 */
export const STRING_PROPS = {
  'AclPolicyProps.namespace': 'mount',
  'AclPolicyProps.policyName': 'segment',
  'AuditDeviceProps.exclude': 'word',
  'AuditDeviceProps.filter': 'word',
  'AuditDeviceProps.namespace': 'mount',
  'AuditDeviceProps.path': 'mount',
  'AutoSnapshotProps.filePrefix': 'segment',
  'AutoSnapshotProps.namespace': 'mount',
  'AutoSnapshotProps.pathPrefix': 'segment',
  'AutoSnapshotProps.snapshotName': 'segment',
  'AwsKmsKeyProps.accessKey': SECRET,
  'AwsKmsKeyProps.endpoint': 'host',
  'AwsKmsKeyProps.region': 'label',
  'AwsKmsKeyProps.secretKey': SECRET,
  'AzureBlobStorageProps.accountKey': SECRET,
  'AzureBlobStorageProps.accountName': 'label',
  'AzureBlobStorageProps.container': 'label',
  'AzureBlobStorageProps.endpoint': 'host',
  'AzureKeyVaultKeyProps.clientSecret': SECRET,
  'AzureKeyVaultKeyProps.keyName': 'label',
  'AzureKeyVaultKeyProps.resource': 'label',
  'AzureKeyVaultKeyProps.tenantId': 'label',
  'AzureKeyVaultKeyProps.vaultName': 'label',
  'EgpPolicyProps.namespace': 'mount',
  'EgpPolicyProps.paths': 'path',
  'EgpPolicyProps.policyName': 'segment',
  'FileAuditLogProps.filePath': 'segment',
  'GcpCkmsKeyProps.credentials': SECRET,
  'GcpCkmsKeyProps.cryptoKey': 'label',
  'GcpCkmsKeyProps.cryptoKeyVersion': 'label',
  'GcpCkmsKeyProps.keyRing': 'label',
  'GcpCkmsKeyProps.project': 'label',
  'GcpCkmsKeyProps.region': 'label',
  'GcsStorageProps.bucket': 'label',
  'GcsStorageProps.endpoint': 'host',
  'GcsStorageProps.serviceAccountKey': SECRET,
  'ManagedKeyProps.keyName': 'segment',
  'ManagedKeyProps.namespace': 'mount',
  'NamespaceProps.namespace': 'mount',
  'NamespaceProps.path': 'segment',
  'PathsFilter.allow(paths)': 'mount',
  'PathsFilter.deny(paths)': 'mount',
  'PerfReplicationMember.caFile': 'segment',
  'PerfReplicationMember.caPath': 'segment',
  'PerfReplicationMember.primaryApiAddr': 'host',
  'PerfReplicationMember.secondaryId': 'segment',
  'PerfReplicationOptions.primaryClusterAddr': 'host',
  'PerfReplicationOptions.primaryClusterAddrs': 'host',
  'Pkcs11KeyProps.pin': SECRET,
  'RgpPolicyProps.namespace': 'mount',
  'RgpPolicyProps.policyName': 'segment',
  'S3StorageProps.bucket': 'label',
  'S3StorageProps.endpoint': 'host',
  'S3StorageProps.region': 'label',
  'S3StorageProps.secretAccessKey': SECRET,
  'S3StorageProps.sessionToken': SECRET,
  'SocketAuditLogProps.address': 'host',
  'VaultAuthLogin.namespace': 'mount',
  'VaultAuthLogin.parameters': SECRET,
  'VaultAuthLogin.path': 'mount',
  'VaultAuthLogin.secretIdWrappingPath': 'mount',
  'VaultConnection.address': 'host',
  'VaultConnection.headers': SECRET,
  'VaultConnection.namespace': 'mount',
  'VaultConnection.tlsServerName': 'host',
  'VaultConnection.token': SECRET,
  'VaultSecret.fromEphemeral(reference)': SECRET,
} satisfies Readonly<Record<string, LateRule | typeof SECRET>>;

interface PropRule {
  readonly prop: string;
  readonly rule: LateRule;
}

/** The properties with a rule, by the interface that declares them. */
const RULES = new Map<string, PropRule[]>();
for (const [name, rule] of Object.entries(STRING_PROPS)) {
  const [type = '', prop = ''] = name.split('.');
  if (typeof rule !== 'string' || prop.endsWith(')')) continue;
  RULES.set(type, [...(RULES.get(type) ?? []), { prop, rule }]);
}

const SECRETS = new Set(
  Object.entries(STRING_PROPS).flatMap(([name, rule]) => (rule === SECRET ? [name.split('.')[1]!] : [])),
);

/** Whether a property of this name may hold a secret. */
export function isSecretProp(name: string): boolean {
  return SECRETS.has(name);
}

/**
 * Returns the properties that Terraform has to check, because only Terraform knows their values.
 *
 * @param type the interface of the properties.
 */
export function lateProps(type: string, props: object): LateProp[] {
  const given = props as Readonly<Record<string, unknown>>;
  return (RULES.get(type) ?? []).flatMap(({ prop, rule }) =>
    isUnknown(textsOf(given[prop]))
      ? [{ name: prop, rule, value: textsOf(given[prop]) as string | string[] }]
      : [],
  );
}

/** Returns the values of a map of texts; any other value as it is. */
function textsOf(value: unknown): unknown {
  const isMap =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
  return isMap ? Object.values(value) : value;
}

/**
 * Returns properties of a provider. Its expressions fail in Terraform for values that are refused.
 */
export function guardedProps<T extends object>(type: string, props: T): T {
  const guarded = lateProps(type, props).flatMap(({ name, rule, value }) =>
    typeof value === 'string' ? [[name, guardedText(name, value, rule)] as const] : [],
  );
  return { ...props, ...Object.fromEntries(guarded) };
}
