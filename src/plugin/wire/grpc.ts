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

/**
 * Answers one encoded message with any number of others.
 *
 * @param send resolves when more can be sent; to false if nobody listens any more.
 */
export type StreamingCall = (
  request: Uint8Array,
  send: (message: Uint8Array) => Promise<boolean>,
) => Promise<void>;

/** The calls of a server by their paths, such as `/plugin.GRPCController/Shutdown`. */
export interface Calls {
  readonly unary: ReadonlyMap<string, UnaryCall>;
  readonly streaming: ReadonlyMap<string, StreamingCall>;
  /** Streams that Terraform opens to listen on, and on which this server sends nothing. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Answers gRPC calls on an HTTP/2 server.
 *
 * @param load gives the calls when the first one comes in.
 */
export function answerCalls(server: EventEmitter, load: () => Calls): void {
  let loaded: Calls | undefined;
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // A client that disconnects resets its streams and does not receive the error.
    stream.on('error', () => {});
    const path = headers[constants.HTTP2_HEADER_PATH] as string;
    const calls = (loaded ??= load());
    const call = calls.unary.get(path);
    const streaming = calls.streaming.get(path);
    if (call) {
      answer(stream, call);
    } else if (streaming) {
      answerWithMany(stream, streaming);
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
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': OK }));
  stream.respond({ 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
  stream.end(frameOf(message));
}

function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, FRAME_HEADER_LENGTH);
  return frame;
}

/** Answers with messages as they come, no faster than they are taken. */
function answerWithMany(stream: ServerHttp2Stream, call: StreamingCall): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    let trailers = { 'grpc-status': OK, 'grpc-message': '' };
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.respond({ 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
    const sendOne = async (message: Uint8Array): Promise<boolean> => {
      if (stream.destroyed) return false;
      const isTaken = stream.write(frameOf(message));
      if (!isTaken) await drained(stream);
      return !stream.destroyed;
    };
    const failed = (error: unknown) => {
      trailers = { 'grpc-status': INTERNAL, 'grpc-message': encodeURIComponent(String(error)) };
    };
    void Promise.resolve()
      .then(() => call(messageOf(chunks), sendOne))
      .catch(failed)
      .then(() => void (stream.destroyed || stream.end()));
  });
}

function drained(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}

function refuse(stream: ServerHttp2Stream, status: string, message: string): void {
  if (stream.destroyed) return;
  stream.respond(
    { 'content-type': CONTENT_TYPE, 'grpc-status': status, 'grpc-message': encodeURIComponent(message) },
    { endStream: true },
  );
}
