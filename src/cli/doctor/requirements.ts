import { ACL_POLICY, AUDIT_DEVICE, MANAGED_KEY_TYPES, type AclCapability } from '../../model';
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
import { groupsBy } from '../../model/groups';
import { clusterOf, isLiteral, literalOf, namespaceOf, objectNameOf, type Arguments } from '../stacks/blocks';
import type { ProviderName } from '../stacks/stack-clusters';
import type { BlocksByType, Stack } from '../stacks/stacks';

/** A permission that a token needs so that a stack can be applied. */
export interface Requirement {
  readonly provider: ProviderName;
  /**
   * The name of the cluster. `undefined` if the stack does not specify it: its provider has only
   * one.
   */
  readonly cluster: string | undefined;
  /**
   * The path relative to the namespace in the cluster's settings; empty for that namespace itself.
   */
  readonly namespace: string;
  /** Whether the path is in the root namespace, whatever `namespace` is. */
  readonly inRoot: boolean;
  /** Whether it is needed only until the cluster has joined its replication set. */
  readonly toJoin: boolean;
  /** The path below `/v1/`. */
  readonly path: string;
  readonly capabilities: readonly AclCapability[];
  /** Whether a plan writes as well. By default it only reads. */
  readonly writesInPlan?: true;
}

type Need = Pick<Requirement, 'path' | 'capabilities' | 'inRoot' | 'toJoin'>;

/** A block of a stack that only servers with the enterprise features can apply. */
interface EnterpriseBlock extends Pick<Requirement, 'provider' | 'cluster'> {
  /** The type of the block, such as `vault_rgp_policy`. */
  readonly type: string;
}

/** The paths that every edition of the server has. */
const PATHS_OF_EVERY_EDITION = [ACL_POLICY, AUDIT_DEVICE].map(({ path }) => path);

/** Returns the blocks of a stack that only servers with the enterprise features can apply. */
export function enterpriseBlocksOf({
  json: { resource, data, ephemeral },
}: Stack): readonly EnterpriseBlock[] {
  const of = (blocks: BlocksByType = {}, table: CallsByType) =>
    Object.entries(blocks)
      .filter(([type]) => needsEnterprise(type, table))
      .flatMap(([type, ofType]) =>
        Object.values(ofType).flatMap((block) =>
          clustersOf(type, block).map((place) => ({ ...place, type })),
        ),
      );
  return [
    ...of(resource, RESOURCE_CALLS),
    ...of(data, DATA_SOURCE_CALLS),
    ...of(ephemeral, EPHEMERAL_RESOURCE_CALLS),
  ];
}

type CallsByType = Readonly<Record<string, readonly ResourceCall[]>>;

function needsEnterprise(type: string, table: CallsByType): boolean {
  const name = objectNameOf(type);
  if (!type.startsWith('vaultadmin_') && name === type) return false;
  const calls = table[name];
  return !calls?.every(({ path }) =>
    PATHS_OF_EVERY_EDITION.some((each) => path === each || path.startsWith(`${each}/`)),
  );
}

/**
 * Returns the requests that applying a stack makes, for names that are known before Terraform runs.
 *
 * @param env the environment of the providers.
 */
export function requirementsOf({ json }: Stack, env: NodeJS.ProcessEnv = {}): readonly Requirement[] {
  return [
    ...ofChildTokens(json, env),
    ...ofBlocks(json.resource, (type, block) =>
      type === 'vaultadmin_perf_replication_set'
        ? ofSet(block)
        : ofObject(type, RESOURCE_CALLS[objectNameOf(type)], block, json),
    ),
    ...ofBlocks(json.data, (type, block) =>
      ofObject(type, DATA_SOURCE_CALLS[objectNameOf(type)], block, json),
    ),
    ...ofBlocks(json.ephemeral, (type, block) =>
      ofObject(type, EPHEMERAL_RESOURCE_CALLS[objectNameOf(type)], block, json).map((required) => ({
        ...required,
        writesInPlan: true as const,
      })),
    ),
  ];
}

