import {
  aclPolicy,
  autoSnapshot,
  egpPolicy,
  managedKey,
  MANAGED_KEY_TYPES,
  normalizeNamespace,
  PERFORMANCE_PATH,
  rgpPolicy,
} from '../../model';
import type { Stack } from './stacks';

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
type Needs = (resource: Arguments) => readonly Omit<Requirement, 'namespace' | 'cluster'>[];

const MANAGE = ['read', 'update', 'delete'];

const named =
  (path: string, capabilities: readonly string[] = MANAGE): Needs =>
  ({ name }) =>
    isLiteral(name) ? [{ path: `${path}/${name}`, capabilities }] : [];

const NEEDS: Readonly<Record<string, Needs>> = {
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
};

/** What a member of a replication set needs, whether it is the primary now or becomes it. */
const REPLICATION: readonly Omit<Requirement, 'namespace' | 'cluster'>[] = [
  { path: `${PERFORMANCE_PATH}/primary/enable`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/primary/demote`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/primary/secondary-token`, capabilities: ['update', 'sudo'] },
  { path: `${PERFORMANCE_PATH}/primary/revoke-secondary`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/secondary/enable`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/secondary/generate-public-key`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/secondary/promote`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/secondary/update-primary`, capabilities: ['update'] },
  { path: `${PERFORMANCE_PATH}/secondary/disable`, capabilities: ['update'] },
];

/** What applying stacks takes, as far as names are known before Terraform runs. */
export function requirementsOf(stacks: readonly Stack[]): readonly Requirement[] {
  return stacks.flatMap(({ json }) =>
    Object.entries(json.resource ?? {}).flatMap(([type, resources]) =>
      Object.values(resources).flatMap((resource) =>
        type === 'vaultadmin_perf_replication_set' ? ofSet(resource) : ofObject(type, resource),
      ),
    ),
  );
}

function ofObject(type: string, resource: Arguments): readonly Requirement[] {
  const { namespace } = resource;
  if (namespace !== undefined && !isLiteral(namespace)) return [];
  const place = { cluster: clusterOf(resource), namespace: normalizeNamespace(namespace) };
  return (NEEDS[type]?.(resource) ?? []).map((need) => ({ ...place, ...need }));
}

function ofSet({ primary, secondaries }: Arguments): readonly Requirement[] {
  const clusters = [primary, ...Object.keys((secondaries as object | undefined) ?? {})].filter(isLiteral);
  return clusters.flatMap((cluster) => REPLICATION.map((need) => ({ cluster, namespace: '', ...need })));
}

/** Resources of `vaultadmin` say it, those of `hashicorp/vault` by the alias of their provider's block: `vault.us`. */
function clusterOf({ cluster, provider }: Arguments): string {
  if (isLiteral(cluster)) return cluster;
  return (typeof provider === 'string' ? provider.split('.')[1] : undefined) ?? 'default';
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('${');
}
