import { normalizeFilterPath } from '../../../model';
import type { LogicalResponse } from '../../core/backend';
import type { WithheldPaths } from '../record';
import type { CallHandlers } from './call';

/** The calls about paths filters and dynamic filters. */
export const FILTER_CALLS = {
  writePathsFilter({ replication }, { id, mode, paths }) {
    replication.primary.writeFilter(id, { mode, paths: [...new Set(paths.map(normalizeFilterPath))] });
    replication.site.reached('filter-written');
    return undefined;
  },

  readPathsFilter({ replication }, { id }) {
    const filter = replication.primary.filter(id);
    if (filter !== undefined) return { data: { ...filter } };
    return replication.site.host.server.assumed('missingFilter').empty ? { data: {} } : undefined;
  },

  deletePathsFilter({ replication }, { id }) {
    replication.primary.deleteFilter(id);
    replication.site.reached('filter-deleted');
    return undefined;
  },

  /** Returns the data that a filter withholds from a secondary, according to the primary. */
  primaryDynamicFilter({ replication }, { id }) {
    const { primary } = replication;
    if (!primary.knows(id)) return undefined;
    const view = primary.filteredView(id);
    return describe({ mounts: view?.mountPaths ?? [], namespaces: view?.namespacePaths ?? [] });
  },

  /** Returns the data that a filter withholds from this secondary, as of its latest sync. */
  secondaryDynamicFilter({ replication }, { id }) {
    const { record, dynamicFilter } = replication.secondary;
    return id === record.secondaryId ? describe(dynamicFilter) : undefined;
  },
} satisfies Partial<CallHandlers>;

function describe({ mounts, namespaces }: Pick<WithheldPaths, 'mounts' | 'namespaces'>): LogicalResponse {
  return { data: { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces } };
}
