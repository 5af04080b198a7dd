import { PATHS_FILTER, REPLICATION_CALLS } from '../../../model';
import {
  bool,
  list,
  map,
  mapNested,
  oneOf,
  set,
  singleNested,
  string,
  types,
  type Config,
  type Plan,
  type SchemaOf,
  type State,
} from '../../../plugin';
import { timeoutsAttribute } from '../shared/timeouts';
import { TOKEN_DELIVERIES } from './executor';

/** Seconds. */
export const TIMEOUTS = { mode_change: 120, sync: 3600 };

const { enableSecondary, enablePrimary } = REPLICATION_CALLS;
const { mode, paths } = PATHS_FILTER.fields;

const SECONDARY_ATTRIBUTES = {
  id: string({
    optional: true,
    computed: true,
    description:
      'The id under which the primary knows the secondary. Another id takes a new activation token. Default: the name ' +
      'of the cluster, or the id that an imported secondary has.',
  }),
  paths_filter: singleNested(
    {
      mode: string({
        optional: true,
        default: mode!.default as string,
        description: mode!.doc,
        validators: [oneOf(...mode!.allowed!)],
      }),
      paths: set(types.string, { required: true, description: paths!.doc }),
    },
    {
      optional: true,
      description:
        'What the secondary gets of the data. It is written before the secondary receives anything. Left out: it gets everything.',
    },
  ),
  confirm_data_loss: string({
    optional: true,
    description:
      'The name of the cluster, once more: confirms that everything it holds may be erased when it joins. Without it ' +
      'only a cluster that is as new joins. It counts for one time: for a cluster that left the set by itself it has ' +
      'to be taken out and put back.',
  }),
  token_delivery: string({
    optional: true,
    default: TOKEN_DELIVERIES[0],
    validators: [oneOf(...TOKEN_DELIVERIES)],
    description:
      'How the activation token travels. `public_key`: encrypted, so that only this secondary can use it; `wrapped`: ' +
      'the secondary unwraps it by a call to the primary. Neither way does it leave the process of the provider.',
  }),
  primary_api_addr: string({ optional: true, description: enableSecondary.fields.primary_api_addr.doc }),
  ca_file: string({ optional: true, description: enableSecondary.fields.ca_file.doc }),
  ca_path: string({ optional: true, description: enableSecondary.fields.ca_path.doc }),
};

export const SET_ATTRIBUTES = {
  id: string({ computed: true, description: 'The name of the primary: what the set is imported by.' }),
  primary: string({
    required: true,
    description:
      "Name of the cluster, as in `clusters` of the provider's configuration, that is to be the primary. Setting it to " +
      'a present secondary switches over.',
  }),
  primary_cluster_addr: string({
    optional: true,
    description:
      `${enablePrimary.fields.primary_cluster_addr.doc} It is given when a cluster becomes the primary; another value ` +
      'counts from the next time on.',
  }),
  secondaries: mapNested(SECONDARY_ATTRIBUTES, {
    optional: true,
    description: 'The secondaries, by the names of their clusters.',
  }),
  deletion_protection: bool({
    optional: true,
    default: true,
    description:
      'Whether Terraform must not end the set. To destroy it, set this to `false` and apply first.',
  }),
  force_promotion: string({
    optional: true,
    description:
      'The name of the primary, once more: lets it be promoted although the old one is lost, or although it lacks ' +
      'writes, which are then lost. For a fail-over that nobody planned; take it out again afterwards.',
  }),
  abandoned_clusters: set(types.string, {
    optional: true,
    description:
      'Names of clusters that are gone for good. They are not waited for: a former secondary is only revoked. Never ' +
      'name one that may come back as a primary.',
  }),
  timeouts: timeoutsAttribute(TIMEOUTS),
  cluster_id: string({
    computed: true,
    description: 'The id of the replication set, the same on all its clusters.',
  }),
  members: map(types.string, {
    computed: true,
    description: 'What each cluster is: `primary`, `secondary` or `disabled`.',
  }),
  unlisted_secondaries: list(types.string, {
    computed: true,
    description: 'Ids that the primary knows and that are not in `secondaries`: they were issued elsewhere.',
  }),
  steps: list(types.string, {
    computed: true,
    description:
      'In the plan: what the apply will do, in order. In the state: what the latest apply that changed something did.',
  }),
};

export type SetSchema = SchemaOf<typeof SET_ATTRIBUTES>;
/** The configuration, or the plan, while planning. */
export type SetConfig = Config<SetSchema>;
export type SetPlan = Plan<SetSchema>;
export type SetState = State<SetSchema>;
export type SecondaryState = NonNullable<SetState['secondaries']>[string];
