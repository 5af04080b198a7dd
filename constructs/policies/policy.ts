import type { IConstruct } from 'constructs';
import type { PolicyStatement } from './policy-statement';

/** A policy on a cluster, whether this app writes it or not. */
export interface IPolicy extends IConstruct {
  /** The policy's name, for tokens, roles and groups to refer to. */
  readonly policyName: string;
}

/** An ACL policy that this app writes, and that may be given further permissions. */
export interface IAclPolicy extends IPolicy {
  /** The namespace of the policy, within the namespace of its cluster. */
  readonly namespace?: string | undefined;

  /** Adds statements to the policy's document. */
  addStatements(...statements: PolicyStatement[]): void;
}
