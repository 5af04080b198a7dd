/*
 * The facts about a request that a server uses to decide. Times are milliseconds since 1970,
 * durations are in seconds. A fact that is left out is absent, not empty: a login has no token.
 */

export interface RequestFacts {
  readonly namespace: NamespaceFacts;
  /** The path relative to the namespace, without a leading slash. Lists end with a slash. */
  readonly path: string;
  /** The operation: `create`, `read`, `update`, `patch`, `delete`, `list`, … */
  readonly operation: string;
  /** The body or the query, as it was sent. Default: empty. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The caller's address, without a port. */
  readonly remoteAddress: string;
  /** Whether the caller requests to override soft-mandatory policies. Default: false. */
  readonly policyOverride?: boolean;
  /** Whether the path needs no token. Default: false. */
  readonly unauthenticated?: boolean;
  /** The TTL of the response wrapping that the caller requests. Default: 0, no wrapping. */
  readonly wrapTtl?: number;
  readonly token?: TokenFacts;
  /** The entity of the token or, at a login, of the alias; with the groups of the entity. */
  readonly identity?: IdentityFacts;
  readonly replication: ReplicationFacts;
  /** The MFA methods by name. Default: none. */
  readonly mfaMethods?: Readonly<Record<string, MfaFacts>>;
  readonly controlGroup?: ControlGroupFacts;
}

export interface NamespaceFacts {
  readonly id: string;
  /** The path: empty for the root namespace, else with a trailing slash. */
  readonly path: string;
}

export interface TokenFacts {
  /** The policies of the token itself, without those of its identity. */
  readonly policies: readonly string[];
  /** The path of the login that created the token: `auth/userpass/login/ann`. */
  readonly path: string;
  readonly displayName: string;
  /** The number of uses left; 0 means no limit. */
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
  /** The groups that contain the entity, directly or through other groups. */
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

/** The modes of replication: `disabled`, `bootstrapping`, `primary` or `secondary`. */
export interface ReplicationFacts {
  readonly performance: string;
  readonly dr: string;
}

export interface MfaFacts {
  /** Whether the caller's credentials were valid. */
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
