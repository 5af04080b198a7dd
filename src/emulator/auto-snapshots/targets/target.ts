import type { SnapshotConfig } from '../store';
import { trimmedEnd } from '../../../text';
import { LONGEST_SNAPSHOT } from '../archive';

/**
 * The storage that the snapshots of one configuration are written to. A call that fails throws an
 * Error with the reason.
 */
export interface SnapshotTarget {
  /** Returns the URL of the snapshot with that name, which need not exist. */
  url(name: string): string;
  write(name: string, content: Buffer): Promise<void>;
  read(name: string): Promise<Buffer>;
  /** Returns the names of the configuration's snapshots, in any order. */
  list(): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/**
 * Whether a name has the form of a configuration's snapshots: `file_prefix-<nanoseconds since
 * 1970>.snap`.
 */
export function isSnapshotName({ file_prefix: prefix }: SnapshotConfig, name: string): boolean {
  return name.startsWith(`${prefix}-`) && /^\d{19}\.snap$/.test(name.slice(prefix.length + 1));
}

/** Returns a field of the configuration that holds text; empty if it is not set. */
export function textOf(config: SnapshotConfig, field: string): string {
  const value = config[field];
  return typeof value === 'string' ? value : '';
}

/**
 * Returns an endpoint as a URL; the scheme may be missing.
 *
 * @throws Error if it is not a valid URL.
 */
export function endpointUrl(endpoint: string, disableTls: boolean): string {
  const address = trimmedEnd(endpoint, '/');
  const url = /^https?:\/\//.test(address) ? address : `${disableTls ? 'http' : 'https'}://${address}`;
  if (URL.canParse(url)) return url;
  throw new Error(`${JSON.stringify(endpoint)} is not a valid endpoint: use a URL, or a host with its port`);
}

/** The error for an answer of a service that is larger than the emulator accepts. */
class TooMuch extends Error {}

/** Returns the error for a failure before the service answered, with the endpoint. */
export function unanswered(error: unknown, endpoint: string): Error {
  if (error instanceof TooMuch) return error;
  const { message } = error as Error;
  const cause = message.includes('wrong version number')
    ? 'the server does not use TLS'
    : message.replace(/^request to .* failed, reason: /, '');
  return new Error(`cannot reach ${endpoint}: ${cause}`);
}

const DEADLINE_MS = 10_000;

/** The maximum number of snapshots that are listed for a configuration. */
const MOST_LISTED = 10_000;

/**
 * Calls a service, and fails if the answer is not complete in time, even if the library does not
 * stop.
 *
 * @throws Error with the number of seconds.
 */
export async function withinDeadline<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([ask(signal), late]);
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${DEADLINE_MS / 1000} seconds`) : error;
  }
}

/**
 * Returns the whole content of a stream.
 *
 * @throws Error if it is longer than the maximum of a snapshot.
 */
export async function contentWithin(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    // Leaving the loop destroys the stream.
    if (length > LONGEST_SNAPSHOT) throw new TooMuch('the object is too large for a snapshot');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Returns the names among the listed ones that are snapshots of the configuration.
 *
 * @throws Error if the list is too long.
 */
export async function snapshotNames(
  config: SnapshotConfig,
  listed: AsyncIterable<string>,
): Promise<readonly string[]> {
  const names: string[] = [];
  let count = 0;
  for await (const name of listed) {
    count += 1;
    if (count > MOST_LISTED) throw new TooMuch(`the service lists more than ${MOST_LISTED} objects`);
    if (isSnapshotName(config, name)) names.push(name);
  }
  return names;
}
