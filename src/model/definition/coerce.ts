import type { FieldValues } from './field';
import { isRecord } from '../../text';

/**
 * Returns a set of texts from a list, or from one text with commas, as the server accepts both.
 * Blanks around the elements of a text are removed.
 *
 * @returns `undefined` if `value` is neither a list nor a text.
 */
export function stringSet(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value === '' ? [] : value.split(',').map((element) => element.trim());
  return Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
}

/** Whether a text field is set. An empty text counts as a field that is left out. */
export function isGiven(values: FieldValues, field: string): boolean {
  return typeof values[field] === 'string' && values[field] !== '';
}

/** Whether a value is an object of texts. */
export function isStringMap(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}
