import { AclPolicySet, shadowedDenies, type AclMergedRule } from '../../../src/model';
import type { GuardedPolicy } from '../guarded-policy';
import type { IPolicyRule } from '../policy-rule';

/**
 * Returns the rule that no other rule overrides a deny.
 *
 * @param others returns the other policies of each token that has a policy.
 */
export function noShadowedDeny(
  others: (policy: GuardedPolicy) => readonly (readonly GuardedPolicy[])[],
): IPolicyRule {
  return {
    id: 'no-shadowed-deny',
    reason:
      'Only the most specific rule decides on a path, so that a "deny" for a wider one does not hold there',
    cure: 'deny the narrower path as well, or do not attach the two policies to one token',
    check: (policy) => {
      const problems = others(policy).flatMap((attached) => {
        const set = new AclPolicySet([policy, ...attached].flatMap((each) => each._set.policies));
        return shadowedDenies(set).flatMap(({ deny, by, pattern }) => {
          if (!isOf(deny, policy) || isOf(by, policy)) return [];
          const names = [...new Set(by.origins.map((origin) => origin.policy))].join(', ');
          return [
            `denies ${JSON.stringify(deny.path)}, but the rule ${JSON.stringify(by.path)} of ${names} decides on ${pattern}`,
          ];
        });
      });
      return [...new Set(problems)];
    },
  };
}

/**
 * Whether a rule comes from a policy. If one policy permits a part of the paths that it denies,
 * this is on purpose.
 */
function isOf({ origins }: AclMergedRule, { policyName }: GuardedPolicy): boolean {
  return origins.some((origin) => origin.policy === policyName);
}
