import type { Rule } from '../definition/field';
import { textRule } from '../definition/rules';
import { policyText } from '../identity';

/** A rule about the policy document itself, decoded where it is written in base64. An empty document has its own rule. */
export function documentRule(id: string, check: Parameters<typeof textRule>[3]): Rule {
  return textRule('policy', id, '2.2', (policy) => (isEmpty(policy) ? undefined : check(policyText(policy))));
}

export const POLICY_NOT_EMPTY: Rule = textRule('policy', 'policy-not-empty', '2.2', (policy) =>
  isEmpty(policy)
    ? {
        problem: 'must not be empty',
        received: JSON.stringify(policy),
        cure: 'set it to the policy document; one with only a comment grants nothing',
      }
    : undefined,
);

function isEmpty(policy: string): boolean {
  return policy.trim() === '';
}
