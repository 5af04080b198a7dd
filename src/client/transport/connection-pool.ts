import * as http from 'node:http';
import type * as https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { Exchange, WireRequest } from './exchange';

/**
 * The maximum number of connections to one origin. Terraform runs 10 operations at once by default.
 */
export const MAX_CONNECTIONS = 32;
/** The milliseconds to wait for TCP and TLS connections. */
export const CONNECT_TIMEOUT = 10_000;
/** The milliseconds for which an idle connection is kept, unless the server announces fewer. */
export const KEEP_ALIVE = 30_000;

const AGENT_OPTIONS: http.AgentOptions = {
  keepAlive: true,
  /** The milliseconds after which the system tests whether the other side still exists. */
  keepAliveInitialDelay: 60_000,
  maxSockets: MAX_CONNECTIONS,
  timeout: KEEP_ALIVE,
};

interface PoolOptions {
  readonly origin: string;
  /** The path of the socket if the server listens on one. */
  readonly socketPath: string | undefined;
  /** The options of TLS for an origin that uses it. */
  readonly tls: ConnectionOptions | undefined;
}

/**
 * The connections to one server over HTTP/1.1, each with one request at a time. Requests wait while
 * all of them are in use.
 */
export class ConnectionPool {
  readonly #target: http.RequestOptions;
  readonly #request: typeof http.request;
  readonly #agent: http.Agent;
  /** The connections that are open: TCP, and TLS if it is used. */
  readonly #open = new WeakSet<Socket>();
  readonly #openEvent: string;

  constructor({ origin, socketPath, tls }: PoolOptions) {
    const { hostname, port } = new URL(origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    this.#target = socketPath === undefined ? { host, port } : { socketPath };
    this.#openEvent = tls === undefined ? 'connect' : 'secureConnect';
    if (tls === undefined) {
      this.#request = http.request;
      this.#agent = new http.Agent(AGENT_OPTIONS);
    } else {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- plain HTTP does not need TLS
      const { Agent, request } = require('node:https') as typeof https;
      const servername = tls.servername ?? (isIP(host) ? '' : host);
      this.#request = request;
      this.#agent = new Agent({ ...AGENT_OPTIONS, ...tls, servername });
    }
  }

  /**
   * Sends a request as soon as there is a connection.
   *
   * @throws Error if it contains characters that cannot be sent.
   */
  dispatch({ method, path, headers, body }: WireRequest, exchange: Exchange): void {
    const request = this.#request({
      ...this.#target,
      agent: this.#agent,
      method,
      path,
      headers,
    });
    request.on('error', (error) => exchange.onResponseError(undefined, error));
    request.on('response', (response) => receive(response, request, exchange));
    request.on('socket', (socket) =>
      this.#whenOpen(socket, request, () => {
        exchange.onRequestStart({ abort: (reason) => request.destroy(reason) });
        if (request.destroyed) return;
        if (typeof body === 'function') upload(body(), request);
        // With a string as the body, Node.js would encode the headers as UTF-8 as well.
        else request.end(Buffer.from(body ?? ''));
      }),
    );
  }

  /** Closes all connections. Their exchanges must have ended. */
  destroy(): void {
    this.#agent.destroy();
  }

  /** Calls back when the connection of a request is open, before it is written to. */
  #whenOpen(socket: Socket, request: http.ClientRequest, callback: () => void): void {
    if (this.#open.has(socket)) return callback();
    const error = new Error(`no connection within ${CONNECT_TIMEOUT / 1000} s`);
    const timer = setTimeout(() => request.destroy(error), CONNECT_TIMEOUT);
    request.once('close', () => clearTimeout(timer));
    socket.once(this.#openEvent, () => {
      clearTimeout(timer);
      this.#open.add(socket);
      callback();
    });
  }
}

function upload(body: Readable, request: http.ClientRequest): void {
  body.on('error', (error) => request.destroy(error));
  request.on('close', () => body.destroy());
  body.pipe(request);
}

function receive(response: http.IncomingMessage, request: http.ClientRequest, exchange: Exchange): void {
  exchange.onResponseStart(undefined, response.statusCode!, response.headers);
  response.on('data', (part: Buffer) => exchange.onResponseData(undefined, part));
  response.on('error', (error) => exchange.onResponseError(undefined, error));
  response.on('end', () => {
    // The server has answered before the end of an upload.
    if (!request.writableEnded) request.destroy();
    exchange.onResponseEnd();
  });
}
