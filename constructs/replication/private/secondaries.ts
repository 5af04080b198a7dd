import type { IVaultCluster } from '../../clusters/cluster';
import type { PerfReplicationSetSecondaries } from '../../generated/providers/vaultadmin/perf-replication-set';
import type { PerfReplicationMember } from '../member';

/** Returns the arguments of the future secondaries, by the names of their clusters. */
export function secondariesOf(
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
