import { EventEmitter } from 'node:events';
import { HeaderDecoder, type Header } from './hpack';

/**
 * The kinds of frames, the flags, settings and errors of RFC 9113 that a server of unary calls
 * meets.
 */
const DATA = 0;
const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PUSH_PROMISE = 5;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;

const END_STREAM = 0x1;
const ACK = 0x1;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const WITH_PRIORITY = 0x20;

/**
 * Whether frames of a type belong to a stream instead of the connection. WINDOW_UPDATE frames can
 * belong to either.
 */
const OF_STREAM: readonly (boolean | undefined)[] = [
  true, // DATA
  true, // HEADERS
  true, // PRIORITY
  true, // RST_STREAM
  false, // SETTINGS
  true, // PUSH_PROMISE
  false, // PING
  false, // GOAWAY
  undefined, // WINDOW_UPDATE
  true, // CONTINUATION
];
/** The frame types with a fixed length, in bytes. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [PRIORITY, 5],
  [RST_STREAM, 4],
  [PING, 8],
  [WINDOW_UPDATE, 4],
]);

const ENABLE_PUSH = 2;
const INITIAL_WINDOW_SIZE = 4;
const MAX_FRAME_SIZE = 5;

const PROTOCOL_ERROR = 1;
const FLOW_CONTROL_ERROR = 3;
const STREAM_CLOSED = 5;
const FRAME_SIZE_ERROR = 6;
const COMPRESSION_ERROR = 9;
const ENHANCE_YOUR_CALM = 11;

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const FRAME_HEADER = 9;
const LARGEST_WINDOW = 2 ** 31 - 1;
const FIRST_WINDOW = 65_535;
const FIRST_FRAME_SIZE = 16_384;
const LARGEST_FRAME_SIZE = 2 ** 24 - 1;
/** The number of bytes after which the connection's receive window is renewed. */
const RENEWAL = 2 ** 29;
const LARGEST_HEADERS = 65_536;
/** The maximum size of a request body in bytes: that of providers in Go. */
export const LARGEST_BODY = 256 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** A connection for bytes: a socket of Node.js, or of the runtime of executables. */
export interface ByteChannel {
  readonly destroyed: boolean;
  /** Whether written bytes wait for `drain`. */
  readonly writableNeedDrain: boolean;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'drain' | 'error' | 'close', listener: () => void): unknown;
  removeAllListeners(event: 'data'): unknown;
  write(bytes: Buffer): unknown;
  /** Ends the connection when everything is sent, and calls the function then. */
  end(sent: () => void): unknown;
  destroy(): unknown;
}

/** A violation of the protocol, which ends the connection. */
class ConnectionError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A stream: a request and its response. */
export class Stream {
  /** Called with the complete request. */
  onRequest: (body: Buffer) => void = () => {};
  /** Whether the stream is closed. Later writes are dropped. */
  isClosed = false;

  /** The send window of the stream, in bytes. */
  window: number;
  readonly chunks: Buffer[] = [];
  isReceived = false;
  /** The number of bytes of the request body received so far. */
  received = 0;
  /** The part of the response body that waits for a send window. */
  pending: Buffer = EMPTY;
  /** The trailers, which are sent after the response body. */
  trailers: Buffer | undefined;
  whenTaken: (() => void)[] = [];

  readonly #connection: Http2Connection;

  constructor(
    connection: Http2Connection,
    readonly id: number,
    readonly path: string,
    window: number,
  ) {
    this.#connection = connection;
    this.window = window;
  }

  /**
   * Sends the response headers.
   *
   * @param headers encoded by HPACK.
   * @param isEnd whether the response has no body.
   */
  respond(headers: Buffer, isEnd = false): void {
    this.#connection.sendHeaders(this, headers, isEnd);
  }

  /**
   * Sends a part of the response body. Resolves when the part has been sent, with whether the
   * stream is still open.
   */
  async write(body: Buffer): Promise<boolean> {
    this.#connection.sendBody(this, body);
    if (!this.isClosed && !this.#connection.hasTaken(this)) {
      await new Promise<void>((resolve) => this.whenTaken.push(resolve));
    }
    return !this.isClosed;
  }

  /** Sends the last part of the response body, and the trailers, encoded by HPACK. */
  end(body: Buffer, trailers: Buffer): void {
    this.trailers = trailers;
    this.#connection.sendBody(this, body);
  }
}

/**
 * The server side of an HTTP/2 connection, with what gRPC requires: request bodies, response
 * trailers, and flow control. The caller authenticates the client. Emits `close`.
 */
export class Http2Connection extends EventEmitter {
  onStream: (stream: Stream) => void = () => {};

