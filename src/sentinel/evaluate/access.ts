import { sliceBytes, byteLength } from '../values/text';
import {
  aType,
  keyOf,
  MapValue,
  NativeFault,
  orUndefined,
  typeName,
  Undefined,
  UNDEFINED,
  type Value,
} from '../values/value';
import { lookAt } from '../values/walks';

/** Evaluates `object[index]`. */
export function indexValue(object: Value, index: Value): Value {
  if (object instanceof Undefined) return object;
  if (object === null) return UNDEFINED;
  if (Array.isArray(object)) {
    if (index instanceof Undefined) return index;
    const at = listIndex(object, index);
    return at === undefined ? UNDEFINED : orUndefined(object[at]);
  }
  if (object instanceof MapValue) {
    if (index instanceof Undefined) return index;
    if (index === null) return UNDEFINED;
    const key = keyOf(index);
    if (key === undefined) throw new NativeFault(`${aType(index)} cannot be the key of a map`);
    return orUndefined(object.get(key));
  }
  throw new NativeFault(`only lists and maps have an index, received ${typeName(object)}`);
}

/** Returns the position of a list's element; `undefined` if it does not exist. */
export function listIndex(list: readonly Value[], index: Value): number | undefined {
  if (typeof index !== 'bigint') {
    throw new NativeFault(`the index of a list must be an int, received ${typeName(index)}`);
  }
  const at = index < 0n ? index + BigInt(list.length) : index;
  return at >= 0n && at < BigInt(list.length) ? Number(at) : undefined;
}

/** Evaluates `object.name`; returns `undefined` for an object that has no keys. */
export function selectValue(object: Value, name: string): Value | undefined {
  if (object instanceof MapValue) return orUndefined(object.select(name));
  if (object instanceof Undefined) return object;
  return object === null ? UNDEFINED : undefined;
}

/** Evaluates `object[from:to]`. */
export function sliceValue(object: Value, from: Value | undefined, to: Value | undefined): Value {
  if (object instanceof Undefined) return object;
  if (object === null) return UNDEFINED;
  if (!Array.isArray(object) && typeof object !== 'string') {
    throw new NativeFault(`only lists and strings can be sliced, received ${typeName(object)}`);
  }
  if (from instanceof Undefined) return from;
  if (to instanceof Undefined) return to;
  lookAt(object.length);
  const length = Array.isArray(object) ? object.length : byteLength(object);
  const start = sliceBound(from, 0);
  const end = sliceBound(to, length);
  if (start < 0 || start > end || end > length) return UNDEFINED;
  return Array.isArray(object) ? object.slice(start, end) : sliceBytes(object, start, end);
}

function sliceBound(bound: Value | undefined, absent: number): number {
  if (bound === undefined) return absent;
  if (typeof bound !== 'bigint') {
    throw new NativeFault(`the bounds of a slice must be ints, received ${typeName(bound)}`);
  }
  return Number(bound);
}
