import { Token } from 'cdktf';
import type { IConstruct } from 'constructs';
import { nearestOf } from '../../src/text';
import { appError } from './app-language';
import { hasBrand } from './brand';
import { hasNumberToken } from './known';
import {
  checkNames,
  isGiven,
  isObject,
  isPropsType,
  valuesIn,
  type DeclaredValue,
  type PropsType,
} from './known-props';
import { notAsExpected, propProblem, type UnexpectedProp } from './messages';
import { refusalOf } from './refused-values';
import { endOfApp, refuseConstruct, refuseProps, reportApp, warn, type Refusal } from './report';
import { isSecretProp } from './string-props';
import { code, literal, phrase, property, type Phrase } from '../../src/model/messages';

/**
 * The expected type of a property. TypeScript's compiler ensures the type, except in plain
 * JavaScript and after casts.
 */
interface Expectation {
  /** The expectation for messages: `a Duration`. */
  readonly allowed: Phrase;
  /** The correction: `write for example Duration.hours(1)`. */
  readonly cure: Phrase;
  readonly accepts: (value: unknown) => boolean;
  /**
   * Returns a value that replaces an invalid one, so that the other faults of the app are found.
   * Without it, the app ends with an error.
   */
  readonly standIn?: (construct: IConstruct) => unknown;
}

const NO_PROPS = {
  place: 'props',
  allowed: 'an object with the properties',
  cure: 'write {...}',
};

type Expectations = Readonly<Record<string, Expectation>>;

export const CLUSTER: Expectation = {
  ...objectWith(
    'providerFor',
    'a VaultCluster',
    phrase`write ${code('new VaultCluster(...)')}, or check the name by which it was looked up`,
  ),
  standIn: ({ node: { scopes } }) =>
    [...scopes]
      .reverse()
      .flatMap(({ node }) => node.findAll())
      .find((each) => 'providerFor' in each),
};
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
export const LEVEL = orElse(text('an EnforcementLevel', 'EnforcementLevel.HARD_MANDATORY'), () => 'advisory');
export const KEY_TYPE = orElse(text('a ManagedKeyType', 'ManagedKeyType.PKCS11'), () => 'pkcs11');

/**
 * The expectations for declared types, by their names. A value of any other type is not checked.
 */
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

/** Returns an expectation with a value that constructs use in place of an invalid one. */
export function orElse(expectation: Expectation, standIn: () => unknown): Expectation {
  return { ...expectation, standIn };
}

/**
 * Expects a text.
 *
 * @param example code for the message. If it is a text in quotes, constructs use the text in place
 * of an invalid value.
 */
