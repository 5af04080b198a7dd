import { Token } from 'cdktf';
import type { IConstruct } from 'constructs';
import { nearestOf } from '../../src/text';
import { appError } from './app-language';
import { hasBrand } from './brand';
import {
  checkNames,
  isObject,
  isPropsType,
  valuesIn,
  type DeclaredValue,
  type PropsType,
} from './known-props';
import { notAsExpected, type UnexpectedProp } from './messages';
import { refuseConstruct, warn } from './report';
import { isSecretProp } from './string-props';
import { code, literal, phrase, property, type Phrase } from '../../src/model/messages';

/**
 * The expected type of a property. TypeScript's compiler ensures it, except for plain JavaScript
 * and casts.
 */
interface Expectation {
  /** The expectation for messages: `a Duration`. */
  readonly allowed: Phrase;
  /** The correction: `write for example Duration.hours(1)`. */
  readonly cure: Phrase;
  readonly accepts: (value: unknown) => boolean;
}

const NO_PROPS = {
  place: 'props',
  allowed: 'an object with the properties',
  cure: 'write {...}',
};

type Expectations = Readonly<Record<string, Expectation>>;

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
const ENCRYPTION = instanceOf('S3Encryption', 'S3Encryption.kms()');
const PATHS_FILTER = instanceOf('PathsFilter', "PathsFilter.deny(['us-only/'])");
const POLICY_DOCUMENT = instanceOf('PolicyDocument', "PolicyDocument.fromFile('policy.hcl')");
const POLICY_STATEMENT = instanceOf('PolicyStatement', 'new PolicyStatement({...})');
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
export const KEY_TYPE = text('a ManagedKeyType', 'ManagedKeyType.PKCS11');

/** The types of declarations, by their names. A value of any other type is not checked. */
const TYPES: Readonly<Record<string, Expectation>> = {
  AuditLog: AUDIT_LOG,
  Duration: DURATION,
  IVaultCluster: CLUSTER,
  KeySpec: KEY_SPEC,
  ManagedKeyBackend: KEY_BACKEND,
  PathsFilter: PATHS_FILTER,
  Pkcs11Mechanism: MECHANISM,
  PolicyDocument: POLICY_DOCUMENT,
  PolicyStatement: POLICY_STATEMENT,
  S3Encryption: ENCRYPTION,
  SentinelDocument: SENTINEL_DOCUMENT,
  Size: SIZE,
  SnapshotStorage: STORAGE,
  boolean: scalar('true or false', 'write true or false', (value) => typeof value === 'boolean'),
  number: scalar('a number', 'write a number', (value) => typeof value === 'number' && !Number.isNaN(value)),
  Switchover: text('a Switchover', 'Switchover.VERIFIED'),
  string: scalar('text', 'write text in quotes', (value) => typeof value === 'string'),
};

/** Expects a value of a basic type, or one that only Terraform knows. */
function scalar(allowed: string, cure: string, accepts: (value: unknown) => boolean): Expectation {
  return { allowed, cure, accepts: (value) => accepts(value) || Token.isUnresolved(value) };
}

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
 * @throws Error that names the construct and the property.
 */
export function checkConstructProps(
  construct: IConstruct,
  kind: string,
  type: PropsType,
  props: object | undefined,
  required: Expectations,
): void {
  checkValues(`[${construct.node.path}] ${kind}`, props, required, type);
  checkNames(kind, type, props!, (problem, isCertain) => {
    if (isCertain) refuseConstruct(construct, [problem]);
    else warn(construct, problem);
  });
}

/**
 * Checks an object of properties that is not passed to a construct.
 *
 * @param subject the class or method that takes it: `ManagedKeyBackend.pkcs11`.
 * @param type the interface of the properties.
 * @throws Error that names the property.
 */
export function checkObject(
  subject: Phrase,
  type: PropsType,
  props: object | undefined,
  required: Expectations,
): void {
  checkValues(subject, props, required, type);
  checkNames(subject, type, props!, (problem) => {
    throw appError(problem);
  });
}

/**
 * Checks values by their names.
 *
 * @param subject the class or method that takes them: `ManagedKeyBackend.pkcs11`.
 * @throws Error that names the property.
 */
export function checkProps(subject: Phrase, props: object | undefined, required: Expectations): void {
  checkValues(subject, props, required);
}

/**
 * Checks the required values, and the types of all that are given, also in lists, maps and inner
 * objects.
 *
 * @param type the interface of the properties, if they have one.
 * @throws Error that names each value that is missing or of another type.
 */
function checkValues(
  subject: Phrase,
  props: object | undefined,
  required: Expectations,
  type?: PropsType,
): void {
  const given = (isGiven(props) ? props : {}) as Readonly<Record<string, unknown>>;
  const wrong = isGiven(props) && !isObject(props) ? [] : wrongValues(given, required, type);
  if (wrong.length > 0) throw notAsExpected(subject, wrong);
  if (!isObject(props)) throw notAsExpected(subject, [{ ...NO_PROPS, received: props }]);
}

function wrongValues(
  given: Readonly<Record<string, unknown>>,
  required: Expectations,
  type: PropsType | undefined,
): UnexpectedProp[] {
  const others = Object.keys(given).filter((name) => !(name in required));
  const failed = Object.entries(required).filter(([name, { accepts }]) => !accepts(given[name]));
  const unexpected = failed.map(([name, expectation]) => ({
    ...expectation,
    place: property(name),
    similar: isGiven(given[name]) ? undefined : similarName(name, others),
    received: given[name],
  }));
  const names = failed.map(([name]) => name);
  const ofOtherType = type ? valuesIn(type, given).filter(({ name }) => !names.includes(name)) : [];
  return [...ofOtherType.flatMap(unexpectedValue), ...unexpected];
}

function similarName(name: string, others: readonly string[]): UnexpectedProp['similar'] {
  const written = nearestOf(name, others, 2);
  return written === undefined ? undefined : { name, written };
}

function unexpectedValue({ place, name, type, value }: DeclaredValue): UnexpectedProp[] {
  const expected = expectationOf(type, value);
  if (!expected || expected.accepts(value) || Token.isUnresolved(value)) return [];
  return [{ ...expected, place, received: value, isSecret: isSecretProp(name) }];
}

/** Returns the expectation for a value that is no list, and no map. */
function expectationOf(type: string, value: unknown): Expectation | undefined {
  const never = () => false;
  if (type.endsWith('[]')) {
    const text = typeof value === 'string' ? literal(value) : '...';
    return { allowed: 'a list', cure: phrase`write [${text}]`, accepts: never };
  }
  if (type.endsWith('{}')) return { allowed: 'a map', cure: 'write { name: value }', accepts: never };
  if (isPropsType(type)) return { ...NO_PROPS, accepts: never };
  return TYPES[type];
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
