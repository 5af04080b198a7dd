import type { IConstruct } from 'constructs';

/** A policy on a cluster, whether this app writes it or not. */
export interface IPolicy extends IConstruct {
  /** The policy's name, for tokens, roles and groups to refer to. */
  readonly policyName: string;
}
