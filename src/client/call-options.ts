import type { Readable } from 'node:stream';
import type { Seconds } from './transport/clock';

/** The options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then fails with a VaultError `aborted`. */
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
   * Whether repeating the call does no harm, so that it can be sent again after a failure that
   * leaves open whether it took effect. Other writes are only retried if the failed attempt
   * certainly had no effect.
   *
   * @default false
   */
  readonly repeatable?: boolean;
}

/** The operation of a call, as error messages name it. */
export type Verb = 'read' | 'list' | 'write' | 'patch' | 'delete' | 'look up' | 'log in at';

/** A call of an endpoint, which may need several requests. */
export interface ClientCall extends WriteOptions {
  readonly verb: Verb;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/v1/`, not encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Opens a file that is sent in place of `body`; called for each attempt. */
  readonly upload?: () => Readable;
  /** The headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether the body contains no secrets, so that error messages may quote texts of the server that
   * repeat parts of it.
   */
  readonly publicBody?: boolean;
  /** The secret texts of the body, if its other texts are not secret. */
  readonly secrets?: readonly string[];
}

/** Returns the call that reads a path. */
export function callToRead(path: string, options: RequestOptions | undefined): ClientCall {
  return { ...options, verb: 'read', method: 'GET', path, repeatable: true };
}

/** Returns the call that looks up what the server knows: in general, or about `body`. */
export function callToLookUp(path: string, options: RequestOptions | undefined, body?: unknown): ClientCall {
  const method = body === undefined ? 'GET' : 'POST';
  return { ...options, verb: 'look up', method, path, body, repeatable: true };
}

/** Returns the call that writes to a path. */
export function callToWrite(
  path: string,
  body: unknown,
  options: WriteOptions | undefined,
  facts: Pick<ClientCall, 'repeatable' | 'publicBody' | 'secrets'> = {},
): ClientCall {
  return { ...options, verb: 'write', method: 'POST', path, body, ...facts };
}

/** Returns the call that deletes what is at a path. */
export function callToDelete(path: string, options: RequestOptions | undefined): ClientCall {
  return { ...options, verb: 'delete', method: 'DELETE', path, repeatable: true };
}
