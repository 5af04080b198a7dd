import type { AclChange, AclExplanation, AclMergedRule, LostBy } from '../../../model';

/** A rule, as several policies together make it. */
interface RuleJson {
  readonly path: string;
  readonly capabilities: readonly string[];
  /** The names of the policies that it comes from. */
  readonly policies: readonly string[];
}

export interface ChangeJson extends Omit<AclChange, 'checks' | 'before' | 'after'> {
  /**
   * The further checks of the requests, under the old and the new set. Absent if both require
   * nothing more.
   */
  readonly checks?: AclChange['checks'];
  /** The rule that decides under the old set. Absent if there is none. */
  readonly before?: RuleJson | undefined;
  /** The rule that decides under the new set. Absent if there is none. */
  readonly after?: RuleJson | undefined;
}

export interface ExplanationJson extends Omit<AclExplanation, 'rule' | 'others' | 'unfilled'> {
  /** The rule that decides. Absent if none matches. */
  readonly rule?: RuleJson | undefined;
  /** Rules that may match as well: their templates are not filled in, as no identity is known. */
  readonly unfilled: readonly RuleJson[];
  /** The other rules that match the path, and why they do not decide. */
  readonly others: readonly { readonly rule: RuleJson; readonly lostBy: LostBy }[];
}

function ruleJson({ path, permissions, origins }: AclMergedRule): RuleJson {
  return {
    path,
    capabilities: [...permissions.capabilities],
    policies: [...new Set(origins.map(({ policy }) => policy))],
  };
}

export function changeJson({ before, after, ...change }: AclChange): ChangeJson {
  return { ...change, before: before && ruleJson(before), after: after && ruleJson(after) };
}

export function explanationJson({ rule, others, unfilled, ...rest }: AclExplanation): ExplanationJson {
  return {
    ...rest,
    rule: rule && ruleJson(rule),
    unfilled: unfilled.map(ruleJson),
    others: others.map(({ rule: other, lostBy }) => ({ rule: ruleJson(other), lostBy })),
  };
}
