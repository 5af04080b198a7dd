import { setMaxListeners } from 'node:events';
import { describesMissing, isMissing, isSuccess, readAnswer, type ServerAnswer } from '../answer/answer';
import { visibleLines } from '../../text';
import { openEnvelope } from '../answer/envelope';
import type { VaultResponse } from '../answer/responses';
import { NOT_A_SERVER, problemOfAnswer } from '../errors/answer-messages';
import { problemOfFailure, throughProxy } from '../errors/failure-messages';
import { callError, type CallProblem } from '../errors/call-error';
import { redactorOf, redactPath } from '../errors/redact';
import { VaultError } from '../vault-error';
import { SETTING, type ClientOptions } from '../options/client-options';
import { limit, sentAlong, type Settings } from '../options/client-settings';
import { pause, type ServerConnection } from '../transport/server-connection';
import type { WireRequest } from '../transport/exchange';
import { callToRead, type ClientCall } from '../call-options';
import {
  isRedirect,
  redirectedAgain,
  redirectedElsewhere,
  redirectsDisabled,
  redirectTarget,
} from './redirect';
import { mayTryAgain, waitBeforeNextTry } from './retry';
import { commonHeaders, encodePath, wireRequest } from './wire-request';

/** The maximum number of warnings that are reported for an answer, and of characters of each. */
const MAX_WARNINGS = 100;
const MAX_WARNING = 16 * 1024;

/** The path of the API on a server. */
const API = '/v1/';

/**
 * The milliseconds for which the target of a redirect counts as checked. A server does not move to
 * another cluster in this time.
 */
const SAME_CLUSTER_TIME = 10_000;

const NO_API: CallProblem = {
  code: 'unexpected_answer',
  what: 'the server answered 404, to sys/seal-status as well: its API is not below this path',
  cure: `Correct the path in the ${SETTING.address}, or remove it`,
  withoutEffect: true,
};

/**
 * Makes calls: sends requests, follows redirects, retries, observes deadlines, and creates the
 * error of a failed call.
 */
export class Caller {
  readonly #headers: WireRequest['headers'];
  /** The caller with the token of the latest call. */
  #latest: Caller | undefined;
  /** Whether the path of the address was checked. */
  #isAtApi = false;

  constructor(
    readonly settings: Settings,
    readonly connection: ServerConnection,
  ) {
    this.#headers = commonHeaders(settings);
  }

