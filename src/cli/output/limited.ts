/** How many findings a command prints: nobody reads more, and a file could have any number. */
const MOST = 1_000;

/** The first of many findings, and how many are left out. */
export function limited<T>(findings: readonly T[]): {
  readonly shown: readonly T[];
  readonly omitted: number;
} {
  return { shown: findings.slice(0, MOST), omitted: Math.max(0, findings.length - MOST) };
}

/** What says so, if some are left out. */
export function omittedText(omitted: number): readonly string[] {
  return omitted === 0
    ? []
    : [`${omitted} more are not listed: correct these first, or check fewer policies.`];
}
