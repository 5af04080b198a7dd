import {
  REPLICATION_SET,
  REPLICATION_SET_FILTER,
  REPLICATION_SET_SECONDARY,
  REPLICATION_SET_TIMEOUTS,
} from '../../../model';
import {
  list,
  map,
  mapNested,
  singleNested,
  string,
  types,
  type Config,
  type Plan,
  type SchemaOf,
  type State,
} from '../../../plugin';
import { fieldAttributes, timeoutsBlock } from '../../fields';

const SECONDARY_ATTRIBUTES = {
  ...fieldAttributes(REPLICATION_SET_SECONDARY.fields),
  id: string({ optional: true, computed: true, description: REPLICATION_SET_SECONDARY.fields.id.doc }),
  paths_filter: singleNested(fieldAttributes(REPLICATION_SET_FILTER.fields), {
    optional: true,
    description: REPLICATION_SET_FILTER.doc,
  }),
};

export const SET_ATTRIBUTES = {
  id: string({ computed: true, description: 'The name of the primary: the import id of the set.' }),
  ...fieldAttributes(REPLICATION_SET.fields),
  secondaries: mapNested(SECONDARY_ATTRIBUTES, {
    optional: true,
    description: REPLICATION_SET_SECONDARY.doc,
  }),
  cluster_id: string({
    computed: true,
    description: 'The id of the replication set, the same on all its clusters.',
  }),
  cluster_ids: map(types.string, {
    computed: true,
    description:
      "The own ids of the clusters, as in `sys/health`. What is planned is for these clusters: if another one is at a member's " +
      'address when the plan is applied, nothing is changed.',
  }),
  members: map(types.string, {
    computed: true,
    description: 'The mode of each cluster: `primary`, `secondary` or `disabled`.',
  }),
  unlisted_secondaries: list(types.string, {
    computed: true,
    description:
      'Secondary ids that the primary lists, but that belong to no cluster in `secondaries`. They were issued outside of this set.',
  }),
  steps: list(types.string, {
    computed: true,
    description:
      'In a plan, the steps that the apply will take, in order. In the state, the steps of the last apply, until ' +
      'Terraform reads it again.',
  }),
};

export const SET_BLOCKS = { timeouts: timeoutsBlock(REPLICATION_SET_TIMEOUTS) };

export type SetSchema = SchemaOf<typeof SET_ATTRIBUTES, typeof SET_BLOCKS>;
/** The values of a configuration or a plan, which may be unknown. */
export type SetConfig = Config<SetSchema>;
export type SetPlan = Plan<SetSchema>;
export type SetState = State<SetSchema>;
export type SecondaryOfSet = NonNullable<SetState['secondaries']>[string];