  /**
   * Makes a read or a list, and opens the answer's envelope.
   *
   * @returns `undefined` if the object or list does not exist.
   * @throws VaultError
   */
  find(call: ClientCall): Promise<VaultResponse | undefined> {
    return this.#withToken(async (caller) => {
      const answer = await caller.#answer(call);
      if (!isMissing(answer)) return caller.#open(answer, call);
      await caller.#checkPath(call);
      return undefined;
    });
  }

  /**
   * Makes any other call, and opens the answer's envelope.
   *
   * @throws VaultError
   */
  send(call: ClientCall): Promise<VaultResponse> {
    return this.#withToken(async (caller) => caller.#open(await caller.#answer(call), call));
  }

  /**
   * Makes a call with the current token. If the server does not know it any more, makes the call
   * again with a new one.
   */
  async #withToken<T>(make: (caller: Caller) => Promise<T>): Promise<T> {
    const { tokens } = this.settings;
    if (!tokens) return make(this);
    const token = await tokens.current();
    if (this.#latest === undefined || this.#latest.settings.token !== token)
      this.#latest = this.with({ token });
    try {
      return await make(this.#latest);
    } catch (error) {
      const code = VaultError.is(error) ? error.code : undefined;
      if (code !== 'invalid_token' && code !== 'denied') throw error;
      const next = await tokens.replace(token, { certain: code === 'invalid_token' });
      if (next === undefined) throw error;
      return make(this.with({ token: next }));
    }
  }

  /**
   * Returns a caller with the same connections and another token or namespace.
   *
   * @throws VaultError `invalid_options`
   */
  with(changes: Pick<ClientOptions, 'token' | 'namespace'>): Caller {
    const { token, otherSecrets } = this.settings;
    const settings = {
      ...this.settings,
      ...sentAlong({ ...this.settings, ...changes }),
      tokens: 'token' in changes ? undefined : this.settings.tokens,
      otherSecrets: token === undefined ? otherSecrets : [...otherSecrets, token],
    };
    return new Caller(settings, this.connection);
  }

  /** Returns the error for a successful answer whose payload does not have the expected form. */
  misshapen(call: ClientCall, expected: string): VaultError {
    const problem: CallProblem = {
      code: 'unexpected_answer',
      what: `the answer holds no ${expected}`,
      cure: NOT_A_SERVER,
      withoutEffect: false,
    };
    return callError(call, this.settings, [problem]);
  }

  /**
   * Checks that the API is at the path of the address, such as that of a proxy: below any other
   * path, a server answers as it does for a missing object.
   *
   * @throws VaultError `unexpected_answer`
   */
  async #checkPath(call: ClientCall): Promise<void> {
    const { basePath } = this.settings;
    if (basePath === API || this.#isAtApi) return;
    const anonymous = this.with({ token: undefined, namespace: undefined });
    const look = callToRead('sys/seal-status', { signal: call.signal });
    // Any other failure may be that of a proxy that forwards only a few paths.
    const isMissed = await anonymous.#answer(look).then(isMissing, () => false);
    if (isMissed) throw callError(call, this.settings, [NO_API]);
    this.#isAtApi = true;
  }

  #open(answer: ServerAnswer, call: ClientCall): VaultResponse {
    const response = openEnvelope(answer);
    if (response.warnings.length === 0) return response;
    const { onWarning, namespace } = this.settings;
    const redactor = redactorOf(call, this.settings);
    const warnings = response.warnings
      .slice(0, MAX_WARNINGS)
      .map((warning) => visibleLines(redactor.hideWithin(warning, MAX_WARNING)));
    const path = redactPath(call.path, this.settings);
    for (const text of warnings) onWarning?.({ text, method: call.method, path, namespace });
    return { ...response, warnings };
  }

  /** Retries until an attempt succeeds or no more attempts are allowed. */
  async #answer(call: ClientCall): Promise<ServerAnswer> {
    const { clock, random, maxRetries, attemptTimeout } = this.settings;
    const request = wireRequest(call, this.settings, this.#headers);
    const ends = clock.now() + (call.timeout === undefined ? this.settings.timeout : limit(call.timeout));
    // Several calls can share a signal. Each adds a listener and removes it, so Node's warning
    // about many listeners is turned off.
    if (call.signal) setMaxListeners(0, call.signal);

    const earlier: CallProblem[] = [];
    for (let tries = 1; ; tries++) {
      const tryEnds = call.repeatable ? Math.min(ends, clock.now() + attemptTimeout) : ends;
      const result = await this.#try(call, request, tryEnds);
      if ('text' in result) return result;

      if (tries > maxRetries || !mayTryAgain(result, call)) {
        throw callError(call, this.settings, [...earlier, result]);
      }
      const wait = waitBeforeNextTry(tries, result.retryAfter, clock.now(), random);
      const left = ends - clock.now();
      if (wait >= left) {
        throw callError(call, this.settings, [...earlier, left > 0 ? comesTooLate(result, wait) : result]);
      }
      earlier.push(result);
      await pause(wait, clock, { signal: call.signal, connection: this.connection });
    }
  }

  /** Sends the request, and follows one redirect. */
  async #try(call: ClientCall, request: WireRequest, ends: number): Promise<ServerAnswer | CallProblem> {
    const { clock, token, namespace, disableRedirects, proxyFor, trusted } = this.settings;
    for (let redirects = 0; ; redirects++) {
      const fail = (problem: CallProblem) => (redirects === 0 ? problem : atTarget(problem, request.origin));
      const timeout = ends - clock.now();
      const outcome = await this.connection.send(request, { clock, timeout, signal: call.signal });
      if (outcome.kind === 'failure') {
        const problem = problemOfFailure(outcome, request.origin, timeout, trusted);
        const proxy = proxyFor(request.origin);
        return fail(proxy === undefined ? problem : throughProxy(problem, proxy));
      }

      const answer = readAnswer(outcome);
      if (isSuccess(answer) || (isLookup(call) && (isMissing(answer) || describesMissing(answer)))) {
        return answer;
      }
      if (!isRedirect(answer)) {
        const redactor = redactorOf(call, this.settings);
        return fail(problemOfAnswer(answer, { call, hasToken: token !== undefined, namespace, redactor }));
      }

      if (disableRedirects) return redirectsDisabled(answer);
      if (redirects > 0) return fail(redirectedAgain(answer));
      const path = `${API}${encodePath(call.path)}`;
      const target = redirectTarget(answer, new URL(request.path, request.origin), path);
      if (!(target instanceof URL)) return target;
      if (await this.#isOfAnotherCluster(target, timeout, call)) return redirectedElsewhere(answer, target);
      request = { ...request, origin: target.origin, path: `${target.pathname}${target.search}` };
    }
  }

  /**
   * Whether the target of a redirect belongs to another cluster, which must not receive a change,
   * and whose objects are not those of this one. If one of the two does not report its id, they
   * count as one cluster.
   */
  async #isOfAnotherCluster(target: URL, timeout: number, { signal }: ClientCall): Promise<boolean> {
    const { clock, origin, basePath } = this.settings;
    const base = target.pathname.slice(0, target.pathname.indexOf(API) + API.length);
    const url = `${target.origin}${base}`;
    const { sameCluster } = this.connection;
    if (sameCluster?.url === url && clock.now() < sameCluster.until) return false;
    const headers = commonHeaders({ ...this.settings, token: undefined, namespace: undefined });
    const idAt = async (at: string, base: string) => {
      const health = {
        origin: at,
        method: 'GET',
        path: `${base}sys/health`,
        headers,
        body: undefined,
      } as const;
      const outcome = await this.connection.send(health, { clock, timeout, signal });
      return outcome.kind === 'failure' ? undefined : readAnswer(outcome).payload?.cluster_id;
    };
    const [there, here] = await Promise.all([idAt(target.origin, base), idAt(origin, basePath)]);
    if (typeof there !== 'string' || typeof here !== 'string') return false;
    if (there !== here) return true;
    this.connection.sameCluster = { url, until: clock.now() + SAME_CLUSTER_TIME };
    return false;
  }
}

function isLookup({ verb }: ClientCall): boolean {
  return verb === 'read' || verb === 'list';
}

function atTarget(problem: CallProblem, origin: string): CallProblem {
  return { ...problem, what: `${problem.what}, after a redirect to ${origin}` };
}

function comesTooLate(problem: CallProblem, wait: number): CallProblem {
  const later = `${Math.ceil(wait / 1000)} s later`;
  return { ...problem, what: `${problem.what}; the next try, ${later}, would come after the timeout` };
}
