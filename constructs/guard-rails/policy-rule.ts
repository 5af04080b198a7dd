import type { GuardedPolicy } from './guarded-policy';

/** A rule that policies have to follow. */
export interface IPolicyRule {
  /** The id, by which the rule is suppressed: `no-sudo`. */
  readonly id: string;

  /** The reason for the rule, as a sentence. */
  readonly reason: string;

  /** The correction of a policy that breaks it, as a command: `grant it in a policy of its own`. */
  readonly cure: string;

  /**
   * Checks a policy.
   *
   * @returns the parts of the policy that break the rule, as texts that follow the name of the
   * policy: `allows delete secret/data/prod/db`. Empty if nothing does.
   */
  check(policy: GuardedPolicy): string[];
}
