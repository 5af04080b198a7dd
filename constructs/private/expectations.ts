import type { IConstruct } from 'constructs';
import { notAsExpected } from './messages';
import { code, phrase, type Phrase } from '../../src/model/messages';

/**
 * The expected type of a property. TypeScript's compiler ensures it, except for plain JavaScript
 * and casts.
 */
export interface Expectation {
  /** The expectation for messages: `a Duration`. */
  readonly allowed: Phrase;
  /** The correction: `write for example Duration.hours(1)`. */
  readonly cure: Phrase;
  readonly accepts: (value: unknown) => boolean;
}

const NO_PROPS = {
  name: 'props',
  received: undefined,
  allowed: 'an object with the properties',
  cure: 'write {...}',
};

export type Expectations = Readonly<Record<string, Expectation>>;

export const CLUSTER = instanceWith('providerFor', 'a VaultCluster', {
  cure: phrase`write ${code('new VaultCluster(...)')}, or check the name by which it was looked up`,
});
export const POLICY = instanceWith('addStatements', 'an AclPolicy that this app writes', {
  cure: phrase`write ${code('new AclPolicy(...)')}`,
});
export const DURATION = instanceWith('toSeconds', 'a Duration', { example: 'Duration.hours(1)' });
export const SIZE = instanceWith('toBytes', 'a Size', { example: 'Size.gibibytes(20)' });
export const KEY_SPEC = instanceWith('_family', 'a KeySpec', { example: 'KeySpec.rsa(3072)' });
export const MECHANISM = instanceWith('_text', 'a Pkcs11Mechanism', {
  example: 'Pkcs11Mechanism.RSA_PKCS_PSS',
});
export const KEY_BACKEND = instanceWith('_settings', 'a ManagedKeyBackend', {
  example: 'ManagedKeyBackend.pkcs11({...})',
});
export const AUDIT_LOG = instanceWith('_settings', 'an AuditLog', { example: 'AuditLog.file({...})' });
export const STORAGE = instanceWith('_settings', 'a SnapshotStorage', {
  example: 'SnapshotStorage.local({...})',
});
export const ENCRYPTION = instanceWith('_fields', 'an S3Encryption', { example: 'S3Encryption.kms()' });
export const PATHS_FILTER = instanceWith('_mode', 'a PathsFilter', {
  example: "PathsFilter.deny(['us-only/'])",
});
export const POLICY_DOCUMENT = instanceWith('addStatements', 'a PolicyDocument', {
  example: 'new PolicyDocument()',
});
export const SENTINEL_DOCUMENT = instanceWith('render', 'a SentinelDocument', {
  example: "SentinelDocument.fromFile('policy.sentinel')",
});
export const MOUNT = instanceWith('node', 'a Mount of the provider hashicorp/vault', {
  cure: phrase`write ${code('new Mount(...)')}`,
});
export const DOCUMENT_TEXT = text('text', `'path "secret/*" { capabilities = ["read"] }'`);
export const LEVEL = text('an EnforcementLevel', 'EnforcementLevel.HARD_MANDATORY');
export const KEY_TYPE = text('a ManagedKeyType', 'ManagedKeyType.PKCS11');

/**
 * Expects a text.
 *
 * @param example a text for the message.
 */
export function text(allowed: string, example: string): Expectation {
  return {
    allowed,
    cure: phrase`write for example ${code(example)}`,
    accepts: (value) => typeof value === 'string',
  };
}

/**
 * Expects a list.
 *
 * @param example an element for the message.
 */
export function list(allowed: string, example: string): Expectation {
  return {
    allowed,
    cure: phrase`write for example ${code(`[${example}]`)}`,
    accepts: (value) => Array.isArray(value),
  };
}

/**
 * Checks the properties of a construct.
 *
 * @param kind the name of the construct's class, or of the factory.
 * @param optional the expectations for properties that may be left out.
 * @throws Error that names the construct and the property.
 */
export function checkConstructProps(
  construct: IConstruct,
  kind: string,
  props: object | undefined,
  required: Expectations,
  optional?: Expectations,
): void {
  if (!areExpected(props, required, optional)) {
    checkProps(`[${construct.node.path}] ${kind}`, props, required, optional);
  }
}

/**
 * Checks the properties of an object that is not a construct.
 *
 * @param subject the class or method that takes them: `ManagedKeyBackend.pkcs11`.
 * @param optional the expectations for properties that may be left out.
 * @throws Error that names the property.
 */
export function checkProps(
  subject: Phrase,
  props: object | undefined,
  required: Expectations,
  optional: Expectations = {},
): void {
  if (areExpected(props, required, optional)) return;
  const given = valuesOf(props);
  const wrong = Object.entries({ ...optional, ...required })
    .filter(([name, { accepts }]) => (name in required || isGiven(given[name])) && !accepts(given[name]))
    .map(([name, expectation]) => ({ ...expectation, name, received: given[name] }));
  throw notAsExpected(subject, wrong.length > 0 ? wrong : [NO_PROPS]);
}

function areExpected(
  props: object | undefined,
  required: Expectations,
  optional: Expectations = {},
): boolean {
  if (!props) return false;
  const given = valuesOf(props);
  for (const name in required) if (!required[name]!.accepts(given[name])) return false;
  for (const name in optional)
    if (isGiven(given[name]) && !optional[name]!.accepts(given[name])) return false;
  return true;
}

function valuesOf(props: object | undefined): Readonly<Record<string, unknown>> {
  return (props ?? {}) as Readonly<Record<string, unknown>>;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Expects an instance of a class of this package, possibly of another copy of it, which is
 * recognized by a member.
 */
function instanceWith(
  member: string,
  allowed: string,
  { cure, example }: { readonly cure?: Phrase; readonly example?: string },
): Expectation {
  return {
    allowed,
    cure: cure ?? phrase`write for example ${code(example!)}`,
    accepts: (value) => typeof value === 'object' && value !== null && member in value,
  };
}
