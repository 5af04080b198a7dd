import { phrase } from '../../model/messages';
import { MessageError } from '../messages';
import { DYNAMIC_FILTER, formatImportId, objectTitle } from '../../model';
import { definitions, list, string, types, type DiagnosticError } from '../../plugin';
import type { Clusters } from '../clusters';
import { dataSourceFields, DATA_SOURCE_LOCATION, onCluster, reportFindings, subjectOf } from '../objects';
import { StandaloneMember } from './shared/standalone-member';

const { dataSource } = definitions<Clusters>();

const paths = (what: string) =>
  list(types.string, {
    computed: true,
    description: `Paths of ${what} that the secondary does not receive, sorted.`,
  });

const ATTRIBUTES = {
  id: string({ computed: true, description: 'The cluster and the secondary: `cluster//secondary_id`.' }),
  cluster: DATA_SOURCE_LOCATION.cluster,
  ...(dataSourceFields(DYNAMIC_FILTER) as {
    readonly secondary_id: ReturnType<typeof string<true>>;
  }),
  dynamic_filtered_mounts: paths('mounts'),
  dynamic_filtered_namespaces: paths('namespaces'),
};

/**
 * The data source of the mounts and namespaces that are withheld from a secondary, as read from
 * `primary/dynamic-filter/:id` or `secondary/dynamic-filter/:id`.
 */
export const DYNAMIC_FILTER_DATA_SOURCE = dataSource<typeof ATTRIBUTES>({
  name: DYNAMIC_FILTER.name,
  schema: {
    description: `${DYNAMIC_FILTER.doc} It can be read from the primary or from the secondary.`,
    attributes: ATTRIBUTES,
  },

  validate({ config }, { diagnostics }) {
    reportFindings(DYNAMIC_FILTER, config, diagnostics);
  },

  async read({ config }, context) {
    const { secondary_id: name } = config;
    const cluster = context.providerData.knownNameOf(
      config.cluster,
      objectTitle(DYNAMIC_FILTER, name),
      context,
    );
    const subject = subjectOf(DYNAMIC_FILTER, { cluster, namespace: '', name });
    const member = new StandaloneMember(DYNAMIC_FILTER, cluster, context);

    const { mode } = await member.settled();
    if (mode !== 'primary' && mode !== 'secondary') throw notReplicating(onCluster(subject), mode);
    const response = await member.call('read', (replication) =>
      mode === 'primary'
        ? replication.primaryDynamicFilter(name, { signal: context.signal })
        : replication.secondaryDynamicFilter(name, { signal: context.signal }),
    );
    if (!response) throw noSuchSecondary(onCluster(subject), mode);
    const { dynamic_filtered_mounts, dynamic_filtered_namespaces } = response.data;
    return {
      id: formatImportId({ cluster, namespace: '', name }),
      cluster,
      secondary_id: name,
      dynamic_filtered_mounts: [...dynamic_filtered_mounts].sort(),
      dynamic_filtered_namespaces: [...dynamic_filtered_namespaces].sort(),
    };
  },
});

function notReplicating(object: string, mode: string): DiagnosticError {
  return new MessageError({
    path: ['cluster'],
    summary: `${object} does not exist: the cluster does not replicate`,
    received: `a cluster in mode ${JSON.stringify(mode)}`,
    allowed: 'a primary, or the secondary itself',
    cures: 'set cluster to one of them',
  });
}

function noSuchSecondary(object: string, mode: 'primary' | 'secondary'): DiagnosticError {
  return new MessageError({
    path: ['secondary_id'],
    summary: `${object} does not exist`,
    details:
      mode === 'primary'
        ? 'The primary knows no secondary of this id.'
        : 'The cluster is a secondary of another id.',
    cures: phrase`check secondary_id; the data source vaultadmin_perf_replication_status
      ${mode === 'primary' ? 'lists known_secondaries' : 'shows it'}`,
  });
}
