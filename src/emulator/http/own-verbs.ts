import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What the server's `LIST` and `RECOVER` arrive as: verbs that Node's parser knows, and that the API does not use. */
export const LIST_VERB = 'SEARCH';
export const RECOVER_VERB = 'REPORT';

/** By what follows where the parser stops. */
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
 * Teaches a server the verbs `LIST` and `RECOVER`, which Node's HTTP parser refuses before any handler sees them: it takes
 * `LI` for the beginning of `LINK` and stops at the `S`. What it did not read is given back to the socket with another verb
 * in front, and the socket to the server as if it were new. Keep-alive, pipelining, TLS and requests that arrive in
 * pieces go on working, provided that `trackResponse` is told of every response.
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

/** To be told of every response, so that answers go out in order. */
export function trackResponse(request: IncomingMessage, response: ServerResponse): void {
  (request.socket as TrackedSocket)[LATEST_RESPONSE] = response;
}

/** Takes a socket from the parser that gave up on it, and gives it to a new one as soon as that makes sense. */
function adopt(server: Server, socket: TrackedSocket, unread: Buffer): void {
  // Else the server's check for slow requests would one day find the old parser in the middle of a request.
  socket.parser?.remove?.();
  socket.removeAllListeners();
  socket.on('error', () => socket.destroy());
  // The same timeout as for other request heads: a client cannot begin a request and keep the connection forever.
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
  // Answers to what came before on this connection go out first.
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

/** The answers to requests that the parser refuses, by its code. */
const REFUSALS: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

function refuse(socket: Socket, status = '400 Bad Request'): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  else socket.destroy();
}
