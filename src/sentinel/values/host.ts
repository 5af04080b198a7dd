import { MapValue, UNDEFINED, Undefined, type Key, type Value } from './value';

/** Data of JavaScript as a Sentinel value: integral numbers are ints, `undefined` is undefined. */
export function fromHost(data: unknown): Value {
  switch (typeof data) {
    case 'boolean':
    case 'bigint':
    case 'string':
      return data;
    case 'number':
      return Number.isInteger(data) ? BigInt(data) : data;
    case 'undefined':
      return UNDEFINED;
    default:
      break;
  }
  if (data === null) return null;
  if (Array.isArray(data)) return data.map(fromHost);
  if (data instanceof Map)
    return new MapValue([...data].map(([key, value]) => [String(key), fromHost(value)]));
  if (typeof data !== 'object') throw new TypeError(`a ${typeof data} cannot be given to a policy`);
  return new MapValue(Object.entries(data).map(([key, value]) => [key, fromHost(value)]));
}

/** A copy of a value that shares no list and no map with it. */
export function copy(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof MapValue && value.constructor === MapValue) {
    return new MapValue([...value.entries].map(([key, entry]): [Key, Value] => [key, copy(entry)]));
  }
  return value;
}

/** A value as data of JavaScript, for output: ints as numbers where they are exact, else as strings. */
export function toHost(value: Value): unknown {
  if (value instanceof Undefined) return 'undefined';
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (Array.isArray(value)) return value.map(toHost);
  if (value instanceof MapValue) {
    return Object.fromEntries([...value.entries].map(([key, entry]) => [String(key), toHost(entry)]));
  }
  return typeof value === 'object' && value !== null ? 'func' : value;
}
