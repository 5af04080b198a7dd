import type { IConstruct } from 'constructs';
import type { PolicyStatement } from './policy-statement';

/** A policy, managed by this app or imported. */
export interface IPolicy extends IConstruct {
  /** The name of the policy, to be used in tokens, roles and groups. */
  readonly policyName: string;
}

/** An ACL policy that this app manages, and that may be granted permissions. */
export interface IAclPolicy extends IPolicy {
  /** The namespace of the policy, within the namespace of its cluster. */
  readonly namespace?: string | undefined;

  /** Adds statements to the document of the policy. */
  addStatements(...statements: PolicyStatement[]): void;
}
