import {
  type ReplicationCallName,
  PERFORMANCE_PATH,
  PROMOTION_MOUNT_PATH,
  REPLICATION_CALLS,
  SWITCHOVER_POLICY_PATH,
  TAKEOVER_POLICY_PATH,
} from '../replication';
import { MOUNTS_PATH } from '../paths';
import { accessFor, type Access, type ApiCall } from './api-call';
import { HELD_KINDS, KINDS_IN_NAMESPACES } from './held-data';
import {
  ACL_POLICY_CALLS,
  AUDIT_DEVICE_CALLS,
  AUTO_SNAPSHOT_CALLS,
  EGP_POLICY_CALLS,
  MANAGED_KEY_CALLS,
  MANAGED_KEY_LISTS,
  managing,
  NAMESPACE_CALLS,
  RGP_POLICY_CALLS,
  SNAPSHOT_LOAD_CALLS,
} from './object-calls';

/** A call that a resource makes. */
export interface ResourceCall extends ApiCall {
  /**
   * Whether the call is made in the root namespace, even if the cluster's settings have another
   * one.
   */
  readonly inRoot?: true;
  /** Whether the call is made only before a cluster joins a replication set. */
  readonly toJoin?: true;
  /** Whether the call is made only before the object is deleted. */
  readonly toDelete?: true;
  /** The argument without which the call is not made. */
  readonly ifGiven?: string;
  /** The argument that prevents the call if it is set and not `false`. */
  readonly unlessGiven?: string;
}

/** Calls by the names of resources, without the name of the provider. */
type CallsByName = Readonly<Record<string, readonly ResourceCall[]>>;

/**
 * The calls that look for data before a cluster joins a set, unless the loss of its data is
 * confirmed.
 */
const LOOK_AT_DATA: readonly ResourceCall[] = HELD_KINDS.map(({ call }) => ({
  ...call,
  inRoot: true,
  toJoin: true,
  unlessGiven: 'confirm_data_loss',
}));

/** The calls that the provider's resources make. */
export const RESOURCE_CALLS: CallsByName = {
  acl_policy: managing(ACL_POLICY_CALLS),
  rgp_policy: managing(RGP_POLICY_CALLS),
  egp_policy: managing(EGP_POLICY_CALLS),
  audit_device: managing(AUDIT_DEVICE_CALLS),
  auto_snapshot: managing(AUTO_SNAPSHOT_CALLS),
  snapshot_load: [
    { ...SNAPSHOT_LOAD_CALLS.load, ifGiven: 'file', inRoot: true },
    { ...SNAPSHOT_LOAD_CALLS.loadAutomated, inRoot: true },
    { ...SNAPSHOT_LOAD_CALLS.lastUrl, unlessGiven: 'url', inRoot: true },
    { ...SNAPSHOT_LOAD_CALLS.read, inRoot: true },
    { ...SNAPSHOT_LOAD_CALLS.unload, inRoot: true },
  ],
  namespace: [
    ...managing(NAMESPACE_CALLS),
    NAMESPACE_CALLS.patch,
    ...KINDS_IN_NAMESPACES.map(({ call }) => ({
      ...call,
      path: `:path/${call.path}`,
      toDelete: true as const,
      unlessGiven: 'force_destroy',
    })),
  ],
  managed_key: [...managing(MANAGED_KEY_CALLS), { ...MANAGED_KEY_CALLS.testSign, ifGiven: 'test_sign' }],
  perf_replication_primary: replication('enablePrimary', 'disablePrimary'),
  perf_replication_secondary: [
    ...replication('enableSecondary', 'updatePrimary', 'disableSecondary'),
    ...LOOK_AT_DATA,
  ],
  perf_replication_paths_filter: ofSecondary(
    'secondary_id',
    'readPathsFilter',
    'writePathsFilter',
    'deletePathsFilter',
  ),
};

/**
 * The calls on the two notes of a switchover: which secondary becomes the primary, and which
 * primaries' writes it has received.
 */
export const SWITCHOVER_CALLS: readonly ApiCall[] = [SWITCHOVER_POLICY_PATH, TAKEOVER_POLICY_PATH].flatMap(
  (path) => (['GET', 'POST', 'DELETE'] as const).map((method) => ({ method, path })),
);

/**
 * The calls on the note of a secondary that is about to be promoted. A set also works without the
 * rights to them.
 */
const PROMOTION_NOTE_CALLS: readonly ApiCall[] = [
  { method: 'GET', path: MOUNTS_PATH },
  { method: 'POST', path: PROMOTION_MOUNT_PATH },
  { method: 'DELETE', path: PROMOTION_MOUNT_PATH },
];

/**
 * The calls that a replication set makes on each member: every member may be or become the primary.
 */
export const SET_MEMBER_CALLS: readonly ResourceCall[] = [
  ...replication(
    'enablePrimary',
    'demotePrimary',
    'disablePrimary',
    'secondaryToken',
    'revokeSecondary',
    'generatePublicKey',
    'enableSecondary',
    'promoteSecondary',
    'updatePrimary',
    'disableSecondary',
  ),
  ...[...SWITCHOVER_CALLS, ...PROMOTION_NOTE_CALLS].map((call) => ({ ...call, inRoot: true }) as const),
];

