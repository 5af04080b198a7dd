import type { ITerraformDependable, TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { VaultadminAutoSnapshot, type AutoSnapshotConfig } from '../private/bindings';
import { asArguments } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { declareObject } from '../clusters/private/declare-object';
import { defaultName } from '../clusters/private/written-objects';
import { checkConstructProps, CLUSTER, DURATION, orElse, STORAGE, text } from '../private/expectations';
import { moveFromUpstream } from '../clusters/private/moved-from-upstream';
import { guardProps } from '../private/late-values';
import { asMainResource } from '../private/main-resource';
import { lateProps } from '../private/string-props';
import { Duration } from '../core/duration';
import { Size } from '../core/size';
import { AutoSnapshotBase } from './private/auto-snapshot-base';
import { ImportedAutoSnapshot } from './private/imported-auto-snapshot';
import { upstreamSnapshot } from './private/upstream-snapshot';
import type { IAutoSnapshot } from './snapshot';
import { SnapshotStorage } from './snapshot-storage';

const REQUIRED = {
  cluster: CLUSTER,
  interval: orElse(DURATION, () => Duration.hours(1)),
  storage: orElse(STORAGE, () => SnapshotStorage.local({ maxSpace: Size.gibibytes(1) })),
  pathPrefix: text('text', "'/opt/vault/snapshots'"),
};

/** The properties of a configuration of automated snapshots. */
export interface AutoSnapshotProps {
  /** The cluster that takes the snapshots. It requires Vault Enterprise with integrated storage. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the configuration.
   *
   * A change of the name replaces the configuration.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly snapshotName?: string | undefined;

  /**
   * The namespace to write the configuration to, within the namespace of the cluster.
   *
   * Servers accept it in the root namespace only, hosted ones in their administrative namespace.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** The time between two snapshots. The first snapshot is taken after one interval. */
  readonly interval: Duration;

  /** The storage that snapshots are written to. */
  readonly storage: SnapshotStorage;

  /**
   * The directory, for `SnapshotStorage.local`; otherwise the prefix within the bucket or
   * container.
   *
   * For `azureBlob` and `gcs`, it must end with a `/`. A value that only Terraform knows has no
   * `/`, unless it comes from `LateValue.trust`.
   */
  readonly pathPrefix: string;

  /**
   * The prefix of the names of snapshot files, within `pathPrefix`.
   *
   * @default 'vault-snapshot'
   */
  readonly filePrefix?: string | undefined;

  /**
   * The number of snapshots to keep. After a write, the oldest ones beyond it are deleted.
   *
   * @default 1
   */
  readonly retain?: number | undefined;
}

/** The attributes of a configuration of automated snapshots to import. */
export interface AutoSnapshotAttributes {
  /** The cluster that takes the snapshots. */
  readonly cluster: IVaultCluster;

  /** The name of the configuration. */
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
   * @default - it is read from the configuration, which requires the capability `sudo`
   */
  readonly interval?: Duration | undefined;
}

const REFERENCE = 'fromAutoSnapshotAttributes';

/**
 * Automated snapshots of a cluster's integrated storage.
 *
 * Terraform never stores the secrets of the storage. On a cluster with
 * `ResourceProvider.UPSTREAM`, whose provider would store all others, the only secret may be the
 * secret access key of S3.
 */
export class AutoSnapshot extends AutoSnapshotBase {
  /** Imports a configuration that already exists, or that is managed elsewhere. */
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

  /** @throws Error for invalid properties, and for a secret in plain text. */
  constructor(scope: Construct, id: string, props: AutoSnapshotProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'AutoSnapshot', 'AutoSnapshotProps', props, REQUIRED);
    const { cluster, snapshotName: name = defaultName(this), namespace, interval, storage } = usable;
    const { retain, pathPrefix, filePrefix } = usable;
    this.cluster = cluster;
    this.namespace = namespace;
    this._literalName = name;
    this.interval = interval;

    const watch = declareObject(this, storage._settings, { cluster, name, namespace }, REFERENCE, {
      interval: interval.toString(),
      retain,
      path_prefix: pathPrefix,
      file_prefix: filePrefix,
      storage_type: storage._type.type,
    });
    const common = { provider: cluster.providerFor(this), name, namespace, retain, pathPrefix, filePrefix };
    this.resource =
      cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? new VaultadminAutoSnapshot(this, 'Resource', {
            ...common,
            cluster: cluster.name,
            interval: interval.toString(),
            ...asArguments({ [storage._type.block]: blockArguments(storage._settings) }),
            // The bindings require one of the blocks, although each is optional.
          } as Omit<AutoSnapshotConfig, 'local'> as AutoSnapshotConfig)
        : upstreamSnapshot(this, { ...common, intervalSeconds: interval.toSeconds() }, storage);
    watch(this.resource);
    guardProps(this.resource, [...lateProps('AutoSnapshotProps', usable), ...storage._settings.late]);
    asMainResource(this, this.resource);
    moveFromUpstream(this.resource, cluster, 'vault_raft_snapshot_agent_config');
  }

  /**
   * The name of the configuration: a reference to the Terraform resource, so that a resource that
   * uses it is created after it.
   */
  public get snapshotName(): string {
    return this.resource.getStringAttribute('name');
  }

  /** @internal */
  public get _known(): { readonly interval: string; readonly dependsOn: ITerraformDependable[] } {
    return { interval: this.interval.toString(), dependsOn: [this.resource] };
  }
}
