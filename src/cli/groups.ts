/** Members of a list that have something in common: one or more. */
type Group<T> = readonly [T, ...T[]];

/** Groups the members of a list by a text, in the order of their first ones. */
export function groupsBy<T>(members: readonly T[], keyOf: (member: T) => string): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const member of members) {
    const group = groups.get(keyOf(member));
    if (group) group.push(member);
    else groups.set(keyOf(member), [member]);
  }
  return [...groups.values()];
}
