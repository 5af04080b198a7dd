import { Dependable, type IConstruct, type IDependable } from 'constructs';
import { applyInOrder } from '../private/main-resource';
import type { IAclPolicy } from './policy';
import type { PolicyStatement } from './policy-statement';

/**
 * Permissions on an object that the tokens of a policy have been given.
 *
 * It stands for the policy wherever something has to come after it: `role.node.addDependency(grant)`.
 */
export class Grant implements IDependable {
  /** @internal */
  public static _addToPolicy(policy: IAclPolicy, statements: PolicyStatement[]): Grant {
    policy.addStatements(...statements);
    return new Grant(policy, statements);
  }

  private constructor(
    /** The policy whose tokens have the permissions. */
    public readonly policy: IAclPolicy,
    /** The statements that were added to the policy. */
    public readonly statements: PolicyStatement[],
  ) {
    Dependable.implement(this, { dependencyRoots: [policy] });
  }

  /**
   * Makes Terraform write the policy, with these permissions, before it applies the resources of the given constructs.
   *
   * Use it for what works with a token of the policy.
   */
  public applyBefore(...constructs: IConstruct[]): void {
    for (const construct of constructs) applyInOrder(this.policy, construct);
  }
}