  readonly #socket: ByteChannel;
  readonly #streams = new Map<number, Stream>();
  /** The ids of streams that were answered before the request was complete. */
  readonly #answeredEarly = new Set<number>();
  readonly #headers = new HeaderDecoder();
  #hasPreface = false;
  #hasSettings = false;
  #rest: Buffer = EMPTY;
  /** A header block whose last frame was not received yet. */
  #open:
    { readonly id: number; readonly flags: number; readonly parts: Buffer[]; length: number } | undefined;
  #lastId = 0;
  #received = 0;

  #window = FIRST_WINDOW;
  #streamWindow = FIRST_WINDOW;
  #frameSize = FIRST_FRAME_SIZE;
  #out: Buffer[] = [];
  #isFlushing = false;

  constructor(socket: ByteChannel) {
    super();
    this.#socket = socket;
    const settings = Buffer.alloc(6);
    settings.writeUInt16BE(INITIAL_WINDOW_SIZE, 0);
    settings.writeUInt32BE(LARGEST_WINDOW, 2);
    this.#send(frame(SETTINGS, 0, 0, settings));
    this.#send(frame(WINDOW_UPDATE, 0, 0, uint32(LARGEST_WINDOW - FIRST_WINDOW)));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#tellTaken());
    // A client that disconnects does not receive the error.
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Whether no part of the response body is buffered. */
  hasTaken({ pending }: Stream): boolean {
    return pending.length === 0 && !this.#socket.writableNeedDrain;
  }

  sendHeaders(stream: Stream, block: Buffer, isEnd: boolean): void {
    if (stream.isClosed) return;
    this.#send(frame(HEADERS, END_HEADERS | (isEnd ? END_STREAM : 0), stream.id, block));
    if (isEnd) this.#close(stream);
  }

  sendBody(stream: Stream, body: Buffer): void {
    if (stream.isClosed) return;
    stream.pending = stream.pending.length === 0 ? body : Buffer.concat([stream.pending, body]);
    this.#pump(stream);
  }

  #pump(stream: Stream): void {
    while (stream.pending.length > 0) {
      const size = Math.min(stream.pending.length, stream.window, this.#window, this.#frameSize);
      if (size <= 0) return;
      this.#send(frameHeader(DATA, 0, stream.id, size));
      this.#send(stream.pending.subarray(0, size));
      stream.pending = stream.pending.subarray(size);
      stream.window -= size;
      this.#window -= size;
    }
    if (stream.trailers) this.sendHeaders(stream, stream.trailers, true);
  }

  #pumpAll(): void {
    for (const stream of this.#streams.values()) if (stream.pending.length > 0) this.#pump(stream);
    this.#tellTaken();
  }

  #tellTaken(): void {
    for (const stream of this.#streams.values()) {
      if (stream.whenTaken.length > 0 && this.hasTaken(stream))
        for (const tell of stream.whenTaken.splice(0)) tell();
    }
  }

  /** Combines simultaneous writes of responses into one. */
  #send(bytes: Buffer): void {
    this.#out.push(bytes);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushing = false;
    const out = this.#out;
    this.#out = [];
    if (!this.#socket.destroyed) this.#socket.write(out.length === 1 ? out[0]! : Buffer.concat(out));
  }

