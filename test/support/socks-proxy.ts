import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SocksProxy {
  readonly address: string;
  /** The targets of its connections: `host:port`. */
  readonly asked: readonly string[];
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The codes of SOCKS 5 (RFC 1928). */
const VERSION = 5;
const BY_NAME = 3;

/**
 * Starts a SOCKS 5 proxy without passwords that ends with the test, and that connects all requests
 * to one server.
 */
export async function startSocksProxy(target: string): Promise<SocksProxy> {
  const { hostname, port } = new URL(target);
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    // The greeting lists methods of authentication; method 0 means no authentication.
    socket.once('data', () => {
      socket.write(Buffer.of(VERSION, 0));
      socket.once('data', (request) => {
        asked.push(targetOf(request));
        const onward = connect(Number(port), hostname, () => {
          socket.write(Buffer.of(VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0));
          onward.pipe(socket).pipe(onward);
        });
        onward.on('error', () => socket.destroy());
        sockets.add(onward);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { address: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/**
 * Returns the target in a request to connect, which has the version, the command, a zero, the kind
 * of address, the address and the port.
 */
function targetOf(request: Buffer): string {
  const [, , , kind, length = 0] = request;
  const host =
    kind === BY_NAME ? request.toString('latin1', 5, 5 + length) : request.subarray(4, -2).join('.');
  return `${host}:${request.readUInt16BE(request.length - 2)}`;
}
