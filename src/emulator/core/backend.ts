import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../model';
import type { Assuming } from '../assume';
import type { Clock } from './primitives/clock';
import type { Decoded, FieldSchemas } from './input/fields';
import type { Json, JsonObject } from './primitives/json';
import type { Answer } from './request/answer';
import type { Storage } from './primitives/storage';

/**
 * The seam between the emulator's core and what is mounted in it: secrets engines, auth methods and `sys` itself. It
 * has the shape of the server's own: a backend is a table of routes, and a route has fields and operations.
 */

export type Operation = 'read' | 'list' | 'create' | 'update' | 'patch' | 'delete';

export interface Backend {
  /** As in `vault secrets enable TYPE`. */
  readonly type: string;
  readonly help?: string;
  readonly routes: readonly Route[];
  /** Paths that need no token. A final `*` stands for any ending, a whole segment `+` for any segment. */
  readonly unauthenticatedPaths?: readonly string[];
  /** Its objects can be read from loaded snapshots, and recovered by writing again what a read there returns. */
  readonly recoverable?: true;
  /** Paths that need the sudo capability. Same patterns. */
  readonly rootPaths?: readonly string[];
  /** For auth methods: how long a token of an earlier login may go on now. Throws where it may not. */
  readonly renewLogin?: (token: TokenEntry) => LoginLimits;
  /** For auth methods: the name of who would log in with a request, whether or not that is let in. */
  readonly loginName?: (path: string, body: JsonObject) => string | undefined;
}

/** Builds the backend of one mount; again after tuning, so that everything worth keeping goes into `context.storage`. */
export type BackendFactory = (context: MountContext) => Backend;

/** The environment of a mounted backend, independent of single requests. */
export interface MountContext {
  readonly mount: MountEntry;
  /** The mount's own storage. Unmounting clears it. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly server: ServerFlavour;
  /** The mount's TTLs in seconds, its tuning and the server's defaults taken together. */
  readonly leaseTtls: () => { readonly default: number; readonly max: number };
}

/** One path of a backend. Write routes with `route(...)`, which types the fields. */
export interface Route<F extends FieldSchemas = FieldSchemas> {
  /**
   * Relative to the mount, without a leading slash. `:field` is one segment that is a name (letters, digits, `_`, and
   * inside also `-` and `.`), `*field` any text of at least one character, slashes included. `*field` comes last, or
   * only literal segments follow it. The empty pattern is the mount itself. Routes that list also take a
   * trailing slash. Literal text wins over fields.
   */
  readonly pattern: string;
  readonly fields?: F;
  /** Fields beyond `fields` belong to the payload and cause no warning. */
  readonly arbitraryInput?: boolean;
  readonly operations: { readonly [O in Operation]?: Handler<F> };
  /** Answers in the root namespace alone; elsewhere the path is unsupported. */
  readonly rootNamespaceOnly?: boolean;
  /** Tells create from update for the ACL. A route without it has updates only. */
  exists?(request: LogicalRequest<F>): boolean;
  readonly help?: { readonly synopsis: string; readonly description?: string };
}

/** A method's type, so that a route of certain fields is a route: it only ever sees requests that it decoded itself. */
interface Handling<F extends FieldSchemas> {
  handle(request: LogicalRequest<F>): LogicalResponse | undefined | Promise<LogicalResponse | undefined>;
}

export type Handler<F extends FieldSchemas = FieldSchemas> = Handling<F>['handle'];

/** Types a route's handlers by its fields. */
export function route<const F extends FieldSchemas>(definition: Route<F>): Route {
  return definition;
}

export interface LogicalRequest<F extends FieldSchemas = FieldSchemas> {
  readonly id: string;
  readonly operation: Operation;
  /** Below the mount, without a leading slash. */
  readonly path: string;
  readonly mount: MountEntry;
  readonly namespace: Namespace;
  /** The route's fields, decoded. */
  readonly data: Decoded<F>;
  /** The body or the query as it was sent. */
  readonly body: JsonObject;
  /** The body of an upload, which is not JSON. */
  readonly content?: Buffer;
  /** The caller's token; absent on unauthenticated paths and for unknown tokens there. */
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

/** Where a wrapped response can be fetched, once. */
export interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly creationPath: string;
  /** The accessor of the token that is inside, if there is one. */
  readonly wrappedAccessor?: string;
}

/** A response. If a handler returns nothing, the status is 204, or 404 for reads and lists. */
export interface LogicalResponse {
  readonly data?: ResponseData;
  readonly warnings?: readonly string[];
  /** A login's result: the core makes the token. */
  readonly auth?: AuthRequest;
  /** A token that the handler has made or renewed itself, as `auth/token` does. */
  readonly issued?: TokenEntry;
  /** The policies that the issued token gets from its entity and its groups. Set by the core. */
  readonly identityPolicies?: PoliciesByNamespace;
  /** Wraps the response, whether or not the caller asked for it. */
  readonly wrap?: WrapRequest;
  /** The response is put aside already, as rewrapping does. */
  readonly wrapped?: WrapInfo;
  readonly lease?: { readonly id: string; readonly renewable: boolean; readonly durationSeconds: number };
  /** Sent with this status instead of 200, and in the usual envelope. */
  readonly status?: number;
  /** Sent as it is, without an envelope. */
  readonly raw?: Answer;
}

export type ResponseData = Readonly<Record<string, Json | undefined>>;

/** A token that a login requests. TTLs are in seconds; 0 leaves the choice to the mount. */
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
  /** Who logs in: the token then belongs to an identity entity. */
  readonly alias?: LoginAlias;
  /** The groups that the auth method says the user is in. Default: none. */
  readonly groups?: readonly string[];
  readonly type?: 'service' | 'batch';
  /** Default: true. */
  readonly renewable?: boolean;
}

/** Of a login's token, in seconds; 0 leaves the choice to the mount. */
export interface LoginLimits {
  readonly ttlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly periodSeconds: number;
}

/** Names of policies by the id of the namespace that they are in. */
export type PoliciesByNamespace = ReadonlyMap<string, readonly string[]>;

/** A user as an auth method knows it. */
export interface LoginAlias {
  /** Unique at the auth method. */
  readonly name: string;
  /** What the auth method says of the user; null if it says nothing. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Texts that the role or user keeps for the entity's alias. */
  readonly customMetadata: Readonly<Record<string, string>>;
}

/** A namespace. The root namespace has the id `root` and an empty path; all other paths end with a slash. */
export interface Namespace {
  readonly id: string;
  readonly path: string;
  readonly customMetadata: Readonly<Record<string, string>>;
}

export interface MountEntry {
  /** Relative to its namespace, with a trailing slash; auth methods' start with `auth/`. */
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
  /** Tuning, under the names that `sys/mounts` uses. TTLs are in seconds; 0 stands for the server's default. */
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
  /** Where the token came from: `auth/token/create`, `auth/userpass/login/ann`. */
  readonly path: string;
  /** The parent's id; empty for orphans. */
  readonly parent: string;
  readonly role?: string;
  /** The identity entity that the token belongs to. */
  readonly entityId?: string;
  /** Addresses that may use the token: single ones and CIDR blocks. Absent for all. */
  readonly boundCidrs?: readonly string[];
  readonly createdAt: number;
  /** When it ends; absent for tokens that never do. */
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
  /** As in `sys/health`: `1.21.0+ent`. */
  readonly version: string;
  readonly enterprise: boolean;
  /** The vendor names in requests and responses. */
  readonly dialect: Dialect;
  /** Whether the version is `major.minor` or later. */
  atLeast(major: number, minor: number): boolean;
}
