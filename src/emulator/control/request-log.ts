import { matchesGlob } from '../core/primitives/glob';

/** One answered request. Never with tokens, queries or bodies. */
export interface LoggedRequest {
  /** Milliseconds since 1970, by the emulator's clock. */
  readonly time: number;
  readonly cluster: string;
  /** As the client sent it: `GET`, `LIST`, `POST`, ... */
  readonly method: string;
  /** Below `/v1/`. */
  readonly path: string;
  /** The namespace header, empty where there was none. */
  readonly namespace: string;
  /** 0 where the connection was dropped instead of an answer. */
  readonly status: number;
}

export interface RequestFilter {
  readonly cluster?: string;
  readonly method?: string;
  /** A path; `*` in it stands for any text. */
  readonly path?: string;
}

/** How many of the latest requests are kept. */
const KEPT_REQUESTS = 100_000;

/** What was asked of the clusters, for tests that count requests. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  record(request: LoggedRequest): void {
    // Dropped in bulk, since taking one off the front costs as much.
    if (this.#entries.length >= 2 * KEPT_REQUESTS) this.#entries = this.#entries.slice(-KEPT_REQUESTS);
    this.#entries.push(request);
  }

  /** The latest requests that fit, oldest first. */
  list(filter: RequestFilter = {}): readonly LoggedRequest[] {
    const fits = requestMatcher(filter);
    return this.#entries.slice(-KEPT_REQUESTS).filter(fits);
  }

  /** How often each method and path was asked for, as `GET sys/policies/acl/app`. */
  counts(filter: RequestFilter = {}): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { method, path } of this.list(filter)) {
      const key = `${method} ${path}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }

  clear(): void {
    this.#entries = [];
  }
}

type Matchable = Pick<LoggedRequest, 'cluster' | 'method' | 'path'>;

/** Makes a filter into a function. */
export function requestMatcher({ cluster, method, path }: RequestFilter): (request: Matchable) => boolean {
  return (request) =>
    (cluster === undefined || request.cluster === cluster) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || matchesGlob(path, request.path));
}
