/** Converts states of the search to texts and back: equal states have equal texts. */
import { renamed } from '../model';

/**
 * Errors of one kind are one value. They are stored outside of the texts, because they have
 * methods.
 */
const ERRORS: Error[] = [];
const NUMBERS = new Map<string, number>();

function numberOf(error: Error): number {
  const cause = error.cause as { code?: string; status?: number; mayHaveTakenEffect?: boolean } | undefined;
  const facts = error as { code?: string; status?: number; mayHaveTakenEffect?: boolean };
  const key = JSON.stringify([
    error.constructor.name,
    facts.code,
    facts.status,
    facts.mayHaveTakenEffect,
    cause?.code,
    cause?.status,
    cause?.mayHaveTakenEffect,
    error.message,
  ]);
  const known = NUMBERS.get(key);
  if (known !== undefined) return known;
  NUMBERS.set(key, ERRORS.length);
  return ERRORS.push(error) - 1;
}

/** Returns the text of a state. Names that servers invented are numbered by their first use. */
export function encoded(state: unknown): string {
  return renamed(
    JSON.stringify(state, function (this: Record<string, unknown>, key, value: unknown) {
      // The `value` of an error is already the result of its `toJSON`, so the error itself is
      // taken.
      const own = this[key];
      if (own instanceof Error) return { $error: numberOf(own) };
      if (value instanceof Map) {
        return { $map: [...(value as Map<unknown, unknown>)].map(([k, v]) => [k, v ?? null]) };
      }
      if (value instanceof Set) return { $set: [...(value as Set<unknown>)] };
      return value === Infinity ? { $infinity: true } : value;
    }),
  );
}

export function decoded<T>(text: string): T {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$map' in value)
      return new Map((value.$map as [unknown, unknown][]).map(([k, v]) => [k, v ?? undefined]));
    if ('$set' in value) return new Set(value.$set as unknown[]);
    if ('$error' in value) return ERRORS[value.$error as number];
    if ('$infinity' in value) return Infinity;
    return value;
  }) as T;
}
