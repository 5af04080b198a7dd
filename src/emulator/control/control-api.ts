import type { IncomingHttpHeaders } from 'node:http';
import { DurationError, parseDuration } from '../../model';
import type { MovableClock } from '../core/primitives/clock';
import type { EmulatedCluster } from '../cluster';
import { LogicalError, invalidRequest, notFound } from '../core/errors';
import { type JsonObject, isJsonObject, parseJson } from '../core/primitives/json';
import { type HttpAnswer, jsonAnswer, refusal } from '../core/request/answer';
import { fullPath, storedSettingsOf } from '../stored-settings';
import { CONTROL_CALLS, OUT_OF_SCOPE } from './control-calls';
import { readFault, showFault } from './fault-fields';
import type { Faults } from './faults';
import type { RequestLog } from './request-log';
import { requireMethod } from './methods';
import { requireKnown } from './strict-fields';
import { own } from '../../text';

const PREFIX = '/emulator/v1/';
/**
 * The longest time that the clock moves at once: ten years. All timers that are due in this time
 * run one after the other.
 */
const LONGEST_ADVANCE_SECONDS = 10 * 366 * 86_400;

interface ControlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Controlled {
  readonly cluster: EmulatedCluster;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The path after the route. */
  readonly rest: string;
}

/** The clusters of the emulator, by name. A crash replaces a cluster. */
export type EmulatedClusters = ReadonlyMap<string, { readonly cluster: EmulatedCluster }>;

/** An action of the API. The result is sent as JSON; without a result, the status is 204. */
type Action = (request: Controlled) => object | void | Promise<object | void>;

/**
 * The emulator's own API, next to the server's: faults, clock and requests. It requires the root
 * token of the cluster that receives the request. Faults and requests belong to the receiving
 * cluster, or to the cluster that the query names; all clusters share the clock.
 */
