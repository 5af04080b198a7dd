import type { IConstruct } from 'constructs';
import { nearestOf } from '../../src/text';
import { appError } from './app-language';
import { hasBrand } from './brand';
import { checkNames, type PropsType } from './known-props';
import { notAsExpected } from './messages';
import { refuseConstruct, warn } from './report';
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

export const CLUSTER = objectWith(
  'providerFor',
  'a VaultCluster',
  phrase`write ${code('new VaultCluster(...)')}, or check the name by which it was looked up`,
);
export const POLICY = objectWith(
  'addStatements',
  'an AclPolicy that this app writes',
  phrase`write ${code('new AclPolicy(...)')}`,
);
export const DURATION = instanceOf('Duration', 'Duration.hours(1)');
export const SIZE = instanceOf('Size', 'Size.gibibytes(20)');
export const KEY_SPEC = instanceOf('KeySpec', 'KeySpec.rsa(3072)');
export const MECHANISM = instanceOf('Pkcs11Mechanism', 'Pkcs11Mechanism.RSA_PKCS_PSS');
export const KEY_BACKEND = instanceOf('ManagedKeyBackend', 'ManagedKeyBackend.pkcs11({...})');
export const AUDIT_LOG = instanceOf('AuditLog', 'AuditLog.file({...})');
export const STORAGE = instanceOf('SnapshotStorage', 'SnapshotStorage.local({...})');
export const ENCRYPTION = instanceOf('S3Encryption', 'S3Encryption.kms()');
export const PATHS_FILTER = instanceOf('PathsFilter', "PathsFilter.deny(['us-only/'])");
export const POLICY_DOCUMENT = instanceOf('PolicyDocument', 'new PolicyDocument()');
export const SENTINEL_DOCUMENT = instanceOf(
  'SentinelDocument',
  "SentinelDocument.fromFile('policy.sentinel')",
);
export const MOUNT = objectWith(
  'node',
  'a Mount of the provider hashicorp/vault',
  phrase`write ${code('new Mount(...)')}`,
);
export const DOCUMENT_TEXT = text('text', `'path "secret/*" { capabilities = ["read"] }'`);
export const LEVEL = text('an EnforcementLevel', 'EnforcementLevel.HARD_MANDATORY');
export const SWITCHOVER = text('a Switchover', 'Switchover.VERIFIED');
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
 * Checks the properties of a construct. A name that is like no declared one is only warned of: in
 * TypeScript, an app may pass an object that has further members.
 *
 * @param kind the name of the construct's class, or of the factory.
 * @param type the interface of the properties.
 * @param optional the expectations for properties that may be left out.
 * @throws Error that names the construct and the property.
 */
export function checkConstructProps(
  construct: IConstruct,
  kind: string,
  type: PropsType,
  props: object | undefined,
  required: Expectations,
  optional?: Expectations,
): void {
  checkProps(`[${construct.node.path}] ${kind}`, props, required, optional);
  checkConstructNames(construct, kind, type, props!);
}

/** Checks only the names of the properties of a construct. */
export function checkConstructNames(
  construct: IConstruct,
  kind: string,
  type: PropsType,
  props: object,
): void {
  checkNames(kind, type, props, (problem, isCertain) => {
    if (isCertain) refuseConstruct(construct, [problem]);
    else warn(construct, problem);
  });
}

/**
 * Checks an object of properties that is not passed to a construct.
 *
 * @param subject the class or method that takes it: `ManagedKeyBackend.pkcs11`.
 * @param type the interface of the properties.
 * @param optional the expectations for properties that may be left out.
 * @throws Error that names the property.
 */
export function checkObject(
  subject: Phrase,
  type: PropsType,
  props: object | undefined,
  required: Expectations,
  optional?: Expectations,
): void {
  checkProps(subject, props, required, optional);
  checkNames(subject, type, props!, (problem) => {
    throw appError(problem);
  });
}

/**
 * Checks values by their names.
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
  const expected = { ...optional, ...required };
  const others = Object.keys(given).filter((name) => !(name in expected));
  const wrong = Object.entries(expected)
    .filter(([name, { accepts }]) => (name in required || isGiven(given[name])) && !accepts(given[name]))
    .map(([name, expectation]) => {
      const similar = isGiven(given[name]) ? undefined : nearestOf(name, others, 2);
      return { ...expectation, name, similar, received: given[name] };
    });
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

/** Expects an instance of a class of this package, possibly of another copy of it. */
function instanceOf(type: string, example: string): Expectation {
  return {
    allowed: `${/^(?:A|S3)/.test(type) ? 'an' : 'a'} ${type}`,
    cure: phrase`write for example ${code(example)}`,
    accepts: (value) => hasBrand(value, type),
  };
}

/** Expects an object that other packages may implement, too: it is recognized by a member. */
function objectWith(member: string, allowed: string, cure: Phrase): Expectation {
  return {
    allowed,
    cure,
    accepts: (value) => typeof value === 'object' && value !== null && member in value,
  };
}
