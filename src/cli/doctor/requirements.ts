import {
  ACL_POLICY,
  AUTO_SNAPSHOT,
  EGP_POLICY,
  MANAGED_KEY,
  MANAGED_KEY_TYPES,
  normalizeNamespace,
  PERFORMANCE_PATH,
  REPLICATION_CALLS,
  RGP_POLICY,
  SNAPSHOT_STATUS_PATH,
  type ReplicationCallName,
} from '../../model';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import type { ProviderName } from '../stacks/stack-clusters';
import type { Blocks, Stack } from '../stacks/stacks';

/** What a token has to be allowed for a stack to be applied. */
export interface Requirement {
  readonly provider: ProviderName;
  /** Absent where the stack does not say which one, as it need not where its provider has only one. */
  readonly cluster: string | undefined;
  /** Relative to the namespace of the cluster's settings; empty for that one itself. */
  readonly namespace: string;
  /** Whether it is in the root namespace, whatever the namespaces say. */
  readonly inRoot: boolean;
  /** Whether it takes that only to join a replication set, and not any more once it has. */
  readonly toJoin: boolean;
  /** Below `/v1/`. */
  readonly path: string;
  readonly capabilities: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;
type Need = Pick<Requirement, 'path' | 'capabilities'> & Partial<Pick<Requirement, 'inRoot' | 'toJoin'>>;
type Needs = (block: Arguments) => readonly Need[];

const MANAGE = ['read', 'update', 'delete'];

const CAPABILITIES = { GET: 'read', POST: 'update', DELETE: 'delete' } as const;

const listing = (path: string): Need => ({ path: `${path}/`, capabilities: ['list'] });
const reading = (path: string): Need => ({ path, capabilities: ['read'] });

const KEY_LISTS = MANAGED_KEY_TYPES.map((type) => listing(`${MANAGED_KEY.path}/${type}`));

const SNAPSHOT_LIST: Need = { path: `${AUTO_SNAPSHOT.path}/`, capabilities: ['list', 'sudo'] };

/** A cluster that joins a set loses what it holds: it is looked at first, unless that loss is confirmed. */
const LOOK_AT_DATA: readonly Need[] = [
  reading('sys/mounts'),
  reading('sys/auth'),
  ...[ACL_POLICY.path, RGP_POLICY.path, EGP_POLICY.path, 'sys/namespaces'].map(listing),
  ...KEY_LISTS,
  SNAPSHOT_LIST,
  listing('identity/entity/id'),
].map((need) => ({ ...need, inRoot: true, toJoin: true }));

const named =
  (path: string, capabilities: readonly string[] = MANAGE): Needs =>
  ({ name }) =>
    isLiteral(name) ? [{ path: `${path}/${name}`, capabilities }] : [];

/** @param idOf which secondary the calls are about, where they are about one. */
const calls =
  (names: readonly ReplicationCallName[], idOf: (block: Arguments) => unknown = () => undefined): Needs =>
  (block) =>
    names.flatMap((name) => callNeeds(name, idOf(block)));

const RESOURCES: Readonly<Record<string, Needs>> = {
  vaultadmin_acl_policy: named(ACL_POLICY.path),
  vaultadmin_rgp_policy: named(RGP_POLICY.path),
  vaultadmin_egp_policy: named(EGP_POLICY.path),
  vaultadmin_auto_snapshot: named(AUTO_SNAPSHOT.path, [...MANAGE, 'sudo']),
  vault_policy: named(ACL_POLICY.path),
  vault_rgp_policy: named(RGP_POLICY.path),
  vault_egp_policy: named(EGP_POLICY.path),
  vault_raft_snapshot_agent_config: named(AUTO_SNAPSHOT.path, [...MANAGE, 'sudo']),
  vaultadmin_managed_key: (resource) => {
    const type = MANAGED_KEY_TYPES.find((each) => resource[each] !== undefined);
    const { name } = resource;
    if (!type || !isLiteral(name)) return [];
    const path = `${MANAGED_KEY.path}/${type}/${name}`;
    const signs = resource.test_sign !== undefined;
    return [
      { path, capabilities: ['create', ...MANAGE] },
      ...(signs ? [{ path: `${path}/test/sign`, capabilities: ['create', 'update'] }] : []),
    ];
  },
  vaultadmin_perf_replication_primary: calls(['enablePrimary', 'disablePrimary']),
  vaultadmin_perf_replication_secondary: (resource) => [
    ...calls(['enableSecondary', 'updatePrimary', 'disableSecondary'])(resource),
    ...lookAtData(resource),
  ],
  vaultadmin_perf_replication_paths_filter: calls(
    ['readPathsFilter', 'writePathsFilter', 'deletePathsFilter'],
    ({ secondary_id }) => secondary_id,
  ),
};

const DATA_SOURCES: Readonly<Record<string, Needs>> = {
  vaultadmin_acl_policy: named(ACL_POLICY.path, ['read']),
  vaultadmin_rgp_policy: named(RGP_POLICY.path, ['read']),
  vaultadmin_egp_policy: named(EGP_POLICY.path, ['read']),
  vaultadmin_acl_policies: () => [listing(ACL_POLICY.path)],
  vaultadmin_rgp_policies: () => [listing(RGP_POLICY.path)],
  vaultadmin_egp_policies: () => [listing(EGP_POLICY.path)],
  vaultadmin_managed_key: ({ type, name }) =>
    isLiteral(type) && isLiteral(name) ? [reading(`${MANAGED_KEY.path}/${type}/${name}`)] : KEY_LISTS,
  vaultadmin_managed_keys: ({ type }) =>
    isLiteral(type) ? [listing(`${MANAGED_KEY.path}/${type}`)] : KEY_LISTS,
  vaultadmin_auto_snapshot: named(AUTO_SNAPSHOT.path, ['read', 'sudo']),
  vaultadmin_auto_snapshots: () => [SNAPSHOT_LIST],
  vaultadmin_auto_snapshot_status: named(SNAPSHOT_STATUS_PATH, ['read']),
  // Which of the two it asks depends on the part that the cluster has then.
  vaultadmin_perf_replication_dynamic_filter: calls(
    ['primaryDynamicFilter', 'secondaryDynamicFilter'],
    ({ secondary_id }) => secondary_id,
  ),
};

const EPHEMERAL_RESOURCES: Readonly<Record<string, Needs>> = {
  vaultadmin_perf_replication_secondary_token: calls(['secondaryToken', 'revokeSecondary']),
  vaultadmin_perf_replication_public_key: calls(['generatePublicKey']),
};

/** Of each member of a set, whether it is the primary now or becomes it. */
const OF_MEMBERS: readonly ReplicationCallName[] = [
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
];
const OF_FILTERS: readonly ReplicationCallName[] = [
  'readPathsFilter',
  'writePathsFilter',
  'deletePathsFilter',
];

/** What applying a stack takes, as far as names are known before Terraform runs. */
export function requirementsOf({ json }: Stack): readonly Requirement[] {
  return [
    ...ofBlocks(json.resource, (type, block) =>
      type === 'vaultadmin_perf_replication_set' ? ofSet(block) : ofObject(type, RESOURCES[type], block),
    ),
    ...ofBlocks(json.data, (type, block) => ofObject(type, DATA_SOURCES[type], block)),
    ...ofBlocks(json.ephemeral, (type, block) => ofObject(type, EPHEMERAL_RESOURCES[type], block)),
  ];
}

function ofBlocks(
  blocks: Blocks = {},
  of: (type: string, block: Arguments) => readonly Requirement[],
): readonly Requirement[] {
  return Object.entries(blocks).flatMap(([type, ofType]) =>
    Object.values(ofType).flatMap((block) => of(type, block)),
  );
}

function ofObject(type: string, needs: Needs | undefined, block: Arguments): readonly Requirement[] {
  const { namespace } = block;
  if (needs === undefined || (namespace !== undefined && !isLiteral(namespace))) return [];
  const place = { ...clusterOf(type, block), namespace: normalizeNamespace(namespace) };
  return needs(block).map((need) => ({ inRoot: false, toJoin: false, ...place, ...need }));
}

function ofSet({ primary, secondaries }: Arguments): readonly Requirement[] {
  const members = Object.entries((secondaries ?? {}) as Readonly<Record<string, Arguments>>);
  const needs = [
    ...OF_MEMBERS.flatMap((name) => callNeeds(name)),
    ...members.flatMap(([cluster, { secondary_id: id = cluster }]) =>
      OF_FILTERS.flatMap((name) => callNeeds(name, id)),
    ),
  ];
  const on = (cluster: string, all: readonly Need[]) =>
    all.map((need) => ({
      provider: 'vaultadmin' as const,
      cluster,
      namespace: '',
      inRoot: true,
      toJoin: false,
      ...need,
    }));
  return [
    ...(isLiteral(primary) ? on(primary, needs) : []),
    ...members
      .filter(([cluster]) => isLiteral(cluster))
      .flatMap(([cluster, member]) => on(cluster, [...needs, ...lookAtData(member)])),
  ];
}

function lookAtData({ confirm_data_loss: confirmed }: Arguments): readonly Need[] {
  return confirmed === undefined ? LOOK_AT_DATA : [];
}

/** @param id of the secondary that the call is about, where it is about one. */
function callNeeds(name: ReplicationCallName, id?: unknown): readonly Need[] {
  const { path, method, access } = REPLICATION_CALLS[name];
  if (path.includes(':id') && !isLiteral(id)) return [];
  return [
    {
      path: `${PERFORMANCE_PATH}/${path.replace(':id', String(id))}`,
      capabilities: [CAPABILITIES[method], ...(access === 'sudo' ? ['sudo'] : [])],
      inRoot: true,
    },
  ];
}

/** Resources of `vaultadmin` say it, those of `hashicorp/vault` by the alias of their provider's block: `vault.us`. */
function clusterOf(
  type: string,
  { cluster, provider }: Arguments,
): Pick<Requirement, 'provider' | 'cluster'> {
  if (type.startsWith('vaultadmin_'))
    return { provider: 'vaultadmin', cluster: isLiteral(cluster) ? cluster : undefined };
  const alias = typeof provider === 'string' ? provider.split('.')[1] : undefined;
  return { provider: 'vault', cluster: alias ?? DEFAULT_CLUSTER };
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('${');
}
