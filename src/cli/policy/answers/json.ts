import type { AclChange, AclExplanation, AclMergedRule } from '../../../model';

/** A rule for JSON output. */
function ruleJson(rule: AclMergedRule | undefined): object | undefined {
  return (
    rule && {
      path: rule.path,
      capabilities: [...rule.permissions.capabilities],
      policies: [...new Set(rule.origins.map(({ policy }) => policy))],
    }
  );
}

export function changeJson({ before, after, ...change }: AclChange): object {
  return { ...change, before: ruleJson(before), after: ruleJson(after) };
}

export function explanationJson({ rule, others, unfilled, ...rest }: AclExplanation): object {
  return {
    ...rest,
    rule: ruleJson(rule),
    unfilled: unfilled.map(ruleJson),
    others: others.map(({ rule: other, lostBy }) => ({ rule: ruleJson(other), lostBy })),
  };
}