/**
 * Returns the requirements of the provider `hashicorp/vault`, which works with a child of its
 * token, unless it is configured to use the token itself.
 */
function ofChildTokens(
  { provider: { vault = [] } = {} }: Stack['json'],
  { TERRAFORM_VAULT_SKIP_CHILD_TOKEN: skipped = '' }: NodeJS.ProcessEnv,
): readonly Requirement[] {
  const isSkipped = ['1', 't', 'true'].includes(skipped.toLowerCase());
  return vault
    .filter(({ skip_child_token: skip = isSkipped }) => skip !== true)
    .map(({ alias = DEFAULT_CLUSTER }) => ({
      provider: 'vault',
      cluster: alias,
      namespace: '',
      inRoot: false,
      toJoin: false,
      path: 'auth/token/create',
      capabilities: ['update'],
      writesInPlan: true,
    }));
}

/**
 * Returns the blocks of a stack whose requirements are not known: blocks with names that only
 * Terraform knows, and blocks of other types.
 */
export function unknownBlocksOf({ name, json }: Stack): readonly string[] {
  const { resource, data, ephemeral } = json;
  const of = (blocks: BlocksByType = {}, table: CallsByType, prefix = '') =>
    Object.entries(blocks).flatMap(([type, ofType]) =>
      Object.entries(ofType)
        .filter(([, block]) => isUnknown(type, block, table, json))
        .map(([id]) => `${prefix}${type}.${id} of stack ${JSON.stringify(name)}`),
    );
  return [
    ...of(resource, RESOURCE_CALLS),
    ...of(data, DATA_SOURCE_CALLS, 'data.'),
    ...of(ephemeral, EPHEMERAL_RESOURCE_CALLS, 'ephemeral.'),
  ];
}

function isUnknown(type: string, block: Arguments, table: CallsByType, json: Stack['json']): boolean {
  if (type === 'vaultadmin_perf_replication_set') return !isLiteral(block.primary);
  const calls = table[objectNameOf(type)];
  // Data sources of this provider that are not in the table read public endpoints.
  if (calls === undefined) return type.startsWith('vault_');
  return ofObject(type, calls, block, json).length === 0;
}

function ofBlocks(
  blocks: BlocksByType = {},
  of: (type: string, block: Arguments) => readonly Requirement[],
): readonly Requirement[] {
  return Object.entries(blocks).flatMap(([type, ofType]) =>
    Object.values(ofType).flatMap((block) => of(type, block)),
  );
}

function ofObject(
  type: string,
  calls: readonly ResourceCall[] | undefined,
  block: Arguments,
  json: Stack['json'],
): readonly Requirement[] {
  const namespace = namespaceOf(block, json);
  if (calls === undefined || namespace === undefined) return [];
  const place = { ...clusterOf(type, block), namespace };
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

/** Returns the requirements of a block's calls, for its known arguments. */
function needsOf(calls: readonly ResourceCall[], block: Arguments): readonly Need[] {
  const literals = Object.fromEntries(
    Object.entries(block).flatMap(([argument, value]) => {
      const literal = literalOf(value);
      return literal === undefined ? [] : [[argument, literal]];
    }),
  );
  const made = calls
    .filter(({ ifGiven }) => ifGiven === undefined || block[ifGiven] !== undefined)
    .filter(({ unlessGiven }) => unlessGiven === undefined || (block[unlessGiven] ?? false) === false);
  return groupsBy(made, ({ inRoot, toJoin }) => `${inRoot} ${toJoin}`).flatMap((group) => {
    const [{ inRoot = false, toJoin = false }] = group;
    return accessFor(group, literals).map((access) => ({ ...access, inRoot, toJoin }));
  });
}

/** Returns the clusters to which a block belongs. */
function clustersOf(type: string, block: Arguments): readonly Pick<Requirement, 'provider' | 'cluster'>[] {
  if (type !== 'vaultadmin_perf_replication_set') return [clusterOf(type, block)];
  const names = [block.primary, ...Object.keys(block.secondaries ?? {})];
  return names.filter(isLiteral).map((cluster) => ({ provider: 'vaultadmin', cluster }));
}
