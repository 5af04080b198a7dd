import type { Field, ObjectDefinition } from '../definition/field';
import { genericNameRule } from '../definition/generic-name';
import {
  activationTokenField,
  caFileField,
  caPathField,
  filterModeField,
  filterPathsField,
  forceField,
  newPrimaryTokenField,
  primaryApiAddrField,
  primaryClusterAddrField,
  publicKeyField,
  PUBLIC_KEYS_SINCE,
  secondaryIdField,
  ttlField,
  updatePrimaryAddrsField,
} from './fields';
import { pathsFilterRules } from './filter-rules';
import { tokenOrAddresses, ttlPositive } from './token-rules';

/** Below `/v1/`: all calls of performance replication. */
export const PERFORMANCE_PATH = 'sys/replication/performance';

/** What a caller needs: nothing, a token whose policies allow the call, or the sudo capability as well. */
export type CallAccess = 'anyone' | 'token' | 'sudo';

/** One call of performance replication. Interface section 4.3. */
export interface ReplicationCall extends Pick<ObjectDefinition, 'title' | 'doc' | 'section' | 'rules'> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below {@link PERFORMANCE_PATH}. `:id` stands for the field of that name. */
  readonly path: string;
  readonly access: CallAccess;
  /** The version of the server that it came with, where that is known. */
  readonly since?: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const secondaryId = { id: secondaryIdField };
const secondaryIdRule = genericNameRule('2.3', 'id');
const contact = { primary_api_addr: primaryApiAddrField, ca_file: caFileField, ca_path: caPathField };

/** Every call, by the name that code gives it. Interface section 4.3. */
export const replicationCalls = {
  status: call('GET', 'status', {
    title: 'replication status',
    doc: 'Returns the mode of the cluster and how far replication is. The shape differs for primary and secondary.',
    access: 'anyone',
  }),
  enablePrimary: call('POST', 'primary/enable', {
    title: 'enabling of a primary',
    doc: 'Makes the cluster a primary.',
    fields: { primary_cluster_addr: primaryClusterAddrField },
  }),
  demotePrimary: call('POST', 'primary/demote', {
    title: 'demotion of a primary',
    doc: 'Makes a primary a secondary that knows no primary yet.',
  }),
  disablePrimary: call('POST', 'primary/disable', {
    title: 'disabling of a primary',
    doc: 'Disables replication on a primary.',
  }),
  secondaryToken: call('POST', 'primary/secondary-token', {
    title: 'activation token',
    doc: 'Generates the activation token of a secondary.',
    access: 'sudo',
    fields: { ...secondaryId, ttl: ttlField, secondary_public_key: publicKeyField },
    rules: [secondaryIdRule, ttlPositive],
  }),
  revokeSecondary: call('POST', 'primary/revoke-secondary', {
    title: 'revocation of a secondary',
    doc: 'Disconnects a secondary at once. It cannot connect again without a new activation token.',
    fields: secondaryId,
  }),
  writePathsFilter: call('POST', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Creates or replaces the paths filter of a secondary.',
    fields: { ...secondaryId, mode: filterModeField, paths: filterPathsField },
    rules: [secondaryIdRule, ...pathsFilterRules],
  }),
  readPathsFilter: call('GET', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Reads the paths filter of a secondary.',
    fields: secondaryId,
    rules: [secondaryIdRule],
  }),
  deletePathsFilter: call('DELETE', 'primary/paths-filter/:id', {
    title: 'paths filter',
    doc: 'Deletes the paths filter of a secondary: it gets everything.',
    fields: secondaryId,
    rules: [secondaryIdRule],
  }),
  primaryDynamicFilter: call('GET', 'primary/dynamic-filter/:id', {
    title: 'dynamic filter',
    doc: 'Reads, on the primary, the mounts and namespaces filtered for a secondary.',
    fields: secondaryId,
    rules: [secondaryIdRule],
  }),
  secondaryDynamicFilter: call('GET', 'secondary/dynamic-filter/:id', {
    title: 'dynamic filter',
    doc: 'Reads, on the secondary, the mounts and namespaces filtered for it.',
    fields: secondaryId,
    rules: [secondaryIdRule],
  }),
  generatePublicKey: call('POST', 'secondary/generate-public-key', {
    title: 'public key of a secondary',
    doc: 'Makes a public key that an activation token can be encrypted with, so that no call to the primary is needed.',
    since: PUBLIC_KEYS_SINCE,
  }),
  enableSecondary: call('POST', 'secondary/enable', {
    title: 'enabling of a secondary',
    doc: 'Makes the cluster a secondary, and clears all its data.',
    fields: { token: activationTokenField, ...contact },
  }),
  promoteSecondary: call('POST', 'secondary/promote', {
    title: 'promotion of a secondary',
    doc: 'Makes a secondary the primary.',
    fields: { primary_cluster_addr: primaryClusterAddrField, force: forceField },
  }),
  disableSecondary: call('POST', 'secondary/disable', {
    title: 'disabling of a secondary',
    doc: 'Disables replication on a secondary.',
  }),
  updatePrimary: call('POST', 'secondary/update-primary', {
    title: 'change of the primary',
    doc: 'Points a secondary to another primary, or to other addresses of its own.',
    fields: { token: newPrimaryTokenField, ...contact, update_primary_addrs: updatePrimaryAddrsField },
    rules: [tokenOrAddresses],
  }),
} as const satisfies Readonly<Record<string, ReplicationCall>>;

export type ReplicationCallName = keyof typeof replicationCalls;

type Facts<F> = Pick<ReplicationCall, 'title' | 'doc' | 'since'> &
  Partial<Pick<ReplicationCall, 'access' | 'rules'>> & { readonly fields?: F };

function call<F extends ReplicationCall['fields'] = Readonly<Record<never, Field>>>(
  method: ReplicationCall['method'],
  path: string,
  { fields = {} as F, ...facts }: Facts<F>,
) {
  return { access: 'token' as CallAccess, rules: [], ...facts, fields, method, path, section: '4.3' };
}
