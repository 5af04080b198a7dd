/**
 * A state backend on loopback. Local state files would take longer than everything that benchmarks
 * and tests measure.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpStateBackend {
  /** The address of the state, which is also that of locks and unlocks. */
  readonly address: string;
  /** The block of the backend for a configuration. */
  readonly block: string;
  /** Returns the stored state, or `undefined` before the first write. */
  state(): string | undefined;
  close(): Promise<void>;
}

export interface HttpStateCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Starts a server that keeps one state in memory, and answers as Terraform's `http` backend
 * expects, locks included.
 *
 * @param credentials the required credentials. Default: none are required.
 */
export async function startHttpStateBackend(credentials?: HttpStateCredentials): Promise<HttpStateBackend> {
  let state: Buffer | undefined;
  let lock: string | undefined;

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const end = (status: number, content?: string | Buffer) => void response.writeHead(status).end(content);
    if (credentials && request.headers.authorization !== authorization(credentials)) return end(401);
    switch (request.method) {
      case 'GET':
        return state ? end(200, state) : end(404);
      case 'POST':
        if (lock !== undefined && lockId(lock) !== writerId(request)) return end(423, lock);
        state = body;
        return end(200);
      case 'DELETE':
        state = undefined;
        return end(200);
      case 'LOCK':
        if (lock !== undefined) return end(423, lock);
        lock = body.toString();
        return end(200);
      case 'UNLOCK':
        lock = undefined;
        return end(200);
      default:
        return end(405);
    }
  }

  return {
    address,
    block: `terraform {\n  backend "http" {\n    address        = "${address}"\n    lock_address   = "${address}"\n    unlock_address = "${address}"\n  }\n}\n`,
    state: () => state?.toString(),
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

/** Returns the id of the lock that a writing run sends. */
function writerId({ url = '/' }: IncomingMessage): string | null {
  return new URL(url, 'http://state').searchParams.get('ID');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
