import { writeSync } from 'node:fs';
import type { Secrets } from './secrets';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
export type LogWriter = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

const STDERR = 2;

/**
 * Writes Terraform's log, which it reads from stderr as lines of JSON. Does nothing if Terraform logs nothing of
 * providers, so that nobody pays for lines that nobody sees.
 */
export function createLog(env: NodeJS.ProcessEnv, secrets: Secrets): LogWriter {
  const wanted = [env.TF_LOG, env.TF_LOG_PROVIDER].some((level) => level && level.toUpperCase() !== 'OFF');
  if (!wanted) return () => {};
  return (level, message, fields) => writeError(`${logLine(level, message, fields, secrets, new Date())}\n`);
}

/** One line of the log, secrets masked. */
export function logLine(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
  secrets: Secrets,
  time: Date,
): string {
  const line = {
    ...fields,
    '@level': level,
    '@message': message,
    '@module': 'provider',
    // Terraform takes a line for JSON only if the time has six digits after the dot.
    '@timestamp': time.toISOString().replace('Z', '000Z'),
  };
  return JSON.stringify(line, (_key, value: unknown) => {
    if (typeof value === 'string') return secrets.mask(value);
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Error) return secrets.mask(value.stack ?? value.message);
    return value;
  });
}

/**
 * Tells Terraform that the plugin crashed: it shows the text to the user, from `panic:` on.
 */
export function writeCrashReport(error: unknown, secrets: Secrets): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  writeError(`panic: ${secrets.mask(`${message}\n\n${stack ?? ''}`)}\n`);
}

/** Writes to stderr at once: a process that is about to end loses what it only queued. */
export function writeError(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // Nobody reads it any more: Terraform has gone.
  }
}
