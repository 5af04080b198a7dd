/**
 * The errors that the constructs throw: the construct at fault, the value received, the values
 * allowed, and the correction.
 */
import type { IConstruct } from 'constructs';
import {
  code,
  field,
  joined,
  literal,
  literals,
  phrase,
  property,
  variable,
  type Phrase,
} from '../../src/model/messages';
import { appError, folderOfApp } from './app-language';

export function invalidProps(construct: IConstruct, problems: readonly Phrase[]): Error {
  return appError(
    joined(
      problems.map((problem) => phrase`[${construct.node.path}] ${problem}`),
      '\n',
    ),
  );
}

/** A value that is missing, or does not have its declared type. */
export interface UnexpectedProp {
  /** The property, or a part of its value: `paths[1]`. */
  readonly place: Phrase;
  /**
   * The name of the missing property, and a given property that the author may have meant by it.
   */
  readonly similar?: { readonly name: string; readonly written: string } | undefined;
  readonly received: unknown;
  readonly allowed: Phrase;
  readonly cure: Phrase;
  /** Whether only the type of the value may be shown. */
  readonly isSecret?: boolean;
}

/**
 * Returns an error for unexpected properties.
 *
 * @param subject the construct or method with the properties: `[stack/Key] ManagedKey`.
 */
export function notAsExpected(subject: Phrase, props: readonly UnexpectedProp[]): Error {
  return appError(
    joined(
      props.map((each) => propProblem(subject, each)),
      '\n',
    ),
  );
}

/** Returns the problem of an unexpected property. */
export function propProblem(
  subject: Phrase,
  { place, similar, received, allowed, cure, isSecret = false }: UnexpectedProp,
): Phrase {
  const isMissing = received === undefined || received === null;
  const problem = isMissing
    ? 'is missing'
    : phrase`is ${isSecret ? `a ${typeof received}, which is not shown` : shown(received)}`;
  const renaming = similar ? phrase`, or write ${property(similar.name)} in place of ${similar.written}` : '';
  return phrase`${subject}: ${place} ${problem}; allowed: ${allowed}; ${cure}${renaming}`;
}

/** Returns the problem of a misspelled property. */
export function misspelledProp(name: string, meant: string): Phrase {
  return phrase`${name} is not a property; write ${property(meant)} in place of ${name}`;
}

/** Returns the problem of a property whose name is not similar to any declared name. */
export function unknownProp(name: string, allowed: readonly string[]): Phrase {
  return phrase`${name} is not a property; allowed: ${joined(
    allowed.map((each) => property(each)),
    ', ',
  )}; remove ${name}, or correct its name`;
}

/** Returns the problem of two clusters with the same name in one stack. */
export function duplicateClusterName(name: string, other: IConstruct): Phrase {
  return (
    `two clusters in one stack are named ${JSON.stringify(name)}; the other one is [${other.node.path}]; ` +
    'give each VaultCluster a unique name, or use the same VaultCluster in both places'
  );
}

/** Returns an error that does not repeat the received text, which may be the secret itself. */
export function noVariableName(): Error {
  return appError(
    phrase`${code('VaultSecret.fromVariable')} requires the name of a Terraform variable; allowed: a letter or _,
      followed by letters, digits, - and _; write for example ${code('VaultSecret.fromVariable("us_token")')} and
      set ${variable('TF_VAR_us_token')}`,
  );
}

/** Returns an error that does not repeat the received text, which may be the secret itself. */
export function noEphemeralReference(): Error {
  return appError(
    phrase`${code('VaultSecret.fromEphemeral')} requires a reference to an attribute of an ephemeral resource;
      allowed: ephemeral.<type>.<name>.<attribute>; write for example
      ${code('VaultSecret.fromEphemeral("ephemeral.vault_kv_secret_v2.hsm.data.pin")')}`,
  );
}

/** Returns the problems of secrets that the resource of `hashicorp/vault` would store. */
export function secretsWouldBeStored(title: string, names: readonly string[]): Phrase[] {
  return names.map(
    (name) =>
      phrase`${title}: ${field(name)} would be in plain text in the state and in plans, since
        vault_raft_snapshot_agent_config has no write-only argument for it; set
        ${property('resourceProvider', code('ResourceProvider.VAULTADMIN'))} on the VaultCluster, whose resource
        writes secrets without storing them`,
  );
}

/**
 * Returns the error for an amount that is not a whole number.
 *
 * @param factory the method that was called, such as `Duration.hours`.
 */
export function notAWholeNumber(factory: string, received: unknown): Error {
  return appError(
    phrase`${code(factory)} received ${shown(received)}; allowed: a whole number that is not negative, or a token;
      write for example ${code(`${factory}(12)`)}`,
  );
}

