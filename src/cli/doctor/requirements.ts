import { MANAGED_KEY_TYPES, normalizeNamespace } from '../../model';
import {
  accessFor,
  DATA_SOURCE_CALLS,
  EPHEMERAL_RESOURCE_CALLS,
  RESOURCE_CALLS,
  SET_JOINING_CALLS,
  SET_MEMBER_CALLS,
  SET_SECONDARY_CALLS,
  type ResourceCall,
} from '../../model/access';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import { groupsBy } from '../groups';
import type { ProviderName } from '../stacks/stack-clusters';
import type { Blocks, Stack } from '../stacks/stacks';

/** What a token must be allowed to do so that a stack can be applied. */
export interface Requirement {
  readonly provider: ProviderName;
  /** `undefined` if the stack does not specify it: its provider has only one. */
  readonly cluster: string | undefined;
  /** Relative to the namespace in the cluster's settings; empty for that namespace itself. */
  readonly namespace: string;
  /** Whether the path is in the root namespace, whatever `namespace` is. */
  readonly inRoot: boolean;
  /** Whether it is needed only until the cluster has joined its replication set. */
  readonly toJoin: boolean;
  /** Below `/v1/`. */
  readonly path: string;
  readonly capabilities: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;
type Need = Pick<Requirement, 'path' | 'capabilities' | 'inRoot' | 'toJoin'>;

/** Resources of `hashicorp/vault` that make the same calls as one of ours. */
const UPSTREAM_RESOURCES: Readonly<Record<string, string>> = {
  vault_policy: 'acl_policy',
  vault_rgp_policy: 'rgp_policy',
  vault_egp_policy: 'egp_policy',
  vault_raft_snapshot_agent_config: 'auto_snapshot',
  vault_audit: 'audit_device',
};

/** Returns what applying a stack requires, as far as names are known before Terraform runs. */
export function requirementsOf({ json }: Stack): readonly Requirement[] {
  return [
    ...ofBlocks(json.resource, (type, block) =>
      type === 'vaultadmin_perf_replication_set'
        ? ofSet(block)
        : ofObject(type, RESOURCE_CALLS[UPSTREAM_RESOURCES[type] ?? ownName(type)], block),
    ),
    ...ofBlocks(json.data, (type, block) => ofObject(type, DATA_SOURCE_CALLS[ownName(type)], block)),
    ...ofBlocks(json.ephemeral, (type, block) =>
      ofObject(type, EPHEMERAL_RESOURCE_CALLS[ownName(type)], block),
    ),
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

/** `acl_policy` for `vaultadmin_acl_policy`. Resources of other providers have no entry in our tables. */
function ownName(type: string): string {
  return type.startsWith('vaultadmin_') ? type.slice('vaultadmin_'.length) : type;
}

function ofObject(
  type: string,
  calls: readonly ResourceCall[] | undefined,
  block: Arguments,
): readonly Requirement[] {
  const { namespace } = block;
  if (calls === undefined || (namespace !== undefined && !isLiteral(namespace))) return [];
  const place = { ...clusterOf(type, block), namespace: normalizeNamespace(namespace) };
  const backend = MANAGED_KEY_TYPES.find((each) => block[each] !== undefined);
  return needsOf(calls, backend === undefined ? block : { ...block, type: backend }).map((need) => ({
    ...place,
    ...need,
  }));
}

function ofSet({ primary, secondaries }: Arguments): readonly Requirement[] {
  const members = Object.entries((secondaries ?? {}) as Readonly<Record<string, Arguments>>);
  const needs = [
    ...needsOf(SET_MEMBER_CALLS, {}),
    ...members.flatMap(([cluster, { id = cluster }]) => needsOf(SET_SECONDARY_CALLS, { id })),
  ];
  const on = (cluster: string, all: readonly Need[]) =>
    all.map((need) => ({ provider: 'vaultadmin' as const, cluster, namespace: '', ...need }));
  return [
    ...(isLiteral(primary) ? on(primary, needs) : []),
    ...members
      .filter(([cluster]) => isLiteral(cluster))
      .flatMap(([cluster, member]) => on(cluster, [...needs, ...needsOf(SET_JOINING_CALLS, member)])),
  ];
}

/** What the calls of a block require, as far as its arguments are known. */
function needsOf(calls: readonly ResourceCall[], block: Arguments): readonly Need[] {
  const literals = Object.fromEntries(Object.entries(block).filter(([, value]) => isLiteral(value)));
  const made = calls
    .filter(({ ifGiven }) => ifGiven === undefined || block[ifGiven] !== undefined)
    .filter(({ unlessGiven }) => unlessGiven === undefined || block[unlessGiven] === undefined);
  return groupsBy(made, ({ inRoot, toJoin }) => `${inRoot} ${toJoin}`).flatMap((group) => {
    const [{ inRoot = false, toJoin = false }] = group;
    return accessFor(group, literals).map((access) => ({ ...access, inRoot, toJoin }));
  });
}

/** Resources of `vaultadmin` name the cluster; those of `hashicorp/vault` name the alias of their provider's block: `vault.us`. */
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
