import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Socket, isIPv6 } from 'node:net';
import type { ControlApi } from '../control/control-api';
import { isThisMachine } from '../../model/clusters';
import { type HttpAnswer, errorAnswer } from '../core/request/answer';
import { type RequestBody, hasBody, readBody } from './body-reader';
import { isUpload } from './call-reader';
import { BrowserGuard } from './browser-guard';
import type { ServerCertificate } from './certificates';
import { acceptOwnVerbs, trackResponse } from './own-verbs';
import type { Responder } from './responder';
import { pageAsset, PAGE_HEADERS } from '../../view/page/assets';

const PREFIX = '/emulator/';
/** The control API, which the page uses. */
const API = `${PREFIX}v1/`;

/** The server keeps idle connections open for longer than clients do. */
const KEEP_ALIVE_MS = 300_000;

const NO_BODY: RequestBody = { body: '' };
const TOO_LONG = 'failed to parse JSON input: http: request body too large';

interface ServerOptions {
  readonly responder: Responder;
  readonly control: ControlApi;
  /** The certificate for TLS. */
  readonly certificate?: ServerCertificate;
  /** Host names of the emulator, besides those of the loopback interface. */
  readonly allowedHosts?: readonly string[];
  /** The address to listen on. */
  readonly bind: string;
}

/** Answers HTTP requests for one cluster. */
export class ClusterServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /**
   * The connections with a request to the control API, which remain open if the cluster crashes.
   */
  readonly #controlSockets = new Set<Socket>();

  readonly #options: ServerOptions;
  readonly #guard: BrowserGuard;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#guard = new BrowserGuard(options.allowedHosts, !isThisMachine(options.bind));
    const { certificate } = options;
    this.#server =
      certificate === undefined
        ? createServer()
        : createTlsServer({ cert: certificate.certificate, key: certificate.privateKey });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    acceptOwnVerbs(this.#server);
    this.#server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('request', (request, response) => this.#accept(request, response));
    // The client sends the body only after it has received the status 100.
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#needsBody(request)) response.writeContinue();
      this.#accept(request, response);
    });
  }

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#options.certificate === undefined ? 'http' : 'https'}://${hostFor(this.#options.bind)}:${port}`;
  }

  /** @param port 0 for any free port. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.#options.bind, resolve);
    });
  }

  /** Closes the connections, except those to the control API. */
  dropConnections(): void {
    for (const socket of this.#sockets) if (!this.#controlSockets.has(socket)) socket.destroy();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      // Sockets with an incomplete method are not among the server's connections.
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    trackResponse(request, response);
    const refused = this.#guard.refusalOf(request);
    if (refused !== undefined) {
      // The rest of the request is not read, so the connection is closed.
      send(response, { ...refused, headers: { Connection: 'close' } });
      return;
    }
    if (!hasBody(request)) {
      this.#handle(request, response, NO_BODY);
      return;
    }
    const reading = { isUpload: isUpload(request), isNeeded: () => this.#needsBody(request) };
    readBody(request, reading, (body) => {
      if (body === 'too long') send(response, errorAnswer(413, TOO_LONG));
      else this.#handle(request, response, body === 'unneeded' ? NO_BODY : body);
    });
  }

  /** Whether the answer can depend on the body, according to the head of the request. */
  #needsBody({ method = '', url = '', headers, socket }: IncomingMessage): boolean {
    const { control, responder } = this.#options;
    if (pageAnswer(method, url) !== undefined) return false;
    if (control.answersTo(url)) return control.admits(responder.cluster, headers);
    return responder.needsBody({ method, url, headers, body: '', remoteAddress: socket.remoteAddress ?? '' });
  }

  #handle(message: IncomingMessage, response: ServerResponse, body: RequestBody): void {
    const { url = '', method = '', headers, socket } = message;
    const request = { method, url, headers, ...body, remoteAddress: socket.remoteAddress ?? '' };
    const { control, responder } = this.#options;
    const page = pageAnswer(method, url);
    if (page !== undefined) {
      finish(response, page);
      return;
    }
    if (control.answersTo(url)) {
      this.#controlSockets.add(socket);
      void responder.respondControl(request).then((answer) => {
        this.#controlSockets.delete(socket);
        finish(response, answer);
      });
      return;
    }
    const answer = responder.respond(request);
    if (answer instanceof Promise) void answer.then((awaited) => finish(response, awaited));
    else finish(response, answer);
  }
}

function finish(response: ServerResponse, answer: HttpAnswer | undefined): void {
  if (answer === undefined) response.socket?.destroy();
  else send(response, answer);
}

function send(response: ServerResponse, { status, body, file, contentType, headers }: HttpAnswer): void {
  if (status === 204) {
    response.writeHead(204, { 'Cache-Control': 'no-store', ...typeHeader(contentType), ...headers }).end();
    return;
  }
  response
    .writeHead(status, {
      'Cache-Control': 'no-store',
      ...typeHeader(contentType),
      'Content-Length': file?.length ?? Buffer.byteLength(body),
      ...headers,
    })
    .end(file ?? body);
}

function typeHeader(contentType: string): Record<string, string> {
  return contentType === '' ? {} : { 'Content-Type': contentType };
}

/** The loopback address, which only this machine can reach. */
export const DEFAULT_BIND = '127.0.0.1';

/** Returns the host for URLs of this machine, for a server that listens on the address. */
export function hostFor(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  if (bind === '::') return '[::1]';
  return isIPv6(bind) ? `[${bind}]` : bind;
}

/**
 * Serves the page that shows the clusters. It needs no token, since its files do not contain data
 * of the clusters.
 *
 * @returns `undefined` for other paths.
 */
function pageAnswer(method: string, url: string): HttpAnswer | undefined {
  const path = url.replace(/\?.*/s, '');
  if (path === '/emulator') return { status: 307, body: '', contentType: '', headers: { Location: PREFIX } };
  if (!path.startsWith(PREFIX) || path.startsWith(API)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return errorAnswer(405);
  const asset = pageAsset('emulator', path.slice(PREFIX.length));
  if (asset === undefined) return errorAnswer(404);
  return { status: 200, body: asset.content, contentType: asset.contentType, headers: PAGE_HEADERS };
}
