import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher, ProxyAgent } from 'undici';
import type { Clock, Milliseconds } from './clock';
import { RateLimit, type Rate } from './rate-limit';
import { CONNECT_TIMEOUT, ConnectionPool, KEEP_ALIVE, MAX_CONNECTIONS } from './connection-pool';
import type { loadProxyAgent, proxyConnections } from './undici';
import { Exchange, type ExchangeLimits, type WireOutcome, type WireRequest } from './exchange';

/** The settings of connections to a cluster. */
interface ConnectionSettings {
  /** The address of the cluster. */
  readonly origin: string;
  /** The path of the socket if the address is one; the origin is then only a placeholder. */
  readonly socketPath: string | undefined;
  readonly proxyFor: (origin: string) => string | undefined;
  readonly rate: Rate | undefined;
  readonly clock: Clock;
  /** Reads the TLS files when the first connection is opened. Throws the errors of these files. */
  readonly tls: () => ConnectionOptions;
  /** Sends all requests in place of connection pools. */
  readonly dispatcher: Dispatcher | undefined;
}

/** The connections to a cluster, shared by the clients that are derived from one another. */
export class ServerConnection {
  /** The latest target of a redirect that was seen to be of the same cluster, and until when. */
  sameCluster: { readonly url: string; readonly until: Milliseconds } | undefined;
  readonly #pools = new Map<string, ConnectionPool | ProxyAgent>();
  readonly #closers = new Set<() => void>();
  #closed = false;

  readonly #options: ConnectionSettings;
  readonly #rateLimit: RateLimit | undefined;

  constructor(options: ConnectionSettings) {
    this.#options = options;
    this.#rateLimit = options.rate && new RateLimit(options.rate, options.clock);
  }

  /** Sends a request. Failures are returned as outcomes; only invalid TLS files throw. */
  async send(request: WireRequest, limits: ExchangeLimits): Promise<WireOutcome> {
    if (this.#closed) return { kind: 'failure', reason: 'closed', sent: false };
    if (limits.signal?.aborted) return { kind: 'failure', reason: 'aborted', sent: false };
    const sender = this.#options.dispatcher ?? this.#pool(request.origin);
    const wait = this.#rateLimit?.take() ?? 0;
    if (wait > 0) {
      await pause(Math.min(wait, limits.timeout), limits.clock, { signal: limits.signal, connection: this });
      if (wait >= limits.timeout) return { kind: 'failure', reason: 'timeout', sent: false };
    }
    const exchange = new Exchange(limits);
    const forget = this.onClose(() => exchange.giveUp('closed'));
    try {
      const { body } = request;
      if (sender instanceof ConnectionPool) sender.dispatch(request, exchange);
      else sender.dispatch({ ...request, body: typeof body === 'function' ? body() : body }, exchange);
    } catch (error) {
      // A request that cannot be sent throws, and dispatchers may throw other errors.
      exchange.onResponseError(undefined, error as Error);
    }
    const outcome = await exchange.outcome;
    forget();
    return outcome;
  }

  /** Adds a callback for when the connections are closed. Returns a function that removes it. */
  onClose(callback: () => void): () => void {
    this.#closers.add(callback);
    return () => this.#closers.delete(callback);
  }

  /**
   * Aborts running requests and closes the connections, except those of a dispatcher that the
   * caller provided.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const callback of this.#closers) callback();
    for (const pool of this.#pools.values()) await pool.destroy();
  }

  #pool(origin: string): ConnectionPool | ProxyAgent {
    const existing = this.#pools.get(origin);
    if (existing) return existing;
    const { socketPath, proxyFor, tls } = this.#options;
    const isSocket = socketPath !== undefined && origin === this.#options.origin;
    const proxy = isSocket ? undefined : proxyFor(origin);
    const usesTls = [origin, proxy].some((url) => url !== undefined && /^https:/i.test(url));
    const secure = usesTls ? tls() : undefined;
    const pool =
      proxy === undefined
        ? new ConnectionPool({ origin, socketPath: isSocket ? socketPath : undefined, tls: secure })
        : proxyAgent(proxy, secure);
    this.#pools.set(origin, pool);
    return pool;
  }
}

/**
 * Waits for a time. The signal of the call, or the closing of the connection, ends the wait early.
 */
export function pause(
  milliseconds: Milliseconds,
  clock: Clock,
  { signal, connection }: { readonly signal: AbortSignal | undefined; readonly connection: ServerConnection },
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopTimer();
      stopListening();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = clock.after(milliseconds, end);
    const stopListening = connection.onClose(end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/**
 * Returns the connections through a proxy. undici is loaded only for proxies, because loading it
 * takes long.
 */
function proxyAgent(proxy: string, secure: ConnectionOptions | undefined): ProxyAgent {
  // The name in `servername` is that of the server. The proxy has another.
  const toProxy = { timeout: CONNECT_TIMEOUT, ...secure, servername: undefined };
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  const undici = require('./undici') as {
    readonly loadProxyAgent: typeof loadProxyAgent;
    readonly proxyConnections: typeof proxyConnections;
  };
  return new (undici.loadProxyAgent())({
    uri: proxy,
    clientFactory: undici.proxyConnections,
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE,
    // The exchange enforces the deadlines of calls, to the millisecond and with the caller's clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    requestTls: { timeout: CONNECT_TIMEOUT, ...secure },
    // undici uses TLS to a SOCKS proxy if it is given any options for it.
    ...(!/^socks/i.test(proxy) && { proxyTls: toProxy }),
    // As in other programs, requests without TLS are sent to the proxy itself, which may change or
    // cache them.
    proxyTunnel: false,
  });
}
