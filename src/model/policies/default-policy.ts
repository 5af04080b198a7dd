import { AclPolicyError, parseAclPolicy } from '../acl';

/** The initial text of the policy `default` in every namespace: a token may manage itself. */
export const SHIPPED_DEFAULT_POLICY = `
# Look up, renew and revoke one's own token
path "auth/token/lookup-self" {
    capabilities = ["read"]
}
path "auth/token/renew-self" {
    capabilities = ["update"]
}
path "auth/token/revoke-self" {
    capabilities = ["update"]
}

# Look up one's own capabilities, and all that one's policies grant
path "sys/capabilities-self" {
    capabilities = ["update"]
}
path "sys/internal/ui/resultant-acl" {
    capabilities = ["read"]
}

# Look up one's own entity
path "identity/entity/id/{{identity.entity.id}}" {
    capabilities = ["read"]
}
path "identity/entity/name/{{identity.entity.name}}" {
    capabilities = ["read"]
}

# Look up and renew leases, whose ids have to be known
path "sys/renew" {
    capabilities = ["update"]
}
path "sys/leases/renew" {
    capabilities = ["update"]
}
path "sys/leases/lookup" {
    capabilities = ["update"]
}

# One's own cubbyhole
path "cubbyhole/*" {
    capabilities = ["create", "read", "update", "delete", "list"]
}

# Wrap values, look up and unwrap wrapping tokens
path "sys/wrapping/wrap" {
    capabilities = ["update"]
}
path "sys/wrapping/lookup" {
    capabilities = ["update"]
}
path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}

# General purpose tools
path "sys/tools/hash" {
    capabilities = ["update"]
}
path "sys/tools/hash/*" {
    capabilities = ["update"]
}

# Work with a control group's requests
path "sys/control-group/request" {
    capabilities = ["update"]
}

# The authorization endpoint of OIDC providers
path "identity/oidc/provider/+/authorize" {
    capabilities = ["read", "update"]
}
`;

/**
 * Whether a text grants the same as the initial policy `default`, even if it is written
 * differently.
 */
export function isShippedDefaultPolicy(text: string): boolean {
  return grantsOf(text) === grantsOf(SHIPPED_DEFAULT_POLICY);
}

/**
 * Returns a text that is the same for policies with the same rules; `undefined` if the text is not
 * a policy.
 */
function grantsOf(text: string): string | undefined {
  try {
    const rules = parseAclPolicy(text).rules.map((rule) =>
      JSON.stringify({ ...rule, capabilities: [...rule.capabilities].sort() }),
    );
    return rules.sort().join('\n');
  } catch (error) {
    if (error instanceof AclPolicyError) return undefined;
    throw error;
  }
}

/**
 * The names of policies that the server owns. No policy of any kind with such a name can be written
 * or deleted.
 */
export const IMMUTABLE_POLICIES: readonly string[] = ['root', 'response-wrapping', 'control-group'];

/**
 * The immutable policies that lists and reads do not show. `root` is shown, with an empty document.
 */
export const HIDDEN_POLICIES: readonly string[] = ['response-wrapping', 'control-group'];

/**
 * The ACL policy that every token has unless its creation excludes it. It can be written, but not
 * deleted.
 */
export const DEFAULT_POLICY = 'default';
