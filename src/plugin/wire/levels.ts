import { isNestedDeeper } from '../../text';

/**
 * The maximum nesting of values, checked before any recursion. MessagePack's encoder has the same
 * limit.
 */
export const MOST_LEVELS = 100;
/**
 * JSON has up to three levels for each level of a value: the types are beside the values, and those
 * of objects have two levels.
 */
const MOST_JSON_LEVELS = 3 * MOST_LEVELS;

/** @throws Error if a decoded value has more levels than {@link MOST_LEVELS}. */
export function refuseDeepValue(value: unknown): void {
  if (isDeeper(value, MOST_LEVELS)) throw tooDeep(MOST_LEVELS);
}

/** @throws Error if the text of JSON has more levels than values can need. */
export function refuseDeepJson(text: string): string {
  if (isNestedDeeper(text, MOST_JSON_LEVELS)) throw tooDeep(MOST_JSON_LEVELS);
  return text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

function tooDeep(levels: number): Error {
  return new Error(`a value is not valid: it is nested deeper than ${levels} levels`);
}
