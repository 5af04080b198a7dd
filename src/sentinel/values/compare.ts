import { compareText } from './text';
import { MapValue, orUndefined, Undefined, type Value } from './value';
import { lookAt, walkTo } from './walks';

/**
 * Evaluates `a is b`. The result is undefined if one of the values is undefined, or if the result
 * depends on an undefined element.
 */
export function isEqual(a: Value, b: Value, depth = 0): boolean | Undefined {
  if (a instanceof Undefined) return a;
  if (b instanceof Undefined) return b;
  if (typeof a === 'bigint' && typeof b === 'number') return Number(a) === b;
  if (typeof a === 'number' && typeof b === 'bigint') return a === Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return listsEqual(a, b, depth);
  if (a instanceof MapValue && b instanceof MapValue) return mapsEqual(a, b, depth);
  if (typeof a === 'string') lookAt(a.length);
  return a === b;
}

function listsEqual(a: readonly Value[], b: readonly Value[], depth: number): boolean | Undefined {
  walkTo(depth);
  if (a === b) return true;
  if (a.length !== b.length) return false;
  lookAt(4 * a.length);
  let undecided: Undefined | undefined;
  for (let index = 0; index < a.length; index++) {
    const equal = isEqual(orUndefined(a[index]), orUndefined(b[index]), depth + 1);
    if (equal === false) return false;
    if (equal !== true) undecided ??= equal;
  }
  return undecided ?? true;
}

function mapsEqual(a: MapValue, b: MapValue, depth: number): boolean | Undefined {
  walkTo(depth);
  if (a === b) return true;
  if (a.size !== b.size) return false;
  lookAt(4 * a.size);
  for (const key of a.entries.keys()) if (!b.entries.has(key)) return false;
  let undecided: Undefined | undefined;
  for (const [key, value] of a.entries) {
    const equal = isEqual(value, orUndefined(b.get(key)), depth + 1);
    if (equal === false) return false;
    if (equal !== true) undecided ??= equal;
  }
  return undecided ?? true;
}

/**
 * Returns a negative number, zero or a positive number; `undefined` for values that have no order.
 */
export function compareValues(a: Value, b: Value): number | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumber(a) && isNumber(b)) {
    const difference = Number(a) - Number(b);
    return Number.isNaN(difference) ? (Number(a) === Number(b) ? 0 : NaN) : difference;
  }
  if (typeof a === 'string' && typeof b === 'string') {
    lookAt(a.length + b.length);
    return compareText(a, b);
  }
  return undefined;
}

export function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
