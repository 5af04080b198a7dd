import type { Field } from '../definition/field';
import { mechanismNumber, mechanismText } from './mechanisms';
import { keyUsageNumber, keyUsageServerName, normalizeKeyUsages, parseKeyUsage } from './usages';

/**
 * Conversions between the three forms of a field's values: the form of requests, mostly texts; the
 * form of servers' answers, which have values of the right type, such as 1 for `"0x0001"`; and the
 * normalized form of this package.
 */
interface ValueForm {
  /**
   * Normalizes a value that people wrote or a server returned. A value in an unknown form stays as
   * it is.
   */
  readonly fromWire: (value: unknown) => unknown;
  /** Converts a normalized value into the form of requests. */
  readonly toRequest: (value: unknown) => unknown;
  /** Converts a normalized value into the form of servers' answers. */
  readonly toAnswer: (value: unknown, usagesAs: UsagesAs) => unknown;
}

/** The form of usages in servers' answers: numbers before 2.0, names since. */
export type UsagesAs = 'numbers' | 'names';

/** The first version that returned the names of usages, as major and minor. */
export const USAGE_NAMES_SINCE = [2, 0] as const;

/**
 * Matches decimal digits of limited length, because the time for reading a number grows with the
 * square of its length.
 */
const DIGITS = /^\d{1,100}$/;

const same = (value: unknown) => value;

const TEXT: ValueForm = {
  fromWire: (value) => (isNumber(value) ? String(value) : value),
  toRequest: same,
  toAnswer: (value) => value ?? '',
};

const BOOLEAN: ValueForm = {
  fromWire: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  toRequest: String,
  toAnswer: (value) => value ?? false,
};

const INTEGER: ValueForm = {
  fromWire: (value) => {
    if (value === '') return 0;
    return typeof value === 'bigint' || (typeof value === 'string' && DIGITS.test(value))
      ? Number(value)
      : value;
  },
  toRequest: same,
  toAnswer: (value) => value ?? 0,
};

/** The form of slots, which may be larger than the numbers of JavaScript. */
export const DECIMAL_TEXT: ValueForm = {
  fromWire: (value) => {
    if (isNumber(value)) return String(value);
    return typeof value === 'string' && DIGITS.test(value) ? BigInt(value).toString() : value;
  },
  toRequest: same,
  toAnswer: (value) => (typeof value === 'string' && DIGITS.test(value) ? exactNumber(BigInt(value)) : 0),
};

/** The form of mechanisms. Servers accept decimal digits as well. */
export const MECHANISM: ValueForm = {
  fromWire: (value) => {
    if (isNumber(value)) return mechanismText(value);
    if (typeof value !== 'string') return value;
    const number = DIGITS.test(value) ? BigInt(value) : mechanismNumber(value);
    return number === undefined ? value : mechanismText(number);
  },
  toRequest: same,
  toAnswer: (value) => exactNumber(typeof value === 'string' ? (mechanismNumber(value) ?? 0n) : 0n),
};

const USAGES: ValueForm = {
  fromWire: (value) => normalizeKeyUsages(value) ?? value,
  toRequest: (value) => (normalizeKeyUsages(value) ?? []).join(','),
  toAnswer: (value, usagesAs) => {
    const known = (normalizeKeyUsages(value) ?? []).flatMap((name) => parseKeyUsage(name) ?? []);
    const numbers = known.map(keyUsageNumber).sort((a, b) => a - b);
    return usagesAs === 'numbers' ? numbers : known.map(keyUsageServerName);
  },
};

const OF_TYPE: Readonly<Partial<Record<Field['type'], ValueForm>>> = { boolean: BOOLEAN, integer: INTEGER };
const OF_FIELD: Readonly<Record<string, ValueForm>> = {
  mechanism: MECHANISM,
  slot: DECIMAL_TEXT,
  usages: USAGES,
};

/** Returns the conversions for a field's values. */
export function valueForm(name: string, { type }: Field): ValueForm {
  return OF_FIELD[name] ?? OF_TYPE[type] ?? TEXT;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns a number that JSON writers keep exact: a BigInt if necessary. */
function exactNumber(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
