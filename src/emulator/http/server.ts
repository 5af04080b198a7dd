import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Socket, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlApi, ControlRequest } from '../control/control-api';
import type { Fault, Faults } from '../control/faults';
import type { RequestLog } from '../control/request-log';
import type { Cluster } from '../cluster';
import { isThisMachine } from '../../model/clusters';
import { LogicalError, settled } from '../core/errors';
import type { DataFolder } from '../data-folder';
import { Crashed } from '../replication/steps';
import { type Answer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import { replyAnswer, tidyRedirect } from './reply-answer';
import { hasBody, readBody, type HttpRequest, readCall, readTarget } from './call-reader';
import { BrowserGuard } from './browser-guard';
import type { ServerCertificate } from './certificates';
import { acceptListVerb, LIST_VERB, trackResponse } from './list-verb';
import { statusAnswer } from './status-routes';

/** Clients keep connections for later use; the server keeps them longer than they do. */
const KEEP_ALIVE_MS = 300_000;

/** Methods that are answered even if nothing can be stored any more. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', LIST_VERB]);

interface ServerOptions {
  readonly cluster: Cluster;
  readonly control: ControlApi;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Crashes the cluster and starts it again. */
  readonly crash: () => void;
  /** Keeps what the cluster stores. Left out, memory does. */
  readonly data?: DataFolder;
  /** Answers over TLS with this certificate. */
  readonly certificate?: ServerCertificate;
  /** Names under which it may be called, beside those of the loopback interface. */
  readonly allowedHosts?: readonly string[];
  /** The address to listen on. */
  readonly bind: string;
}

/** Answers for one cluster over HTTP. */
export class ClusterServer {
  readonly #server: Server;
  #cluster: Cluster;
  readonly #sockets = new Set<Socket>();
  /** Those that wait for the control API, which is not part of the cluster. */
  readonly #controlSockets = new Set<Socket>();

