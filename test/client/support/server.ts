import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The number of its connection, counted from 1. */
  readonly connection: number;
}

/**
 * The reaction of the server to a request. `drop` closes the connection, `hang` sends no answer.
 */
export type Reply =
  | 'drop'
  | 'hang'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    };

export interface TestServer {
  readonly address: string;
  readonly requests: readonly SeenRequest[];
}

const open = new Set<Server>();
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  const closing = [...open].map((server) => once(server, 'close'));
  for (const server of open) server.close();
  open.clear();
  await Promise.all(closing);
});

/**
 * Starts a server on loopback that is closed after the test. It sends the given replies in order,
 * and then repeats the last one. A function returns the reply to each request.
 */
export async function serve(
  replies: Reply | readonly Reply[] | ((request: SeenRequest) => Reply),
  tls?: ServerOptions,
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const connections: Socket[] = [];
  const list = typeof replies === 'function' ? [] : [replies].flat();

  const server = tls ? createHttpsServer(tls) : createHttpServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers, socket } = request;
    if (!connections.includes(socket)) connections.push(socket);
    const connection = connections.indexOf(socket) + 1;
    const answer = (body: string) => {
      const seen = { method, url, headers, body, connection };
      requests.push(seen);
      const next = list[Math.min(requests.length, list.length) - 1];
      send(typeof replies === 'function' ? replies(seen) : next!, response);
    };
    // A request that the client breaks off has no reply.
    text(request).then(answer, () => {});
  });
  const port = await listen(server);
  return { address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, requests };
}

/** Starts a server with a handler for its connections. Returns its host and port. */
export async function serveRaw(handler: (socket: Socket) => void): Promise<string> {
  return `127.0.0.1:${await listen(createTcpServer(handler))}`;
}

/** Returns a host and port on which no server listens. */
export async function deadEnd(): Promise<string> {
  const server = createTcpServer();
  const port = await listen(server);
  open.delete(server);
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<number> {
  open.add(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.socket?.destroy();
    return;
  }
  const { status = 200, headers, json, text: body } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? (json === undefined ? undefined : JSON.stringify(json)));
}
