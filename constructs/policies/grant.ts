import { Dependable, type IConstruct, type IDependable } from 'constructs';
import { applyInOrder } from '../private/main-resource';
import type { IAclPolicy } from './policy';
import type { PolicyStatement } from './policy-statement';

/**
 * The result of a grant: the permissions that a policy was given.
 *
 * Depend on a grant, with `key.node.addDependency(grant)`, to depend on the policy.
 */
export class Grant implements IDependable {
  /** @internal */
  public static _addToPolicy(policy: IAclPolicy, statements: PolicyStatement[]): Grant {
    policy.addStatements(...statements);
    return new Grant(policy, statements);
  }

  private constructor(
    /** The policy that was given the permissions. */
    public readonly policy: IAclPolicy,
    /** The statements that were added to the policy. */
    public readonly statements: PolicyStatement[],
  ) {
    Dependable.implement(this, { dependencyRoots: [policy] });
  }

  /**
   * Makes Terraform apply the policy before the resources of the given constructs.
   *
   * Use it for resources that are applied with a token of the policy.
   */
  public applyBefore(...constructs: IConstruct[]): void {
    for (const construct of constructs) applyInOrder(this.policy, construct);
  }
}
