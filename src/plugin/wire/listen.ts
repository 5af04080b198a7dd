import { randomBytes, randomInt } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from './handshake';

/** The maximum length of a socket's path in bytes on every Unix. */
const LONGEST_SOCKET_PATH = 103;
const OWNER_ONLY = 0o077;

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
 * sockets are not available or the path would be too long. The socket's file is removed when the
 * server is closed or the process ends.
 */
export async function listen(server: Server, options: ListenOptions): Promise<Address> {
  const path = join(options.socketFolder ?? tmpdir(), `plugin${randomBytes(8).toString('hex')}`);
  if (process.platform === 'win32' || Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    if (options.socketOnly) throw noSocket(path);
    return { network: 'tcp', address: `127.0.0.1:${await listenOnPort(server, options.ports)}` };
  }
  const removeSocket = () => remove(path);
  process.once('exit', removeSocket);
  server.once('close', () => process.off('exit', removeSocket));
  const umask = process.umask(OWNER_ONLY);
  const listening = started(server, () => server.listen(path));
  process.umask(umask);
  await listening;
  return { network: 'unix', address: path };
}

/**
 * Removes a file. `rmSync` would load more modules of Node.js while Terraform waits for the process
 * to end.
 */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The server has already removed the file.
  }
}

function noSocket(path: string): Error {
  return new Error(
    `the provider cannot listen on a Unix socket at ${path}: this system has none, or the path is longer than ` +
      `${LONGEST_SOCKET_PATH} bytes; without TLS it listens on nothing else; set TMPDIR to a shorter path`,
  );
}

async function listenOnPort(server: Server, ports: ListenOptions['ports']): Promise<number> {
  if (!ports) {
    await started(server, () => server.listen(0, '127.0.0.1'));
    return (server.address() as { port: number }).port;
  }
  for (;;) {
    const port = randomInt(ports.least, ports.most + 1);
    try {
      await started(server, () => server.listen(port, '127.0.0.1'));
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

function started(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    listen();
  });
}
