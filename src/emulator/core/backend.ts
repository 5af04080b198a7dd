import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../model';
import type { Assuming } from '../assume';
import type { EmulatorClock } from './primitives/clock';
import type { Decoded, FieldSchemas } from './input/field-schemas';
import type { Json, JsonObject } from './primitives/json';
import type { HttpAnswer } from './request/answer';
import type { Storage } from './primitives/storage';

/**
 * The interface between the emulator's core and its backends: secrets engines, auth methods and
 * `sys`. It has the structure of Vault's own: a backend is a list of routes, and a route has fields
 * and operations.
 */

export type Operation = 'read' | 'list' | 'create' | 'update' | 'patch' | 'delete';

export interface MountBackend {
  /** The type, as in `vault secrets enable TYPE`. */
  readonly type: string;
  readonly help?: string;
  readonly routes: readonly Route[];
  /** Paths that need no token. A final `*` matches any ending, a whole segment `+` any segment. */
  readonly unauthenticatedPaths?: readonly string[];
  /** Whether an object can be read from loaded snapshots, and recovered. Default: none can. */
  readonly recoverable?: (path: string) => boolean;
  /**
   * Returns the data that a recovery writes, from the object's response in the snapshot. Default:
   * the `data` of the response.
   *
   * @throws LogicalError if the response has no data to recover.
   */
  readonly recovered?: (found: LogicalResponse) => JsonObject;
  /** Paths that need the sudo capability, with patterns as in `unauthenticatedPaths`. */
  readonly rootPaths?: readonly string[];
  /**
   * For auth methods: returns the current limits of a token from an earlier login. Throws if the
   * token may not be renewed.
   */
  readonly renewLogin?: (token: TokenEntry) => LoginLimits;
  /**
   * For auth methods: returns the name of the user that a login request is for, whether or not the
   * login would succeed.
   */
  readonly loginName?: (path: string, body: JsonObject) => string | undefined;
}

/**
 * Creates the backend of one mount. It is called again after each tuning, so data that must persist
 * belongs in `context.storage`.
 */
export type BackendFactory = (context: MountContext) => MountBackend;

/** The environment of a mounted backend, independent of single requests. */
export interface MountContext {
  readonly mount: MountEntry;
  /** The storage of the mount, which is cleared when it is unmounted. */
  readonly storage: Storage;
  readonly clock: EmulatorClock;
  readonly server: ServerFlavour;
  /** The mount's TTLs in seconds, from its tuning and the server's defaults. */
  readonly leaseTtls: () => { readonly default: number; readonly max: number };
}

/** One path of a backend. Write routes with `route(...)`, which types the fields. */
export interface Route<F extends FieldSchemas = FieldSchemas> {
  /**
   * The path relative to the mount, without a leading slash. `:field` is one segment that is a name
   * (letters, digits, `_`, and inside also `-` and `.`), `*field` any text of at least one
   * character, slashes included. `*field` is last, or followed by literal segments only. The empty
   * pattern is the mount itself. Routes with lists also match a trailing slash. Literal text takes
   * precedence over fields.
   */
  readonly pattern: string;
  readonly fields?: F;
  /** Whether fields beyond `fields` belong to the payload and cause no warning. */
  readonly arbitraryInput?: boolean;
  readonly operations: { readonly [O in Operation]?: OperationHandler<F> };
  /** Whether the path is only supported in the root namespace. */
  readonly rootNamespaceOnly?: boolean | (() => boolean);
  /**
   * Whether the object exists, which distinguishes create from update for the ACL. Writes to routes
   * without this function are always updates.
   */
  exists?(request: LogicalRequest<F>): boolean;
  readonly help?: { readonly synopsis: string; readonly description?: string };
}

/**
 * Declares a handler as a method, because TypeScript then lets `Route<F>` be assigned to `Route`.
 * That is safe: a route only receives requests that were decoded with its own fields.
 */
interface Handling<F extends FieldSchemas> {
  handle(request: LogicalRequest<F>): LogicalResponse | undefined | Promise<LogicalResponse | undefined>;
}

export type OperationHandler<F extends FieldSchemas = FieldSchemas> = Handling<F>['handle'];

interface Defined<F extends FieldSchemas> {
  handle(
    request: LogicalRequest<F>,
  ): LogicalResponse | undefined | void | Promise<LogicalResponse | undefined | void>;
}

/** Types a route's handlers by its fields. A handler without a response may return nothing. */
export function route<const F extends FieldSchemas>(
  definition: Omit<Route<F>, 'operations'> & {
    readonly operations: { readonly [O in Operation]?: Defined<F>['handle'] };
  },
): Route {
  return definition as Route;
}

