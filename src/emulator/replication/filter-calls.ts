import { normalizeFilterPath } from '../../model';
import type { LogicalResponse } from '../core/backend';
import type { CallHandlers, ReplicatedCluster } from './calls';
import type { DynamicFilter, PathsFilter } from './record';

interface IdField {
  readonly id: string;
}

/** What is kept from a secondary: the filter as it was written, and what comes of it. */
export function filterHandlers({
  replication,
}: ReplicatedCluster): CallHandlers<
  | 'writePathsFilter'
  | 'readPathsFilter'
  | 'deletePathsFilter'
  | 'primaryDynamicFilter'
  | 'secondaryDynamicFilter'
> {
  const { primary, secondary } = replication;
  return {
    writePathsFilter: ({ data }) => {
      const { id, mode, paths } = data as unknown as IdField & PathsFilter;
      primary.writeFilter(id, { mode, paths: [...new Set(paths.map(normalizeFilterPath))] });
      replication.site.reached('filter-written');
      return undefined;
    },
    readPathsFilter: ({ data }) => {
      const filter = primary.filter((data as unknown as IdField).id);
      return filter && { data: { ...filter } };
    },
    deletePathsFilter: ({ data }) => {
      primary.deleteFilter((data as unknown as IdField).id);
      replication.site.reached('filter-deleted');
      return undefined;
    },
    primaryDynamicFilter: ({ data }) => {
      const { id } = data as unknown as IdField;
      if (!primary.knows(id)) return undefined;
      const view = primary.filteredView(id);
      return describe({ mounts: view?.mountPaths ?? [], namespaces: view?.namespacePaths ?? [] });
    },
    secondaryDynamicFilter: ({ data }) =>
      (data as unknown as IdField).id === secondary.record.secondaryId
        ? describe(secondary.dynamicFilter)
        : undefined,
  };
}

function describe({ mounts, namespaces }: Pick<DynamicFilter, 'mounts' | 'namespaces'>): LogicalResponse {
  return { data: { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces } };
}
