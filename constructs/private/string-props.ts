import { Token } from 'cdktf';
import { isUnknown } from './known';
import type { LateRule } from './late-rules';
import { guardedText, type LateProp } from './late-values';

/** The reason why a value that only Terraform knows needs no rule. */
interface Free {
  readonly free: string;
}

const SECRET: Free = { free: 'a secret, which is sent unchanged in a body or a header' };
const BODY: Free = { free: 'is sent unchanged in a body, which is not parsed further' };
const ID: Free = { free: 'the id of a cloud object, which the permissions in the cloud protect' };
const LOCAL: Free = { free: 'a file on the machine of those who run Terraform, and who set the value' };
const CONFIRMATION: Free = { free: 'is compared with a name, and not sent' };
const SYNTHESIS: Free = { free: 'has to be known at synthesis' };
const NOT_SENT: Free = { free: 'is not sent' };
const IMPORTED: Free = { free: 'is checked by the data source, or in a path of a policy' };
const STATEMENT: Free = { free: 'PolicyStatement has its own checks for it' };
const DOCUMENT: Free = { free: 'the value may change the whole text, as the documentation says' };
const UNCHECKED: Free = { free: 'allows any value' };

/**
 * All properties of the constructs with a text, and all text parameters of their methods, with the
 * rule for values that only Terraform knows, or the reason why none is needed. A test compares it
 * with the declarations.
 */
