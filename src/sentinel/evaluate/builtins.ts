import { intArgument, listArgument, mapArgument, strict, unexpected } from '../values/arguments';
import { compareValues, isNumber } from '../values/compare';
import { parseFloatText, parseIntText } from '../values/convert';
import { show } from '../values/show';
import { byteLength } from '../values/text';
import {
  keyOf,
  MapValue,
  NativeFault,
  NativeFunction,
  orUndefined,
  UNDEFINED,
  type Key,
  type Value,
} from '../values/value';

/** The names that every policy has without an import. */
export const UNIVERSE: Readonly<Record<string, Value>> = {
  true: true,
  false: false,
  null: null,
  undefined: UNDEFINED,
  append: new NativeFunction('append', [2, 2], ([list, element], caller) => {
    const target = listArgument('append', list);
    caller.allocate(1);
    target.push(orUndefined(element));
    return UNDEFINED;
  }),
  delete: new NativeFunction('delete', [2, 2], ([map, key]) => {
    const target = mapArgument('delete', map);
    const entry = key === undefined ? undefined : keyOf(key);
    if (entry !== undefined) target.entries.delete(entry);
    return UNDEFINED;
  }),
  keys: strict('keys', [1, 1], ([map], caller) => {
    const { entries } = mapArgument('keys', map);
    caller.allocate(entries.size);
    return sortedKeys(entries.keys());
  }),
  values: strict('values', [1, 1], ([map], caller) => {
    const { entries } = mapArgument('values', map);
    caller.allocate(entries.size);
    return sortedKeys(entries.keys()).map((key) => orUndefined(entries.get(key)));
  }),
  length: strict('length', [1, 1], ([value]) => {
    if (typeof value === 'string') return BigInt(byteLength(value));
    if (Array.isArray(value)) return BigInt(value.length);
    if (value instanceof MapValue) return BigInt(value.size);
    throw unexpected('length', 'a string, a list or a map', value);
  }),
  range: strict('range', [1, 3], (args, caller) => {
    const [first, second, third] = args.map((each) => intArgument('range', each));
    const start = second === undefined ? 0n : (first ?? 0n);
    const end = second ?? first ?? 0n;
    const step = third ?? 1n;
    if (step === 0n) throw new NativeFault('the step of range must not be 0');
    const size = step > 0n ? (end - start + step - 1n) / step : (start - end - step - 1n) / -step;
    if (size <= 0n) return [];
    caller.allocate(Number(size));
    return Array.from({ length: Number(size) }, (_, index) => start + BigInt(index) * step);
  }),
  int: new NativeFunction('int', [1, 1], ([value]) => {
    switch (typeof value) {
      case 'bigint':
        return value;
      case 'number':
        return truncate(value);
      case 'boolean':
        return value ? 1n : 0n;
      case 'string':
        return parseIntText(value);
      default:
        return UNDEFINED;
    }
  }),
  float: new NativeFunction('float', [1, 1], ([value]) => {
    switch (typeof value) {
      case 'bigint':
        return Number(value);
      case 'number':
        return value;
      case 'boolean':
        return value ? 1 : 0;
      case 'string':
        return parseFloatText(value);
      default:
        return UNDEFINED;
    }
  }),
  string: new NativeFunction('string', [1, 1], ([value]) => {
    switch (typeof value) {
      case 'string':
        return value;
      case 'bigint':
      case 'boolean':
        return String(value);
      case 'number':
        return sixDecimals(value);
      default:
        return UNDEFINED;
    }
  }),
  bool: new NativeFunction('bool', [1, 1], ([value]) => {
    if (typeof value === 'boolean') return value;
    if (value !== undefined && isNumber(value)) return Number(value) !== 0;
    if (typeof value !== 'string') return UNDEFINED;
    if (TRUE_TEXTS.has(value)) return true;
    if (FALSE_TEXTS.has(value)) return false;
    throw new NativeFault(`bool: parsing ${JSON.stringify(value)}: invalid syntax`);
  }),
  compare: strict('compare', [2, 2], ([a, b]) => {
    const order = a === undefined || b === undefined ? undefined : compareValues(a, b);
    if (order === undefined) throw new NativeFault('compare requires two numbers or two strings');
    return BigInt(Math.sign(order) || 0);
  }),
  print: new NativeFunction('print', [0, Infinity], (args, caller) => {
    caller.print(args.map(show).join(' '));
    return true;
  }),
  error: new NativeFunction('error', [0, Infinity], (args) => {
    throw new NativeFault(args.length === 0 ? 'error() was called' : args.map(show).join(' '));
  }),
};

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function sortedKeys(keys: Iterable<Key>): Key[] {
  return [...keys].sort((a, b) => compareValues(a, b) ?? (String(a) < String(b) ? -1 : 1));
}

function truncate(value: number): Value {
  if (!Number.isFinite(value)) throw new NativeFault(`int: ${value} has no integer value`);
  const whole = BigInt(Math.trunc(value));
  if (BigInt.asIntN(64, whole) !== whole)
    throw new NativeFault(`int: ${value} is out of range: integers have 64 bits`);
  return whole;
}

function sixDecimals(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`;
}
