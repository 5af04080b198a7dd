import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What the server's `LIST` arrives as: a verb that Node's parser knows, and that the API does not use. */
export const LIST_VERB = 'SEARCH';

/** What follows where the parser stops. */
const REST_OF_VERB = 'ST ';

const LATEST_RESPONSE = Symbol('latest response');

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

type TrackedSocket = Socket & { [LATEST_RESPONSE]?: ServerResponse; parser?: { remove?: () => void } | null };

/**
 * Teaches a server the verb `LIST`, which Node's HTTP parser refuses before any handler sees it: the parser takes `LI`
 * for the beginning of `LINK` and stops at the `S`. What it did not read is given back to the socket with another verb
 * in front, and the socket to the server as if it were new. Keep-alive, pipelining, TLS and requests that arrive in
 * pieces go on working, provided that `trackResponse` is told of every response.
 */
export function acceptListVerb(server: Server): void {
  server.on('clientError', (error: ParserError, socket: TrackedSocket) => {
    const unread =
      error.code === 'HPE_INVALID_METHOD' ? error.rawPacket?.subarray(error.bytesParsed) : undefined;
    if (unread === undefined || unread.length === 0) {
      refuse(socket);
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
    const verb = received.toString('latin1', 0, REST_OF_VERB.length);
    if (!REST_OF_VERB.startsWith(verb)) refuse(socket);
    else if (verb === REST_OF_VERB && answered) {
      clearTimeout(late);
      handBack(server, socket, received.subarray(REST_OF_VERB.length));
    } else if (verb === REST_OF_VERB) socket.pause();
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

function handBack(server: Server, socket: Socket, rest: Buffer): void {
  if (socket.destroyed) return;
  socket.removeAllListeners();
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  socket.unshift(Buffer.concat([Buffer.from(`${LIST_VERB} `), rest]));
  socket.resume();
}

function refuse(socket: Socket): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  else socket.destroy();
}
