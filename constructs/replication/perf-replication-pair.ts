import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import { noPair, notOfPair } from '../private/messages';
import { refuseConstruct, refuseProps } from '../private/report';
import { addressAs } from '../private/main-resource';
import type { PathsFilter } from './paths-filter';
import { PerfReplicationSet } from './perf-replication-set';
import { declaredProps } from '../private/known-props';
import { checkPairProps } from './private/check-props';
import type { IPerfReplicationSet } from './replication-set';
import type { PerfReplicationOptions } from './set-options';

export interface PerfReplicationPairProps extends PerfReplicationOptions {
  /** The two clusters. */
  readonly clusters: IVaultCluster[];

  /** The primary, one of the two. Naming the other one switches over. */
  readonly primary: IVaultCluster;

  /**
   * The data that each cluster receives while it is the secondary, by its name.
   *
   * @default - everything is replicated
   */
  readonly pathsFilters?: { [cluster: string]: PathsFilter } | undefined;

  /**
   * The name of the cluster that may be erased when it joins.
   *
   * @default - only an empty cluster may join
   */
  readonly confirmDataLoss?: string | undefined;
}

/** A primary and one secondary. */
export class PerfReplicationPair extends Construct implements IPerfReplicationSet {
  /** The replication set of the pair. */
  public readonly replicationSet: PerfReplicationSet;

  /** @throws Error for clusters and options that are not valid. */
  constructor(scope: Construct, id: string, props: PerfReplicationPairProps) {
    super(scope, id);
    const usable = checkPairProps(this, props);
    const { clusters, primary, pathsFilters = {}, confirmDataLoss, ...options } = usable;
    const names = clusters.map(({ name }) => name);
    if (names.length !== 2) refuseProps(this, [noPair(names)]);
    const named = [
      ...Object.keys(pathsFilters).map((name) => ['pathsFilters', name] as const),
      ...(confirmDataLoss === undefined ? [] : [['confirmDataLoss', confirmDataLoss] as const]),
    ];
    const unknown = named.filter(([, name]) => !names.includes(name));
    refuseConstruct(this, notOfPair(names, unknown));

    this.replicationSet = new PerfReplicationSet(this, 'Resource', {
      ...declaredProps('PerfReplicationOptions', options),
      primary,
      members: clusters.map((cluster) => ({
        cluster,
        pathsFilter: pathsFilters[cluster.name],
        confirmDataLoss: confirmDataLoss === cluster.name ? confirmDataLoss : undefined,
      })),
    });
    addressAs(this, this.replicationSet.resource);
  }

  /** The desired primary of the two clusters. */
  public get primary(): IVaultCluster {
    return this.replicationSet.primary;
  }

  /** The Terraform resource: `vaultadmin_perf_replication_set`. */
  public get resource(): TerraformResource {
    return this.replicationSet.resource;
  }

  /**
   * The id of the replication set, the same on both clusters. It is known after the first apply.
   */
  public get clusterId(): string {
    return this.replicationSet.clusterId;
  }
}
