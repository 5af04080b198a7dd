import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { perfReplicationSetSecondariesToTerraform, VaultadminSet } from '../private/bindings';
import { verbatim } from '../private/late-text';
import { guardProps } from '../private/late-values';
import { asMainResource } from '../private/main-resource';
import { lateProps } from '../private/string-props';
import type { PerfReplicationMember } from './member';
import { checkFilters } from './private/check-filters';
import { checkMembers } from './private/check-members';
import { checkSetProps } from './private/check-props';
import { ImportedReplicationSet } from './private/imported-replication-set';
import type { IPerfReplicationSet } from './replication-set';
import type { PerfReplicationOptions } from './set-options';
import type { PerfReplicationSetSecondaries } from '../generated/providers/vaultadmin/perf-replication-set';

export interface PerfReplicationSetProps extends PerfReplicationOptions {
  /** The primary, one of the members. Naming another member switches over. */
  readonly primary: IVaultCluster;

  /** All clusters of the set, the primary among them. */
  readonly members: PerfReplicationMember[];
}

/** The attributes of a replication set to import. */
export interface PerfReplicationSetAttributes {
  /** The primary. */
  readonly primary: IVaultCluster;

  /** The id of the replication set, which `vault-admin status --json` shows. */
  readonly clusterId: string;
}

/**
 * A performance replication set: one primary, and secondaries that follow it.
 *
 * It is always the resource `vaultadmin_perf_replication_set`, whatever
 * {@link IVaultCluster.resourceProvider} is. Its plan lists every step of the apply: which cluster
 * is erased, demoted or promoted.
 */
export class PerfReplicationSet extends Construct implements IPerfReplicationSet {
  /** Imports a replication set that is managed elsewhere. */
  public static fromPerfReplicationSetAttributes(
    scope: Construct,
    id: string,
    attributes: PerfReplicationSetAttributes,
  ): IPerfReplicationSet {
    return new ImportedReplicationSet(scope, id, attributes);
  }

  /** The desired primary. */
  public readonly primary: IVaultCluster;

  /** The Terraform resource: `vaultadmin_perf_replication_set`. */
  public readonly resource: TerraformResource;

  /** @throws Error for clusters and options that are not valid. */
  constructor(scope: Construct, id: string, props: PerfReplicationSetProps) {
    super(scope, id);
    const usable = checkSetProps(this, props);
    const {
      primary,
      members,
      formerMembers = [],
      abandonedClusters,
      modeChangeTimeout,
      takeoverTimeout,
      syncTimeout,
      ...options
    } = usable;
    this.primary = primary;
    checkMembers(this, primary, members, usable);
    checkFilters(this, members);

    const reached = [...members.map(({ cluster }) => cluster), ...formerMembers];
    const [provider] = reached.map((cluster) => cluster.providerFor(this, ResourceProvider.VAULTADMIN));
    const secondaries = secondariesOf(primary, members);
    this.resource = new VaultadminSet(this, 'Resource', {
      provider,
      primary: primary.name,
      secondaries: verbatim(() =>
        Object.fromEntries(
          Object.entries(secondaries).map(([name, secondary]) => [
            name,
            perfReplicationSetSecondariesToTerraform(secondary) as unknown,
          ]),
        ),
      ),
      ...options,
      abandonedClusters: abandonedClusters?.map(({ name }) => name),
      timeouts:
        modeChangeTimeout || takeoverTimeout || syncTimeout
          ? {
              modeChange: modeChangeTimeout?.toString(),
              takeover: takeoverTimeout?.toString(),
              sync: syncTimeout?.toString(),
            }
          : undefined,
    });
    guardProps(this.resource, [
      ...lateProps('PerfReplicationOptions', usable),
      ...members.flatMap((member) => [
        ...lateProps('PerfReplicationMember', member),
        ...(member.pathsFilter?._late ?? []),
      ]),
    ]);
    asMainResource(this, this.resource);
  }

  /**
   * The id of the replication set, the same on all its clusters. It is known after the first apply.
   */
  public get clusterId(): string {
    return this.resource.getStringAttribute('cluster_id');
  }
}

/** Returns the arguments of the future secondaries, by the names of their clusters. */
function secondariesOf(
  primary: IVaultCluster,
  members: readonly PerfReplicationMember[],
): Record<string, PerfReplicationSetSecondaries> {
  return Object.fromEntries(
    members
      .filter(({ cluster }) => cluster !== primary)
      .map(({ cluster, secondaryId, pathsFilter, ...settings }) => [
        cluster.name,
        {
          ...settings,
          id: secondaryId,
          everything: pathsFilter ? undefined : true,
          pathsFilter: pathsFilter && { mode: pathsFilter._mode, paths: [...pathsFilter._paths] },
        },
      ]),
  );
}
