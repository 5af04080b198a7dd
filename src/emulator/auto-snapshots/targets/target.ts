import type { SnapshotConfig } from '../store';
import { trimmedEnd } from '../../../text';

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

/** A failure before the service answered, with the endpoint that was asked. */
export function unanswered(error: unknown, endpoint: string): Error {
  const { message } = error as Error;
  const cause = message.includes('wrong version number')
    ? 'the server does not use TLS'
    : message.replace(/^request to .* failed, reason: /, '');
  return new Error(`cannot reach ${endpoint}: ${cause}`);
}

const DEADLINE_MS = 10_000;

/** Asks a service, and gives up where it does not answer. @throws Error that says so. */
export async function withinDeadline<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await ask(signal);
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${DEADLINE_MS / 1000} seconds`) : error;
  }
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
