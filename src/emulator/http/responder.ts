import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { ControlApi } from '../control/control-api';
import type { Fault, Faults } from '../control/faults';
import type { RequestLog } from '../control/request-log';
import type { Cluster } from '../cluster';
import { type Call, indexOf } from '../core/call';
import { LogicalError, settled } from '../core/errors';
import type { DataFolder } from '../data-folder';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { wayOf } from '../nodes/standby';
import { Crashed } from '../replication/steps';
import { type Answer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import { replyAnswer, tidyRedirect } from './reply-answer';
import { type HttpRequest, isPrintable, namespaceHeader, readCall, readTarget } from './call-reader';
import { LIST_VERB, RECOVER_VERB } from './own-verbs';
import { isStatusPath, statusAnswer } from './status-routes';

/** Methods that are answered even if nothing can be stored any more. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', LIST_VERB]);

/** Methods whose body is looked at. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', RECOVER_VERB]);

/** Operations after which the answer tells how far the cluster is. */
const WRITES: ReadonlySet<Call['operation']> = new Set(['create', 'update', 'patch', 'delete']);

interface ResponderOptions {
  readonly cluster: Cluster;
  /** The node of the cluster that is asked. */
  readonly node: ClusterNode;
  readonly control: ControlApi;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Crashes the cluster and starts it again. */
  readonly crash: () => void;
  /** Keeps what the cluster stores. Left out, memory does. */
  readonly data?: DataFolder;
}

/** A request as it came, whatever way it came. */
interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** In place of `body`: a file that is uploaded. */
  readonly content?: Buffer;
  readonly remoteAddress: string;
}

/** Answers the requests to one node of a cluster. */
export class Responder {
  readonly #options: ResponderOptions;
  #cluster: Cluster;

  constructor(options: ResponderOptions) {
    this.#options = options;
    this.#cluster = options.cluster;
  }

  /** The cluster that it answers for. */
  get cluster(): Cluster {
    return this.#cluster;
  }

  /** Answers from now on for a cluster that takes the place of the present one. */
  restart(cluster: Cluster): void {
    this.#cluster = cluster;
  }

  /** @returns `undefined` if the connection is to be dropped. */
  respond({ body, ...message }: RawRequest): Answer | undefined | Promise<Answer | undefined> {
    const target = readTarget(message.url);
    if (target === undefined) return errorAnswer(404);
    if (!isPrintable(target.path)) return { status: 400, body: '', contentType: '' };
    const request: HttpRequest = { ...message, ...target };
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
   * Whether the answer to a request can depend on its body, judged by its method, path, headers and token.
   *
   * @param message without its body.
   */
  needsBody({ body, ...message }: RawRequest): boolean {
    const target = readTarget(message.url);
    if (target === undefined || !isPrintable(target.path) || !WITH_BODY.has(message.method)) return false;
    const cluster = this.#cluster;
    const request: HttpRequest = { ...message, ...target };
    if (this.#options.data?.failure !== undefined || tidyRedirect(request, cluster.server)) return false;
    if (isStatusPath(cluster, request)) return true;
    if (this.#options.node.isSealed) return false;
    try {
      const call = this.#readCall(request, body);
      if (this.#elsewhere(call, request) !== undefined) return false;
      cluster.checkHead(call);
      return true;
    } catch (error) {
      if (error instanceof LogicalError) return false;
      throw error;
    }
  }

  /** Answers a request to the control API, which is not part of the cluster. */
  async respondControl({ method, url, headers, body }: RawRequest): Promise<Answer> {
    const { control, data } = this.#options;
    return whenCommitted(await control.answer(this.#cluster, { method, url, headers, body }), data);
  }

  /** @returns `undefined` if the cluster crashed meanwhile. */
  #answer(request: HttpRequest, body: string): Answer | undefined | Promise<Answer | undefined> {
    const cluster = this.#cluster;
    const { data, node } = this.#options;
    try {
      if (data?.failure !== undefined && !READS.has(request.method)) return errorAnswer(500, data.failure);
      const early = tidyRedirect(request, cluster.server) ?? statusAnswer(cluster, request, body, node);
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

  /** @throws LogicalError if the server refuses the request before looking at token or path. */
  #readCall(request: HttpRequest, body: string): Call {
    const call = readCall(request, body, this.#cluster);
    if (call.namespace !== '' && !this.#cluster.server.enterprise)
      throw new LogicalError(403, 'namespaces feature not enabled');
    return call;
  }

  /** Seals this node alone. @throws LogicalError if the token may not, or the node cannot. */
  #sealNode(call: Call): Answer {
    const { node } = this.#options;
    if (node.isStandby && !this.#cluster.server.enterprise)
      throw new LogicalError(500, 'vault cannot seal when in standby mode; please restart instead');
    this.#cluster.checkHead(call);
    this.#cluster.seal([node]);
    return { status: 204, body: '', contentType: '' };
  }

  /** Where this node sends the client instead of answering; `undefined` if it answers. */
  #elsewhere(call: Call, request: HttpRequest): Answer | undefined {
    const cluster = this.#cluster;
    return this.#options.node.isStandby && !cluster.sealed ? elsewhereFor(call, request, cluster) : undefined;
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

  #logged(request: HttpRequest, answer: Answer | undefined, began: number): Answer | undefined {
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
 * Where a standby sends a client for what it neither serves nor forwards; `undefined` if it does one of them.
 *
 * @throws LogicalError if the standby refuses the request.
 */
function elsewhereFor(call: Call, { url }: HttpRequest, cluster: Cluster): Answer | undefined {
  const { nodes, replication, server, tokens, wrapping } = cluster;
  const isBehind = nodes.standbysMiss(indexOf(call));
  const way = wayOf({
    call,
    enterprise: server.enterprise,
    tokenIsCounted: (tokens.lookup(wrapping.tokenId(call.token))?.usesLeft ?? 0) > 0,
    isBehind,
    forwards: nodes.forwards,
  });
  if (way === 'serve') replication.admitToStandby(isBehind);
  if (way !== 'redirect') return undefined;
  return { status: 307, body: '', contentType: '', headers: { Location: nodes.active.address + url } };
}

function isSealing({ path, namespace, operation }: Call): boolean {
  return path === 'sys/seal' && namespace === '' && operation === 'update';
}

/** After a write, enterprise servers say how far they are. */
function withIndex(answer: Answer, { operation }: Call, { server, replication, nodes }: Cluster): Answer {
  if (!server.enterprise || !WRITES.has(operation) || answer.status >= 300) return answer;
  const { index } = replication;
  nodes.wrote(index);
  return { ...answer, headers: { ...answer.headers, 'X-Vault-Index': index } };
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
  if (method === RECOVER_VERB) return 'RECOVER';
  return method === LIST_VERB ? 'LIST' : method;
}