export interface LogicalRequest<F extends FieldSchemas = FieldSchemas> {
  readonly id: string;
  readonly operation: Operation;
  /** The path below the mount, without a leading slash. */
  readonly path: string;
  readonly mount: MountEntry;
  readonly namespace: Namespace;
  /** The route's fields, decoded. */
  readonly data: Decoded<F>;
  /** The body or the query as it was sent. */
  readonly body: JsonObject;
  /** The body of an upload, which is not JSON. */
  readonly content?: Buffer;
  /** The caller's token; absent for paths without authentication if the token is not valid. */
  readonly token?: TokenEntry;
  /** The token as it was sent, valid or not. */
  readonly clientToken?: string;
  /** Whether the caller has the sudo capability on this path. */
  readonly sudo: boolean;
  /** The caller's request for a wrapped response. */
  readonly wrap?: WrapRequest;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

export interface WrapRequest {
  readonly ttlSeconds: number;
  readonly format: 'token' | 'jwt';
}

/** The reference to a wrapped response, which can be unwrapped once. */
export interface ResponseWrapInfo {
  readonly token: string;
  readonly accessor: string;
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly creationPath: string;
  /** The accessor of the token in the wrapped response, if it has one. */
  readonly wrappedAccessor?: string;
}

/** A response. If a handler returns nothing, the status is 204, or 404 for reads and lists. */
export interface LogicalResponse {
  readonly data?: ResponseData;
  readonly warnings?: readonly string[];
  /** A login's result. The core creates the token. */
  readonly auth?: AuthRequest;
  /** A token that the handler has created or renewed itself, as `auth/token` does. */
  readonly issued?: TokenEntry;
  /** The policies that the issued token gets from its entity and its groups. Set by the core. */
  readonly identityPolicies?: PoliciesByNamespace;
  /** Wraps the response, whether or not the caller asked for it. */
  readonly wrap?: WrapRequest;
  /** The reference to the response if it is already wrapped, as for rewrapping. */
  readonly wrapped?: ResponseWrapInfo;
  readonly lease?: { readonly id: string; readonly renewable: boolean; readonly durationSeconds: number };
  /** The status of the answer in place of 200, with the usual envelope. */
  readonly status?: number;
  /** The complete answer, in place of an envelope. */
  readonly raw?: HttpAnswer;
}

export type ResponseData = Readonly<Record<string, Json | undefined>>;

/** A token that a login requests. TTLs are in seconds; 0 means the mount's default. */
export interface AuthRequest {
  readonly displayName: string;
  readonly policies: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly ttlSeconds?: number;
  readonly maxTtlSeconds?: number;
  readonly explicitMaxTtlSeconds?: number;
  readonly periodSeconds?: number;
  readonly numUses?: number;
  readonly noDefaultPolicy?: boolean;
  /** Addresses that may use the token: single ones and CIDR blocks. Default: all. */
  readonly boundCidrs?: readonly string[];
  /** The user of the login. The token belongs to the identity entity that has this alias. */
  readonly alias?: LoginAlias;
  /** The user's groups according to the auth method. Default: none. */
  readonly groups?: readonly string[];
  readonly type?: 'service' | 'batch';
  /** Whether the token can be renewed. Default: true. */
  readonly renewable?: boolean;
}

/** The limits of a login's token in seconds; 0 means the mount's default. */
export interface LoginLimits {
  readonly ttlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly periodSeconds: number;
}

/** The names of policies by the id of their namespace. */
export type PoliciesByNamespace = ReadonlyMap<string, readonly string[]>;

/** A user as an auth method knows it. */
export interface LoginAlias {
  /** The name, which is unique at the auth method. */
  readonly name: string;
  /** The user's metadata according to the auth method; null if it has none. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The texts that the role or user sets as custom metadata of the entity's alias. */
  readonly customMetadata: Readonly<Record<string, string>>;
}

/**
 * A namespace. The root namespace has the id `root` and an empty path; all other paths end with a
 * slash.
 */
export interface Namespace {
  readonly id: string;
  readonly path: string;
  readonly customMetadata: Readonly<Record<string, string>>;
}

export interface MountEntry {
  /**
   * The path relative to the namespace, with a trailing slash; paths of auth methods start with
   * `auth/`.
   */
  readonly path: string;
  readonly kind: 'secret' | 'auth';
  readonly type: string;
  readonly namespaceId: string;
  readonly accessor: string;
  readonly uuid: string;
  readonly description: string;
  readonly local: boolean;
  readonly sealWrap: boolean;
  readonly externalEntropyAccess: boolean;
  readonly options: Readonly<Record<string, string>> | null;
  /**
   * The tuning, with the field names of `sys/mounts`. TTLs are in seconds; 0 means the server's
   * default.
   */
  readonly config: MountConfig;
}

export interface MountConfig extends JsonObject {
  readonly default_lease_ttl: number;
  readonly max_lease_ttl: number;
}

/** A stored token. Times are milliseconds since 1970. */
export interface TokenEntry {
  readonly id: string;
  readonly accessor: string;
  readonly type: 'service' | 'batch';
  readonly namespaceId: string;
  readonly displayName: string;
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  /**
   * The path of the request that created the token: `auth/token/create`, `auth/userpass/login/ann`.
   */
  readonly path: string;
  /** The parent's id; empty for orphans. */
  readonly parent: string;
  readonly role?: string;
  /** The identity entity that the token belongs to. */
  readonly entityId?: string;
  /** Addresses that may use the token: single ones and CIDR blocks. Absent for all. */
  readonly boundCidrs?: readonly string[];
  readonly createdAt: number;
  /** The time of expiry; absent for tokens that do not expire. */
  readonly expiresAt?: number;
  readonly lastRenewedAt?: number;
  readonly creationTtlSeconds: number;
  readonly explicitMaxTtlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly periodSeconds: number;
  readonly renewable: boolean;
  /** Uses left; 0 means no limit. */
  readonly usesLeft: number;
}

/** The version and edition of the emulated server. */
export interface ServerFlavour extends Assuming {
  /** The version as in `sys/health`: `1.21.0+ent`. */
  readonly version: string;
  readonly enterprise: boolean;
  /** The vendor names in requests and responses. */
  readonly dialect: Dialect;
  /** Whether the version is `major.minor` or later. */
  atLeast(major: number, minor: number): boolean;
}
