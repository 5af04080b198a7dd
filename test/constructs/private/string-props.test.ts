import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { STRING_PROPS } from '../../../constructs/private/string-props';

// The reasons why a value that only Terraform knows needs no rule.
const BODY = 'is sent unchanged in a body, which is not parsed further';
const ID = 'the id of a cloud object, which the permissions in the cloud protect';
const LOCAL = 'a file on the machine of those who run Terraform, and who set the value';
const CONFIRMATION = 'is compared with a name, and not sent';
const SYNTHESIS = 'has to be known at synthesis';
const NOT_SENT = 'is not sent';
const IMPORTED = 'is checked by the data source, or in a path of a policy';
const STATEMENT = 'PolicyStatement has its own checks for it';
const DOCUMENT = 'the value may change the whole text, as the documentation says';
const UNCHECKED = 'allows any value';

/** The texts that are no secrets and have no rule for late values, each with the reason. */
const FREE_TEXTS: Readonly<Record<string, string>> = {
  'AclPolicy.fromPolicyName(policyName)': IMPORTED,
  'AuditDeviceAttributes.namespace': IMPORTED,
  'AuditDeviceAttributes.path': IMPORTED,
  'AuditDeviceProps.description': BODY,
  'AuditDeviceProps.prefix': BODY,
  'AutoSnapshotAttributes.namespace': IMPORTED,
  'AutoSnapshotAttributes.snapshotName': IMPORTED,
  'AwsKmsKeyProps.kmsKey': ID,
  'AzureBlobStorageProps.clientId': ID,
  'AzureBlobStorageProps.environment': BODY,
  'AzureKeyVaultKeyProps.clientId': ID,
  'AzureKeyVaultKeyProps.environment': BODY,
  'ControlGroupFactor.groupIds': BODY,
  'ControlGroupFactor.groupNames': BODY,
  'ControlGroupFactor.name': BODY,
  'EgpPolicy.fromPolicyName(policyName)': IMPORTED,
  'EgpPolicyProps.confirmLockOut': CONFIRMATION,
  'FileAuditLogProps.mode': BODY,
  'GuardedPolicy.allows(operation)': SYNTHESIS,
  'GuardedPolicy.allows(path)': SYNTHESIS,
  'GuardedPolicy.capabilitiesOf(rulePath)': SYNTHESIS,
  'GuardedPolicy.findAllowed(operation)': SYNTHESIS,
  'GuardedPolicy.findAllowed(pattern)': SYNTHESIS,
  'LateValue.trust(value)': UNCHECKED,
  'ManagedKeyAttributes.keyName': IMPORTED,
  'ManagedKeyAttributes.namespace': IMPORTED,
  'NamespaceProps.customMetadata': BODY,
  'PathsFilter.sendingWholeNamespaces(namespaces)': CONFIRMATION,
  'PerfReplicationMember.confirmDataLoss': CONFIRMATION,
  'PerfReplicationOptions.forcePromotion': CONFIRMATION,
  'PerfReplicationPairProps.confirmDataLoss': CONFIRMATION,
  'PerfReplicationPairProps.pathsFilters': 'PathsFilter checks the paths',
  'PerfReplicationSetAttributes.clusterId': NOT_SENT,
  'Pkcs11KeyProps.keyId': ID,
  'Pkcs11KeyProps.keyLabel': ID,
  'Pkcs11KeyProps.library': BODY,
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
  'S3Encryption.kms(key)': ID,
  'S3StorageProps.accessKeyId': ID,
  'SentinelDocument.fromFile(path)': SYNTHESIS,
  'SentinelDocument.fromText(text)': DOCUMENT,
  'SyslogAuditLogProps.facility': BODY,
  'SyslogAuditLogProps.tag': BODY,
  'VaultAuthLogin.method': BODY,
  'VaultClientAuth.certFile': LOCAL,
  'VaultClientAuth.keyFile': LOCAL,
  'VaultClusterProps.name': SYNTHESIS,
  'VaultClusterProps.serverVersion': SYNTHESIS,
  'VaultConnection.caCertDir': LOCAL,
  'VaultConnection.caCertFile': LOCAL,
  'VaultSecret.fromOptionalVariable(name)': SYNTHESIS,
  'VaultSecret.fromVariable(name)': SYNTHESIS,
  'VaultadminInstallationProps.executablesFolder': SYNTHESIS,
  'VaultadminInstallationProps.source': SYNTHESIS,
};

const CONSTRUCTS = join(__dirname, '..', '..', '..', 'constructs');

/** Returns the files that declare the exports of `constructs/index.ts`. */
function exportedFiles(): string[] {
  const index = readFileSync(join(CONSTRUCTS, 'index.ts'), 'utf8');
  return Array.from(index.matchAll(/'\.\/(.*)'/g), ([, path]) => join(CONSTRUCTS, `${path}.ts`));
}

/**
 * Returns the properties and parameters with texts in a file: `KeyProps.name`,
 * `Key.fromName(name)`.
 */
function textsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  return source.statements.flatMap((statement) => {
    if (ts.isInterfaceDeclaration(statement)) {
      // Interfaces whose name begins with I describe constructs, not their properties.
      if (/^I[A-Z]/.test(statement.name.text)) return [];
      return statement.members.filter(ts.isPropertySignature).filter(hasText).map(nameOf(statement));
    }
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members.filter(ts.isMethodDeclaration).flatMap((method) => {
      const name = method.name.getText();
      const isPrivate = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
      if (isPrivate || name.startsWith('_') || isOfConstruct(method)) return [];
      return method.parameters
        .filter(hasText)
        .map((parameter) => `${nameOf(statement)(method)}(${parameter.name.getText()})`);
    });
  });
}

/**
 * Whether a method such as `fromPolicyName(scope, id, policyName)` creates a construct: its id
 * belongs to the construct tree only.
 */
function isOfConstruct({ parameters }: ts.MethodDeclaration): boolean {
  return parameters[1]?.name.getText() === 'id' && parameters.length === 3 && !hasText(parameters[2]!);
}

function hasText({ type }: { readonly type?: ts.TypeNode | undefined }): boolean {
  return /\bstring\b/.test(type?.getText() ?? '');
}

function nameOf(owner: ts.InterfaceDeclaration | ts.ClassDeclaration) {
  return (member: ts.TypeElement | ts.ClassElement): string =>
    `${owner.name!.text}.${member.name!.getText()}`;
}

test('every text of a construct has a rule for late values, or a reason why it needs none', () => {
  const declared = exportedFiles()
    .flatMap(textsIn)
    .filter((name) => !/^(AclPolicy|EgpPolicy|RgpPolicy)\.fromPolicyName\(id\)$/.test(name));
  expect(declared.sort()).toEqual([...Object.keys(STRING_PROPS), ...Object.keys(FREE_TEXTS)].sort());
});
