import { randomBytes, randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from './handshake';

/** The maximum length of a socket's path in bytes on every Unix. */
const LONGEST_SOCKET_PATH = 103;
const OWNER_ONLY = 0o077;

/**
 * Opens a server at the path of a Unix socket, or at a port of this machine, 0 for any.
 *
 * @returns the port.
 */
export type OpenServer = (at: ListenTarget) => Promise<number | undefined>;

type ListenTarget = { readonly path: string } | { readonly host: string; readonly port: number };

interface ListenOptions {
  readonly socketFolder?: string | undefined;
  readonly ports?: { readonly least: number; readonly most: number };
  /**
   * Whether to refuse to listen on a TCP port, to which every user of the machine could connect.
   */
  readonly socketOnly?: boolean;
}

/**
 * Listens on a new Unix socket that only the user can open, or on a TCP port of 127.0.0.1 if Unix
 * sockets are not available or the path would be too long.
 */
export async function listen(open: OpenServer, options: ListenOptions): Promise<Address> {
  const path = join(options.socketFolder ?? tmpdir(), `plugin${randomBytes(8).toString('hex')}`);
  if (process.platform === 'win32' || Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    if (options.socketOnly) throw noSocket(path);
    return { network: 'tcp', address: `127.0.0.1:${await listenOnPort(open, options.ports)}` };
  }
  const umask = process.umask(OWNER_ONLY);
  const opening = open({ path });
  process.umask(umask);
  await opening.catch((error: unknown) => {
    throw socketRefused(path, error, options);
  });
  return { network: 'unix', address: path };
}

function noSocket(path: string): Error {
  return new Error(
    `the provider cannot listen on a Unix socket at ${path}: this system has none, or the path is longer than ` +
      `${LONGEST_SOCKET_PATH} bytes; without TLS it listens on nothing else; set TMPDIR to a shorter path`,
  );
}

function socketRefused(path: string, error: unknown, { socketFolder }: ListenOptions): Error {
  const variable = socketFolder === undefined ? 'TMPDIR' : 'PLUGIN_UNIX_SOCKET_DIR';
  return new Error(
    `the provider cannot listen on a Unix socket at ${path} (${String(error)}); set ${variable} to a folder that ` +
      'exists and can be written to',
  );
}

async function listenOnPort(open: OpenServer, ports: ListenOptions['ports']): Promise<number> {
  const { least, most } = ports ?? { least: 0, most: 0 };
  for (;;) {
    try {
      return (await open({ host: '127.0.0.1', port: randomInt(least, most + 1) }))!;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
