import type { Field, ObjectDefinition } from '../definition/field';
import { PRIMARY_API_ADDR_IS_ADDRESS, PRIMARY_CLUSTER_ADDR_IS_ADDRESS } from './address-rules';
import { genericNameRule } from '../definition/generic-name';
import { PERFORMANCE_PATH, PRIMARY_CONTACT_FIELDS } from './calls';
import { FILTER_MODE_FIELD, FILTER_PATHS_FIELD, PRIMARY_CLUSTER_ADDR_FIELD } from './fields';
import { PATHS_FILTER_RULES } from './filter-rules';
import { SET_RULES, SET_SECONDARY_RULES } from './set-rules';
import { timeoutField } from './timeouts';

/**
 * The ways in which activation tokens are delivered: encrypted for the secondary, or
 * response-wrapped.
 */
export const TOKEN_DELIVERIES = ['public_key', 'wrapped'] as const;
export type TokenDelivery = (typeof TOKEN_DELIVERIES)[number];

/**
 * The times at which a switchover promotes the successor: once the former primary was compared with
 * it, or at once.
 */
const SWITCHOVERS = ['verified', 'immediate'] as const;

/** A replication set as it is configured, without its secondaries. */
export const REPLICATION_SET = {
  name: 'perf_replication_set',
  title: 'performance replication set',
  path: PERFORMANCE_PATH,
  edition: 'enterprise',
  restricted: false,
  doc:
    'A performance replication set: its primary, its secondaries and their paths filters. An apply changes the clusters ' +
    'to match the configuration, in an order that loses no data. In the plan, `steps` lists what ' +
    'happens to each cluster: which one is erased, promoted or demoted. If an apply is interrupted, the next one ' +
    'continues. There are never two primaries, and no data is erased unless `confirm_data_loss` names its cluster.\n\n' +
    'To switch over, set `primary` to a current secondary and list the old primary among the secondaries.',
  fields: {
    primary: {
      type: 'string',
      required: true,
      doc:
        "Name of the primary's cluster, as in `clusters` of the provider's configuration. To switch over, set it to " +
        'a current secondary.',
    },
    primary_cluster_addr: {
      type: 'string',
      doc:
        `${PRIMARY_CLUSTER_ADDR_FIELD.doc} It takes effect when a cluster becomes the primary: a change applies from ` +
        'the next switchover on.',
    },
    primary_cluster_addrs: {
      type: 'string_map',
      doc:
        'The `primary_cluster_addr` of each cluster while it is the primary, by cluster name. With this map, no address has to be ' +
        'changed for a switchover. Conflicts with `primary_cluster_addr`. If the address of the primary changes here and secondaries ' +
        'have lost the connection to it, Terraform gives them the new address with `update_primary_addrs`.',
    },
    deletion_protection: {
      type: 'boolean',
      default: true,
      doc: 'Whether Terraform refuses to destroy the set. To destroy it, set this to `false` and apply first.',
    },
    switchover: {
      type: 'string',
      default: SWITCHOVERS[0],
      allowed: SWITCHOVERS,
      doc:
        'How a switchover changes the primary. `verified`: the successor is promoted once the former primary answers again and both have ' +
        'the same data; until then, the set has no primary. `immediate`, for a pause of all writers: the successor is promoted as soon as ' +
        'the former primary has stepped down, and the data is compared afterwards. That takes half the time. If the former primary ' +
        'has writes that the new one lacks, it keeps them and does not follow, and the apply fails.',
    },
    force_promotion: {
      type: 'string',
      doc:
        "Repeat the primary's name to force its promotion if the old primary is lost, or if the new one " +
        'lacks writes, which are then lost. For an unplanned failover; remove it afterwards.',
    },
    abandoned_clusters: {
      type: 'string_set',
      doc:
        'Names of clusters that are gone for good. The provider does not wait for them, and revokes the ids of former secondaries. ' +
        'A listed cluster that still answers leaves the set first. Never list a cluster that may come back as a primary.',
    },
  },
  rules: [PRIMARY_CLUSTER_ADDR_IS_ADDRESS, ...SET_RULES],
} as const satisfies ObjectDefinition;

const [DEFAULT_DELIVERY] = TOKEN_DELIVERIES;

/** A secondary of a replication set, identified by the name of its cluster. */
export const REPLICATION_SET_SECONDARY = {
  title: 'secondary of the replication set',
  doc: 'The secondaries, by the names of their clusters.',
  fields: {
    id: {
      type: 'string',
      doc:
        'The id under which the primary knows the secondary. A change requires a new activation token. Default: the ' +
        'name of the cluster, or the id that an imported secondary has.',
    },
    confirm_data_loss: {
      type: 'string',
      doc:
        "Repeat the cluster's name to confirm that its data may be erased when it joins, or that writes that " +
        'only it has may be lost. Without it, only an empty cluster may join. A confirmation is used up once the cluster is a ' +
        'secondary. To confirm again, add something new after the name, such as the date: `eu 2025-12-31`.',
    },
    everything: {
      type: 'boolean',
      doc:
        'Whether the secondary receives everything. Either this or `paths_filter` is required, so that data is never sent ' +
        'because a filter was forgotten or its name misspelled: Terraform drops unknown names here without an error.',
    },
    token_delivery: {
      type: 'string',
      default: DEFAULT_DELIVERY,
      allowed: TOKEN_DELIVERIES,
      doc:
        'How the activation token reaches the secondary. `public_key`: encrypted, so that only this secondary can use ' +
        'it; `wrapped`: the secondary unwraps it by calling the primary. In either case, it never leaves the process of ' +
        'the provider.',
    },
    primary_api_addr: optional(PRIMARY_CONTACT_FIELDS.primary_api_addr),
    ca_file: optional(PRIMARY_CONTACT_FIELDS.ca_file),
    ca_path: optional(PRIMARY_CONTACT_FIELDS.ca_path),
  },
  rules: [genericNameRule('id'), PRIMARY_API_ADDR_IS_ADDRESS, ...SET_SECONDARY_RULES],
} as const satisfies Pick<ObjectDefinition, 'title' | 'doc' | 'fields' | 'rules'>;

/** The paths filter of a secondary in a replication set. */
export const REPLICATION_SET_FILTER = {
  title: 'paths filter',
  doc:
    'What the secondary receives. The filter is written before the secondary receives anything. Conflicts with ' +
    '`everything = true`, which is required without a filter.',
  fields: { mode: FILTER_MODE_FIELD, paths: { ...optional(FILTER_PATHS_FIELD), required: true } },
  rules: PATHS_FILTER_RULES,
} as const satisfies Pick<ObjectDefinition, 'title' | 'doc' | 'fields' | 'rules'>;

/** The time limits of the steps of a replication set. */
export const REPLICATION_SET_TIMEOUTS = {
  mode_change: timeoutField('Maximum time for a cluster to change its mode', '2m'),
  takeover: timeoutField(
    'Maximum time that a switchover leaves the set without a primary while the new one is catching up, before the old one becomes ' +
      'the primary again. Never longer than `mode_change`',
    '30s',
  ),
  sync: timeoutField('Maximum time for a secondary to receive all data', '1h'),
} as const satisfies Readonly<Record<string, Field>>;

/** A field that is not sent if it is left out, so that the server's default applies. */
function optional<F extends Field>({ default: _sent, ...field }: F): Omit<F, 'default'> {
  return field;
}
