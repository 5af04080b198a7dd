import { connect as connectPlain, isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { connect as connectWithTls, ConnectionOptions } from 'node:tls';
import { AnswerReader } from './answer-reader';
import type { Exchange, WireRequest } from './exchange';

/**
 * The maximum number of connections to one origin. Terraform runs 10 operations at once by default.
 */
export const MAX_CONNECTIONS = 32;
/** The milliseconds to wait for TCP and TLS connections. */
export const CONNECT_TIMEOUT = 10_000;
/** The milliseconds after which the system tests whether the other side still exists. */
const PROBE_AFTER = 60_000;

const INVALID_TARGET = /[^\x21-\x7e]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Matches what would begin another header. */
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
/** The methods of which servers expect a length, even without a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH']);

interface PoolOptions {
  readonly origin: string;
  /** The path of the socket if the server listens on one. */
  readonly socketPath: string | undefined;
  /** The options of TLS for an origin that uses it. */
  readonly tls: ConnectionOptions | undefined;
}

/** An encoded request with the exchange that receives its answer. */
interface Job {
  readonly exchange: Exchange;
  /** The head, and the body if it is a text. */
  readonly bytes: Buffer;
  readonly upload: (() => Readable) | undefined;
}

/**
 * The connections to one server over HTTP/1.1, each with one request at a time. Requests wait while
 * all of them are in use.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #host: string;
  readonly #connections = new Set<Connection>();
  readonly #free: Connection[] = [];
  readonly #waiting: Job[] = [];
  #opening = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#host = new URL(options.origin).host;
  }

  /**
   * Sends a request as soon as there is a connection.
   *
   * @throws Error if it contains characters that cannot be sent.
   */
  dispatch({ method, path, headers, body }: WireRequest, exchange: Exchange): void {
    const upload = typeof body === 'function' ? body : undefined;
    const content = typeof body === 'string' ? Buffer.from(body) : Buffer.alloc(0);
    const length =
      upload !== undefined
        ? 'transfer-encoding: chunked\r\n'
        : body !== undefined || WITH_BODY.has(method)
          ? `content-length: ${content.length}\r\n`
          : '';
    const head = `${headOf(method, path, this.#host, headers)}${length}\r\n`;
    this.#waiting.push({
      exchange,
      bytes: Buffer.concat([Buffer.from(head, 'latin1'), content]),
      upload,
    });
    this.#serve();
  }

  /** Opens a connection for the next request, unless there is one. */
  prepare(): void {
    if (this.#connections.size === 0) this.#open();
  }

  /** Closes all connections. Their exchanges must have ended. */
  destroy(): void {
    this.#waiting.length = 0;
    for (const connection of this.#connections) connection.destroy();
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#free.pop();
      if (!connection) break;
      if (!connection.start(this.#waiting.shift()!)) this.#free.push(connection);
    }
    while (this.#opening < this.#waiting.length && this.#connections.size < MAX_CONNECTIONS) this.#open();
  }

  #open(): void {
    let isOpen = false;
    this.#opening += 1;
    const connection: Connection = new Connection(
      openSocket(this.#options),
      this.#options.tls !== undefined,
      {
        onFree: () => {
          if (!isOpen) this.#opening -= 1;
          isOpen = true;
          this.#free.push(connection);
          this.#serve();
        },
        onClose: (error) => {
          this.#connections.delete(connection);
          const index = this.#free.indexOf(connection);
          if (index !== -1) this.#free.splice(index, 1);
          if (!isOpen) {
            this.#opening -= 1;
            this.#waiting.shift()?.exchange.onResponseError(undefined, error);
          }
          this.#serve();
        },
      },
    );
    this.#connections.add(connection);
  }
}

interface ConnectionEvents {
  /** Called when the connection can take a request. */
  readonly onFree: () => void;
  readonly onClose: (error: Error) => void;
}

/** A connection that has at most one request. */
class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #job: Job | undefined;
  #reader: AnswerReader | undefined;
  /** The body that is being sent. */
  #upload: Readable | undefined;
  #error: Error | undefined;

  constructor(socket: Socket, isTls: boolean, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, PROBE_AFTER);
    const seconds = CONNECT_TIMEOUT / 1000;
    const timer = setTimeout(
      () => this.#fail(new Error(`no connection within ${seconds} s`)),
      CONNECT_TIMEOUT,
    );
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      this.#release();
    });
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('timeout', () => socket.destroy());
    socket.on('end', () => this.#receiveEnd());
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      clearTimeout(timer);
      this.#fail(new Error('other side closed'));
      events.onClose(this.#error!);
    });
  }

  /** Sends a request. Returns whether it was still wanted. */
  start(job: Job): boolean {
    let isWanted = true;
    const abort = () => {
      isWanted = false;
      if (this.#job === job) this.destroy();
    };
    job.exchange.onRequestStart({ abort });
    if (!isWanted) return false;
    this.#job = job;
    this.#reader = new AnswerReader({
      onHead: (status, headers) => job.exchange.onResponseStart(undefined, status, headers),
      onBody: (part) => job.exchange.onResponseData(undefined, part),
    });
    this.#socket.setTimeout(0);
    this.#socket.ref();
    this.#socket.write(job.bytes);
    if (job.upload) {
      this.#upload = job.upload();
      void this.#send(this.#upload);
    }
    return true;
  }

  destroy(): void {
    this.#upload?.destroy();
    this.#job = undefined;
    this.#socket.destroy();
  }

  /** Sends a body whose length is not known. */
  async #send(body: Readable): Promise<void> {
    try {
      for await (const part of body as AsyncIterable<Buffer>) {
        if (part.length === 0) continue;
        this.#socket.write(`${part.length.toString(16)}\r\n`);
        this.#socket.write(part);
        if (!this.#socket.write('\r\n')) await drained(this.#socket);
      }
      this.#socket.write('0\r\n\r\n');
      this.#upload = undefined;
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #receive(bytes: Buffer): void {
    if (!this.#reader) return this.#fail(new Error('the server sent an answer without a request'));
    try {
      this.#reader.read(bytes);
    } catch (error) {
      return this.#fail(error as Error);
    }
    if (this.#reader.isComplete) this.#finish(this.#reader.keepAlive);
  }

  #receiveEnd(): void {
    this.#reader?.readEnd();
    if (this.#reader?.isComplete) this.#finish(0);
  }

  #finish(keepAlive: number): void {
    const job = this.#job;
    this.#job = undefined;
    this.#reader = undefined;
    if (keepAlive === 0 || this.#upload) {
      this.destroy();
    } else {
      this.#socket.setTimeout(keepAlive);
      this.#release();
    }
    job?.exchange.onResponseEnd();
  }

  #release(): void {
    // An idle connection does not keep the process running.
    this.#socket.unref();
    this.#events.onFree();
  }

  #fail(error: Error): void {
    this.#error ??= error;
    const job = this.#job;
    this.destroy();
    job?.exchange.onResponseError(undefined, error);
  }
}

