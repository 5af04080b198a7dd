import { MapValue, NativeFault, UNDEFINED, Undefined, type Key, type Value } from './value';
import { lookAt, refuseDeeper, walkTo } from './walks';

/**
 * Converts JavaScript data to a Sentinel value. Integral numbers become ints, `undefined` becomes
 * undefined.
 *
 * @throws NativeFault if it is nested too deeply.
 */
export function fromHost(data: unknown): Value {
  return fromNested(data, 0);
}

function fromNested(data: unknown, depth: number): Value {
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
  refuseDeeper(depth);
  const inner = (each: unknown) => fromNested(each, depth + 1);
  if (Array.isArray(data)) return data.map(inner);
  if (data instanceof Map) return new MapValue([...data].map(([key, value]) => [String(key), inner(value)]));
  if (typeof data !== 'object') throw new TypeError(`a ${typeof data} cannot be given to a policy`);
  return new MapValue(Object.entries(data).map(([key, value]) => [key, inner(value)]));
}

/** Returns a deep copy of a value. */
export function copy(value: Value, depth = 0): Value {
  if (Array.isArray(value)) {
    walkTo(depth);
    lookAt(2 * value.length);
    return value.map((element) => copy(element, depth + 1));
  }
  if (value instanceof MapValue && value.constructor === MapValue) {
    walkTo(depth);
    lookAt(2 * value.size);
    return new MapValue(
      [...value.entries].map(([key, entry]): [Key, Value] => [key, copy(entry, depth + 1)]),
    );
  }
  return value;
}

/**
 * Converts a value to JavaScript data for output. Ints become numbers if these are exact, otherwise
 * strings. Endless values become `…`.
 */
export function toHost(value: Value): unknown {
  try {
    return nestedToHost(value, 0);
  } catch (error) {
    if (error instanceof NativeFault) return '…';
    throw error;
  }
}

function nestedToHost(value: Value, depth: number): unknown {
  if (value instanceof Undefined) return 'undefined';
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (Array.isArray(value)) {
    walkTo(depth);
    return value.map((element) => nestedToHost(element, depth + 1));
  }
  if (value instanceof MapValue) {
    walkTo(depth);
    return Object.fromEntries(
      [...value.entries].map(([key, entry]) => [String(key), nestedToHost(entry, depth + 1)]),
    );
  }
  return typeof value === 'object' && value !== null ? 'func' : value;
}