export class ControlApi {
  readonly #actions: Readonly<Record<string, Action>> = {
    'GET ': ({ cluster }) => showCalls(cluster),
    'GET faults': () => ({ faults: this.#faults.list().map(showFault) }),
    'POST faults': ({ cluster, body }) => ({ id: this.#faults.inject(readFault(body, cluster.name)) }),
    'DELETE faults': () => this.#faults.clear(),
    'DELETE faults/': ({ rest }) => this.#clearFault(rest),
    'GET clock': () => this.#showClock(),
    'POST clock/advance': ({ body }) => this.#advance(body),
    'POST clock/freeze': () => this.#freeze(),
    'POST clock/resume': () => this.#resume(),
    'GET requests': ({ cluster, query }) => this.#showRequests(cluster, query),
    'DELETE requests': () => this.#log.clear(),
    'POST seal': ({ cluster }) => cluster.seal(),
    'POST unseal': ({ cluster }) => cluster.unseal(),
    'GET policy-failures': ({ cluster }) => ({ failures: cluster.policyFailures.list() }),
  };

  readonly #clock: MovableClock;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #clusters: EmulatedClusters;
  /** Further actions by method and route. A route that ends with a slash matches longer paths. */
  readonly #more: Readonly<Record<string, Action>>;

  constructor(
    clock: MovableClock,
    faults: Faults,
    log: RequestLog,
    clusters: EmulatedClusters,
    more: Readonly<Record<string, Action>> = {},
  ) {
    this.#clock = clock;
    this.#faults = faults;
    this.#log = log;
    this.#clusters = clusters;
    this.#more = more;
  }

  /** Whether the path of a request belongs to this API. */
  answersTo(url: string): boolean {
    return url.startsWith(PREFIX);
  }

  /** Whether a request has the token that this API requires. */
  admits({ rootToken }: Pick<EmulatedCluster, 'rootToken'>, headers: IncomingHttpHeaders): boolean {
    return headers['x-vault-token'] === rootToken;
  }

  /**
   * Handles a request.
   *
   * @param asked the cluster that received the request.
   */
  async answer(asked: EmulatedCluster, { method, url, headers, body }: ControlRequest): Promise<HttpAnswer> {
    try {
      const { pathname, searchParams } = new URL(url, 'http://emulator');
      if (!this.admits(asked, headers)) throw new LogicalError(403, 'the root token is required');
      const { route, action, rest } = this.#find(`${method} ${pathname.slice(PREFIX.length)}`);
      const given = readBody(body);
      checkNames(route, given, searchParams);
      const cluster = this.#clusterNamed(searchParams.get('cluster')) ?? asked;
      const result = await action({ cluster, query: searchParams, body: given, rest });
      return result === undefined ? { status: 204, body: '', contentType: '' } : jsonAnswer(200, result);
    } catch (error) {
      return refusal(error);
    }
  }

  #clusterNamed(name: string | null): EmulatedCluster | undefined {
    if (name === null || this.#clusters.has(name)) return this.#clusters.get(name ?? '')?.cluster;
    throw invalidRequest(
      `cluster: ${JSON.stringify(name)} is unknown; there are ${[...this.#clusters.keys()].join(', ')}`,
    );
  }

  #find(target: string): { route: string; action: Action; rest: string } {
    for (const [route, action] of Object.entries({ ...this.#actions, ...this.#more })) {
      if (target === route) return { route, action, rest: '' };
      if (route.endsWith('/') && target.startsWith(route))
        return { route, action, rest: target.slice(route.length) };
    }
    throw notFound();
  }

  #showClock(): object {
    return { now: new Date(this.#clock.now()).toISOString(), frozen: this.#clock.frozen };
  }

  #clearFault(id: string): void {
    if (!this.#faults.list().some((each) => each.id === id)) throw notFound();
    this.#faults.clear(id);
  }

  /** Responds when all timers that were due have run. */
  async #advance({ by }: JsonObject): Promise<object> {
    if (typeof by !== 'string' && typeof by !== 'number') {
      throw invalidRequest('by: missing; allowed are seconds, or a duration such as "1h30m"');
    }
    const seconds = duration(by);
    if (seconds < 0) throw invalidRequest(`by: "${by}" is negative; the clock only moves forward`);
    if (!(seconds <= LONGEST_ADVANCE_SECONDS))
      throw invalidRequest(`by: ${JSON.stringify(by)} is too long; allowed are up to 10 years at a time`);
    this.#clock.advance(seconds * 1000);
    await this.#clock.settled();
    return this.#showClock();
  }

  #freeze(): object {
    this.#clock.freeze();
    return this.#showClock();
  }

  #resume(): object {
    this.#clock.resume();
    return this.#showClock();
  }

  #showRequests(cluster: EmulatedCluster, query: URLSearchParams): object {
    const method = query.get('method') ?? undefined;
    if (method !== undefined) requireMethod(method);
    const path = query.get('path') ?? undefined;
    const filter = { cluster: cluster.name, method, path };
    const requests = this.#log.list(filter);
    return { total: requests.length, counts: this.#log.counts(filter), requests };
  }
}

/** Returns all calls of this API, and the server's settings that the emulator only stores. */
function showCalls(cluster: EmulatedCluster): object {
  return {
    calls: Object.entries(CONTROL_CALLS).map(([route, { doc, body, query }]) => {
      const [method = '', path = ''] = route.split(' ');
      return { method, path: `${PREFIX}${path}`, doc, body, query };
    }),
    stored_without_effect: storedSettingsOf(cluster)
      .filter(({ hasEffect }) => !hasEffect)
      .map((setting) => ({ path: fullPath(setting), what: setting.what })),
    out_of_scope: OUT_OF_SCOPE.map(({ path, reason }) => ({ path, reason })),
  };
}

/**
 * @throws LogicalError 400 if the body or the query has a name that the call does not know, or the
 *   query has a name twice.
 */
function checkNames(route: string, body: JsonObject, query: URLSearchParams): void {
  const {
    body: fields = {},
    query: parameters = {},
    hasOtherNames = false,
  } = own(CONTROL_CALLS, route) ?? {};
  if (!hasOtherNames) requireKnown('field', Object.keys(body), Object.keys(fields));
  const names = [...query.keys()];
  requireKnown('parameter', names, ['cluster', ...Object.keys(parameters)]);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidRequest(`parameter "${repeated}" is there more than once`);
}

function readBody(body: string): JsonObject {
  const value = body === '' ? {} : parseOrRefuse(body);
  if (!isJsonObject(value)) throw invalidRequest('the body is not a JSON object');
  return value;
}

function parseOrRefuse(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    throw invalidRequest('the body is not valid JSON');
  }
}

function duration(value: string | number): number {
  try {
    return parseDuration(value);
  } catch (error) {
    throw error instanceof DurationError ? invalidRequest(`by: ${error.message}`) : error;
  }
}
