import type { Readable } from 'node:stream';
import type { Seconds } from './transport/clock';

/** What a caller may set for one call. */
export interface CallOptions {
  /** Ends the call with a VaultError `aborted`. */
  readonly signal?: AbortSignal;
  /** Overrides the client's `timeout`. 0: no limit. */
  readonly timeout?: Seconds;
}

export interface RequestOptions extends CallOptions {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Requests a wrapped answer with this TTL: seconds, or text such as `5m`. */
  readonly wrapTtl?: Seconds | string;
}

export interface WriteOptions extends RequestOptions {
  /**
   * Whether doing it twice does no harm, so that it may be sent again after a failure that leaves open whether
   * it took effect. A write that is not repeatable is only retried if it certainly had none.
   *
   * @default false
   */
  readonly repeatable?: boolean;
}

/** What is done, as error messages say it. */
export type Verb = 'read' | 'list' | 'write' | 'patch' | 'delete' | 'look up' | 'log in at';

/** One call of an endpoint, whatever number of requests it takes. */
export interface Call extends WriteOptions {
  readonly verb: Verb;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/v1/`, as people write it. */
  readonly path: string;
  readonly body?: unknown;
  /** In place of `body`: a file, opened for each attempt. */
  readonly upload?: () => Readable;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the body holds nothing secret, server texts may repeat parts of it in error messages. */
  readonly publicBody?: boolean;
  /** The texts of the body that are secret, if the rest of it is not. */
  readonly secrets?: readonly string[];
}
