import type { SnapshotConfig } from '../store';
import { trimmedEnd } from '../../../text';
import { LONGEST_SNAPSHOT } from '../archive';

/** Where the snapshots of one configuration are written to. A call that fails throws an Error with the reason. */
export interface SnapshotTarget {
  /** Where a snapshot with that name is, or would be. */
  url(name: string): string;
  write(name: string, content: Buffer): Promise<void>;
  read(name: string): Promise<Buffer>;
  /** The names of the configuration's snapshots that are there, in any order. */
  list(): Promise<readonly string[]>;
  delete(name: string): Promise<void>;
}

/** Tells the names that a configuration's snapshots have: `file_prefix-<nanoseconds since 1970>.snap`. */
export function isSnapshotName({ file_prefix: prefix }: SnapshotConfig, name: string): boolean {
  return name.startsWith(`${prefix}-`) && /^\d{19}\.snap$/.test(name.slice(prefix.length + 1));
}

/** What object names begin with, for the services where a missing slash is added. */
export function folderPrefix({ path_prefix: prefix }: SnapshotConfig): string {
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** A field of the configuration that holds text; empty if it is left out. */
export function textOf(config: SnapshotConfig, field: string): string {
  const value = config[field];
  return typeof value === 'string' ? value : '';
}

/** An endpoint, which may come without a scheme. @throws Error if it is none. */
export function endpointUrl(endpoint: string, disableTls: boolean): string {
  const address = trimmedEnd(endpoint, '/');
  const url = /^https?:\/\//.test(address) ? address : `${disableTls ? 'http' : 'https'}://${address}`;
  if (URL.canParse(url)) return url;
  throw new Error(`${JSON.stringify(endpoint)} is not a valid endpoint: use a URL, or a host with its port`);
}

/** More than the emulator reads of a service. */
class TooMuch extends Error {}

/** A failure before the service answered, with the endpoint that was asked. */
export function unanswered(error: unknown, endpoint: string): Error {
  if (error instanceof TooMuch) return error;
  const { message } = error as Error;
  const cause = message.includes('wrong version number')
    ? 'the server does not use TLS'
    : message.replace(/^request to .* failed, reason: /, '');
  return new Error(`cannot reach ${endpoint}: ${cause}`);
}

const DEADLINE_MS = 10_000;

/** The number of snapshots of a configuration that are looked at. */
const MOST_LISTED = 10_000;

/**
 * Asks a service, and fails if it does not answer completely in time, also if its library cannot be stopped.
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

/** Returns the whole content of a stream. @throws Error if it is longer than a snapshot may be. */
export async function contentWithin(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    // The stream is destroyed with the loop.
    if (length > LONGEST_SNAPSHOT) throw new TooMuch('the object is too large for a snapshot');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the names of a configuration's snapshots in what a service lists. @throws Error if the list does not end. */
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

/**
 * Loads a cloud's client library, which the package does not bring along: few emulators write to clouds.
 *
 * @throws Error that says how to install it.
 */
export function loadLibrary(name: string): unknown {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be made before it is needed
    return require(name) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`this target requires the package ${name}: run npm install ${name}`);
  }
}
