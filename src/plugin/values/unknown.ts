/** A value that Terraform will know only after apply. */
export const UNKNOWN: unique symbol = Symbol.for('terraform.unknown');
export type Unknown = typeof UNKNOWN;

/** Whether `value` is known; null is. Does not check its content. */
export function isKnown<T>(value: T): value is Exclude<T, Unknown> {
  return value !== UNKNOWN;
}

/** Whether `value` is known with all of its content. */
export function isWhollyKnown(value: unknown): boolean {
  if (value === UNKNOWN) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isWhollyKnown);
}

/** Returns the value with null for everything in it that is unknown. */
export function nullsForUnknowns(value: unknown): unknown {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return value.map(nullsForUnknowns);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, nullsForUnknowns(part)]));
}
