/** An error for a text that is not a duration, with the server's message. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

/** An error for a duration that is longer than a server can count. */
class TooLongError extends DurationError {}

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  '\u00b5s': 1e-6,
  '\u03bcs': 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
const INTEGER = /^[+-]?[0-9]+$/;
const DAY = 86_400;
/** The longest duration: the server counts nanoseconds in 64 bits. */
const LONGEST = 2 ** 63 / 1e9;
const PART = /([0-9]+\.?[0-9]*|\.[0-9]+)([^0-9.]*)/y;

/**
 * Returns the seconds of a duration, as the server reads it: a number of seconds, or text such as
 * `1h30m`, `10s`, `1.5h`, `7d` or `3600`. Numbers lose their fraction, the empty text is 0.
 *
 * @throws DurationError
 */
export function parseDuration(value: number | string): number {
  if (typeof value === 'number') return bounded(Math.trunc(value));
  if (value === '') return 0;
  if (INTEGER.test(value)) return bounded(Number(value));
  if (!value.endsWith('d')) return parseUnits(value);
  const days = value.slice(0, -1);
  if (INTEGER.test(days)) return bounded(Number(days) * DAY);
  throw new DurationError(`strconv.ParseInt: parsing ${quote(days)}: invalid syntax`);
}

/**
 * Returns the seconds that a duration stands for, or `undefined` if the value is not a duration.
 */
export function tryParseDuration(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  try {
    return parseDuration(value);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

/**
 * Returns what is wrong with a duration that has to be at least one second, for messages: `must be
 * at least one second`.
 */
export function shortDurationProblem(value: number | string): string | undefined {
  try {
    return parseDuration(value) >= 1 ? undefined : 'must be at least one second';
  } catch (error) {
    if (error instanceof TooLongError) return 'must be at most 292 years, the maximum of a server';
    if (error instanceof DurationError) return 'is not a valid duration';
    throw error;
  }
}

function bounded(seconds: number): number {
  if (Math.abs(seconds) < LONGEST) return seconds;
  throw new TooLongError('multiplication of durations resulted in overflow, one operand may be too large');
}

/** Returns the seconds of a sequence of numbers with units: `1h30m`. */
function parseUnits(text: string): number {
  const quoted = quote(text);
  const unsigned = text.replace(/^[+-]/, '');
  let seconds = 0;
  let index = 0;
  do {
    PART.lastIndex = index;
    const [part, amount, unit] = PART.exec(unsigned) ?? [];
    if (part === undefined) throw new DurationError(`time: invalid duration ${quoted}`);
    if (!unit) throw new DurationError(`time: missing unit in duration ${quoted}`);
    const size = SECONDS[unit];
    if (size === undefined) {
      throw new DurationError(`time: unknown unit ${quote(unit)} in duration ${quoted}`);
    }
    seconds += Number(amount) * size;
    index += part.length;
  } while (index < unsigned.length);
  if (!(seconds < LONGEST)) throw new TooLongError(`time: invalid duration ${quoted}`);
  return text.startsWith('-') ? -seconds : seconds;
}

/**
 * Quotes a text. Bytes that are not printable ASCII are written in hexadecimal, as in the server's
 * messages about durations.
 */
function quote(text: string): string {
  const chars = Array.from(new TextEncoder().encode(text), (byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const char = String.fromCharCode(byte);
    return char === '"' || char === '\\' ? `\\${char}` : char;
  });
  return `"${chars.join('')}"`;
}

/**
 * Returns seconds in the form in which the server writes durations: `1h30m0s`, `45s`, `1.5s`, `0s`;
 * below a second `250ms`.
 */
export function formatDuration(seconds: number): string {
  const nanoseconds = Math.round(Math.abs(seconds) * 1e9);
  return nanoseconds === 0 ? '0s' : `${seconds < 0 ? '-' : ''}${formatNanoseconds(nanoseconds)}`;
}

function formatNanoseconds(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}\u00b5s`;
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const minutes = Math.floor(nanoseconds / 60e9);
  const rest = `${(nanoseconds - minutes * 60e9) / 1e9}s`;
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return rest;
  return hours === 0 ? `${minutes}m${rest}` : `${hours}h${minutes % 60}m${rest}`;
}
