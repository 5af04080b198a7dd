import { phrase } from '../../model/messages';
import { MessageError, report } from '../messages';
import {
  VaultError,
  type CallOptions,
  type PathsFilterFields,
  type StoredPathsFilter,
  type VaultClient,
} from '../../client';
import { objectTitle, PATHS_FILTER, type ObjectIdentity } from '../../model';
import { noteOwnFilter } from './filters-of-sets';
import { identificationOf, storedResource, textIn, titleIn, type ResourceKind } from '../objects';

const KIND: ResourceKind<StoredPathsFilter, PathsFilterFields> = {
  definition: PATHS_FILTER,
  identification: identificationOf(PATHS_FILTER),
  description:
    `${PATHS_FILTER.doc} Write it before the secondary joins: data that the secondary has already received is removed ` +
    'again, but it was there. Destroying it sends everything to the secondary.',

  calls(client, identity) {
    const { name } = identity;
    const calls = client.withNamespace('').replication.performance;
    const ofPrimary = explained(calls, identity);
    return {
      read: (options) => calls.readPathsFilter(name, options).catch(ofPrimary(options)),
      write: (fields, options) => calls.writePathsFilter(name, fields, options).catch(ofPrimary(options)),
      delete: (options) => calls.deletePathsFilter(name, options).catch(ofPrimary(options)),
    };
  },

  plan({ plan }, context) {
    const [cluster, id] = [textIn(plan, 'cluster'), textIn(plan, 'secondary_id')];
    if (cluster !== null && id !== null) noteOwnFilter(cluster, id, context);
    return plan;
  },
  planDestroy(state, { diagnostics }) {
    const title = titleIn(PATHS_FILTER, state);
    report(diagnostics, 'warning', {
      summary: phrase`${title} on cluster ${JSON.stringify(state.cluster)}: without it, the
        secondary receives everything`,
      cures:
        'if some data must not reach this secondary, remove the secondary from the replication set first',
    });
  },
};

/**
 * Returns a handler for the refusals of a server. If the cluster is not a primary, the handler
 * explains that, because servers do not.
 */
function explained(
  calls: VaultClient['replication']['performance'],
  { cluster, name }: ObjectIdentity,
): (options: CallOptions) => (error: unknown) => Promise<never> {
  return (options) => async (error) => {
    if (!VaultError.is(error) || error.code !== 'invalid_request') throw error;
    const status = await calls.status(options).catch(() => undefined);
    if (status === undefined || status.data.mode === 'primary') throw error;
    throw new MessageError({
      path: ['cluster'],
      summary: `${objectTitle(PATHS_FILTER, name)} on cluster ${JSON.stringify(cluster)}: the cluster is not a primary`,
      received: `a cluster in mode ${JSON.stringify(status.data.mode)}`,
      allowed: 'the primary of the secondary, which keeps its filter',
      cures:
        'set cluster to the primary, or make this cluster a primary first, and refer to it in depends_on',
    });
  };
}

/** The resource of one secondary's paths filter, on the primary. */
export const PATHS_FILTER_RESOURCE = storedResource(KIND);
