/** What a rule may permit (interface section 4.2); `deny` refuses everything, whatever other rules of the path say. */
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

/** Values that a request parameter may or may not have; an empty list stands for any value. */
export type ParameterConstraints = Readonly<Record<string, readonly unknown[]>>;

/** One `path` block of an ACL policy. */
export interface AclRule {
  /** As written, without the leading slash that the server drops. */
  readonly path: string;
  readonly capabilities: readonly AclCapability[];
  /** Parameter names in lower case. `*` stands for every other parameter. */
  readonly allowedParameters?: ParameterConstraints;
  readonly deniedParameters?: ParameterConstraints;
  readonly requiredParameters?: readonly string[];
  /** Seconds. Requests must ask for response wrapping of at least this TTL. */
  readonly minWrappingTtl?: number;
  /** Seconds. Requests must ask for response wrapping of at most this TTL. */
  readonly maxWrappingTtl?: number;
  readonly mfaMethods?: readonly string[];
}

/** An ACL policy as the server understands it. */
export interface AclPolicy {
  /** The namespace the policy was written in: `` for root, else `ns1/ns2/`. Its paths are relative to that. */
  readonly namespace: string;
  readonly rules: readonly AclRule[];
}

/** The server refuses the policy text. */
export class AclPolicyError extends Error {
  override readonly name = 'AclPolicyError';

  /** @param message the server's own words. */
  constructor(
    message: string,
    /** Counted from 1; absent where the server names a path block instead. */
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
  }
}