  #receive(chunk: Buffer): void {
    try {
      this.#read(chunk);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#giveUp(error.code, error.message);
    }
  }

  #giveUp(code: number, message: string): void {
    this.#send(
      frame(GOAWAY, 0, 0, Buffer.concat([uint32(this.#lastId), uint32(code), Buffer.from(message)])),
    );
    this.#flush();
    this.#socket.removeAllListeners('data');
    this.#socket.end(() => this.#socket.destroy());
  }

  #read(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#hasPreface) {
      const given = bytes.subarray(0, PREFACE.length);
      if (!given.equals(PREFACE.subarray(0, given.length)))
        throw new ConnectionError(PROTOCOL_ERROR, 'invalid connection preface');
      this.#hasPreface = given.length === PREFACE.length;
      if (this.#hasPreface) bytes = bytes.subarray(PREFACE.length);
    }
    while (this.#hasPreface && bytes.length >= FRAME_HEADER) {
      const length = bytes.readUIntBE(0, 3);
      if (length > FIRST_FRAME_SIZE)
        throw new ConnectionError(FRAME_SIZE_ERROR, `frame of ${length} bytes is too large`);
      const end = FRAME_HEADER + length;
      if (bytes.length < end) break;
      const id = bytes.readUInt32BE(5) & LARGEST_WINDOW;
      this.#readFrame(bytes[3]!, bytes[4]!, id, bytes.subarray(FRAME_HEADER, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }

  #readFrame(type: number, flags: number, id: number, payload: Buffer): void {
    if (!this.#hasSettings && type !== SETTINGS)
      throw new ConnectionError(PROTOCOL_ERROR, 'the first frame is not SETTINGS');
    if (this.#open && (type !== CONTINUATION || id !== this.#open.id)) {
      throw new ConnectionError(PROTOCOL_ERROR, 'expected a CONTINUATION frame');
    }
    checkFrame(type, id, payload);
    switch (type) {
      case DATA:
        return this.#readData(flags, id, payload);
      case HEADERS:
        return this.#readHeaders(flags, id, payload);
      case CONTINUATION:
        return this.#continueHeaders(flags, payload);
      case PRIORITY:
        return checkPriority(id, payload);
      case RST_STREAM:
        return this.#reset(id);
      case SETTINGS:
        return this.#readSettings(flags, payload);
      case PING:
        if ((flags & ACK) === 0) this.#send(frame(PING, ACK, 0, payload));
        return;
      case WINDOW_UPDATE:
        return this.#readWindowUpdate(id, payload);
      case PUSH_PROMISE:
        throw new ConnectionError(PROTOCOL_ERROR, 'PUSH_PROMISE frame from a client');
      case GOAWAY:
      default:
        // After GOAWAY, the client closes the connection. Unknown frame types are ignored.
        return;
    }
  }

  #readData(flags: number, id: number, payload: Buffer): void {
    if (id > this.#lastId) throw new ConnectionError(PROTOCOL_ERROR, 'DATA frame on an idle stream');
    this.#received += payload.length;
    if (this.#received >= RENEWAL) {
      this.#send(frame(WINDOW_UPDATE, 0, 0, uint32(this.#received)));
      this.#received = 0;
    }
    const isEnd = (flags & END_STREAM) !== 0;
    const stream = this.#openStream(id, isEnd);
    // The data is not copied: neither runtime reuses the buffers of received data.
    const data = withoutPadding(flags, payload);
    if (!stream) return;
    stream.received += data.length;
    if (stream.received > LARGEST_BODY) throw new ConnectionError(ENHANCE_YOUR_CALM, 'request too large');
    stream.chunks.push(data);
    if (isEnd) finish(stream);
  }

  /**
   * The stream of a request that is not complete. `undefined` if it was answered already: the rest
   * is dropped.
   */
  #openStream(id: number, isEnd: boolean): Stream | undefined {
    const stream = this.#streams.get(id);
    if (stream && !stream.isReceived) return stream;
    if (!this.#answeredEarly.has(id)) throw new ConnectionError(STREAM_CLOSED, 'frame on a closed stream');
    if (isEnd) this.#answeredEarly.delete(id);
    return undefined;
  }

  #reset(id: number): void {
    if (id > this.#lastId) throw new ConnectionError(PROTOCOL_ERROR, 'RST_STREAM frame on an idle stream');
    const stream = this.#streams.get(id);
    if (stream) this.#close(stream);
    this.#answeredEarly.delete(id);
  }

  #readHeaders(flags: number, id: number, payload: Buffer): void {
    if (id % 2 === 0) throw new ConnectionError(PROTOCOL_ERROR, 'even stream id from a client');
    const block = withoutPadding(flags, payload);
    if (flags & WITH_PRIORITY) checkPriority(id, block);
    this.#open = { id, flags, parts: [], length: 0 };
    this.#continueHeaders(flags, block.subarray(flags & WITH_PRIORITY ? 5 : 0));
  }

  #continueHeaders(flags: number, fragment: Buffer): void {
    const open = this.#open;
    if (!open) throw new ConnectionError(PROTOCOL_ERROR, 'unexpected CONTINUATION frame');
    open.parts.push(fragment);
    open.length += fragment.length;
    if (open.length > LARGEST_HEADERS) throw new ConnectionError(ENHANCE_YOUR_CALM, 'header block too large');
    if ((flags & END_HEADERS) === 0) return;
    this.#open = undefined;
    // Every header block must be decoded, because later ones refer to its headers.
    const block = open.parts.length === 1 ? open.parts[0]! : Buffer.concat(open.parts);
    const headers = this.#decode(block);
    const isEnd = (open.flags & END_STREAM) !== 0;
    if (open.id > this.#lastId) this.#request(open.id, headers, isEnd);
    else this.#readTrailers(open.id, isEnd);
  }

  #decode(block: Buffer): readonly Header[] {
    try {
      return this.#headers.decode(block);
    } catch (error) {
      throw new ConnectionError(COMPRESSION_ERROR, (error as Error).message);
    }
  }

  #request(id: number, headers: readonly Header[], isWhole: boolean): void {
    const path = headers.find(([name]) => name === ':path')?.[1];
    if (path === undefined) throw new ConnectionError(PROTOCOL_ERROR, 'missing pseudo-header :path');
    this.#lastId = id;
    const stream = new Stream(this, id, path, this.#streamWindow);
    this.#streams.set(id, stream);
    this.onStream(stream);
    if (isWhole) finish(stream);
  }

  #readTrailers(id: number, isEnd: boolean): void {
    const stream = this.#openStream(id, isEnd);
    if (!isEnd) throw new ConnectionError(PROTOCOL_ERROR, 'trailers without END_STREAM');
    if (stream) finish(stream);
  }

  #readSettings(flags: number, payload: Buffer): void {
    this.#hasSettings = true;
    const rest = flags & ACK ? payload.length : payload.length % 6;
    if (rest !== 0) throw new ConnectionError(FRAME_SIZE_ERROR, 'invalid length of a SETTINGS frame');
    if (flags & ACK) return;
    for (let at = 0; at < payload.length; at += 6) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    this.#send(frame(SETTINGS, ACK, 0, EMPTY));
    this.#pumpAll();
  }

  #set(setting: number, value: number): void {
    if (setting === INITIAL_WINDOW_SIZE) {
      if (value > LARGEST_WINDOW)
        throw new ConnectionError(FLOW_CONTROL_ERROR, 'flow-control window too large');
      for (const stream of this.#streams.values()) stream.window += value - this.#streamWindow;
      this.#streamWindow = value;
    } else if (setting === MAX_FRAME_SIZE) {
      if (value < FIRST_FRAME_SIZE || value > LARGEST_FRAME_SIZE) {
        throw new ConnectionError(PROTOCOL_ERROR, `invalid SETTINGS_MAX_FRAME_SIZE: ${value}`);
      }
      this.#frameSize = value;
    } else if (setting === ENABLE_PUSH && value > 1) {
      throw new ConnectionError(PROTOCOL_ERROR, `invalid SETTINGS_ENABLE_PUSH: ${value}`);
    }
  }

  #readWindowUpdate(id: number, payload: Buffer): void {
    if (id > this.#lastId) throw new ConnectionError(PROTOCOL_ERROR, 'WINDOW_UPDATE frame on an idle stream');
    const more = payload.readUInt32BE(0) & LARGEST_WINDOW;
    if (more === 0) throw new ConnectionError(PROTOCOL_ERROR, 'window increment of 0');
    const stream = this.#streams.get(id);
    if (id === 0) this.#window += more;
    else if (stream) stream.window += more;
    if (this.#window > LARGEST_WINDOW) {
      throw new ConnectionError(FLOW_CONTROL_ERROR, 'flow-control window too large');
    }
    if (stream && stream.window > LARGEST_WINDOW) {
      this.#send(frame(RST_STREAM, 0, id, uint32(FLOW_CONTROL_ERROR)));
      this.#close(stream);
    }
    this.#pumpAll();
  }

  #close(stream: Stream): void {
    this.#streams.delete(stream.id);
    if (!stream.isReceived) this.#answeredEarly.add(stream.id);
    stream.isClosed = true;
    stream.pending = EMPTY;
    for (const tell of stream.whenTaken.splice(0)) tell();
  }

  #closed(): void {
    for (const stream of [...this.#streams.values()]) this.#close(stream);
    this.emit('close');
  }
}

