import type { AclPolicyError } from './errors';

/**
 * The capabilities that a rule may grant. `deny` refuses everything, whatever other rules grant.
 */
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

/**
 * The values that a request parameter may or may not have, by its name; an empty list stands for
 * any value.
 */
export type ParameterConstraints = Readonly<Record<string, readonly unknown[]>>;

/** One `path` block of an ACL policy. */
export interface AclRule {
  /** The path as written, without the leading slash that the server drops. */
  readonly path: string;
  readonly capabilities: readonly AclCapability[];
  /** The allowed values by parameter names in lower case. `*` stands for every other parameter. */
  readonly allowedParameters?: ParameterConstraints;
  /** The denied values by parameter names in lower case. `*` stands for every parameter. */
  readonly deniedParameters?: ParameterConstraints;
  readonly requiredParameters?: readonly string[];
  /** The shortest TTL, in seconds, of the response wrapping that requests must ask for. */
  readonly minWrappingTtl?: number;
  /** The longest TTL, in seconds, of the response wrapping that requests must ask for. */
  readonly maxWrappingTtl?: number;
  readonly mfaMethods?: readonly string[];
  readonly controlGroup?: AclControlGroup;
  /** Event types that `subscribe` is limited to. */
  readonly subscribeEventTypes?: readonly string[];
  /**
   * The path that a token must be allowed to read or list, so that a list shows it a key. It
   * contains templates for the key and its folder. Only OpenBao has this argument.
   */
  readonly keysFilterPath?: string;
}

/** The approvals that a request needs before it is carried out. */
export interface AclControlGroup {
  /** The seconds that an authorization lasts. */
  readonly ttl?: number;
  readonly factors: readonly AclControlGroupFactor[];
}

export interface AclControlGroupFactor {
  readonly name: string;
  readonly groupIds: readonly string[];
  readonly groupNames: readonly string[];
  /** The number of approvals needed. */
  readonly approvals: number;
  /** The capabilities that need the approval. Empty: all. */
  readonly controlledCapabilities: readonly string[];
}

/** An ACL policy as the server understands it. */
export interface AclPolicy {
  /**
   * The namespace the policy was written in: empty for root, else `ns1/ns2/`. Its paths are
   * relative to this namespace.
   */
  readonly namespace: string;
  readonly rules: readonly AclRule[];
  /**
   * The error for an argument that is set twice in a block. Servers refuse it from 1.21 on, and
   * warn of it from 1.19 on.
   */
  readonly duplicateArgument?: AclPolicyError;
}
