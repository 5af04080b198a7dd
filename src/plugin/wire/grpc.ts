import { encodeHeaders } from './hpack';
import type { Http2Connection, Stream } from './http2';

/** The gRPC status codes of this server. */
const OK = '0';
const UNIMPLEMENTED = '12';
const INTERNAL = '13';

const FRAME_HEADER_LENGTH = 5;
const HEADERS = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
] as const;
/** The headers of most answers. */
const ENCODED_HEADERS = encodeHeaders(HEADERS);
const SUCCESS = encodeHeaders([['grpc-status', OK]]);
const NOTHING = Buffer.alloc(0);

/** Answers one encoded message with another. */
export type UnaryCall = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * Answers one encoded message with any number of others.
 *
 * @param send resolves when more can be sent; to false if the stream is closed.
 */
export type StreamingCall = (
  request: Uint8Array,
  send: (message: Uint8Array) => Promise<boolean>,
) => Promise<void>;

/** The calls of a server by their paths, such as `/plugin.GRPCController/Shutdown`. */
export interface Calls {
  readonly unary: ReadonlyMap<string, UnaryCall>;
  readonly streaming?: ReadonlyMap<string, StreamingCall>;
  /** Streams that Terraform opens, and on which this server sends nothing. */
  readonly silent?: ReadonlySet<string>;
}

/**
 * Answers gRPC calls on a connection.
 *
 * @param callsFor returns the calls that include the one with this path, if there is one.
 */
export function answerCalls(connection: Http2Connection, callsFor: (path: string) => Calls): void {
  connection.onStream = (stream) => {
    const calls = callsFor(stream.path);
    const call = calls.unary.get(stream.path);
    const streaming = calls.streaming?.get(stream.path);
    if (call) {
      answer(stream, call);
    } else if (streaming) {
      answerWithMany(stream, streaming);
    } else if (calls.silent?.has(stream.path)) {
      stream.respond(ENCODED_HEADERS);
    } else {
      refuse(stream, UNIMPLEMENTED, `unknown method ${stream.path}`);
    }
  };
}

function answer(stream: Stream, call: UnaryCall): void {
  stream.onRequest = (body) => {
    replyTo(body, call).then(
      (reply) => send(stream, reply),
      (error: unknown) => refuse(stream, INTERNAL, String(error)),
    );
  };
}

async function replyTo(body: Buffer, call: UnaryCall): Promise<Uint8Array> {
  return call(messageOf(body));
}

/** Returns the only message of a unary request. */
function messageOf(body: Buffer): Uint8Array {
  if (body.length < FRAME_HEADER_LENGTH || body.length !== FRAME_HEADER_LENGTH + body.readUInt32BE(1)) {
    throw new Error(`a message was cut off: ${body.length} bytes arrived`);
  }
  if (body[0] !== 0) throw new Error('compressed messages are not supported');
  return body.subarray(FRAME_HEADER_LENGTH);
}

function send(stream: Stream, message: Uint8Array): void {
  stream.respond(ENCODED_HEADERS);
  stream.end(frameOf(message), SUCCESS);
}

function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, FRAME_HEADER_LENGTH);
  return frame;
}

/** Answers with several messages, each sent when the client has received the previous one. */
function answerWithMany(stream: Stream, call: StreamingCall): void {
  stream.onRequest = (body) => {
    stream.respond(ENCODED_HEADERS);
    Promise.resolve()
      .then(() => call(messageOf(body), (message) => stream.write(frameOf(message))))
      .then(
        () => stream.end(NOTHING, SUCCESS),
        (error: unknown) => stream.end(NOTHING, failure(INTERNAL, String(error))),
      );
  };
}

function refuse(stream: Stream, status: string, message: string): void {
  stream.respond(Buffer.concat([encodeHeaders(HEADERS), failure(status, message)]), true);
}

function failure(status: string, message: string): Buffer {
  return encodeHeaders([
    ['grpc-status', status],
    ['grpc-message', encodeURIComponent(message)],
  ]);
}
