/**
 * A state backend on loopback. Writing local state files would take longer than the work that
 * benchmarks and tests measure.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpStateBackend {
  /** The address of the state, of its lock and of its unlock. */
  readonly address: string;
  /** The block of the backend for a configuration. */
  readonly block: string;
  /**
   * Returns a stored state, or `undefined` before the first write.
   *
   * @param path the path of its address. Default: the path of {@link address}
   */
  state(path?: string): string | undefined;
  close(): Promise<void>;
}

export interface HttpStateCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Starts a server that keeps the state of each path in memory, and answers as Terraform's `http`
 * backend expects, locks included.
 *
 * @param credentials the required credentials. Default: none are required.
 */
export async function startHttpStateBackend(credentials?: HttpStateCredentials): Promise<HttpStateBackend> {
  const states = new Map<string, Buffer>();
  const locks = new Map<string, string>();

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const end = (status: number, content?: string | Buffer) => void response.writeHead(status).end(content);
    if (credentials && request.headers.authorization !== authorization(credentials)) return end(401);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://state');
    const state = states.get(pathname);
    const lock = locks.get(pathname);
    switch (request.method) {
      case 'GET':
        return state ? end(200, state) : end(404);
      case 'POST':
        if (lock !== undefined && lockId(lock) !== searchParams.get('ID')) return end(423, lock);
        states.set(pathname, body);
        return end(200);
      case 'DELETE':
        states.delete(pathname);
        return end(200);
      case 'LOCK':
        if (lock !== undefined) return end(423, lock);
        locks.set(pathname, body.toString());
        return end(200);
      case 'UNLOCK':
        locks.delete(pathname);
        return end(200);
      default:
        return end(405);
    }
  }

  return {
    address,
    block: `terraform {\n  backend "http" {\n    address        = "${address}"\n    lock_address   = "${address}"\n    unlock_address = "${address}"\n  }\n}\n`,
    state: (path = '/') => states.get(path)?.toString(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function authorization({ username, password }: HttpStateCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function lockId(lock: string): string {
  return (JSON.parse(lock) as { ID: string }).ID;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
