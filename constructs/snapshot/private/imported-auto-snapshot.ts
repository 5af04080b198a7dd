import type { Construct } from 'constructs';
import type { IVaultCluster } from '../../cluster/cluster';
import { AutoSnapshotBase } from './auto-snapshot-base';

/** A configuration that something else writes. */
export class ImportedAutoSnapshot extends AutoSnapshotBase {
  public readonly cluster: IVaultCluster;
  public readonly snapshotName: string;
  public readonly namespace?: string;

  constructor(
    scope: Construct,
    id: string,
    {
      cluster,
      snapshotName,
      namespace,
    }: Pick<ImportedAutoSnapshot, 'cluster' | 'snapshotName' | 'namespace'>,
  ) {
    super(scope, id);
    this.cluster = cluster;
    this.snapshotName = snapshotName;
    this.namespace = namespace;
  }

  public get _literalName(): string {
    return this.snapshotName;
  }
}
