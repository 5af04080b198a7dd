import type { ITerraformDependable, TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import {
  AutoSnapshot as VaultadminAutoSnapshot,
  type AutoSnapshotConfig,
} from '../generated/providers/vaultadmin/auto-snapshot';
import { asArguments } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { declareObject } from '../private/declare-object';
import { defaultName } from '../private/default-name';
import { checkProps, CLUSTER, DURATION, STORAGE, text } from '../private/expectations';
import { asMainResource } from '../private/main-resource';
import type { Duration } from '../core/duration';
import { AutoSnapshotBase } from './private/auto-snapshot-base';
import { ImportedAutoSnapshot } from './private/imported-auto-snapshot';
import { upstreamSnapshot } from './private/upstream-snapshot';
import type { IAutoSnapshot } from './snapshot';
import type { SnapshotStorage } from './snapshot-storage';

const REQUIRED = {
  cluster: CLUSTER,
  interval: DURATION,
  storage: STORAGE,
  pathPrefix: text('text', "'/opt/vault/snapshots'"),
};

/** The properties of a configuration of automated snapshots. */
export interface AutoSnapshotProps {
  /** The cluster that takes the snapshots. It needs an enterprise edition with integrated storage. */
  readonly cluster: IVaultCluster;

  /**
   * The configuration's name. Another name is another configuration.
   *
   * @default - the construct's path in lower case, its parts joined by `-`
   */
  readonly snapshotName?: string | undefined;

  /**
   * The namespace to write the configuration to, within the namespace of the cluster. Servers take it in the root
   * namespace alone, and hosted ones in their administrative namespace.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** The time between two snapshots. The first one is due after one interval. */
  readonly interval: Duration;

  /** Where the snapshots are written to. */
  readonly storage: SnapshotStorage;

  /**
   * The directory, for `SnapshotStorage.local`; else the prefix within the bucket or container, which ends with a `/`
   * for `azureBlob` and `gcs`.
   */
  readonly pathPrefix: string;

  /**
   * What the names of the snapshots start with, within `pathPrefix`.
   *
   * @default 'vault-snapshot'
   */
  readonly filePrefix?: string | undefined;

  /**
   * How many snapshots are kept. When there are more after a write, the oldest are deleted.
   *
   * @default 1
   */
  readonly retain?: number | undefined;
}

/** Which configuration is meant, of those that something else writes. */
export interface AutoSnapshotAttributes {
  /** The cluster that takes the snapshots. */
  readonly cluster: IVaultCluster;

  /** The configuration's name. */
  readonly snapshotName: string;

  /**
   * The namespace that the configuration is written to, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * The time between two snapshots, for `addHealthCheck`.
   *
   * @default - it is read from the configuration, which takes the capability `sudo`
   */
  readonly interval?: Duration | undefined;
}

const NAMING = { prop: 'snapshotName', reference: 'fromAutoSnapshotAttributes' };

/**
 * Automated snapshots of a cluster's integrated storage, written on an interval. Interface sections 2.5, 4.4 and 4.5.
 *
 * On a cluster of `VaultResources.UPSTREAM`, secrets of the storage are stored in the state: a warning says so.
 */
export class AutoSnapshot extends AutoSnapshotBase {
  /** A configuration that is on the cluster already, or that something else writes. */
  public static fromAutoSnapshotAttributes(
    scope: Construct,
    id: string,
    attributes: AutoSnapshotAttributes,
  ): IAutoSnapshot {
    return new ImportedAutoSnapshot(scope, id, attributes);
  }

  public readonly cluster: IVaultCluster;
  public readonly namespace?: string;

  /** The Terraform resource: `vault_raft_snapshot_agent_config`, or `vaultadmin_auto_snapshot`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _literalName: string;

  private readonly interval: Duration;

  /** @throws Error for what is known to be wrong, and for a secret in plain text. */
  constructor(scope: Construct, id: string, props: AutoSnapshotProps) {
    super(scope, id);
    checkProps(`[${this.node.path}] AutoSnapshot`, props, REQUIRED);
    const { cluster, snapshotName: name = defaultName(this), namespace, interval, storage } = props;
    const { retain, pathPrefix, filePrefix } = props;
    this.cluster = cluster;
    this.namespace = namespace;
    this._literalName = name;
    this.interval = interval;

    const watch = declareObject(this, storage._settings, { cluster, name, namespace }, NAMING, {
      interval: interval.toString(),
      retain,
      path_prefix: pathPrefix,
      file_prefix: filePrefix,
      storage_type: storage._type.type,
    });
    const common = { provider: cluster.providerFor(this), name, namespace, retain, pathPrefix, filePrefix };
    this.resource =
      cluster.resources === VaultResources.VAULTADMIN
        ? new VaultadminAutoSnapshot(this, 'Resource', {
            ...common,
            cluster: cluster.name,
            interval: interval.toString(),
            ...asArguments({ [storage._type.block]: blockArguments(storage._settings) }),
            // Each block is optional, though the bindings take one of them for required.
          } as Omit<AutoSnapshotConfig, 'local'> as AutoSnapshotConfig)
        : upstreamSnapshot(this, { ...common, intervalSeconds: interval.toSeconds() }, storage);
    watch(this.resource, cluster.resources === VaultResources.UPSTREAM);
    asMainResource(this, this.resource);
  }

  public get snapshotName(): string {
    return this.resource.getStringAttribute('name');
  }

  /** @internal */
  public get _known(): { readonly interval: string; readonly dependsOn: ITerraformDependable[] } {
    return { interval: this.interval.toString(), dependsOn: [this.resource] };
  }
}
