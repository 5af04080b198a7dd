/*
 * The facts about a request that a server uses to decide. Times are milliseconds since 1970, durations are in seconds. A fact
 * that is left out is absent, not empty: a login has no token.
 */

export interface RequestFacts {
  readonly namespace: NamespaceFacts;
  /** Relative to the namespace, without a leading slash. Lists end with a slash. */
  readonly path: string;
  /** `create`, `read`, `update`, `patch`, `delete`, `list`, … */
  readonly operation: string;
  /** The body or the query, as it was sent. Default: nothing. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The caller's address, without a port. */
  readonly remoteAddress: string;
  /** Whether the caller asks to override soft-mandatory policies. Default: false. */
  readonly policyOverride?: boolean;
  /** Whether the path needs no token. Default: false. */
  readonly unauthenticated?: boolean;
  /** The TTL with which the caller asks for response wrapping. Default: 0, no wrapping. */
  readonly wrapTtl?: number;
  readonly token?: TokenFacts;
  /** Whom the token or, at a login, the alias belongs to. */
  readonly identity?: IdentityFacts;
  readonly replication: ReplicationFacts;
  /** By name. Default: none. */
  readonly mfaMethods?: Readonly<Record<string, MfaFacts>>;
  readonly controlGroup?: ControlGroupFacts;
}

export interface NamespaceFacts {
  readonly id: string;
  /** Empty for the root namespace, else with a trailing slash. */
  readonly path: string;
}

export interface TokenFacts {
  /** The token's own, not those of its identity. */
  readonly policies: readonly string[];
  /** Where the token came from: `auth/userpass/login/ann`. */
  readonly path: string;
  readonly displayName: string;
  /** Uses left; 0 means no limit. */
  readonly numUses: number;
  readonly role: string;
  readonly entityId: string;
  readonly period: number;
  readonly explicitMaxTtl: number;
  readonly creationTtl: number;
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly type: 'service' | 'batch';
  readonly namespace: NamespaceFacts;
}

export interface IdentityFacts {
  readonly entity: EntityFacts;
  /** Those that the entity is in, directly or through other groups. */
  readonly groups: readonly GroupFacts[];
}

export interface EntityFacts {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly policies: readonly string[];
  readonly aliases: readonly AliasFacts[];
  readonly mergedEntityIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface AliasFacts {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly mountPath: string;
  readonly mountType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata: Readonly<Record<string, string>>;
  readonly mergedFromEntityIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface GroupFacts {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly policies: readonly string[];
  readonly memberEntityIds: readonly string[];
  readonly parentGroupIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** `disabled`, `bootstrapping`, `primary` or `secondary`. */
export interface ReplicationFacts {
  readonly performance: string;
  readonly dr: string;
}

export interface MfaFacts {
  /** Whether the caller's credentials were good. */
  readonly valid: boolean;
  readonly type: string;
  readonly mountAccessor: string;
}

export interface ControlGroupFacts {
  readonly requestedAt: number;
  readonly authorizations: readonly ControlGroupAuthorization[];
}

export interface ControlGroupAuthorization {
  readonly time: number;
  readonly identity: IdentityFacts;
}