/** The calls that a replication set makes on its primary for each secondary. */
export const SET_SECONDARY_CALLS: readonly ResourceCall[] = ofSecondary(
  'id',
  'readPathsFilter',
  'writePathsFilter',
  'deletePathsFilter',
);

/** The calls that a replication set makes on a cluster before it joins as a secondary. */
export const SET_JOINING_CALLS = LOOK_AT_DATA;

/** The calls that the provider's data sources make. */
export const DATA_SOURCE_CALLS: CallsByName = {
  acl_policy: [ACL_POLICY_CALLS.read],
  rgp_policy: [RGP_POLICY_CALLS.read],
  egp_policy: [EGP_POLICY_CALLS.read],
  acl_policies: [ACL_POLICY_CALLS.list],
  rgp_policies: [RGP_POLICY_CALLS.list],
  egp_policies: [EGP_POLICY_CALLS.list],
  managed_key: [{ ...MANAGED_KEY_CALLS.read, ifGiven: 'type' }, ...unlessType()],
  managed_keys: [{ ...MANAGED_KEY_CALLS.list, ifGiven: 'type' }, ...unlessType()],
  audit_device: [AUDIT_DEVICE_CALLS.read],
  audit_devices: [AUDIT_DEVICE_CALLS.list],
  namespace: [NAMESPACE_CALLS.read],
  namespaces: [NAMESPACE_CALLS.list],
  auto_snapshot: [AUTO_SNAPSHOT_CALLS.read],
  auto_snapshots: [AUTO_SNAPSHOT_CALLS.list],
  auto_snapshot_status: [AUTO_SNAPSHOT_CALLS.status],
  unmanaged: [
    { ...ACL_POLICY_CALLS.list, ifGiven: 'acl_policies' },
    { ...RGP_POLICY_CALLS.list, ifGiven: 'rgp_policies' },
    { ...EGP_POLICY_CALLS.list, ifGiven: 'egp_policies' },
    ...MANAGED_KEY_LISTS.map((call) => ({ ...call, ifGiven: 'managed_keys' })),
    { ...AUTO_SNAPSHOT_CALLS.list, ifGiven: 'auto_snapshots' },
    { ...AUDIT_DEVICE_CALLS.list, ifGiven: 'audit_devices' },
    { ...NAMESPACE_CALLS.list, ifGiven: 'namespaces' },
  ],
  // The provider makes one of the two calls, depending on the mode of the cluster.
  perf_replication_dynamic_filter: ofSecondary(
    'secondary_id',
    'primaryDynamicFilter',
    'secondaryDynamicFilter',
  ),
};

/** The calls that the provider's ephemeral resources make. */
export const EPHEMERAL_RESOURCE_CALLS: CallsByName = {
  perf_replication_secondary_token: replication('secondaryToken', 'revokeSecondary'),
  perf_replication_public_key: replication('generatePublicKey'),
  recovered_secret: [SNAPSHOT_LOAD_CALLS.readSecret],
};

/**
 * Returns a call of performance replication. Replication belongs to the whole cluster: the call is
 * made in the root namespace.
 */
export function replicationCall(name: ReplicationCallName): ApiCall {
  const { method, path, access } = REPLICATION_CALLS[name];
  return { method, path: `${PERFORMANCE_PATH}/${path}`, ...(access === 'sudo' && { sudo: true }) };
}

function replication(...names: readonly ReplicationCallName[]): readonly ResourceCall[] {
  return names.map((name) => ({ ...replicationCall(name), inRoot: true }));
}

/**
 * Returns calls whose path has the id of a secondary.
 *
 * @param field the argument that holds the secondary's id.
 */
function ofSecondary(field: string, ...names: readonly ReplicationCallName[]): readonly ResourceCall[] {
  return replication(...names).map((call) => ({ ...call, path: call.path.replace(':id', `:${field}`) }));
}

function unlessType(): readonly ResourceCall[] {
  return MANAGED_KEY_LISTS.map((call) => ({ ...call, unlessGiven: 'type' }));
}

/**
 * Returns the rules for a call, and for the other calls that the same resource makes on its path.
 *
 * @returns an empty list if no resource makes the call.
 */
export function accessToCall(method: string, path: string): readonly Access[] {
  const tables = [RESOURCE_CALLS, { set: SET_MEMBER_CALLS, filters: SET_SECONDARY_CALLS }, DATA_SOURCE_CALLS];
  for (const calls of tables.flatMap((table) => Object.values(table))) {
    for (const call of calls) {
      const values = call.method === method ? valuesInPath(call.path, path) : undefined;
      if (values)
        return accessFor(
          calls.filter((each) => each.path === call.path),
          values,
        );
    }
  }
  return [];
}

/**
 * Returns the values in a path by their names; `undefined` if the template does not fit the path.
 */
function valuesInPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [names, parts] = [template.split('/'), path.replace(/\/$/, '').split('/')];
  if (names.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    if (name.startsWith(':')) values[name.slice(1)] = parts[index]!;
    else if (name !== parts[index]) return undefined;
  }
  return values;
}
