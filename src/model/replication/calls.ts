import type { Field, ObjectDefinition } from '../definition/field';
import { genericNameRule } from '../definition/generic-name';
import {
  ACTIVATION_TOKEN_FIELD,
  CA_FILE_FIELD,
  CA_PATH_FIELD,
  FILTER_MODE_FIELD,
  FILTER_PATHS_FIELD,
  FORCE_FIELD,
  NEW_PRIMARY_TOKEN_FIELD,
  PRIMARY_API_ADDR_FIELD,
  PRIMARY_CLUSTER_ADDR_FIELD,
  PUBLIC_KEY_FIELD,
  PUBLIC_KEYS_SINCE,
  SECONDARY_ID_FIELD,
  TTL_FIELD,
  UPDATE_PRIMARY_ADDRS_FIELD,
} from './fields';
import { PATHS_FILTER_RULES } from './filter-rules';
import { TOKEN_OR_ADDRESSES, TTL_POSITIVE } from './token-rules';

/** The path of performance replication below `/v1/`. */
export const PERFORMANCE_PATH = 'sys/replication/performance';

/**
 * The permission that a call requires: none, a token whose policies allow the call, or the sudo
 * capability as well.
 */
export type CallAccess = 'anyone' | 'token' | 'sudo';

/** A call of performance replication. */
export interface ReplicationCall extends Pick<ObjectDefinition, 'title' | 'doc' | 'rules'> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path below {@link PERFORMANCE_PATH}. `:id` stands for the field of that name. */
  readonly path: string;
  readonly access: CallAccess;
  /** The first version of the server with the call, if it is known. */
  readonly since?: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const SECONDARY_ID = { id: SECONDARY_ID_FIELD };
const SECONDARY_ID_RULE = genericNameRule('id');
/** The fields by which a secondary contacts the primary to unwrap its token. */
export const PRIMARY_CONTACT_FIELDS = {
  primary_api_addr: PRIMARY_API_ADDR_FIELD,
  ca_file: CA_FILE_FIELD,
  ca_path: CA_PATH_FIELD,
};

/** The calls by their names in code. */
export const REPLICATION_CALLS = {
  status: call('GET', 'status', {
    title: 'replication status',
    doc: 'Returns the mode of the cluster and the progress of replication. Primaries and secondaries return different fields.',
    access: 'anyone',
  }),
  enablePrimary: call('POST', 'primary/enable', {
    title: 'enabling of a primary',
    doc: 'Makes the cluster a primary.',
    fields: { primary_cluster_addr: PRIMARY_CLUSTER_ADDR_FIELD },
  }),
  demotePrimary: call('POST', 'primary/demote', {
    title: 'demotion of a primary',
    doc: 'Demotes a primary to a secondary that follows no primary yet.',
  }),
  disablePrimary: call('POST', 'primary/disable', {
    title: 'disabling of a primary',
    doc: 'Disables replication on a primary.',
  }),
  secondaryToken: call('POST', 'primary/secondary-token', {
    title: 'activation token',
    doc: 'Generates the activation token of a secondary.',
    access: 'sudo',
    fields: { ...SECONDARY_ID, ttl: TTL_FIELD, secondary_public_key: PUBLIC_KEY_FIELD },
    rules: [SECONDARY_ID_RULE, TTL_POSITIVE],
  }),
  revokeSecondary: call('POST', 'primary/revoke-secondary', {
    title: 'revocation of a secondary',
    doc: 'Disconnects a secondary immediately. It cannot connect again without a new activation token.',
    fields: SECONDARY_ID,
  }),
  writePathsFilter: call('POST', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Creates or replaces the paths filter of a secondary.',
    fields: { ...SECONDARY_ID, mode: FILTER_MODE_FIELD, paths: FILTER_PATHS_FIELD },
    rules: [SECONDARY_ID_RULE, ...PATHS_FILTER_RULES],
  }),
  readPathsFilter: call('GET', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Reads the paths filter of a secondary.',
    fields: SECONDARY_ID,
    rules: [SECONDARY_ID_RULE],
  }),
  deletePathsFilter: call('DELETE', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Deletes the paths filter of a secondary, which then receives everything.',
    fields: SECONDARY_ID,
    rules: [SECONDARY_ID_RULE],
  }),
  primaryDynamicFilter: call('GET', 'primary/dynamic-filter/:id', {
    title: 'dynamic filter',
    doc: 'Reads, on the primary, the mounts and namespaces filtered for a secondary.',
    fields: SECONDARY_ID,
    rules: [SECONDARY_ID_RULE],
  }),
  secondaryDynamicFilter: call('GET', 'secondary/dynamic-filter/:id', {
    title: 'dynamic filter',
    doc: 'Reads, on the secondary, the mounts and namespaces filtered for it.',
    fields: SECONDARY_ID,
    rules: [SECONDARY_ID_RULE],
  }),
  generatePublicKey: call('POST', 'secondary/generate-public-key', {
    title: 'public key of a secondary',
    doc: 'Generates a public key to encrypt an activation token with, so that no call to the primary is needed.',
    since: PUBLIC_KEYS_SINCE,
  }),
  enableSecondary: call('POST', 'secondary/enable', {
    title: 'enabling of a secondary',
    doc: 'Makes the cluster a secondary, and erases all its data.',
    fields: { token: ACTIVATION_TOKEN_FIELD, ...PRIMARY_CONTACT_FIELDS },
  }),
  promoteSecondary: call('POST', 'secondary/promote', {
    title: 'promotion of a secondary',
    doc: 'Makes a secondary the primary.',
    fields: { primary_cluster_addr: PRIMARY_CLUSTER_ADDR_FIELD, force: FORCE_FIELD },
  }),
  disableSecondary: call('POST', 'secondary/disable', {
    title: 'disabling of a secondary',
    doc: 'Disables replication on a secondary.',
  }),
  updatePrimary: call('POST', 'secondary/update-primary', {
    title: 'change of the primary',
    doc: 'Points a secondary to another primary, or to other addresses of its primary.',
    fields: {
      token: NEW_PRIMARY_TOKEN_FIELD,
      ...PRIMARY_CONTACT_FIELDS,
      update_primary_addrs: UPDATE_PRIMARY_ADDRS_FIELD,
    },
    rules: [TOKEN_OR_ADDRESSES],
  }),
} as const satisfies Readonly<Record<string, ReplicationCall>>;

export type ReplicationCallName = keyof typeof REPLICATION_CALLS;

type Facts<F> = Pick<ReplicationCall, 'title' | 'doc' | 'since'> &
  Partial<Pick<ReplicationCall, 'access' | 'rules'>> & { readonly fields?: F };

function call<F extends ReplicationCall['fields'] = Readonly<Record<never, Field>>>(
  method: ReplicationCall['method'],
  path: string,
  { fields = {} as F, ...facts }: Facts<F>,
) {
  return { access: 'token' as CallAccess, rules: [], ...facts, fields, method, path };
}
