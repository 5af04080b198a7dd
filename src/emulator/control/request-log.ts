import { matchesGlob } from '../../text';

/** An answered request, without its token, query and body. */
export interface LoggedRequest {
  /** Milliseconds since 1970, by the emulator's clock. */
  readonly time: number;
  readonly cluster: string;
  /** The method that the client sent: `GET`, `LIST`, `POST`, ... */
  readonly method: string;
  /** The path below `/v1/`. */
  readonly path: string;
  /** The namespace header; empty if none was sent. */
  readonly namespace: string;
  /** The status of the response; 0 if the connection was closed instead. */
  readonly status: number;
  /** The time until the response, in milliseconds. */
  readonly duration: number;
}

export interface RequestFilter {
  readonly cluster?: string;
  readonly method?: string;
  /** A path below `/v1/`, in which `*` matches any text. */
  readonly path?: string;
}

/** The minimum number of latest requests that are kept. */
const KEPT_REQUESTS = 100_000;

/** The requests that the clusters answered, for tests that count them. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  record(request: LoggedRequest): void {
    // Entries are removed in bulk, because removing one from the front takes as long as removing
    // many.
    if (this.#entries.length >= 2 * KEPT_REQUESTS) this.#entries = this.#entries.slice(-KEPT_REQUESTS);
    this.#entries.push(request);
  }

  /** Returns the latest requests that match, oldest first. */
  list(filter: RequestFilter = {}): readonly LoggedRequest[] {
    const fits = requestMatcher(filter);
    return this.#entries.slice(-KEPT_REQUESTS).filter(fits);
  }

  /** Counts requests by method and path, such as `GET sys/policies/acl/app`. */
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

/** Converts a filter to a function. */
export function requestMatcher({ cluster, method, path }: RequestFilter): (request: Matchable) => boolean {
  return (request) =>
    (cluster === undefined || request.cluster === cluster) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || matchesGlob(path, request.path));
}
