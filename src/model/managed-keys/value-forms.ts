import type { Field } from '../definition/field';
import { mechanismNumber, mechanismText } from './mechanisms';
import { keyUsageNumber, keyUsageServerName, normalizeKeyUsages, parseKeyUsage } from './usages';

/**
 * The three forms of a field's values. The interface writes most of them as text, while servers answer with values of
 * the right type: `"0x0001"` is read as 1. Inside, everything is in one form, whatever it came in.
 */
interface ValueForm {
  /** The one form, of a value as people write it or as servers answer. What fits none stays as it is. */
  readonly fromWire: (value: unknown) => unknown;
  /** As requests carry a value that is in the one form. */
  readonly toRequest: (value: unknown) => unknown;
  /** As servers answer with it. */
  readonly toAnswer: (value: unknown, usagesAs: UsagesAs) => unknown;
}

/** How servers answer with usages: by number before 2.0, by name since. */
export type UsagesAs = 'numbers' | 'names';

/** The version that began to answer with the names of usages, as major and minor. */
export const USAGE_NAMES_SINCE = [2, 0] as const;

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

/** Slots may be larger than the numbers of JavaScript. */
export const DECIMAL_TEXT: ValueForm = {
  fromWire: (value) => {
    if (isNumber(value)) return String(value);
    return typeof value === 'string' && DIGITS.test(value) ? BigInt(value).toString() : value;
  },
  toRequest: same,
  toAnswer: (value) => (typeof value === 'string' && DIGITS.test(value) ? exactNumber(BigInt(value)) : 0),
};

/** Servers take decimal digits, too. */
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

/** The forms of a field's values. */
export function valueForm(name: string, { type }: Field): ValueForm {
  return OF_FIELD[name] ?? OF_TYPE[type] ?? TEXT;
}

/** No longer than numbers are: reading one takes time that grows with the square of its length. */
const DIGITS = /^\d{1,100}$/;

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** A number that JSON writers give back whole: a BigInt where it has to be one. */
function exactNumber(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
