import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { ControlApi } from '../control/control-api';
import type { Fault, Faults } from '../control/faults';
import type { RequestLog } from '../control/request-log';
import type { EmulatedCluster } from '../cluster';
import { type ApiRequest, indexOf } from '../core/call';
import { LogicalError, settled } from '../core/errors';
import type { DataFolder } from '../data-folder';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { standbyAction } from '../nodes/standby';
import { Crashed } from '../replication/steps';
import { type HttpAnswer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import { replyAnswer, tidyRedirect } from './reply-answer';
import { type CompleteHttpRequest, isPrintable, namespaceHeader, readCall, readTarget } from './call-reader';
import { LIST_VERB, RECOVER_VERB } from './own-verbs';
import { isStatusPath, statusAnswer } from './status-routes';

/** The methods that are answered even if changes cannot be stored any more. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', LIST_VERB]);

/** The methods whose body is read. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', RECOVER_VERB]);

/** The operations whose responses have the header `X-Vault-Index`. */
const WRITES: ReadonlySet<ApiRequest['operation']> = new Set(['create', 'update', 'patch', 'delete']);

/** The answer to browsers that look for the server's user interface. */
const NO_UI: HttpAnswer = {
  status: 404,
  body: 'The emulator does not have the user interface of Vault. /emulator/ shows its clusters.\n',
  contentType: 'text/plain; charset=utf-8',
};

interface ResponderOptions {
  readonly cluster: EmulatedCluster;
  /** The node of the cluster that receives the requests. */
  readonly node: ClusterNode;
  readonly control: ControlApi;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Crashes the cluster and restarts it. */
  readonly crash: () => void;
  /** The folder that stores the data of the cluster. Default: data is kept in memory. */
  readonly data?: DataFolder;
}

/** A request in the form in which it was received, over HTTP or in the process. */
interface RawRequest {
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The file of an upload, in place of `body`. */
  readonly content?: Buffer | undefined;
  readonly remoteAddress: string;
}

/** Answers the requests to one node of a cluster. */
export class Responder {
  readonly #options: ResponderOptions;
  #cluster: EmulatedCluster;

  constructor(options: ResponderOptions) {
    this.#options = options;
    this.#cluster = options.cluster;
  }

  /** The cluster whose requests this responder answers. */
  get cluster(): EmulatedCluster {
    return this.#cluster;
  }

  /** Answers requests for another cluster object from now on: the restarted cluster. */
  restart(cluster: EmulatedCluster): void {
    this.#cluster = cluster;
  }

  /** @returns `undefined` if the connection is to be closed without an answer. */
  respond(raw: RawRequest): HttpAnswer | undefined | Promise<HttpAnswer | undefined> {
    const { body } = raw;
    const target = readTarget(raw.url);
    if (target === undefined) return isForBrowsers(raw.url) ? NO_UI : errorAnswer(404);
    if (!isPrintable(target.path)) return { status: 400, body: '', contentType: '' };
    const request = requestTo(target, raw);
    const began = performance.now();
    const faults = this.#options.faults.hitting({
      cluster: this.#cluster.name,
      method: shownMethod(request.method),
      path: target.path,
    });
    const answer =
      faults.length > 0 ? this.#answerWithFaults(request, body, faults) : this.#answer(request, body);
    if (answer instanceof Promise) return answer.then((awaited) => this.#logged(request, awaited, began));
    return this.#logged(request, answer, began);
  }

  /**
   * Whether the answer can depend on the body, according to the method, path, headers and token.
   *
   * @param message without its body.
   */
  needsBody(message: RawRequest): boolean {
    const target = readTarget(message.url);
    if (target === undefined || !isPrintable(target.path) || !WITH_BODY.has(message.method)) return false;
    const cluster = this.#cluster;
    const request = requestTo(target, message);
    if (this.#options.data?.failure !== undefined || tidyRedirect(request, cluster.server)) return false;
    if (isStatusPath(cluster, request)) return true;
    if (this.#options.node.isSealed) return false;
    try {
      const call = this.#readCall(request, message.body);
      if (this.#elsewhere(call, request) !== undefined) return false;
      cluster.checkHead(call);
      return true;
    } catch (error) {
      if (error instanceof LogicalError) return false;
      throw error;
    }
  }

  /** Answers a request to the control API, which is not part of the cluster. */
  async respondControl({ method, url, headers, body }: RawRequest): Promise<HttpAnswer> {
    const { control, data } = this.#options;
    return whenCommitted(await control.answer(this.#cluster, { method, url, headers, body }), data);
  }

  /** @returns `undefined` if the cluster crashed in the meantime. */
  #answer(
    request: CompleteHttpRequest,
    body: string,
  ): HttpAnswer | undefined | Promise<HttpAnswer | undefined> {
    const cluster = this.#cluster;
    const { data, node } = this.#options;
    try {
      if (data?.failure !== undefined && !READS.has(request.method)) return errorAnswer(500, data.failure);
      const early = tidyRedirect(request, cluster.server) ?? statusAnswer(cluster, request, body, node);
      if (early instanceof Promise) return early.then((answer) => whenCommitted(answer, data));
      if (early !== undefined) return READS.has(request.method) ? early : whenCommitted(early, data);
      if (node.isSealed) throw new LogicalError(503, 'Vault is sealed');
      const call = this.#readCall(request, body);
      if (isSealing(call) && cluster.nodes.all.length > 1) return this.#sealNode(call);
      const elsewhere = this.#elsewhere(call, request);
      if (elsewhere !== undefined) return elsewhere;
      const reply = cluster.handle(call);
      return reply instanceof Promise
        ? reply
            .then((awaited) => withIndex(replyAnswer(call, awaited, cluster.server), call, cluster))
            .catch((error: unknown) => refusalUnlessCrashed(error, cluster))
            .then((answer) => whenCommitted(answer, data))
        : whenCommitted(withIndex(replyAnswer(call, reply, cluster.server), call, cluster), data);
    } catch (error) {
      return whenCommitted(refusalUnlessCrashed(error, cluster), data);
    }
  }

  /** @throws LogicalError if the server refuses the request before it checks the token or path. */
  #readCall(request: CompleteHttpRequest, body: string): ApiRequest {
    const call = readCall(request, body, this.#cluster);
    if (call.namespace !== '' && !this.#cluster.server.enterprise)
      throw new LogicalError(403, 'namespaces feature not enabled');
    return call;
  }

  /**
   * Seals this node only.
   *
   * @throws LogicalError if the token is not allowed to, or the node does not support it.
   */
  #sealNode(call: ApiRequest): HttpAnswer {
    const { node } = this.#options;
    if (node.isStandby && !this.#cluster.server.enterprise)
      throw new LogicalError(500, 'vault cannot seal when in standby mode; please restart instead');
    this.#cluster.checkHead(call);
    this.#cluster.seal([node]);
    return { status: 204, body: '', contentType: '' };
  }

  /** Returns the redirect to another node; `undefined` if this node answers. */
  #elsewhere(call: ApiRequest, request: CompleteHttpRequest): HttpAnswer | undefined {
    const cluster = this.#cluster;
    return this.#options.node.isStandby && !cluster.sealed ? elsewhereFor(call, request, cluster) : undefined;
  }

  /** @returns `undefined` if the connection is to be closed without an answer. */
  async #answerWithFaults(
    request: CompleteHttpRequest,
    body: string,
    faults: readonly Fault[],
  ): Promise<HttpAnswer | undefined> {
    const latency = faults.reduce((sum, { latencyMs = 0 }) => sum + latencyMs, 0);
    if (latency > 0) await delay(latency);
    for (const { until } of faults) if (until !== undefined) await until;
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

  #logged(
    request: CompleteHttpRequest,
    answer: HttpAnswer | undefined,
    began: number,
  ): HttpAnswer | undefined {
    const cluster = this.#cluster;
    this.#options.log.record({
      time: cluster.clock.now(),
      cluster: cluster.name,
      method: shownMethod(request.method),
      path: request.path,
      namespace: namespaceHeader(request.headers),
      status: answer?.status ?? 0,
      duration: Math.round((performance.now() - began) * 100) / 100,
    });
    return answer;
  }
}

/**
 * Returns the request with its parsed target. It is written field by field, because spreading two
 * objects would take a tenth of the time of a request.
 */
function requestTo(
  { path, query }: Pick<CompleteHttpRequest, 'path' | 'query'>,
  { method, url, headers, remoteAddress, content }: RawRequest,
): CompleteHttpRequest {
  return { method, url, path, query, headers, remoteAddress, content };
}

/**
 * Returns a standby's redirect to the active node; `undefined` if it serves or forwards the
 * request.
 *
 * @throws LogicalError if the standby refuses the request.
 */
function elsewhereFor(
  call: ApiRequest,
  { url }: CompleteHttpRequest,
  cluster: EmulatedCluster,
): HttpAnswer | undefined {
  const { nodes, replication, server, tokens, wrapping } = cluster;
  const isBehind = nodes.standbysMiss(indexOf(call));
  const action = standbyAction({
    call,
    enterprise: server.enterprise,
    tokenIsCounted: (tokens.lookup(wrapping.tokenId(call.token))?.usesLeft ?? 0) > 0,
    isBehind,
    forwards: nodes.forwards,
  });
  if (action === 'serve') replication.admitToStandby(isBehind);
  if (action !== 'redirect') return undefined;
  return { status: 307, body: '', contentType: '', headers: { Location: nodes.active.address + url } };
}

function isSealing({ path, namespace, operation }: ApiRequest): boolean {
  return path === 'sys/seal' && namespace === '' && operation === 'update';
}

/** Adds the cluster's index to the answer to a write, as enterprise servers do. */
function withIndex(
  answer: HttpAnswer,
  { operation }: ApiRequest,
  { server, replication, nodes }: EmulatedCluster,
): HttpAnswer {
  if (!server.enterprise || !WRITES.has(operation) || answer.status >= 300) return answer;
  const { index } = replication;
  nodes.wrote(index);
  return { ...answer, headers: { ...answer.headers, 'X-Vault-Index': index } };
}

/**
 * Delays an answer until all changes before it are on disk: those of the request, and those of
 * other requests that the answer may show.
 */
function whenCommitted<A extends HttpAnswer | undefined>(
  answer: A,
  data: DataFolder | undefined,
): A | Promise<A | HttpAnswer> {
  const committed = data?.committed();
  if (committed === undefined) return answer;
  return committed.then(
    () => answer,
    (error: unknown) => errorAnswer(500, (error as Error).message),
  );
}

function refusalUnlessCrashed(error: unknown, { server }: EmulatedCluster): HttpAnswer | undefined {
  return error instanceof Crashed ? undefined : refusal(settled(error, server));
}

function shownMethod(method: string): string {
  if (method === RECOVER_VERB) return 'RECOVER';
  return method === LIST_VERB ? 'LIST' : method;
}

/** Whether a URL outside of the API is one at which a server has its user interface. */
function isForBrowsers(url: string): boolean {
  const [path = ''] = url.split('?');
  return ['/', '/ui'].includes(path) || path.startsWith('/ui/');
}
