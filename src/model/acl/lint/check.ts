import type { Effort } from '../effort';
import type { AclCapability, AclRule } from '../policy';
import type { AclPolicySet } from '../reasoning';
import type { Mounts } from './mounts';

/**
 * The severity of a finding: `error` if the rule cannot work, `warning` if it is probably not
 * meant, `note` if it is worth knowing.
 */
export type LintSeverity = 'error' | 'warning' | 'note';

/** A rule of a policy, with the facts about it that checks need. */
export interface LintedRule {
  readonly rule: AclRule;
  /** The capabilities that all rules of the policy for this path grant. */
  readonly capabilities: ReadonlySet<AclCapability>;
  /** Whether the rule has a path in the text, unlike `path { }`. */
  readonly isNamed: boolean;
  /** Whether the rule denies, and lists other capabilities as well. */
  readonly isDeniedBeside: boolean;
  /** Whether an earlier rule of the policy has the same path. */
  readonly isRepeated: boolean;
  /** Whether it is certain that Terraform does not fill in expressions of the text. */
  readonly isLiteral: boolean;
  readonly mounts: Mounts;
  /** The policy as a set. */
  readonly set: AclPolicySet;
  /** The paths of all rules of the policy. */
  readonly paths: ReadonlySet<string>;
  /** The steps that are left for the search. */
  readonly effort: Effort;
}

export interface LintProblem {
  readonly problem: string;
  readonly cure: string;
  /** Default: that of the check. */
  readonly severity?: LintSeverity;
  readonly fix?: LintFix;
}

/**
 * A change of the policy that removes a finding without removing any permission that has an effect:
 * another path for the rule, a further capability for the path of this or another rule, or the
 * removal of the rule.
 */
export type LintFix =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'grant'; readonly path: string; readonly capability: AclCapability }
  | { readonly kind: 'remove' };

/** A check of one rule. */
export interface LintCheck {
  readonly id: string;
  readonly severity: LintSeverity;
  find(linted: LintedRule): LintProblem | undefined;
}

/** Returns the cure to write another path. */
export function otherPath(path: string): Pick<LintProblem, 'cure' | 'fix'> {
  return { cure: `write ${JSON.stringify(path)}`, fix: { kind: 'path', path } };
}
