/** Returns a text; an empty one for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
