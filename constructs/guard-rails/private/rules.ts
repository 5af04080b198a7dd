import { GuardedPolicyKind, type GuardedPolicy } from '../guarded-policy';
import type { IPolicyRule } from '../policy-rule';
import { ENFORCEMENT_LEVELS, isWideEgpPath } from '../../../src/model';
import { phrase, property } from '../../../src/model/messages';
import { inAppLanguage } from '../../private/app-language';

const WRITES = ['create', 'update', 'patch', 'delete'];

/** Returns a rule that applies to ACL policies only. */
function aclRule(rule: IPolicyRule): IPolicyRule {
  return {
    ...rule,
    check: (policy) => (policy.kind === GuardedPolicyKind.ACL ? rule.check(policy) : []),
  };
}

/** Returns requests that a policy allows: at most one for each operation and pattern. */
function allowed(
  policy: GuardedPolicy,
  operations: readonly string[],
  patterns: readonly string[],
): string[] {
  const found = patterns.flatMap((pattern) =>
    operations.flatMap((operation) => policy.findAllowed(operation, pattern) ?? []),
  );
  return [...new Set(found)];
}

function allowing(requests: readonly string[]): string[] {
  return requests.length === 0 ? [] : [`allows ${requests.join(', ')}`];
}

/**
 * Returns the rule that only some policies grant `sudo`.
 *
 * @param sudoPolicies the policies that may have `sudo`.
 */
export function noSudo(sudoPolicies: readonly string[]): IPolicyRule {
  return aclRule({
    id: 'no-sudo',
    reason:
      'The capability "sudo" opens paths that the server protects, such as seal, raw storage and audit devices',
    cure: inAppLanguage(
      phrase`grant it in a separate policy, and name that policy in ${property('sudoPolicies')}`,
    ),
    check: (policy) => {
      if (sudoPolicies.includes(policy.policyName)) return [];
      const found = policy.findAllowed('sudo', '*');
      return found === undefined ? [] : [`has "sudo" on ${found.replace(/^\S+ /, '')}`];
    },
  });
}

/** The patterns that name no mount. */
const EVERYTHING = ['*', '+', '+/*'];

const NO_EVERYTHING = aclRule({
  id: 'no-everything',
  reason: 'A rule for every path grants access to unexpected paths, and to paths that later versions add',
  cure: 'name the mounts and endpoints that are needed',
  check: (policy) =>
    EVERYTHING.filter((path) => policy.capabilitiesOf(path).some((capability) => capability !== 'deny')).map(
      (path) => `has a rule for the path ${JSON.stringify(path)}`,
    ),
});

const NO_POLICY_WRITES = aclRule({
  id: 'no-policy-writes',
  reason: 'A token that can write policies can grant any permission to anyone',
  cure: 'leave policies to the pipeline that deploys this app, and suppress the rule for its policy',
  check: (policy) => allowing(allowed(policy, WRITES, ['sys/policies/*', 'sys/policy/*'])),
});

/**
 * The paths, besides those of policies, whose writes can give more permissions to the caller:
 * identities, and roles of logins.
 */
const RAISING = [
  'identity/entity',
  'identity/entity/*',
  'identity/group',
  'identity/group/*',
  'auth/token/roles/+',
  'auth/+/role/+',
  'auth/+/roles/+',
  'auth/+/users/+',
  'auth/+/users/+/policies',
  'auth/+/groups/+',
  'auth/+/map/*',
  'auth/+/certs/+',
];

const NO_SELF_RAISING = aclRule({
  id: 'no-self-raising',
  reason: 'A token that may attach policies to identities, roles or logins can attach any policy to itself',
  cure: 'grant the endpoint only to administrators, or limit the parameters that name policies',
  check: (policy) => {
    const own = policy.policyName.replaceAll(/[*+]/g, '');
    const ownText = [`sys/policies/acl/${own}`, `sys/policy/${own}`];
    return allowing(allowed(policy, ['create', 'update', 'patch'], [...ownText, ...RAISING]));
  },
});

const NO_UNUSED_RULE = aclRule({
  id: 'no-unused-rule',
  reason: 'A rule without effect misleads readers of the policy',
  cure: 'remove the rule, or change what makes it ineffective: "npx cdktf-vault-admin policy lint" shows the cause',
  check: (policy) =>
    policy
      .unusedRulePaths()
      .map((path) => `has a rule for the path ${JSON.stringify(path)} that changes no decision`),
});

/** Requests to some paths. */
interface Access {
  readonly operations: readonly string[];
  readonly paths: readonly string[];
}

/** Returns a rule that no ACL policy allows requests of both kinds. */
function apartRule(rule: Omit<IPolicyRule, 'check'>, one: Access, other: Access): IPolicyRule {
  return aclRule({
    ...rule,
    check: (policy) => {
      const [first] = allowed(policy, one.operations, one.paths);
      const [second] = allowed(policy, other.operations, other.paths);
      return first && second ? [`allows both ${first} and ${second}`] : [];
    },
  });
}

const MANAGED_KEYS_APART = apartRule(
  {
    id: 'managed-keys-apart',
    reason:
      'Data that was encrypted with a managed key is lost with the key: a token that changes keys does not need to delete them',
    cure: 'grant delete on sys/managed-keys in a separate policy',
  },
  { operations: ['create', 'update'], paths: ['sys/managed-keys/+/+'] },
  { operations: ['delete'], paths: ['sys/managed-keys/+/+'] },
);

const SNAPSHOTS_AND_REPLICATION_APART = apartRule(
  {
    id: 'snapshots-and-replication-apart',
    reason:
      'Snapshots and replication can both copy all secrets of a cluster: one token should not be able to do both',
    cure: 'write a policy for snapshots, and one for replication',
  },
  { operations: ['read', 'create', 'update'], paths: ['sys/storage/raft/snapshot*'] },
  { operations: ['create', 'update'], paths: ['sys/replication/*'] },
);

export const ACL_RULES: readonly IPolicyRule[] = [
  NO_EVERYTHING,
  NO_POLICY_WRITES,
  NO_SELF_RAISING,
  NO_UNUSED_RULE,
  MANAGED_KEYS_APART,
  SNAPSHOTS_AND_REPLICATION_APART,
];

const [ADVISORY] = ENFORCEMENT_LEVELS;

export const WIDE_EGPS_START_ADVISORY: IPolicyRule = {
  id: 'wide-egps-start-advisory',
  reason: 'A mistake in an EGP for all requests, sys/ or auth/ locks out everyone except root tokens',
  cure: `start with the level "${ADVISORY}", check what would be denied, then raise the level and suppress the rule`,
  check: ({ kind, enforcementLevel, paths }) => {
    const wide = paths.filter(isWideEgpPath);
    if (kind !== GuardedPolicyKind.EGP || enforcementLevel === ADVISORY || wide.length === 0) return [];
    return [`is ${enforcementLevel} on ${wide.map((path) => JSON.stringify(path)).join(', ')}`];
  },
};
