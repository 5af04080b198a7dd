import type { Construct } from 'constructs';
import type { IVaultCluster } from '../../clusters/cluster';
import type { Duration } from '../../core/duration';
import { checkConstructProps, CLUSTER, text } from '../../private/expectations';
import { AutoSnapshotBase } from './auto-snapshot-base';

/** A configuration that something else writes. */
export class ImportedAutoSnapshot extends AutoSnapshotBase {
  public readonly cluster: IVaultCluster;
  public readonly snapshotName: string;
  public readonly namespace?: string;
  private readonly interval?: Duration;

  constructor(
    scope: Construct,
    id: string,
    attributes: {
      readonly cluster: IVaultCluster;
      readonly snapshotName: string;
      readonly namespace?: string;
      readonly interval?: Duration;
    },
  ) {
    super(scope, id);
    const usable = checkConstructProps(
      this,
      'AutoSnapshot.fromAutoSnapshotAttributes',
      'AutoSnapshotAttributes',
      attributes,
      { cluster: CLUSTER, snapshotName: text('text', "'hourly'") },
    );
    this.cluster = usable.cluster;
    this.snapshotName = usable.snapshotName;
    this.namespace = usable.namespace;
    this.interval = usable.interval;
  }

  public get _literalName(): string {
    return this.snapshotName;
  }

  public get _known(): { readonly interval?: string } {
    return { interval: this.interval?.toString() };
  }
}
