import { DurationError, parseDuration } from '../durations';
import type { PathArguments } from './path-arguments';

/** Seconds from a value of a policy text, of whatever type it is; 0 where there is none. */
export function readDuration(value: unknown, refuse: (problem: string) => Error): number {
  if (value === undefined) return 0;
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw refuse('could not parse duration from input');
  }
  try {
    return parseDuration(value);
  } catch (error) {
    throw error instanceof DurationError ? refuse(error.message) : error;
  }
}

/** The bounds of a path's response wrapping in seconds; 0 for none. */
export function wrappingTtls(
  { minWrappingTtl, maxWrappingTtl }: Pick<PathArguments, 'minWrappingTtl' | 'maxWrappingTtl'>,
  refuse: (message: string) => Error,
): { readonly min: number; readonly max: number } {
  const min = readDuration(minWrappingTtl, (problem) => refuse(`error parsing min_wrapping_ttl: ${problem}`));
  const max = readDuration(maxWrappingTtl, (problem) => refuse(`error parsing max_wrapping_ttl: ${problem}`));
  return { min, max };
}
