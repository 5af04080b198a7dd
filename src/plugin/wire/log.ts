import { writeSync } from 'node:fs';
import { HIDDEN, visibleLines, type Redactor } from '../../text';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
export type LogWriter = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

const STDERR = 2;

/**
 * Returns a writer of Terraform's log, which Terraform reads from stderr as lines of JSON. The
 * writer does nothing if Terraform does not log providers, so that hidden lines take no time.
 */
export function createLog(env: NodeJS.ProcessEnv, secrets: Redactor): LogWriter {
  const wanted = [env.TF_LOG, env.TF_LOG_PROVIDER].some((level) => level && level.toUpperCase() !== 'OFF');
  if (!wanted) return () => {};
  return (level, message, fields) => writeError(`${logLine(level, message, fields, secrets, new Date())}\n`);
}

/** Returns one line of the log, without secrets and without control characters for terminals. */
export function logLine(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
  secrets: Redactor,
  time: Date,
): string {
  const shown = (text: string) => visibleLines(secrets.hide(text));
  const withNames = (object: object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [shown(name), value as unknown]));
  const line = {
    ...withNames(fields),
    '@level': level,
    '@message': message,
    '@module': 'provider',
    // Terraform only parses a line as JSON if its time has six digits after the dot.
    '@timestamp': time.toISOString().replace('Z', '000Z'),
  };
  return JSON.stringify(line, (key, value: unknown) => {
    if (typeof value === 'string') return shown(value);
    if (typeof value === 'bigint') return shown(String(value));
    if (value instanceof Error) return shown(value.stack ?? value.message);
    if (key !== '' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return withNames(value);
    // A PIN may be a number.
    return typeof value === 'number' && shown(String(value)) !== String(value) ? HIDDEN : value;
  });
}

/** Reports a crash to Terraform, which shows the text from `panic:` on to the user. */
export function writeCrashReport(error: unknown, secrets: Redactor): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  writeError(`panic: ${visibleLines(secrets.hide(`${message}\n\n${stack ?? ''}`))}\n`);
}

/** Writes to stderr synchronously: a process that is about to end loses queued writes. */
export function writeError(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // Terraform has ended and does not read stderr any more.
  }
}
