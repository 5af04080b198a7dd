/** The maximum number of findings that a command prints: a file could have any number. */
const MOST = 1_000;

/** Returns the first of many findings, and how many are left out. */
export function limited<T>(findings: readonly T[]): {
  readonly shown: readonly T[];
  readonly omitted: number;
} {
  return { shown: findings.slice(0, MOST), omitted: Math.max(0, findings.length - MOST) };
}

/** Returns the line that reports left-out entries, if there are any. */
export function omittedText(omitted: number): readonly string[] {
  return omitted === 0
    ? []
    : [`${omitted} more are not listed: correct these first, or check fewer policies.`];
}

/** Returns a number with its noun: `1 policy`, `2 policies`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Members of a list that have something in common: at least one. */
type Group<T> = readonly [T, ...T[]];

/** Groups the members of a list by a key, in the order of their first members. */
export function groupsBy<T>(members: readonly T[], keyOf: (member: T) => string): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const member of members) {
    const group = groups.get(keyOf(member));
    if (group) group.push(member);
    else groups.set(keyOf(member), [member]);
  }
  return [...groups.values()];
}
