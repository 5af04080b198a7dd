import { listArgument, mapArgument, textArgument } from '../values/arguments';
import { decimalInt } from '../values/convert';
import { copy } from '../values/host';
import { walkTo } from '../values/walks';
import {
  MapValue,
  NativeFault,
  NativeFunction,
  orUndefined,
  Undefined,
  UNDEFINED,
  type Key,
  type List,
  type Value,
} from '../values/value';

/** The keys of a path between dots; `*` stands for every element of a list. */
type Path = readonly string[];

const MOST_STEPS = 500;

export const MAPS: Readonly<Record<string, Value>> = {
  get: new NativeFunction('maps.get', [2, 3], ([map, path, absent]) => {
    const otherwise = absent === undefined ? UNDEFINED : absent;
    if (map instanceof Undefined) return otherwise;
    const found = read(mapArgument('maps.get', map), pathOf('get', path));
    return found === undefined || found instanceof Undefined ? otherwise : found;
  }),
  has: new NativeFunction('maps.has', [2, 2], ([map, path]) =>
    has(mapArgument('maps.has', map), pathOf('has', path)),
  ),
  set: changing('set', 3, (map, path, value) => write(map, path, orUndefined(value))),
  unset: changing('unset', 2, (map, path) => remove(map, path, false)),
  omit: new NativeFunction('maps.omit', [2, 2], ([map, paths], caller) => {
    const result = copy(mapArgument('maps.omit', map));
    for (const each of pathsOf('omit', paths)) {
      caller.allocate(each.length);
      remove(result, each, true);
    }
    return result;
  }),
  pick: new NativeFunction('maps.pick', [2, 2], ([map, paths]) => {
    const source = mapArgument('maps.pick', map);
    return pick(source, pathsOf('pick', paths)) ?? new MapValue();
  }),
};

function changing(
  name: string,
  count: number,
  change: (map: Value, path: Path, value: Value | undefined) => void,
): NativeFunction {
  return new NativeFunction(`maps.${name}`, [count, count], ([map, path, value]) => {
    const result = copy(mapArgument(`maps.${name}`, map));
    change(result, pathOf(name, path), value);
    return result;
  });
}

function pathOf(name: string, path: Value | undefined): Path {
  const steps = textArgument(`maps.${name}`, path).split('.');
  if (steps.length > MOST_STEPS)
    throw new NativeFault(`maps.${name}: the path has more than ${MOST_STEPS} keys`);
  return steps;
}

function pathsOf(name: string, paths: Value | undefined): readonly Path[] {
  return listArgument(`maps.${name}`, paths).map((path) => pathOf(name, path));
}

/** Returns the key for a step: the text, or the number if only that is a key of the map. */
function entryKey(map: MapValue, step: string): Key {
  const int = map.entries.has(step) || step.startsWith('-') ? undefined : decimalInt(step);
  return int !== undefined && map.entries.has(int) ? int : step;
}

function indexOf(list: List, step: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(step) && Number(step) < list.length ? Number(step) : undefined;
}

/** Returns the value at one step; `undefined` if it does not exist. */
function child(value: Value, step: string): Value | undefined {
  if (value instanceof MapValue) return value.get(entryKey(value, step));
  if (!Array.isArray(value)) return undefined;
  const index = indexOf(value, step);
  return index === undefined ? undefined : value[index];
}

function read(value: Value, path: Path): Value | undefined {
  walkTo(1);
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === '*' && Array.isArray(value)) {
    return value.map((element) => orUndefined(read(element, rest)));
  }
  const next = child(value, step);
  return next === undefined ? undefined : read(next, rest);
}

function has(value: Value, path: Path): boolean {
  walkTo(1);
  const [step, ...rest] = path;
  if (step === undefined) return true;
  if (step === '*' && Array.isArray(value))
    return value.length > 0 && value.every((element) => has(element, rest));
  const next = child(value, step);
  return next !== undefined && has(next, rest);
}

/** Sets the value at a path, and creates the maps in between. */
function write(value: Value, [step, ...rest]: Path, next: Value): void {
  walkTo(1);
  if (step === undefined) return;
  if (Array.isArray(value)) {
    const index = indexOf(value, step);
    const indexes = step === '*' ? [...value.keys()] : index === undefined ? [] : [index];
    for (const at of indexes) value[at] = written(value[at], rest, next);
  } else if (value instanceof MapValue) {
    const key = entryKey(value, step);
    value.entries.set(key, written(value.get(key), rest, next));
  }
}

function written(before: Value | undefined, path: Path, next: Value): Value {
  if (path.length === 0) return copy(next);
  const parent = before instanceof MapValue || Array.isArray(before) ? before : new MapValue();
  write(parent, path, next);
  return parent;
}

/** Removes the value at a path and, if requested, the maps that become empty. */
function remove(value: Value, [step, ...rest]: Path, prune: boolean): void {
  walkTo(1);
  if (step === undefined) return;
  if (Array.isArray(value)) {
    const index = indexOf(value, step);
    const indexes = step === '*' ? [...value.keys()] : index === undefined ? [] : [index];
    for (const at of indexes.reverse()) {
      if (rest.length > 0) remove(orUndefined(value[at]), rest, prune);
      if (rest.length === 0 || (prune && isEmptyMap(value[at]))) value.splice(at, 1);
    }
  } else if (value instanceof MapValue) {
    const key = entryKey(value, step);
    const next = value.get(key);
    if (next === undefined) return;
    if (rest.length > 0) remove(next, rest, prune);
    if (rest.length === 0 || (prune && isEmptyMap(value.get(key)))) value.entries.delete(key);
  }
}

function isEmptyMap(value: Value | undefined): boolean {
  return value instanceof MapValue && value.size === 0;
}

/**
 * Returns the values at some paths, within their maps and lists. Lists keep only the selected
 * elements.
 */
function pick(value: Value, paths: readonly Path[]): Value | undefined {
  walkTo(1);
  if (paths.some((path) => path.length === 0)) return copy(value);
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => {
      const within = restsOf(paths, (step) => step === '*' || step === String(index));
      const picked = within.length === 0 ? undefined : pick(element, within);
      return picked === undefined ? [] : [picked];
    });
  }
  if (!(value instanceof MapValue)) return undefined;
  const result = new MapValue();
  for (const [key, entry] of value.entries) {
    const within = restsOf(paths, (step) => step === String(key));
    const picked = within.length === 0 ? undefined : pick(entry, within);
    if (picked !== undefined) result.entries.set(key, picked);
  }
  return result;
}

function restsOf(paths: readonly Path[], isMeant: (step: string) => boolean): readonly Path[] {
  return paths.filter(([step = '']) => isMeant(step)).map(([, ...rest]) => rest);
}
