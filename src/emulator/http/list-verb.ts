import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What the server's `LIST` arrives as: a verb that Node's parser knows, and that the API does not use. */
export const listVerb = 'SEARCH';

/** What follows where the parser stops. */
const restOfVerb = 'ST ';

const latestResponse = Symbol('latest response');

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

type TrackedSocket = Socket & { [latestResponse]?: ServerResponse; parser?: { remove?: () => void } | null };

/**
 * Teaches a server the verb `LIST`, which Node's HTTP parser refuses before any handler sees it: the parser takes `LI`
 * for the beginning of `LINK` and stops at the `S`. What it did not read is given back to the socket with another verb
 * in front, and the socket to the server as if it were new. Keep-alive, pipelining, TLS and requests that arrive in
 * pieces go on working.
 */
export function acceptListVerb(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    (request.socket as TrackedSocket)[latestResponse] = response;
  });
  server.on('clientError', (error: ParserError, socket: TrackedSocket) => {
    const unread =
      error.code === 'HPE_INVALID_METHOD' ? error.rawPacket?.subarray(error.bytesParsed) : undefined;
    if (unread === undefined || unread.length === 0) {
      refuse(socket);
      return;
    }
    takeFrom(socket);
    // Answers to what came before on this connection go out first.
    whenAnswered(socket, () => handBack(server, socket, unread));
  });
}

/** Parts a socket from the parser that gave up on it. What arrives from now on waits in the socket. */
function takeFrom(socket: TrackedSocket): void {
  // Somebody else listening for data is what makes Node's parser let go of the connection underneath.
  socket.on('data', () => undefined);
  socket.pause();
  // Else the server's check for slow requests would one day find the old parser in the middle of a request.
  socket.parser?.remove?.();
  socket.removeAllListeners();
  socket.on('error', () => socket.destroy());
}

function whenAnswered(socket: TrackedSocket, then: () => void): void {
  const response = socket[latestResponse];
  if (response === undefined || response.closed) then();
  else response.once('close', then);
}

function handBack(server: Server, socket: Socket, unread: Buffer): void {
  if (socket.destroyed) return;
  const verb = unread.toString('latin1', 0, restOfVerb.length);
  if (!restOfVerb.startsWith(verb)) {
    refuse(socket);
    return;
  }
  if (verb.length < restOfVerb.length) {
    socket.once('data', (more: Buffer) => {
      socket.pause();
      handBack(server, socket, Buffer.concat([unread, more]));
    });
    socket.resume();
    return;
  }
  socket.removeAllListeners();
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  socket.unshift(Buffer.concat([Buffer.from(`${listVerb} `), unread.subarray(restOfVerb.length)]));
  socket.resume();
}

function refuse(socket: Socket): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  else socket.destroy();
}