/**
 * Returns the error for an invalid argument of a key specification.
 *
 * @param factory the method that was called: `KeySpec.rsa`.
 */
export function notAKeySpec(factory: string, received: unknown, allowed: string, example: string): Error {
  return appError(
    phrase`${code(factory)} received ${shown(received)}; allowed: ${allowed}; write for example ${code(example)}`,
  );
}

export function notAMechanism(received: unknown, named: string): Error {
  return appError(
    phrase`Pkcs11Mechanism.of received ${shown(received)}; allowed: ${named}, or a hexadecimal number; write for
      example Pkcs11Mechanism.of("0x1085")`,
  );
}

export function azureNeedsRsa(): Error {
  return appError(
    phrase`${code('ManagedKeyBackend.azureKeyVault')}: ${property('keySpec')} is KeySpec.ecc; allowed: KeySpec.rsa,
      since keys in Azure Key Vault are of the type RSA-HSM; write for example KeySpec.rsa(2048)`,
  );
}

const KEY_SPECS = { RSA: 'KeySpec.rsa(3072)', ECDSA: 'KeySpec.ecc(KeyCurve.P256)' } as const;

export function otherKeyFamily(
  { name, keyFamily }: { readonly name: string; readonly keyFamily: 'RSA' | 'ECDSA' },
  given: 'RSA' | 'ECDSA',
): Error {
  return appError(
    phrase`ManagedKeyBackend.pkcs11: ${property('keySpec')} is an ${given} key, and the mechanism ${name} needs an
      ${keyFamily} key; write for example ${KEY_SPECS[keyFamily]}, or choose another mechanism`,
  );
}

export function noPair(names: readonly string[]): Phrase {
  return phrase`performance replication pair: clusters are ${names.length === 0 ? 'none' : literals(names)}; allowed:
    two; for more write a PerfReplicationSet`;
}

/** Returns the problems of properties that name clusters outside of the pair. */
export function notOfPair(
  names: readonly string[],
  unknown: readonly (readonly [prop: string, cluster: string])[],
): Phrase[] {
  return unknown.map(
    ([prop, cluster]) =>
      phrase`performance replication pair: ${property(prop)} names ${literal(cluster)}; allowed: ${literals(names)};
        write one of these, or remove it`,
  );
}

/**
 * The message of a condition, which Terraform shows. It does not repeat the value, which may be
 * sensitive.
 */
export const LATE_VALUE_WIDENS_POLICY =
  'A value in the parameters or event types of this policy contains * or is the name of another parameter. The policy would ' +
  'permit more than the app declares. Correct the value. To allow wildcards in it, write ' +
  'PolicyStatement.pattern(value) in the app.';

/**
 * Returns the message of a condition, which Terraform shows. It does not repeat the value, which
 * may be sensitive.
 *
 * @param expression such as `${var.team}`.
 * @param anyValueCode the code that allows any value, such as `LateValue.trust(value)`.
 */
export function lateValueRefused(
  prop: Phrase,
  expression: string,
  allowed: string,
  anyValueCode: string,
): Phrase {
  return phrase`The value of ${expression} in ${prop} is not valid; allowed: ${allowed}. Correct the value. To allow
    other values, write ${code(anyValueCode)} in the app.`;
}

export function lateValueBesideWildcard(prop: Phrase, anyValueCode: string): Error {
  return appError(
    phrase`${prop} has a value that only Terraform knows beside *, + or a brace, whose meaning the value could change;
      allowed: beside / or other characters; separate them with /, or write ${code(anyValueCode)}`,
  );
}

export function valuesKnownToTerraformOnly(): Error {
  return appError(
    'a policy statement contains a number, a list or an object that only Terraform knows; allowed: strings with ' +
      'expressions; convert each value to a string, for example with Fn.tostring(value)',
  );
}

export function capabilitiesKnownToTerraformOnly(): Error {
  return appError(
    'a policy statement contains a capability that only Terraform knows; allowed: capabilities that the app sets; ' +
      'write for example Capability.READ',
  );
}

export function namesKnownToTerraformOnly(): Error {
  return appError(
    phrase`a policy statement contains several parameter names that only Terraform knows; allowed: one in
      ${property('allowedParameters')} and one in ${property('deniedParameters')}, since of two that turn out to be
      equal only one would apply; write a statement for each`,
  );
}

export function neverOverwrites(title: string): Phrase {
  return phrase`${title}: ${property('allowOverwrite')} is ${literal(true)}; allowed: ${literal(false)}, since the
    provider vaultadmin never overwrites a policy that it did not create; import the policy, or set
    ${property('resourceProvider', code('ResourceProvider.UPSTREAM'))} on the VaultCluster`;
}

