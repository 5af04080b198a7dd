import type { ReplicationStatus } from '../../client';
import {
  PATHS_FILTER,
  REPLICATION_PRIMARY,
  REPLICATION_SECONDARY,
  REPLICATION_SET,
  type ObjectDefinition,
} from '../../model';
import type { ConfiguredContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { identificationOf, memberListResource, request, storedListResource } from '../objects';

/** The lists of the roles of clusters in performance replication. */
export const REPLICATION_LISTS = [
  memberListResource(REPLICATION_PRIMARY, whereItIs(REPLICATION_PRIMARY, 'primary')),
  memberListResource(REPLICATION_SECONDARY, whereItIs(REPLICATION_SECONDARY, 'secondary')),
  memberListResource(REPLICATION_SET, async (cluster, context) => {
    const status = await statusOf(REPLICATION_SET, cluster, context);
    return status.mode === 'primary' ? { cluster_id: status.cluster_id } : undefined;
  }),
  storedListResource({
    definition: PATHS_FILTER,
    plural: { title: `every ${PATHS_FILTER.title}` },
    identification: identificationOf(PATHS_FILTER),
    async find(client, options) {
      const calls = client.withNamespace('').replication.performance;
      const response = await calls.status(options);
      const ids = response.data.mode === 'primary' ? [...response.data.known_secondaries].sort() : [];
      const filters = await Promise.all(ids.map((id) => calls.readPathsFilter(id, options)));
      const found = ids.filter((_, i) => filters[i] !== undefined);
      return { ...response, data: found.map((name) => ({ name })) };
    },
  }),
];

function whereItIs(definition: ObjectDefinition, mode: ReplicationStatus['mode']) {
  return async (cluster: string, context: ConfiguredContext<Clusters>) => {
    const status = await statusOf(definition, cluster, context);
    return status.mode === mode ? { cluster } : undefined;
  };
}

async function statusOf(
  definition: ObjectDefinition,
  cluster: string,
  context: ConfiguredContext<Clusters>,
): Promise<ReplicationStatus> {
  const { title } = definition;
  const anonymous = context.providerData.cluster(cluster, title, context).anonymous();
  const subject = { definition, location: { cluster, namespace: '' }, title };
  const { data } = await request('list', subject, context, () =>
    anonymous.replication.performance.status({ signal: context.signal }),
  );
  return data;
}