/** Completes a request. */
function finish(stream: Stream): void {
  const { chunks } = stream;
  stream.isReceived = true;
  stream.onRequest(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
}

function checkFrame(type: number, id: number, payload: Buffer): void {
  const isOfStream = OF_STREAM[type];
  if (isOfStream !== undefined && isOfStream !== (id !== 0)) {
    throw new ConnectionError(PROTOCOL_ERROR, `frame of type ${type} on stream ${id}`);
  }
  const length = LENGTHS.get(type);
  if (length !== undefined && length !== payload.length) {
    throw new ConnectionError(
      FRAME_SIZE_ERROR,
      `invalid length of a frame of type ${type}: ${payload.length}`,
    );
  }
}

function checkPriority(id: number, payload: Buffer): void {
  if (payload.length < 5) throw new ConnectionError(FRAME_SIZE_ERROR, 'truncated priority fields');
  if ((payload.readUInt32BE(0) & LARGEST_WINDOW) === id) {
    throw new ConnectionError(PROTOCOL_ERROR, 'stream that depends on itself');
  }
}

function withoutPadding(flags: number, payload: Buffer): Buffer {
  if ((flags & PADDED) === 0) return payload;
  const padding = payload[0] ?? 0;
  if (padding >= payload.length) throw new ConnectionError(PROTOCOL_ERROR, 'padding longer than the frame');
  return payload.subarray(1, payload.length - padding);
}

function frame(type: number, flags: number, id: number, payload: Buffer): Buffer {
  return Buffer.concat([frameHeader(type, flags, id, payload.length), payload]);
}

function frameHeader(type: number, flags: number, id: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(FRAME_HEADER);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(id, 5);
  return header;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
