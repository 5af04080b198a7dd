import type { Seconds } from '../transport/clock';

/** The payload of an answer, with the server's field names. Integers beyond 2^53 are `bigint`. */
export type Data = Readonly<Record<string, unknown>>;

/** An answer of the server. */
export interface VaultResponse<T = Data> {
  /** The HTTP status: 200, 204, or 404 if an endpoint returns that with data. */
  readonly status: number;
  /** The id of the request; empty if the answer has no body or is wrapped. */
  readonly requestId: string;
  /** The payload. Empty if the server sent none. */
  readonly data: T;
  readonly warnings: readonly string[];
  readonly lease?: Lease;
  /** The token returned by a login, or by the creation or renewal of a token. */
  readonly auth?: TokenGrant;
  /** Present if the caller requested wrapping, or the endpoint always wraps. */
  readonly wrapInfo?: WrapInfo;
}

export interface Lease {
  readonly id: string;
  readonly duration: Seconds;
  readonly renewable: boolean;
}

/** The token that a login returns. */
export interface TokenGrant {
  readonly token: string;
  readonly accessor: string;
  /** The TTL; 0 if the token does not expire. */
  readonly ttl: Seconds;
  readonly renewable: boolean;
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** The single-use token of a wrapped answer. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  readonly ttl: Seconds;
  /** The time in the format of RFC 3339. */
  readonly creationTime: string;
  readonly creationPath: string;
  /** The accessor of the wrapped token, if the answer holds one. */
  readonly wrappedAccessor?: string;
}

/** The payload of a list. An empty or missing list has no keys. */
export interface KeyList {
  readonly keys: readonly string[];
  /** The details of each key, if the endpoint returns them. */
  readonly key_info?: Data;
}
