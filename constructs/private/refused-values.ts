import { appError } from './app-language';
import type { Refusal } from './report';

/** The problems of values that were made from a file that cannot be read. */
const REFUSALS = new WeakMap<object, Refusal>();

/** Marks a value as one that no construct can use. */
export function refuseValue(value: object, refusal: Refusal): void {
  REFUSALS.set(value, refusal);
}

/** Returns why no construct can use a value; undefined if it can be used. */
export function refusalOf(value: unknown): Refusal | undefined {
  return typeof value === 'object' && value !== null ? REFUSALS.get(value) : undefined;
}

/** @throws Error for a value that cannot be used. */
export function requireUsable(value: object): void {
  const refusal = refusalOf(value);
  if (refusal) throw appError(refusal.problem, refusal.trace);
}
