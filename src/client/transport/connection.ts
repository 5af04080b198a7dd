import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { Exchange, type ExchangeLimits, type WireOutcome, type WireRequest } from './exchange';

/** Connections to one origin at a time. Terraform runs 10 operations at once by default. */
const MAX_CONNECTIONS = 32;
/** Milliseconds to wait for TCP and TLS to be set up. */
const CONNECT_TIMEOUT = 10_000;
/** Milliseconds that an idle connection is kept, unless the server announces that it closes it sooner. */
const KEEP_ALIVE = 30_000;

/** The connections to a cluster, shared by the clients that are derived from one another. */
export class Connection {
  readonly #pools = new Map<string, Dispatcher>();
  readonly #closers = new Set<() => void>();
  #closed = false;

  readonly #tls: () => ConnectionOptions;
  readonly #dispatcher: Dispatcher | undefined;

  /**
   * @param tls evaluated when the first connection is made; throws what is wrong with the files it names.
   * @param dispatcher sends everything in place of pools.
   */
  constructor(tls: () => ConnectionOptions, dispatcher: Dispatcher | undefined) {
    this.#tls = tls;
    this.#dispatcher = dispatcher;
  }

  /** Sends a request. Failures are returned as outcomes; only invalid TLS files throw. */
  async send(request: WireRequest, limits: ExchangeLimits): Promise<WireOutcome> {
    if (this.#closed) return { kind: 'failure', reason: 'closed', sent: false };
    if (limits.signal?.aborted) return { kind: 'failure', reason: 'aborted', sent: false };
    const dispatcher = this.#dispatcher ?? this.#pool(request.origin);
    const exchange = new Exchange(limits);
    const forget = this.onClose(() => exchange.giveUp('closed'));
    try {
      dispatcher.dispatch(request, exchange);
    } catch (error) {
      // undici's own dispatchers report to the exchange, others may throw.
      exchange.onResponseError(undefined, error as Error);
    }
    const outcome = await exchange.outcome;
    forget();
    return outcome;
  }

  /** Calls back when the connections are closed. Returns what takes that back. */
  onClose(callback: () => void): () => void {
    this.#closers.add(callback);
    return () => this.#closers.delete(callback);
  }

  /** Ends what is under way and closes the connections, except those of a dispatcher that the caller provided. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const callback of this.#closers) callback();
    await Promise.all(Array.from(this.#pools.values(), (pool) => pool.destroy()));
  }

  #pool(origin: string): Dispatcher {
    const existing = this.#pools.get(origin);
    if (existing) return existing;
    const pool = new (loadPool())(origin, {
      connections: MAX_CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE,
      // The deadlines of calls are kept by the exchange, to the millisecond and with the caller's clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT, ...(origin.startsWith('https:') ? this.#tls() : undefined) },
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

/**
 * undici's connection pool, loaded when the first request is made. Terraform starts the provider several times
 * for one plan, mostly without any request; and the package's index takes three times as long to load, for
 * fetch, WebSocket, caches and mocks.
 */
function loadPool(): typeof Pool {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  return require('undici/lib/dispatcher/pool') as typeof Pool;
}
