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
