import { matchesGlob } from '../../text';
import type { Namespace, TokenEntry } from '../core/backend';
import { invalidRequest } from '../core/errors';
import { refuseInternalPolicies, sanitizePolicies } from '../core/stores/policy-store';
import type { TokenRole } from './roles';

interface PolicyRequest {
  readonly policies: readonly string[];
  readonly noDefaultPolicy: boolean;
  readonly role: TokenRole | undefined;
  readonly parent: TokenEntry;
  readonly namespace: Namespace;
  readonly sudo: boolean;
}

/**
 * Returns the policies of a new token.
 *
 * @throws LogicalError if it requests policies that the role or its parent does not allow.
 */
export function resolvePolicies(request: PolicyRequest): string[] {
  const { role, noDefaultPolicy } = request;
  const chosen =
    role !== undefined && restrictsPolicies(role) ? policiesOfRole(request, role) : policiesOfParent(request);
  const policies = noDefaultPolicy ? chosen.filter((name) => name !== 'default') : chosen;
  refuseInternalPolicies(policies);
  return policies;
}

function restrictsPolicies(role: TokenRole): boolean {
  return [
    role.allowed_policies,
    role.disallowed_policies,
    role.allowed_policies_glob,
    role.disallowed_policies_glob,
  ].some((list) => list.length > 0);
}

function policiesOfRole({ policies, noDefaultPolicy, parent }: PolicyRequest, role: TokenRole): string[] {
  const addDefault =
    !noDefaultPolicy &&
    !role.params.token_no_default_policy &&
    !role.disallowed_policies.includes('default') &&
    !matchesAny(role.disallowed_policies_glob, 'default');
  const restricted = role.allowed_policies.length > 0 || role.allowed_policies_glob.length > 0;
  const allowed = sanitizePolicies(role.allowed_policies, addDefault);
  const asked = policies.length > 0 ? sanitizePolicies(policies, addDefault) : [];
  const chosen =
    asked.length > 0 ? asked : restricted ? allowed : sanitizePolicies(parent.policies, addDefault);
  const excess = chosen.some(
    (name) => !allowed.includes(name) && !matchesAny(role.allowed_policies_glob, name),
  );
  if (restricted && excess) {
    throw invalidRequest(
      `token policies (${quoted(chosen)}) must be subset of the role's allowed policies (${quoted(allowed)}) ` +
        `or glob policies (${quoted(role.allowed_policies_glob)})`,
    );
  }
  const disallowed = chosen.find(
    (name) => role.disallowed_policies.includes(name) || matchesAny(role.disallowed_policies_glob, name),
  );
  if (disallowed !== undefined)
    throw invalidRequest(`token policy "${disallowed}" is disallowed by this role`);
  return chosen;
}

function policiesOfParent({ policies, parent, namespace, sudo, noDefaultPolicy }: PolicyRequest): string[] {
  if (namespace.id !== parent.namespaceId) return sanitizePolicies(policies, !noDefaultPolicy);
  if (policies.length === 0) return sanitizePolicies(parent.policies);
  if (sudo) return sanitizePolicies(policies, !noDefaultPolicy);
  const asked = sanitizePolicies(policies);
  if (!asked.every((name) => parent.policies.includes(name)))
    throw invalidRequest('child policies must be subset of parent');
  return sanitizePolicies(asked, !noDefaultPolicy && parent.policies.includes('default'));
}

function matchesAny(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => matchesGlob(glob, name));
}

/** Formats a list of texts like Go. */
function quoted(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(' ')}]`;
}
