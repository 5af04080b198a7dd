import type { ObjectDefinition } from '../definition/field';
import { genericNameRule } from '../definition/generic-name';
import {
  PRIMARY_API_ADDR_IS_ADDRESS,
  PRIMARY_CLUSTER_ADDR_IS_ADDRESS,
  UPDATE_PRIMARY_ADDRS_ARE_ADDRESSES,
} from './address-rules';
import { PERFORMANCE_PATH, REPLICATION_CALLS } from './calls';
import { ACTIVATION_TOKEN_FIELD, SECONDARY_ID_FIELD, UPDATE_PRIMARY_ADDRS_FIELD } from './fields';
import { PATHS_FILTER_RULES } from './filter-rules';
import { TOKEN_OR_ADDRESSES, TTL_POSITIVE } from './token-rules';

const COMMON = { edition: 'enterprise', restricted: false, clusterWide: true } as const;

/** A cluster as a primary. */
export const REPLICATION_PRIMARY: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_primary',
  title: 'performance replication primary',
  path: `${PERFORMANCE_PATH}/primary`,
  doc: 'A cluster as the primary of a performance replication set. There must never be more than one.',
  fields: REPLICATION_CALLS.enablePrimary.fields,
  rules: [PRIMARY_CLUSTER_ADDR_IS_ADDRESS],
};

/** A cluster as a secondary. */
export const REPLICATION_SECONDARY: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_secondary',
  title: 'performance replication secondary',
  path: `${PERFORMANCE_PATH}/secondary`,
  doc:
    'A cluster as a secondary of a performance replication set. Enabling it erases all data of the cluster, including ' +
    'all its tokens.',
  fields: {
    ...REPLICATION_CALLS.enableSecondary.fields,
    token: {
      ...ACTIVATION_TOKEN_FIELD,
      required: false,
      doc:
        'Activation token, which is only required to join. A different one makes the secondary follow the primary that ' +
        'issued it, without losing data; an empty string makes it forget its primary.',
    },
    update_primary_addrs: UPDATE_PRIMARY_ADDRS_FIELD,
  },
  rules: [TOKEN_OR_ADDRESSES, PRIMARY_API_ADDR_IS_ADDRESS, UPDATE_PRIMARY_ADDRS_ARE_ADDRESSES],
};

/** The paths filter of one secondary, on its primary. */
export const PATHS_FILTER: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_paths_filter',
  title: 'paths filter',
  path: `${PERFORMANCE_PATH}/primary/paths-filter`,
  doc: 'The mounts and namespaces that a secondary receives (`allow`) or does not receive (`deny`). It is stored on the primary.',
  fields: {
    secondary_id: SECONDARY_ID_FIELD,
    mode: REPLICATION_CALLS.writePathsFilter.fields.mode,
    paths: REPLICATION_CALLS.writePathsFilter.fields.paths,
  },
  rules: [genericNameRule('secondary_id'), ...PATHS_FILTER_RULES],
};

/** The activation token of one secondary, issued by its primary. */
export const SECONDARY_TOKEN: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_secondary_token',
  title: 'activation token',
  path: `${PERFORMANCE_PATH}/primary/secondary-token`,
  doc: 'The activation token of a secondary, issued by the primary. It can be used once.',
  fields: {
    secondary_id: SECONDARY_ID_FIELD,
    ttl: REPLICATION_CALLS.secondaryToken.fields.ttl,
    secondary_public_key: REPLICATION_CALLS.secondaryToken.fields.secondary_public_key,
  },
  rules: [genericNameRule('secondary_id'), TTL_POSITIVE],
};

/** The public key of a secondary. */
export const SECONDARY_PUBLIC_KEY: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_public_key',
  title: 'public key of a secondary',
  path: `${PERFORMANCE_PATH}/secondary/generate-public-key`,
  doc: REPLICATION_CALLS.generatePublicKey.doc,
  fields: {},
  rules: [],
};

/** The status of replication. */
export const REPLICATION_STATUS: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_status',
  title: 'performance replication status',
  path: `${PERFORMANCE_PATH}/status`,
  doc: REPLICATION_CALLS.status.doc,
  fields: {},
  rules: [],
};

/** A dynamic filter: what the servers computed from a paths filter. */
export const DYNAMIC_FILTER: ObjectDefinition = {
  ...COMMON,
  name: 'perf_replication_dynamic_filter',
  title: 'dynamic filter',
  path: `${PERFORMANCE_PATH}/primary/dynamic-filter`,
  doc: 'The mounts and namespaces that are filtered for a secondary, as reported by its primary or by the secondary itself.',
  fields: { secondary_id: SECONDARY_ID_FIELD },
  rules: [genericNameRule('secondary_id')],
};
