/** What an endpoint answers with, by the server's own field names. Integers beyond 2^53 are `bigint`. */
export type Data = Readonly<Record<string, unknown>>;

/** An answer of the server. */
export interface VaultResponse<T = Data> {
  /** HTTP status: 200, 204, or 404 where an endpoint answers that with data. */
  readonly status: number;
  /** Empty where the server gave none: no body, or a wrapped answer. */
  readonly requestId: string;
  /** The payload. Empty where the server sent none. */
  readonly data: T;
  readonly warnings: readonly string[];
  readonly lease?: Lease;
  /** The token that a login, a creation or a renewal of a token gave. */
  readonly auth?: TokenGrant;
  /** Where the caller asked for wrapping, or the endpoint always wraps. */
  readonly wrapInfo?: WrapInfo;
}

export interface Lease {
  readonly id: string;
  /** Seconds. */
  readonly duration: number;
  readonly renewable: boolean;
}

/** A token as a login gives it. */
export interface TokenGrant {
  readonly token: string;
  readonly accessor: string;
  /** Seconds. 0: the token does not expire. */
  readonly ttl: number;
  readonly renewable: boolean;
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** The single-use token of a wrapped answer. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  /** Seconds. */
  readonly ttl: number;
  /** RFC 3339. */
  readonly creationTime: string;
  readonly creationPath: string;
  /** Accessor of the token inside, where the wrapped answer holds one. */
  readonly wrappedAccessor?: string;
}

/** A list's payload. An empty list, and one that does not exist, have no keys. */
export interface KeyList {
  readonly keys: readonly string[];
  /** Facts on each key, where the endpoint has them. */
  readonly key_info?: Data;
}
