/** Returns a number with its noun: `1 policy`, `2 policies`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
