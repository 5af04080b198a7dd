import type { FilterMode } from '../../../../model';
import type { SetFilter } from '../planner';
import type { Fleet } from './fleet';

/** Writes or removes the paths filter of a secondary on its primary. */
export async function writeFilter(
  fleet: Fleet,
  primary: string,
  { id, filter }: Pick<SetFilter, 'id' | 'filter'>,
): Promise<void> {
  const verb = filter === null ? 'remove' : 'write';
  await fleet
    .member(primary)
    .call(`${verb} the paths filter of secondary ${JSON.stringify(id)} of`, (replication) =>
      filter === null
        ? replication.deletePathsFilter(id)
        : replication.writePathsFilter(id, { mode: filter.mode as FilterMode, paths: filter.paths }),
    );
}