/** The problem of statements for a document from text. */
export const CLOSED_DOCUMENT =
  'a policy document from text cannot have statements; add them to the text, ' +
  'or build the document from statements only';

export function outOfReach(from: string, to: string): Phrase {
  return (
    `a policy in namespace ${JSON.stringify(from)} cannot permit anything in namespace ${JSON.stringify(to)}; ` +
    'allowed: its own namespace and its child namespaces; create the policy in the namespace of the object, or in a parent'
  );
}

export function mountElsewhere(key: string, ours: string, theirs: string): Phrase {
  return (
    `the mount is in namespace ${JSON.stringify(theirs)}, the ${key} in ${JSON.stringify(ours)}; ` +
    'allowed: a mount in the namespace of the key; create the key in the namespace of the mount, or the mount in the namespace of the key'
  );
}

export function noPaths(): Error {
  return appError(
    'PolicyStatement: paths is empty; allowed: one path or more; write for example ["secret/data/app/*"]',
  );
}

export function pathsKnownToTerraformOnly(): Error {
  return appError(
    'PolicyStatement: paths is a list that only Terraform knows, so its length is not known at synthesis; ' +
      'list the paths individually (each may be a token), or get elements of the list with Fn.element',
  );
}

export function mixedFrameworks(construct: IConstruct, ours: string, theirs: string): Error {
  return invalidProps(construct, [
    `the app is built with ${theirs}, these constructs with ${ours}: the two cannot share a construct tree; ` +
      `for an app on ${theirs}, install the package ${theirs}-vault-admin in place of ${ours}-vault-admin`,
  ]);
}

export function providerNotBuilt(file: string): Error {
  return appError(
    `the vaultadmin provider is missing: ${file} does not exist; in a clone, build it with "npm run build"; ` +
      'otherwise install cdktf-vault-admin again',
  );
}

export function cannotPlace(path: string, reason: string): Error {
  return appError(
    `the vaultadmin provider cannot be placed: ${path}: ${reason}; remove it, or synthesize into another folder`,
  );
}

/**
 * Returns an error for a file that cannot be written.
 *
 * @param path below the output folder.
 */
export function cannotSynthesize(path: string, reason: string): Error {
  return appError(
    `the stack cannot be written: ${path}: ${reason}; remove it, or synthesize into another folder`,
  );
}

/**
 * Returns the problem of a file that cannot be read.
 *
 * @param path of a file that the app reads.
 */
export function cannotRead(path: string, reason: string): Phrase {
  return `${path} cannot be read: ${reason}; name a file`;
}

/**
 * Returns the problem of a file that does not exist.
 *
 * @param path the path as the app writes it.
 * @param absolute the absolute path that was searched.
 * @param similar the path of another file that may be meant.
 */
export function fileMissing(path: string, absolute: string, similar: string | undefined): Phrase {
  const other = similar === undefined ? '' : `, such as ${JSON.stringify(similar)}`;
  return (
    `the file ${JSON.stringify(path)} does not exist: it was looked for at ${absolute}; name a file${other}, with its ` +
    `path from the folder in which the app runs, or with ${folderOfApp()}`
  );
}

export function providerNotBesideBundle(file: string): Error {
  return appError(
    `the vaultadmin provider is missing: the package cdktf-vault-admin was not found from ${file}, into which it was ` +
      'bundled; a bundle cannot contain the provider, which is an executable: install cdktf-vault-admin where the bundle runs',
  );
}

function shown(value: unknown): Phrase {
  if (Array.isArray(value)) return value.includes(undefined) ? 'a list with undefined' : 'a list';
  if (typeof value === 'object' && value !== null) {
    const { name } = value.constructor;
    return name === 'Object' ? 'another object' : `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
  }
  return typeof value === 'string' || typeof value === 'boolean' ? literal(value) : String(value);
}

/**
 * Returns the problem of a policy that refuses Terraform's requests.
 *
 * @param requests such as `read auth/token/lookup-self`.
 */
export function locksTerraformOut(name: string, requests: readonly string[]): Phrase {
  const shown =
    requests.slice(0, 5).join(', ') + (requests.length > 5 ? ` and ${requests.length - 5} more` : '');
  return phrase`EGP policy ${literal(name)} refuses requests from Terraform itself: ${shown}; once the policy is in
    force, this app can no longer change it; allow them in the policy, start with EnforcementLevel.ADVISORY, or, if
    this is intended or Terraform has a root token, confirm it with ${property('confirmLockOut', literal(name))}`;
}
