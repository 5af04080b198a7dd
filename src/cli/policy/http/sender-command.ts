import { basename, dirname, join } from 'node:path';

/**
 * The argument with which the executable starts itself to send the request in its standard input.
 */
export const SENDER_ARGUMENT = '--send-request-of-policy';

/** Returns the program that sends a request, and its arguments. */
export let senderCommand = (): readonly [string, ...string[]] => [
  process.execPath,
  join(__dirname, 'sender-process.js'),
];

/**
 * Makes the executable start itself to send requests, because it has neither Node.js nor the file
 * of the sender.
 */
export function sendWithExecutable(): void {
  senderCommand = () => [ownExecutable(process.execPath), SENDER_ARGUMENT];
}

/**
 * Returns the path of the executable. If it runs with the glibc beside it, `execPath` is the loader
 * of that glibc.
 */
export function ownExecutable(execPath: string): string {
  const folder = dirname(execPath);
  return basename(folder) === 'glibc' ? join(dirname(folder), 'vault-admin') : execPath;
}
