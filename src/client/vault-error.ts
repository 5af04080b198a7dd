/**
 * The kind of failure, which does not change between versions: match this, not the message.
 *
 * | Code | Meaning |
 * |---|---|
 * | `invalid_options` | the client's own settings (an option or an environment variable) are at fault |
 * | `invalid_request` | refused by the server (400), or by the client before anything was sent |
 * | `invalid_token` | no token was sent, or the server does not know it (403, or 400 on old servers) |
 * | `login_refused` | a login with wrong parameters, or at the wrong path (400, 403) |
 * | `denied` | the token's policies do not allow the call, or the token is not valid (403) |
 * | `namespaces_unsupported` | a namespace was given to a server that has none (403) |
 * | `not_found` | the object does not exist (404) |
 * | `namespace_missing` | the namespace of the call does not exist (404) |
 * | `unsupported_path` | the server has no such endpoint, or not in this namespace or edition (404) |
 * | `unsupported_operation` | the endpoint does not offer this operation (405) |
 * | `state_not_present` | the node has not caught up with the required state (412) |
 * | `too_large` | the request is larger than the server accepts (413) |
 * | `locked` | the user or the namespace is locked (423) |
 * | `rate_limited` | a quota is used up (429) |
 * | `sealed` | the node is sealed (503) |
 * | `no_active_node` | the node knows no active node to forward to (503) |
 * | `catching_up` | a secondary is not promoted before it has all data (503) |
 * | `unavailable` | any other 503 |
 * | `activation_token_refused` | the primary does not accept the activation token that a secondary was given (500) |
 * | `primary_not_reached` | the secondary got no answer from the primary that its activation token names (500) |
 * | `not_implemented` | 501 |
 * | `server_error` | any other 5xx |
 * | `unexpected_answer` | an answer that is not from a Vault server: the address may be that of another service |
 * | `redirect_refused` | a redirect that must not be followed, or too many of them |
 * | `unreachable` | no connection: name not resolved, refused, no route |
 * | `connection_lost` | the connection broke before the answer was complete |
 * | `wrong_scheme` | `http://` was used but the server speaks TLS, or the reverse |
 * | `tls_not_trusted` | the server's certificate is not signed by a trusted authority, or not valid now |
 * | `tls_wrong_host` | the server's certificate is for other host names |
 * | `tls_client_certificate` | the server requires a client certificate, or refuses the one it received |
 * | `tls_failed` | any other failure of TLS |
 * | `timeout` | no answer within the timeout |
 * | `aborted` | the caller's signal fired |
 * | `closed` | the client was closed |
 */
export type VaultErrorCode =
  | 'invalid_options'
  | 'invalid_request'
  | 'invalid_token'
  | 'login_refused'
  | 'denied'
  | 'namespaces_unsupported'
  | 'not_found'
  | 'namespace_missing'
  | 'unsupported_path'
  | 'unsupported_operation'
  | 'state_not_present'
  | 'too_large'
  | 'locked'
  | 'rate_limited'
  | 'sealed'
  | 'no_active_node'
  | 'catching_up'
  | 'unavailable'
  | 'activation_token_refused'
  | 'primary_not_reached'
  | 'not_implemented'
  | 'server_error'
  | 'unexpected_answer'
  | 'redirect_refused'
  | 'unreachable'
  | 'connection_lost'
  | 'wrong_scheme'
  | 'tls_not_trusted'
  | 'tls_wrong_host'
  | 'tls_client_certificate'
  | 'tls_failed'
  | 'timeout'
  | 'aborted'
  | 'closed';

/**
 * The facts of a failure. They must not contain a token, a request's body or a login's parameters.
 */
interface VaultErrorFacts {
  readonly code: VaultErrorCode;
  readonly message: string;
  /** The HTTP status; absent if the server did not answer. */
  readonly status?: number;
  /** The server's texts, one for each of its bullets. */
  readonly errors?: readonly string[];
  readonly method?: string;
  /** The path below `/v1/`. */
  readonly path?: string;
  /** The namespace without leading and trailing slashes; absent for the root namespace. */
  readonly namespace?: string;
  readonly address?: string;
  /** The number of attempts. */
  readonly attempts?: number;
  /** Whether a write may have taken effect nevertheless. */
  readonly mayHaveTakenEffect?: boolean;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('cdktf-vault-admin.VaultError');

/**
 * The only error that a client throws. Its `code` identifies what happened; its message also says
 * what to do.
 */
export class VaultError extends Error {
  readonly code: VaultErrorCode;
  readonly status: number | undefined;
  readonly errors: readonly string[];
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly namespace: string | undefined;
  readonly address: string | undefined;
  readonly attempts: number;
  /**
   * Whether the operation may have taken effect nevertheless: one of the attempts was sent, and the
   * server did not answer or answered that it failed.
   */
  readonly mayHaveTakenEffect: boolean;

  constructor(facts: VaultErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'VaultError';
    this.code = facts.code;
    this.status = facts.status;
    this.errors = facts.errors ?? [];
    this.method = facts.method;
    this.path = facts.path;
    this.namespace = facts.namespace;
    this.address = facts.address;
    this.attempts = facts.attempts ?? 0;
    this.mayHaveTakenEffect = facts.mayHaveTakenEffect ?? false;
  }

  /** Whether `value` is a VaultError, of this copy of the package or another one. */
  static is(value: unknown): value is VaultError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  get [BRAND](): true {
    return true;
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, status, errors, method, path, namespace, address, attempts } = this;
    return { name, code, message, status, errors, method, path, namespace, address, attempts };
  }
}
