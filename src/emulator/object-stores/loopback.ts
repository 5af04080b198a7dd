import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A complete request. */
export interface LoopbackRequest {
  readonly method: string;
  /** The target as it was sent, with the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface LoopbackAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A server on 127.0.0.1. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Starts a server that calls `answer` for each request.
 *
 * @param port 0 for any free port.
 */
export async function startLoopback(
  port: number,
  answer: (request: LoopbackRequest) => LoopbackAnswer,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const {
        status,
        headers: sent,
        body = '',
      } = answer({ method, target, headers, body: Buffer.concat(chunks) });
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...sent });
      response.end(method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
