import {
  CONNECTION_STATES,
  CONNECTION_STATUSES,
  PRIMARY_STATE,
  REPLICATION_MODES,
  REPLICATION_STATUS,
  SECONDARY_STATES,
} from '../../model';
import {
  bool,
  definitions,
  integer,
  list,
  listNested,
  singleNested,
  string,
  types,
  type SchemaOf,
  type State,
} from '../../plugin';
import type { Clusters } from '../clusters';
import { memberId, MEMBER_LOCATION } from './shared/location';
import { StandaloneMember } from './shared/standalone-member';

const { dataSource } = definitions<Clusters>();

const text = (description: string) => string({ computed: true, description });
const number = (description: string) => integer({ computed: true, description });

const CONNECTION = {
  connection_status: text(`${anyOf(CONNECTION_STATUSES)}.`),
  api_address: text('API address of the other cluster. Null where it never connected.'),
  cluster_address: text('Cluster address of the other cluster. Null where it never connected.'),
  last_heartbeat: text('Time of the last heartbeat, RFC 3339.'),
  last_heartbeat_duration_ms: number('Milliseconds that the last heartbeat took.'),
  clock_skew_ms: number('Milliseconds between the clocks of the two clusters.'),
  replication_primary_canary_age_ms: number(
    'Age in milliseconds of what the primary wrote last to measure replication. Since about 1.17.',
  ),
};

const ATTRIBUTES = {
  ...MEMBER_LOCATION,
  mode: text(
    `${anyOf([...REPLICATION_MODES, 'unsupported'])}. A cluster between two modes is waited for. Attributes that do not ` +
      'apply to the mode are null.',
  ),
  state: text(`\`${PRIMARY_STATE}\` on a primary; ${anyOf(SECONDARY_STATES)} on a secondary.`),
  cluster_id: text('Id of the replication set.'),
  primary_cluster_addr: text(
    'On a primary the cluster address that it was enabled with, on a secondary the one it used first.',
  ),
  known_secondaries: list(types.string, {
    computed: true,
    description: 'Ids of all activation tokens that were issued and not revoked, used or not.',
  }),
  secondaries: listNested(
    { node_id: text('Id of the secondary.'), ...CONNECTION },
    { computed: true, description: 'The secondaries of a primary.' },
  ),
  last_wal: number("Number of the last entry of a primary's write-ahead log."),
  last_performance_wal: number('Number of the last entry that secondaries get.'),
  secondary_id: text('The id that the activation token of a secondary was issued under.'),
  connection_state: text(`A secondary's connection: ${anyOf(CONNECTION_STATES)}.`),
  known_primary_cluster_addrs: list(types.string, {
    computed: true,
    description: 'Cluster addresses that a secondary knows of its primary.',
  }),
  primaries: listNested(CONNECTION, {
    computed: true,
    description: 'The nodes of the primary, on a secondary.',
  }),
  last_remote_wal: number("Number of the last entry of the primary's log that has arrived."),
  last_start: text('When the secondary began to replicate, RFC 3339.'),
  merkle_sync_progress: singleNested(
    { sync_total_keys: number('Keys to copy.'), sync_progress: number('Keys copied.') },
    { computed: true, description: 'Progress of a copy, while there is one.' },
  ),
  merkle_root: text('Hash of all data: equal on both sides once everything has arrived.'),
  corrupted_merkle_tree: bool({
    computed: true,
    description: 'Whether the hashes are known to be corrupt. Since 1.15.0, 1.14.3 and 1.13.7.',
  }),
  last_corruption_check_epoch: number('Seconds since 1970 of the last check for corruption. Null: never.'),
  last_reindex_epoch: number('Seconds since 1970 of the last reindexing. Null: never.'),
  ssct_generation_counter: number('Generation of the tokens that carry a state.'),
};

type StatusAttributes = State<SchemaOf<typeof ATTRIBUTES>>;

/** The data source of the status of a cluster, which needs no login. */
export const REPLICATION_STATUS_DATA_SOURCE = dataSource<typeof ATTRIBUTES>({
  name: REPLICATION_STATUS.name,
  schema: { description: `${REPLICATION_STATUS.doc} It is read without a token.`, attributes: ATTRIBUTES },

  async read({ config }, context) {
    const cluster = context.providerData.knownNameOf(config.cluster, REPLICATION_STATUS.title, context);
    const status = await new StandaloneMember(REPLICATION_STATUS, cluster, context).settled();
    // Values that do not exist in the present mode are undefined here, and null in the state.
    const values: Record<string, unknown> = { id: memberId(cluster), cluster, ...status };
    return values as StatusAttributes;
  },
});

/** Joins values in a sentence: `a`, `b` or `c`. */
function anyOf(values: readonly string[]): string {
  const quoted = values.map((value) => `\`${value}\``);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
