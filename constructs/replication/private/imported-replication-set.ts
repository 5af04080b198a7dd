import { Construct } from 'constructs';
import type { IVaultCluster } from '../../clusters/cluster';
import { checkConstructProps, CLUSTER, text } from '../../private/expectations';
import type { IPerfReplicationSet } from '../replication-set';

const REQUIRED = { primary: CLUSTER, clusterId: text('text', "'5c2b0a6e-…'") };

/** A replication set that something else makes. */
export class ImportedReplicationSet extends Construct implements IPerfReplicationSet {
  public readonly primary: IVaultCluster;
  public readonly clusterId: string;

  constructor(
    scope: Construct,
    id: string,
    attributes: { readonly primary: IVaultCluster; readonly clusterId: string },
  ) {
    super(scope, id);
    const usable = checkConstructProps(
      this,
      'PerfReplicationSet.fromPerfReplicationSetAttributes',
      'PerfReplicationSetAttributes',
      attributes,
      REQUIRED,
    );
    this.primary = usable.primary;
    this.clusterId = usable.clusterId;
  }
}
