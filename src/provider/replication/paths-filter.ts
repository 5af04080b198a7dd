import { phrase } from '../../model/messages';
import { report } from '../messages';
import type { PathsFilterFields, StoredPathsFilter } from '../../client';
import { objectTitle, PATHS_FILTER } from '../../model';
import { noteOwnFilter } from './filters-of-sets';
import { placingOf, storedResource, textIn, type ResourceKind } from '../objects';

const KIND: ResourceKind<StoredPathsFilter, PathsFilterFields> = {
  definition: PATHS_FILTER,
  placing: placingOf(PATHS_FILTER),
  description:
    `${PATHS_FILTER.doc} Write it before the secondary joins: data that the secondary has already received is removed ` +
    'again, but it was there. Destroying it sends everything to the secondary.',

  calls(client, { name }) {
    const calls = client.withNamespace('').replication.performance;
    return {
      read: (options) => calls.readPathsFilter(name, options),
      write: (fields, options) => calls.writePathsFilter(name, fields, options),
      delete: (options) => calls.deletePathsFilter(name, options),
    };
  },

  special: {
    plan({ plan }, context) {
      const [cluster, id] = [textIn(plan, 'cluster'), textIn(plan, 'secondary_id')];
      if (cluster !== null && id !== null) noteOwnFilter(cluster, id, context);
      return plan;
    },
    planDestroy(state, { diagnostics }) {
      const title = objectTitle(PATHS_FILTER, textIn(state, 'secondary_id') ?? undefined);
      report(diagnostics, 'warning', {
        summary: phrase`${title} on cluster ${JSON.stringify(state.cluster)}: without it, the
          secondary receives everything`,
        cures:
          'if some data must not reach this secondary, remove the secondary from the replication set first',
      });
    },
  },
};

/** The resource of one secondary's paths filter, on the primary. */
export const PATHS_FILTER_RESOURCE = storedResource(KIND);
