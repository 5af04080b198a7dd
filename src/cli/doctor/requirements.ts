import {
  aclPolicy,
  autoSnapshot,
  egpPolicy,
  managedKey,
  MANAGED_KEY_TYPES,
  normalizeNamespace,
  PERFORMANCE_PATH,
  replicationCalls,
  rgpPolicy,
  SNAPSHOT_STATUS_PATH,
  type ReplicationCallName,
} from '../../model';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import type { Blocks, Stack } from './stacks';

/** What a token has to be allowed for a stack to be applied. */
export interface Requirement {
  readonly cluster: string;
  /** Relative to the namespace of the cluster's settings; empty for that one itself. */
  readonly namespace: string;
  /** Below `/v1/`. */
  readonly path: string;
  readonly capabilities: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;
type Need = Pick<Requirement, 'path' | 'capabilities'>;
type Needs = (block: Arguments) => readonly Need[];

const MANAGE = ['read', 'update', 'delete'];

const CAPABILITIES = { GET: 'read', POST: 'update', DELETE: 'delete' } as const;

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
  vaultadmin_acl_policy: named(aclPolicy.path),
  vaultadmin_rgp_policy: named(rgpPolicy.path),
  vaultadmin_egp_policy: named(egpPolicy.path),
  vaultadmin_auto_snapshot: named(autoSnapshot.path, [...MANAGE, 'sudo']),
  vault_policy: named(aclPolicy.path),
  vault_rgp_policy: named(rgpPolicy.path),
  vault_egp_policy: named(egpPolicy.path),
  vault_raft_snapshot_agent_config: named(autoSnapshot.path, [...MANAGE, 'sudo']),
  vaultadmin_managed_key: (resource) => {
    const type = MANAGED_KEY_TYPES.find((each) => resource[each] !== undefined);
    const { name } = resource;
    if (!type || !isLiteral(name)) return [];
    const path = `${managedKey.path}/${type}/${name}`;
    const signs = resource.test_sign !== undefined;
    return [
      { path, capabilities: ['create', ...MANAGE] },
      ...(signs ? [{ path: `${path}/test/sign`, capabilities: ['create', 'update'] }] : []),
    ];
  },
  vaultadmin_perf_replication_primary: calls(['enablePrimary', 'disablePrimary']),
  vaultadmin_perf_replication_secondary: calls(['enableSecondary', 'updatePrimary', 'disableSecondary']),
  vaultadmin_perf_replication_paths_filter: calls(
    ['readPathsFilter', 'writePathsFilter', 'deletePathsFilter'],
    ({ secondary_id }) => secondary_id,
  ),
};

const DATA_SOURCES: Readonly<Record<string, Needs>> = {
  vaultadmin_acl_policy: named(aclPolicy.path, ['read']),
  vaultadmin_rgp_policy: named(rgpPolicy.path, ['read']),
  vaultadmin_egp_policy: named(egpPolicy.path, ['read']),
  vaultadmin_auto_snapshot: named(autoSnapshot.path, ['read', 'sudo']),
  vaultadmin_auto_snapshot_status: named(SNAPSHOT_STATUS_PATH, ['read']),
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

/** What applying stacks takes, as far as names are known before Terraform runs. */
export function requirementsOf(stacks: readonly Stack[]): readonly Requirement[] {
  return merged(
    stacks.flatMap(({ json }) => [
      ...ofBlocks(json.resource, (type, block) =>
        type === 'vaultadmin_perf_replication_set' ? ofSet(block) : ofObject(RESOURCES[type], block),
      ),
      ...ofBlocks(json.data, (type, block) => ofObject(DATA_SOURCES[type], block)),
    ]),
  );
}

function ofBlocks(
  blocks: Blocks = {},
  of: (type: string, block: Arguments) => readonly Requirement[],
): readonly Requirement[] {
  return Object.entries(blocks).flatMap(([type, ofType]) =>
    Object.values(ofType).flatMap((block) => of(type, block)),
  );
}

function ofObject(needs: Needs | undefined, block: Arguments): readonly Requirement[] {
  const { namespace } = block;
  if (namespace !== undefined && !isLiteral(namespace)) return [];
  const place = { cluster: clusterOf(block), namespace: normalizeNamespace(namespace) };
  return (needs?.(block) ?? []).map((need) => ({ ...place, ...need }));
}

function ofSet({ primary, secondaries }: Arguments): readonly Requirement[] {
  const members = Object.entries((secondaries ?? {}) as Readonly<Record<string, Arguments>>);
  const needs = [
    ...OF_MEMBERS.flatMap((name) => callNeeds(name)),
    ...members.flatMap(([cluster, { secondary_id: id = cluster }]) =>
      OF_FILTERS.flatMap((name) => callNeeds(name, id)),
    ),
  ];
  const clusters = [primary, ...members.map(([cluster]) => cluster)].filter(isLiteral);
  return clusters.flatMap((cluster) => needs.map((need) => ({ cluster, namespace: '', ...need })));
}

/** @param id of the secondary that the call is about, where it is about one. */
function callNeeds(name: ReplicationCallName, id?: unknown): readonly Need[] {
  const { path, method, access } = replicationCalls[name];
  if (path.includes(':id') && !isLiteral(id)) return [];
  return [
    {
      path: `${PERFORMANCE_PATH}/${path.replace(':id', String(id))}`,
      capabilities: [CAPABILITIES[method], ...(access === 'sudo' ? ['sudo'] : [])],
    },
  ];
}

/** One requirement for each path. */
function merged(requirements: readonly Requirement[]): readonly Requirement[] {
  const byPlace = new Map<string, Requirement>();
  for (const requirement of requirements) {
    const { cluster, namespace, path, capabilities } = requirement;
    const place = JSON.stringify([cluster, namespace, path]);
    const before = byPlace.get(place)?.capabilities ?? [];
    byPlace.set(place, { ...requirement, capabilities: [...new Set([...before, ...capabilities])] });
  }
  return [...byPlace.values()];
}

/** Resources of `vaultadmin` say it, those of `hashicorp/vault` by the alias of their provider's block: `vault.us`. */
function clusterOf({ cluster, provider }: Arguments): string {
  if (isLiteral(cluster)) return cluster;
  return (typeof provider === 'string' ? provider.split('.')[1] : undefined) ?? DEFAULT_CLUSTER;
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('${');
}
