import { isCallable, MapValue, NativeFault, Undefined, type Value } from './value';
import { walkTo } from './walks';

/** A value as `print` shows it: strings bare, within lists and maps in quotes. */
export function show(value: Value): string {
  return typeof value === 'string' ? value : showNested(value, 0);
}

/** A value as it is written in a policy, nearly: for traces and messages. What holds itself, or is too large, is `…`. */
export function showTraced(value: Value): string {
  try {
    return showNested(value, 0);
  } catch (error) {
    if (error instanceof NativeFault) return '…';
    throw error;
  }
}

function showNested(value: Value, depth: number): string {
  walkTo(depth);
  if (value === null) return 'null';
  if (value instanceof Undefined) return 'undefined';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return showFloat(value);
  if (Array.isArray(value)) return `[${value.map((element) => showNested(element, depth + 1)).join(' ')}]`;
  if (value instanceof MapValue) {
    const entries = sortedEntries(value).map(
      ([key, entry]) => `${showNested(key, depth + 1)}: ${showNested(entry, depth + 1)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  if (isCallable(value)) return 'func';
  return String(value);
}

function showFloat(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/\\udc([89a-f][0-9a-f])/g, '\\x$1');
}

/** A map's entries in the order of their keys' texts. */
export function sortedEntries(map: MapValue): [string | bigint | number | boolean, Value][] {
  const order = (key: unknown): string => String(key);
  return [...map.entries].sort(([a], [b]) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}