  readonly #options: ServerOptions;
  readonly #guard: BrowserGuard;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#guard = new BrowserGuard(options.allowedHosts, !isThisMachine(options.bind));
    const { certificate, cluster } = options;
    this.#cluster = cluster;
    this.#server =
      certificate === undefined
        ? createServer()
        : createTlsServer({ cert: certificate.certificate, key: certificate.privateKey });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    acceptListVerb(this.#server);
    this.#server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('request', (request, response) => this.#accept(request, response));
  }

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#options.certificate === undefined ? 'http' : 'https'}://${hostFor(this.#options.bind)}:${port}`;
  }

  /** @param port 0 for any that is free. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.#options.bind, resolve);
    });
  }

  /** Drops the connections, and answers for a cluster that takes the place of the present one. */
  restart(cluster: Cluster): void {
    this.#cluster = cluster;
    for (const socket of this.#sockets) if (!this.#controlSockets.has(socket)) socket.destroy();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      // Those that wait for the rest of a verb are no connections to the server.
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    trackResponse(request, response);
    const refused = this.#guard.refusalOf(request);
    if (refused !== undefined) {
      // What else was sent is not read: the connection goes with the refusal.
      send(response, { ...refused, headers: { Connection: 'close' } });
      return;
    }
    if (hasBody(request)) {
      readBody(request, (body) => {
        if (body === undefined)
          send(response, errorAnswer(413, 'failed to parse JSON input: http: request body too large'));
        else this.#handle(request, response, body);
      });
    } else {
      this.#handle(request, response, '');
    }
  }

  #handle(message: IncomingMessage, response: ServerResponse, body: string): void {
    const { url = '', method = '', headers, socket } = message;
    if (this.#options.control.answersTo(url)) {
      void this.#answerControl({ method, url, headers, body }, socket, response);
      return;
    }
    const target = readTarget(url);
    if (target === undefined) {
      send(response, errorAnswer(404));
      return;
    }
    const request: HttpRequest = { method, ...target, headers, remoteAddress: socket.remoteAddress ?? '' };
    const faults = this.#options.faults.hitting({
      cluster: this.#cluster.name,
      method: shownMethod(method),
      path: target.path,
    });
    if (faults.length > 0) {
      void this.#answerWithFaults(request, body, faults).then((answer) =>
        this.#finish(request, response, answer),
      );
      return;
    }
    const answer = this.#answer(request, body);
    if (answer instanceof Promise) void answer.then((awaited) => this.#finish(request, response, awaited));
    else this.#finish(request, response, answer);
  }

  async #answerControl(request: ControlRequest, socket: Socket, response: ServerResponse): Promise<void> {
    this.#controlSockets.add(socket);
    const { control, data } = this.#options;
    const answer = await control.answer(this.#cluster, request);
    const committed = await whenCommitted(answer, data);
    this.#controlSockets.delete(socket);
    send(response, committed);
  }

  /** @returns `undefined` if the cluster crashed meanwhile. */
  #answer(request: HttpRequest, body: string): Answer | undefined | Promise<Answer | undefined> {
    const cluster = this.#cluster;
    const { data } = this.#options;
    try {
      if (data?.failure !== undefined && !READS.has(request.method)) return errorAnswer(500, data.failure);
      const early = tidyRedirect(request, cluster.server) ?? statusAnswer(cluster, request, body);
      if (early !== undefined) return READS.has(request.method) ? early : whenCommitted(early, data);
      const call = readCall(request, body);
      if (call.namespace !== '' && !cluster.server.enterprise) {
        throw new LogicalError(403, 'namespaces feature not enabled');
      }
      const reply = cluster.handle(call);
      return reply instanceof Promise
        ? reply
            .then((awaited) => replyAnswer(call, awaited, cluster.server))
            .catch((error: unknown) => refusalUnlessCrashed(error, cluster))
            .then((answer) => whenCommitted(answer, data))
        : whenCommitted(replyAnswer(call, reply, cluster.server), data);
    } catch (error) {
      return whenCommitted(refusalUnlessCrashed(error, cluster), data);
    }
  }

  /** @returns `undefined` if the connection is to be dropped. */
  async #answerWithFaults(
    request: HttpRequest,
    body: string,
    faults: readonly Fault[],
  ): Promise<Answer | undefined> {
    const latency = faults.reduce((sum, { latencyMs = 0 }) => sum + latencyMs, 0);
    if (latency > 0) await delay(latency);
    for (const { drop, crash, sealed, status, errors, retryAfter } of faults) {
      if (crash === 'before') this.#options.crash();
      if (drop === 'before' || crash === 'before') return undefined;
      if (sealed === true) return errorAnswer(503, 'Vault is sealed');
      if (status !== undefined) {
        return {
          ...jsonAnswer(status, { errors: errors ?? [] }),
          ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
        };
      }
    }
    const answer = await this.#answer(request, body);
    const isCrash = faults.some(({ crash }) => crash === 'after');
    if (isCrash) this.#options.crash();
    return isCrash || faults.some(({ drop }) => drop === 'after') ? undefined : answer;
  }

  #finish(request: HttpRequest, response: ServerResponse, answer: Answer | undefined): void {
    const { log } = this.#options;
    const cluster = this.#cluster;
    log.record({
      time: cluster.clock.now(),
      cluster: cluster.name,
      method: shownMethod(request.method),
      path: request.path,
      namespace: String(request.headers['x-vault-namespace'] ?? ''),
      status: answer?.status ?? 0,
    });
    if (answer === undefined) response.socket?.destroy();
    else send(response, answer);
  }
}

/** Holds an answer back until what the request has changed, or has seen of other requests, is on disk. */
function whenCommitted<A extends Answer | undefined>(
  answer: A,
  data: DataFolder | undefined,
): A | Promise<A | Answer> {
  const committed = data?.committed();
  if (committed === undefined) return answer;
  return committed.then(
    () => answer,
    (error: unknown) => errorAnswer(500, (error as Error).message),
  );
}

function refusalUnlessCrashed(error: unknown, { server }: Cluster): Answer | undefined {
  return error instanceof Crashed ? undefined : refusal(settled(error, server));
}

function shownMethod(method: string): string {
  return method === LIST_VERB ? 'LIST' : method;
}

function send(response: ServerResponse, { status, body, contentType, headers }: Answer): void {
  if (status === 204) {
    response.writeHead(204, { 'Cache-Control': 'no-store', ...headers }).end();
    return;
  }
  response
    .writeHead(status, {
      'Cache-Control': 'no-store',
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}

/** Listens on this machine alone. */
export const DEFAULT_BIND = '127.0.0.1';

/** The host by which this machine reaches what listens on an address, as in URLs. */
export function hostFor(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  if (bind === '::') return '[::1]';
  return isIPv6(bind) ? `[${bind}]` : bind;
}