export function text(allowed: string, example: string): Expectation {
  const [, standIn] = /^'(.*)'$/.exec(example) ?? [];
  return {
    allowed,
    cure: phrase`write for example ${code(example)}`,
    accepts: (value) => typeof value === 'string',
    standIn: () => standIn,
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
 * Checks the properties of a construct. If the name of a property is not similar to any declared
 * name, this is only a warning, because an app in TypeScript may pass an object with further
 * members.
 *
 * @param kind the name of the construct's class, or of the factory.
 * @param type the interface of the properties.
 * @param inner the expectations for objects in lists, by the names of the properties with these
 * lists.
 * @returns the properties to use. If the construct is refused, stand-ins replace the invalid ones.
 * @throws Error that names the construct and the property, if an invalid property has no stand-in.
 */
export function checkConstructProps<P extends object>(
  construct: IConstruct,
  kind: string,
  type: PropsType,
  props: P,
  required: Expectations,
  inner: Readonly<Record<string, Expectations>> = {},
): P {
  reportApp(construct);
  const wrong = [...unexpectedProps(props, required, type), ...wrongInLists(props, inner)];
  const unusable = unusableValues(props);
  if (wrong.length === 0 && unusable.length === 0) {
    reportNames(construct, kind, type, props);
    return props;
  }
  const problems = wrong.map((each) => propProblem(kind, each));
  const usable = withStandIns(construct, props, required, [...wrong, ...unusable]);
  if (!usable) throw endOfApp(construct, [...problems, ...unusable.map(({ problem }) => problem)]);
  refuseProps(construct, problems, unusable);
  reportNames(construct, kind, type, usable);
  return usable;
}

function reportNames(construct: IConstruct, kind: string, type: PropsType, props: object): void {
  checkNames(kind, type, props, (problem, isCertain) => {
    if (isCertain) refuseConstruct(construct, [problem]);
    else warn(construct, problem);
  });
}

/**
 * Returns the properties, with stand-ins for invalid required ones; `undefined` if one of these has
 * no stand-in.
 */
function withStandIns<P extends object>(
  construct: IConstruct,
  props: P,
  required: Expectations,
  refused: readonly { readonly name: string | undefined }[],
): P | undefined {
  const isRefused = (name: string) => refused.some((each) => each.name === name);
  const kept = isObject(props) ? Object.entries(props).filter(([name]) => !isRefused(name)) : [];
  const names = Object.keys(required).filter((name) => !isObject(props) || isRefused(name));
  const standIns = names.map((name) => [name, required[name]?.standIn?.(construct)] as const);
  if (standIns.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries<unknown>([...kept, ...standIns]) as P;
}

/** Returns the values that cannot be used, such as documents of files that cannot be read. */
function unusableValues(props: object): (Refusal & { readonly name: string })[] {
  if (!isObject(props)) return [];
  return Object.entries(props).flatMap(([name, value]) => {
    const refusal = refusalOf(value);
    return refusal ? [{ ...refusal, name }] : [];
  });
}

/**
 * Checks an object of properties that is not passed to a construct.
 *
 * @param subject the class or method with this parameter: `ManagedKeyBackend.pkcs11`.
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
 * @param subject the class or method with these parameters: `ManagedKeyBackend.pkcs11`.
 * @throws Error that names the property.
 */
export function checkProps(subject: Phrase, props: object | undefined, required: Expectations): void {
  checkValues(subject, props, required);
}

/**
 * Checks the required values, and the types of all given values, including those in lists, maps and
 * inner objects.
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
  const wrong = unexpectedProps(props, required, type);
  if (wrong.length > 0) throw notAsExpected(subject, wrong);
}

/** A value that is missing or of another type, with the name of its property. */
type WrongProp = UnexpectedProp & { readonly name: string | undefined };

function unexpectedProps(
  props: object | undefined,
  required: Expectations,
  type: PropsType | undefined,
): WrongProp[] {
  const wrong = isGiven(props) && !isObject(props) ? [] : wrongValues(props ?? {}, required, type);
  if (wrong.length > 0 || isObject(props)) return wrong;
  return [{ ...NO_PROPS, name: undefined, received: props }];
}

function wrongInLists(props: object, inner: Readonly<Record<string, Expectations>>): WrongProp[] {
  const given = props as Readonly<Record<string, unknown>>;
  return Object.entries(inner).flatMap(([name, required]) => {
    const list: unknown = given?.[name];
    if (!Array.isArray(list)) return [];
    return list.flatMap((element: unknown, index) => {
      const wrong = isObject(element) ? wrongValues(element, required, undefined) : [];
      const place = phrase`${property(name)}[${String(index)}]`;
      return wrong.map((each) => ({ ...each, name, place: phrase`${place}: ${each.place}` }));
    });
  });
}

function wrongValues(props: object, required: Expectations, type: PropsType | undefined): WrongProp[] {
  const given = props as Readonly<Record<string, unknown>>;
  // Values of declared types are searched for numbers one by one.
  const hasNumber = (name: string) => type === undefined && hasNumberToken(given[name]);
  const failed = Object.keys(required).filter(
    (name) => hasNumber(name) || !required[name]!.accepts(given[name]),
  );
  const unexpected = failed.map((name) => ({
    ...(hasNumber(name) ? NUMBER_AS_TEXT : required[name]!),
    name,
    place: property(name),
    similar: isGiven(given[name]) ? undefined : similarName(name, given, required),
    received: given[name],
  }));
  if (type === undefined) return unexpected;
  const ofOtherType: WrongProp[] = [];
  for (const name of Object.keys(given)) {
    if (failed.includes(name)) continue;
    for (const value of valuesIn(type, name, given[name])) {
      const found = unexpectedValue(value);
      if (found) ofOtherType.push({ ...found, name });
    }
  }
  return [...ofOtherType, ...unexpected];
}

/** Returns the name of a given property that was probably meant as a required one. */
function similarName(name: string, given: object, required: Expectations): UnexpectedProp['similar'] {
  const others = Object.keys(given).filter((each) => !(each in required));
  const written = nearestOf(name, others, 2);
  return written === undefined ? undefined : { name, written };
}

function unexpectedValue({ place, name, type, value }: DeclaredValue): UnexpectedProp | undefined {
  const expected = hasNumberToken(value) ? NUMBER_AS_TEXT : expectationOf(type, value);
  // Terraform has no values of the classes of this package, only texts, numbers, lists and so on.
  const isLate = !(type in TYPES) && Token.isUnresolved(value);
  if (!expected || expected.accepts(value) || isLate) return undefined;
  return { ...expected, place: place(), received: value, isSecret: isSecretProp(name) };
}

/** The expectation for a text that contains a number that only Terraform knows. */
const NUMBER_AS_TEXT: Expectation = {
  allowed: 'text without the token of a number',
  cure: phrase`write ${code('Token.asString(number)')} in place of the number`,
  accepts: () => false,
};

/** Returns the expectation for a value that is not within a list or map any more. */
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

/**
 * Expects an instance of a class of this package, which may come from another copy of the package.
 */
function instanceOf(type: string, example: string): Expectation {
  return {
    allowed: `${/^(?:A|S3)/.test(type) ? 'an' : 'a'} ${type}`,
    cure: phrase`write for example ${code(example)}`,
    accepts: (value) => hasBrand(value, type),
  };
}

/** Expects an object that other packages may implement as well, so it is recognized by a member. */
function objectWith(member: string, allowed: string, cure: Phrase): Expectation {
  return {
    allowed,
    cure,
    accepts: (value) => typeof value === 'object' && value !== null && member in value,
  };
}
