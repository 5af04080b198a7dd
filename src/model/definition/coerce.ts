/**
 * A set of texts from a list, or from one text with commas, as the server takes either. Blanks around the
 * elements of a text do not count.
 *
 * @returns nothing where `value` is neither.
 */
export function stringSet(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value === '' ? [] : value.split(',').map((element) => element.trim());
  return Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
}
