import { Construct } from 'constructs';
import type { IPolicy } from '../policy';

/** A policy that something else writes. */
export class ImportedPolicy extends Construct implements IPolicy {
  constructor(
    scope: Construct,
    id: string,
    public readonly policyName: string,
  ) {
    super(scope, id);
  }
}
