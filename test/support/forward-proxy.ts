import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { connect as connectTo, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  readonly address: string;
  /** The received requests: `GET http://host/path`, `CONNECT host:port`. */
  readonly asked: readonly string[];
  /** The headers of each received request. A tunnel has the headers of its `CONNECT` request. */
  readonly headers: readonly IncomingHttpHeaders[];
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * Starts a proxy that forwards requests for any host to one server, and is closed after the test.
 *
 * @param certificate makes it a proxy that is reached over TLS.
 */
export async function startProxy(target: string, certificate?: ServerOptions): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const asked: string[] = [];
  const received: IncomingHttpHeaders[] = [];
  const server = certificate ? createSecureServer(certificate) : createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    received.push(headers);
  };
  server.on('request', (request: IncomingMessage, response) => {
    note(request);
    const { pathname, search } = new URL(request.url!);
    const { method, headers } = request;
    const onward = httpRequest({ hostname, port, method, headers, path: pathname + search }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    const onward = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    sockets.add(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port: ownPort } = server.address() as AddressInfo;
  return { address: `${certificate ? 'https' : 'http'}://127.0.0.1:${ownPort}`, asked, headers: received };
}
