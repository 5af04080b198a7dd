import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * The methods that Node's parser sees in place of Vault's `LIST` and `RECOVER`. The parser supports
 * both, and the API uses neither.
 */
export const LIST_VERB = 'SEARCH';
export const RECOVER_VERB = 'REPORT';

/** The methods by the text that follows the position at which the parser stops. */
const VERBS = [
  { rest: 'ST ', verb: LIST_VERB },
  { rest: 'VER ', verb: RECOVER_VERB },
] as const;
type OwnVerb = (typeof VERBS)[number];

const LATEST_RESPONSE = Symbol('latest response');

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

type TrackedSocket = Socket & { [LATEST_RESPONSE]?: ServerResponse; parser?: { remove?: () => void } | null };

/**
 * Makes a server accept the methods `LIST` and `RECOVER`, which Node's HTTP parser refuses before
 * any handler is called: it reads `LI` as the beginning of `LINK` and stops at the `S`. The unread
 * bytes are put back into the socket after another method, and the server receives the socket as a
 * new connection. Keep-alive, pipelining, TLS and requests in several packets continue to work if
 * `trackResponse` is called for every response.
 */
export function acceptOwnVerbs(server: Server): void {
  server.on('clientError', (error: ParserError, socket: TrackedSocket) => {
    const unread =
      error.code === 'HPE_INVALID_METHOD' ? error.rawPacket?.subarray(error.bytesParsed) : undefined;
    if (unread === undefined || unread.length === 0) {
      refuse(socket, REFUSALS.get(error.code));
      return;
    }
    adopt(server, socket, unread);
  });
}

/** Must be called for every response, so that the responses of a connection are sent in order. */
export function trackResponse(request: IncomingMessage, response: ServerResponse): void {
  (request.socket as TrackedSocket)[LATEST_RESPONSE] = response;
}

/**
 * Takes a socket from the parser that failed, and returns it to the server when the method is known
 * and the earlier requests are answered.
 */
function adopt(server: Server, socket: TrackedSocket, unread: Buffer): void {
  // Otherwise the server's check for slow requests would find an unfinished request in the old
  // parser.
  socket.parser?.remove?.();
  socket.removeAllListeners();
  socket.on('error', () => socket.destroy());
  // The timeout for other request heads applies here as well, so that a client cannot keep the
  // connection open forever with an unfinished request.
  const late = setTimeout(() => socket.destroy(), server.headersTimeout).unref();
  socket.once('close', () => clearTimeout(late));
  let received = unread;
  let answered = false;
  const proceed = () => {
    const own = VERBS.find(({ rest }) => rest.startsWith(received.toString('latin1', 0, rest.length)));
    if (own === undefined) refuse(socket);
    else if (received.length < own.rest.length) return;
    else if (answered) {
      clearTimeout(late);
      handBack(server, socket, own, received);
    } else socket.pause();
  };
  // Another data listener also makes the old parser release the underlying connection.
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    proceed();
  });
  // The answers to earlier requests on this connection are sent first.
  whenAnswered(socket, () => {
    answered = true;
    proceed();
  });
}

function whenAnswered(socket: TrackedSocket, then: () => void): void {
  const response = socket[LATEST_RESPONSE];
  if (response === undefined || response.closed) then();
  else response.once('close', then);
}

function handBack(server: Server, socket: Socket, { rest, verb }: OwnVerb, received: Buffer): void {
  if (socket.destroyed) return;
  socket.removeAllListeners();
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  socket.unshift(Buffer.concat([Buffer.from(`${verb} `), received.subarray(rest.length)]));
  socket.resume();
}

/** The answers to requests that the parser refuses, by its error code. */
const REFUSALS: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

function refuse(socket: Socket, status = '400 Bad Request'): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  else socket.destroy();
}