export const STRING_PROPS = {
  'AclPolicy.fromPolicyName(policyName)': IMPORTED,
  'AclPolicyProps.namespace': 'mount',
  'AclPolicyProps.policyName': 'segment',
  'AuditDeviceAttributes.namespace': IMPORTED,
  'AuditDeviceAttributes.path': IMPORTED,
  'AuditDeviceProps.description': BODY,
  'AuditDeviceProps.exclude': 'word',
  'AuditDeviceProps.filter': 'word',
  'AuditDeviceProps.namespace': 'mount',
  'AuditDeviceProps.path': 'mount',
  'AuditDeviceProps.prefix': BODY,
  'AutoSnapshotAttributes.namespace': IMPORTED,
  'AutoSnapshotAttributes.snapshotName': IMPORTED,
  'AutoSnapshotProps.filePrefix': 'segment',
  'AutoSnapshotProps.namespace': 'mount',
  'AutoSnapshotProps.pathPrefix': 'segment',
  'AutoSnapshotProps.snapshotName': 'segment',
  'AwsKmsKeyProps.accessKey': SECRET,
  'AwsKmsKeyProps.endpoint': 'host',
  'AwsKmsKeyProps.kmsKey': ID,
  'AwsKmsKeyProps.region': 'label',
  'AwsKmsKeyProps.secretKey': SECRET,
  'AzureBlobStorageProps.accountKey': SECRET,
  'AzureBlobStorageProps.accountName': 'label',
  'AzureBlobStorageProps.clientId': ID,
  'AzureBlobStorageProps.container': 'label',
  'AzureBlobStorageProps.endpoint': 'host',
  'AzureBlobStorageProps.environment': BODY,
  'AzureKeyVaultKeyProps.clientId': ID,
  'AzureKeyVaultKeyProps.clientSecret': SECRET,
  'AzureKeyVaultKeyProps.environment': BODY,
  'AzureKeyVaultKeyProps.keyName': 'label',
  'AzureKeyVaultKeyProps.resource': 'label',
  'AzureKeyVaultKeyProps.tenantId': 'label',
  'AzureKeyVaultKeyProps.vaultName': 'label',
  'ControlGroupFactor.groupIds': BODY,
  'ControlGroupFactor.groupNames': BODY,
  'ControlGroupFactor.name': BODY,
  'EgpPolicy.fromPolicyName(policyName)': IMPORTED,
  'EgpPolicyProps.confirmLockOut': CONFIRMATION,
  'EgpPolicyProps.namespace': 'mount',
  'EgpPolicyProps.paths': 'path',
  'EgpPolicyProps.policyName': 'segment',
  'FileAuditLogProps.filePath': 'segment',
  'FileAuditLogProps.mode': BODY,
  'GcpCkmsKeyProps.credentials': SECRET,
  'GcpCkmsKeyProps.cryptoKey': 'label',
  'GcpCkmsKeyProps.cryptoKeyVersion': 'label',
  'GcpCkmsKeyProps.keyRing': 'label',
  'GcpCkmsKeyProps.project': 'label',
  'GcpCkmsKeyProps.region': 'label',
  'GcsStorageProps.bucket': 'label',
  'GcsStorageProps.endpoint': 'host',
  'GcsStorageProps.serviceAccountKey': SECRET,
  'GuardedPolicy.allows(operation)': SYNTHESIS,
  'GuardedPolicy.allows(path)': SYNTHESIS,
  'GuardedPolicy.capabilitiesOf(rulePath)': SYNTHESIS,
  'GuardedPolicy.findAllowed(operation)': SYNTHESIS,
  'GuardedPolicy.findAllowed(pattern)': SYNTHESIS,
  'LateValue.trust(value)': UNCHECKED,
  'ManagedKeyAttributes.keyName': IMPORTED,
  'ManagedKeyAttributes.namespace': IMPORTED,
  'ManagedKeyProps.keyName': 'segment',
  'ManagedKeyProps.namespace': 'mount',
  'NamespaceProps.customMetadata': BODY,
  'NamespaceProps.namespace': 'mount',
  'NamespaceProps.path': 'segment',
  'PathsFilter.allow(paths)': 'mount',
  'PathsFilter.deny(paths)': 'mount',
  'PathsFilter.sendingWholeNamespaces(namespaces)': CONFIRMATION,
  'PerfReplicationMember.caFile': 'segment',
  'PerfReplicationMember.caPath': 'segment',
  'PerfReplicationMember.confirmDataLoss': CONFIRMATION,
  'PerfReplicationMember.primaryApiAddr': 'host',
  'PerfReplicationMember.secondaryId': 'segment',
  'PerfReplicationOptions.forcePromotion': CONFIRMATION,
  'PerfReplicationOptions.primaryClusterAddr': 'host',
  'PerfReplicationOptions.primaryClusterAddrs': 'host',
  'PerfReplicationPairProps.confirmDataLoss': CONFIRMATION,
  'PerfReplicationPairProps.pathsFilters': { free: 'PathsFilter checks the paths' },
  'PerfReplicationSetAttributes.clusterId': NOT_SENT,
  'Pkcs11KeyProps.keyId': ID,
  'Pkcs11KeyProps.keyLabel': ID,
  'Pkcs11KeyProps.library': BODY,
  'Pkcs11KeyProps.pin': SECRET,
  'Pkcs11KeyProps.slot': BODY,
  'Pkcs11KeyProps.tokenLabel': ID,
  'Pkcs11Mechanism.of(mechanism)': BODY,
  'PolicyDocument.fromFile(path)': SYNTHESIS,
  'PolicyDocument.fromText(text)': DOCUMENT,
  'PolicyGuardRails.suppress(id)': SYNTHESIS,
  'PolicyGuardRails.suppress(reason)': SYNTHESIS,
  'PolicyGuardRailsProps.attachedTogether': SYNTHESIS,
  'PolicyGuardRailsProps.ignore': SYNTHESIS,
  'PolicyGuardRailsProps.sudoPolicies': SYNTHESIS,
  'PolicyStatement.pattern(value)': UNCHECKED,
  'PolicyStatementProps.allowedParameters': STATEMENT,
  'PolicyStatementProps.comment': STATEMENT,
  'PolicyStatementProps.deniedParameters': STATEMENT,
  'PolicyStatementProps.mfaMethods': BODY,
  'PolicyStatementProps.paths': STATEMENT,
  'PolicyStatementProps.requiredParameters': BODY,
  'PolicyStatementProps.subscribeEventTypes': STATEMENT,
  'RgpPolicy.fromPolicyName(policyName)': IMPORTED,
  'RgpPolicyProps.namespace': 'mount',
  'RgpPolicyProps.policyName': 'segment',
  'S3Encryption.kms(key)': ID,
  'S3StorageProps.accessKeyId': ID,
  'S3StorageProps.bucket': 'label',
  'S3StorageProps.endpoint': 'host',
  'S3StorageProps.region': 'label',
  'S3StorageProps.secretAccessKey': SECRET,
  'S3StorageProps.sessionToken': SECRET,
  'SentinelDocument.fromFile(path)': SYNTHESIS,
  'SentinelDocument.fromText(text)': DOCUMENT,
  'SocketAuditLogProps.address': 'host',
  'SyslogAuditLogProps.facility': BODY,
  'SyslogAuditLogProps.tag': BODY,
  'VaultAuthLogin.method': BODY,
  'VaultAuthLogin.namespace': 'mount',
  'VaultAuthLogin.parameters': SECRET,
  'VaultAuthLogin.path': 'mount',
  'VaultAuthLogin.secretIdWrappingPath': 'mount',
  'VaultClientAuth.certFile': LOCAL,
  'VaultClientAuth.keyFile': LOCAL,
  'VaultClusterProps.name': SYNTHESIS,
  'VaultClusterProps.serverVersion': SYNTHESIS,
  'VaultConnection.address': 'host',
  'VaultConnection.caCertDir': LOCAL,
  'VaultConnection.caCertFile': LOCAL,
  'VaultConnection.headers': SECRET,
  'VaultConnection.namespace': 'mount',
  'VaultConnection.tlsServerName': 'host',
  'VaultConnection.token': SECRET,
  'VaultSecret.fromEphemeral(reference)': SECRET,
  'VaultSecret.fromOptionalVariable(name)': SYNTHESIS,
  'VaultSecret.fromVariable(name)': SYNTHESIS,
  'VaultadminInstallationProps.executablesFolder': SYNTHESIS,
  'VaultadminInstallationProps.source': SYNTHESIS,
} satisfies Readonly<Record<string, LateRule | Free>>;

interface PropRule {
  readonly prop: string;
  readonly rule: LateRule;
}

/** The properties with a rule, by their interface. */
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

/** Returns the texts of a map of texts, or any other value as it is. */
function textsOf(value: unknown): unknown {
  const isMap =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
  return isMap ? Object.values(value) : value;
}

/** Returns properties of a provider, with expressions that fail for values that are refused. */
export function guardedProps<T extends object>(type: string, props: T): T {
  const guarded = lateProps(type, props).flatMap(({ name, rule, value }) =>
    typeof value === 'string' ? [[name, guardedText(name, value, rule)] as const] : [],
  );
  return { ...props, ...Object.fromEntries(guarded) };
}
