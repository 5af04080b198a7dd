import { DurationError, parseDuration } from '../durations';

/** Returns the seconds of a value of any type in a policy text; 0 if it is missing. */
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
