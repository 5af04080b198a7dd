import { DurationError, parseDuration } from '../durations';

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
