import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { EventEmitter } from 'node:events';

/** The gRPC status codes that this server answers with. */
const OK = '0';
const UNIMPLEMENTED = '12';
const INTERNAL = '13';

const FRAME_HEADER_LENGTH = 5;
const CONTENT_TYPE = 'application/grpc';

/** Answers one encoded message with another. */
export type UnaryCall = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** The calls of a server by their paths, such as `/plugin.GRPCController/Shutdown`. */
interface Calls {
  readonly unary: ReadonlyMap<string, UnaryCall>;
  /** Streams that Terraform opens to listen on, and on which this server sends nothing. */
  readonly silent: ReadonlySet<string>;
}

/** Answers gRPC calls on an HTTP/2 server. */
export function answerCalls(server: EventEmitter, calls: Calls): void {
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // A client that disconnects resets its streams and does not receive the error.
    stream.on('error', () => {});
    const path = headers[constants.HTTP2_HEADER_PATH] as string;
    const call = calls.unary.get(path);
    if (call) {
      answer(stream, call);
    } else if (calls.silent.has(path)) {
      stream.respond({ 'content-type': CONTENT_TYPE });
      stream.resume();
    } else {
      refuse(stream, UNIMPLEMENTED, `unknown method ${path}`);
    }
  });
}

function answer(stream: ServerHttp2Stream, call: UnaryCall): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    replyTo(chunks, call).then(
      (reply) => send(stream, reply),
      (error: unknown) => refuse(stream, INTERNAL, String(error)),
    );
  });
}

async function replyTo(chunks: Buffer[], call: UnaryCall): Promise<Uint8Array> {
  return call(messageOf(chunks));
}

/** The one message of a unary request. */
function messageOf(chunks: Buffer[]): Uint8Array {
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (body.length < FRAME_HEADER_LENGTH || body.length !== FRAME_HEADER_LENGTH + body.readUInt32BE(1)) {
    throw new Error(`a message was cut off: ${body.length} bytes arrived`);
  }
  if (body[0] !== 0) throw new Error('compressed messages are not supported');
  return body.subarray(FRAME_HEADER_LENGTH);
}

function send(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.destroyed) return;
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, FRAME_HEADER_LENGTH);
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': OK }));
  stream.respond({ 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
  stream.end(frame);
}

function refuse(stream: ServerHttp2Stream, status: string, message: string): void {
  if (stream.destroyed) return;
  stream.respond(
    { 'content-type': CONTENT_TYPE, 'grpc-status': status, 'grpc-message': encodeURIComponent(message) },
    { endStream: true },
  );
}
