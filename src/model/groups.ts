/** Values that have something in common: at least one. */
type Group<T> = readonly [T, ...T[]];

/** Groups values by a key, in the order of the first value of each group. */
export function groupsByKey<Key, T>(
  values: Iterable<T>,
  keyOf: (value: T) => Key,
): ReadonlyMap<Key, Group<T>> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Returns the groups that {@link groupsByKey} makes, without their keys. */
export function groupsBy<T>(values: Iterable<T>, keyOf: (value: T) => unknown): readonly Group<T>[] {
  return [...groupsByKey(values, keyOf).values()];
}
