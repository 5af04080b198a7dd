import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of a request before its body. */
export interface LoopbackHead {
  readonly method: string;
  /** The target as it was sent, with the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** A complete request. */
export interface LoopbackRequest extends LoopbackHead {
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

/** Decides which bodies are read. */
interface LoopbackGuard {
  /** The length of the longest body in bytes. */
  readonly longest: number;
  /** Returns the answer to a request whose body is not needed, or is too long. */
  readonly refusal: (head: LoopbackHead, isTooLong: boolean) => LoopbackAnswer | undefined;
}

/**
 * The length in bytes up to which the body of a refused request is read, so that clients see the
 * answer.
 */
const SHORT_BODY = 64 * 1024;

/**
 * Starts a server that calls `answer` for each request.
 *
 * @param port 0 for any free port.
 * @param guard default: every body is read.
 */
export async function startLoopback(
  port: number,
  answer: (request: LoopbackRequest) => LoopbackAnswer,
  { longest, refusal }: LoopbackGuard = { longest: Infinity, refusal: () => undefined },
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request;
    const head = { method, target, headers };
    const send = ({ status, headers: sent, body = '' }: LoopbackAnswer) => {
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...sent });
      response.end(method === 'HEAD' ? undefined : body);
    };
    const isChunked = headers['transfer-encoding'] !== undefined;
    const announced = Number(headers['content-length'] ?? 0);
    let refused = refusal(head, announced > longest);
    const chunks: Buffer[] = [];
    let length = 0;
    const endHere = (answered: LoopbackAnswer) => {
      request.removeAllListeners('data').removeAllListeners('end');
      send({ ...answered, headers: { ...answered.headers, Connection: 'close' } });
    };
    if (refused && (isChunked || announced > SHORT_BODY)) return endHere(refused);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > longest) refused ??= refusal(head, true);
      if (refused && length > longest) endHere(refused);
      else chunks.push(chunk);
    });
    request.on('end', () => send(refused ?? answer({ ...head, body: Buffer.concat(chunks) })));
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
