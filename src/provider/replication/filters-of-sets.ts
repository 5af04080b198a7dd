import { objectTitle, PATHS_FILTER, REPLICATION_SET } from '../../model';
import { report } from '../messages';
import { perRun, type TerraformRun } from '../objects';

/** The resources that write one paths filter in one run of Terraform. */
interface Writers {
  /** The primary of the set that writes the filter; absent if no set writes it. */
  set?: string;
  /** Whether a `vaultadmin_perf_replication_paths_filter` writes the filter. */
  own?: true;
}

const WRITERS = perRun((): Writers => ({}));

/**
 * Notes a filter that a `vaultadmin_perf_replication_paths_filter` writes. The plan is refused if a
 * set writes it as well.
 */
export function noteOwnFilter(cluster: string, id: string, run: TerraformRun): void {
  const writers = writersOf(cluster, id, run);
  writers.own = true;
  if (writers.set !== undefined) refuse(cluster, id, writers.set, run);
}

/**
 * Notes the filters that a set writes, for each member as the possible primary, since a switchover
 * may change it. The plan is refused as by {@link noteOwnFilter}.
 */
export function noteFiltersOfSet(
  primary: string,
  idsByMember: Readonly<Record<string, string>>,
  run: TerraformRun,
): void {
  const members = [primary, ...Object.keys(idsByMember)];
  for (const id of Object.values(idsByMember)) {
    for (const cluster of members) {
      const writers = writersOf(cluster, id, run);
      writers.set = primary;
      if (writers.own) refuse(cluster, id, primary, run);
    }
  }
}

function writersOf(cluster: string, id: string, { providerData }: TerraformRun): Writers {
  return WRITERS(providerData, JSON.stringify([cluster, id]));
}

function refuse(cluster: string, id: string, primary: string, { diagnostics }: TerraformRun): void {
  report(diagnostics, 'error', {
    summary: `${objectTitle(PATHS_FILTER, id)} on cluster ${JSON.stringify(cluster)}: a replication set writes it as well`,
    details:
      `It is a resource of its own, vaultadmin_${PATHS_FILTER.name}, and ${JSON.stringify(id)} is a secondary of ` +
      `vaultadmin_${REPLICATION_SET.name} ${JSON.stringify(primary)}: each would undo what the other has written.`,
    cures:
      `set paths_filter of that secondary in the set, and remove the resource of its own with a removed block ` +
      '(lifecycle { destroy = false }), so that the filter stays in place.',
  });
}
