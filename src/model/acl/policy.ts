import type { AclPolicyError } from './errors';

/** What a rule may permit; `deny` refuses everything, whatever else permits it. */
export const ACL_CAPABILITIES = [
  'deny',
  'create',
  'read',
  'update',
  'delete',
  'list',
  'sudo',
  'patch',
  'subscribe',
  'recover',
] as const;
export type AclCapability = (typeof ACL_CAPABILITIES)[number];

/** Values that a request parameter may or may not have, by its name; an empty list stands for any value. */
export type ParameterConstraints = Readonly<Record<string, readonly unknown[]>>;

/** One `path` block of an ACL policy. */
export interface AclRule {
  /** As written, without the leading slash that the server drops. */
  readonly path: string;
  readonly capabilities: readonly AclCapability[];
  /** Parameter names in lower case. `*` stands for every other parameter. */
  readonly allowedParameters?: ParameterConstraints;
  /** Parameter names in lower case. `*` stands for every parameter. */
  readonly deniedParameters?: ParameterConstraints;
  readonly requiredParameters?: readonly string[];
  /** Seconds. Requests must ask for response wrapping of at least this TTL. */
  readonly minWrappingTtl?: number;
  /** Seconds. Requests must ask for response wrapping of at most this TTL. */
  readonly maxWrappingTtl?: number;
  readonly mfaMethods?: readonly string[];
  readonly controlGroup?: AclControlGroup;
  /** Event types that `subscribe` is limited to. */
  readonly subscribeEventTypes?: readonly string[];
}

/** Who has to approve a request before it is carried out. */
export interface AclControlGroup {
  /** Seconds that an authorization lasts. */
  readonly ttl?: number;
  readonly factors: readonly AclControlGroupFactor[];
}

export interface AclControlGroupFactor {
  readonly name: string;
  readonly groupIds: readonly string[];
  readonly groupNames: readonly string[];
  /** Number of approvals needed. */
  readonly approvals: number;
  /** Capabilities that need the approval. Empty: all. */
  readonly controlledCapabilities: readonly string[];
}

/** An ACL policy as the server understands it. */
export interface AclPolicy {
  /** The namespace the policy was written in: empty for root, else `ns1/ns2/`. Its paths are relative to that. */
  readonly namespace: string;
  readonly rules: readonly AclRule[];
  /** An argument that is set twice in a block. Servers refuse it from 1.21 on, and warn of it from 1.19 on. */
  readonly duplicateArgument?: AclPolicyError;
}