/** Resolves when more can be written, or never will be. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end);
      socket.off('close', end);
      resolve();
    };
    socket.on('drain', end);
    socket.on('close', end);
  });
}

function openSocket({ origin, socketPath, tls }: PoolOptions): Socket {
  const { hostname, port } = new URL(origin);
  if (socketPath !== undefined) return connectPlain({ path: socketPath });
  const host = hostname.replace(/^\[|\]$/g, '');
  if (tls === undefined) return connectPlain({ host, port: Number(port || 80) });
  const servername = tls.servername ?? (isIP(host) ? undefined : host);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- plain HTTP does not need TLS
  const { connect } = require('node:tls') as { connect: typeof connectWithTls };
  return connect({ ...tls, servername, host, port: Number(port || 443), ALPNProtocols: ['http/1.1'] });
}

/** Returns the head of a request, to which the length of the body is added. */
function headOf(method: string, path: string, host: string, headers: readonly string[]): string {
  if (INVALID_TARGET.test(path))
    throw new Error('the path of the request has characters that cannot be sent');
  let lines = '';
  let sendsHost = false;
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    if (!NAME.test(name)) throw new Error('the name of a header has characters that cannot be sent');
    if (INVALID_VALUE.test(value)) throw new Error(`the header ${name} has characters that cannot be sent`);
    if (name.toLowerCase() === 'host') sendsHost = true;
    lines += `${name}: ${value}\r\n`;
  }
  return `${method} ${path} HTTP/1.1\r\n${sendsHost ? '' : `host: ${host}\r\n`}connection: keep-alive\r\n${lines}`;
}
