import { formatImportId, MANAGED_KEY_TYPES, normalizeNamespace, type ManagedKeyTypeName } from '../../model';
import { DEFAULT_CLUSTER, type ClusterSettings } from '../../provider/configuration';
import { isRecord, trimmedEnd } from '../../text';
import { clusterOf, literalOf, namespaceOf, objectNameOf, type Arguments } from '../stacks/blocks';
import { stackClusters, type StackCluster } from '../stacks/stack-clusters';
import type { Stack } from '../stacks/stacks';
import { UPSTREAM_KEYS, type StateObject } from '../stacks/states';
import { addressOfFilter, addressOfSet } from './app/replication-stack';
import { resourceType, type ResourceAddress } from './app/declaration';

/** The declarations that objects are compared with. */
interface Declared {
  readonly stacks: readonly Stack[];
  readonly states?: readonly StateObject[];
}

/**
 * Returns a function that says whether stacks or states manage an object, with either provider. In
 * stacks, only names that are known before Terraform runs are compared.
 *
 * @param read the clusters that are read: namespaces are relative to theirs.
 */
export function managedIn(
  { stacks, states = [] }: Declared,
  read: readonly ClusterSettings[],
  env: NodeJS.ProcessEnv,
): (address: ResourceAddress) => boolean {
  const clusters = stackClusters(stacks, env);
  const inStacks = stacks.flatMap((stack) =>
    Object.entries(stack.json.resource ?? {}).flatMap(([type, ofType]) =>
      Object.values(ofType).flatMap((block) => {
        const cluster = clusterIn(stack, type, block, clusters);
        if (!cluster) return [];
        const namespace = relativeNamespace(namespaceOf(block, stack.json), cluster.settings, read);
        return addressesOf(type, block, { cluster: cluster.settings.name, namespace, textOf: literalOf });
      }),
    ),
  );
  const inStates = states.flatMap((object) => addressesInState(object, read));
  const managed = new Set([...inStacks, ...inStates].map(keyOf));
  return (address) => managed.has(keyOf(address));
}

function keyOf({ resource, importId }: ResourceAddress): string {
  return `${resource} ${importId}`;
}

function clusterIn(
  stack: Stack,
  type: string,
  block: Arguments,
  clusters: readonly StackCluster[],
): StackCluster | undefined {
  const { provider, cluster } = clusterOf(type, block);
  const known = clusters.filter((each) => each.stack === stack && each.provider === provider);
  const name = objectNameOf(type) === 'perf_replication_set' ? block.primary : cluster;
  return name === undefined && known.length === 1
    ? known[0]
    : known.find(({ settings }) => settings.name === name);
}

/**
 * Returns the addresses of an object in a state. Resources of `vaultadmin` store the name of the
 * cluster; for others, the alias of their provider is the name.
 */
function addressesInState(
  { type, alias, attributes }: StateObject,
  read: readonly ClusterSettings[],
): readonly ResourceAddress[] {
  const only = read.length === 1 ? read[0]!.name : DEFAULT_CLUSTER;
  const { cluster = attributes.primary } = attributes;
  const name = type.startsWith('vaultadmin_') ? textIn(cluster) : (alias ?? only);
  if (name === undefined) return [];
  const namespace = normalizeNamespace(textIn(attributes.namespace));
  return addressesOf(type, attributes, { cluster: name, namespace, textOf: textIn });
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The cluster and namespace of the objects of a block or state, and how to read its texts. */
interface Place {
  readonly cluster: string;
  /** `undefined` if it is not known, or lies outside of the namespace of the cluster. */
  readonly namespace: string | undefined;
  readonly textOf: (value: unknown) => string | undefined;
}

function addressesOf(
  type: string,
  block: Arguments,
  { cluster, namespace, textOf }: Place,
): readonly ResourceAddress[] {
  const kind = objectNameOf(type);
  // A resource for the primary alone manages the same object as the set does.
  if (kind === 'perf_replication_primary') return [addressOfSet(cluster)];
  if (kind === 'perf_replication_set') {
    const members = Object.entries(isRecord(block.secondaries) ? block.secondaries : {});
    const ids = members.map(([member, value]) => textOf(isRecord(value) ? value.id : undefined) ?? member);
    return [addressOfSet(cluster), ...ids.map((id) => addressOfFilter(cluster, id))];
  }
  if (kind === 'perf_replication_paths_filter') {
    const id = textOf(block.secondary_id);
    return id === undefined ? [] : [addressOfFilter(cluster, id)];
  }
  if (namespace === undefined) return [];
  const [object, names] =
    type === UPSTREAM_KEYS
      ? ['managed_key', namesOfKeys(block, textOf)]
      : [kind, namesOf(kind, block, textOf)];
  return names.map((name) => ({
    resource: resourceType({ name: object }),
    importId: formatImportId({ cluster, namespace, name }),
  }));
}

/**
 * Returns the names that a block gives its objects. An audit device without a path has the path of
 * its type.
 */
function namesOf(kind: string, block: Arguments, textOf: Place['textOf']): readonly string[] {
  const given = { audit_device: block.path ?? block.type, namespace: block.path }[kind] ?? block.name;
  const name = textOf(given);
  if (name === undefined) return [];
  const backend = MANAGED_KEY_TYPES.find((each) => (block[each] ?? null) !== null);
  if (kind === 'managed_key') return backend ? [`${backend}/${name}`] : [];
  return [kind === 'audit_device' || kind === 'namespace' ? trimmedEnd(name, '/') : name];
}

/** The blocks of `vault_managed_keys`, with the types of their keys. */
const BLOCKS_OF_KEYS = { aws: 'awskms', azure: 'azurekeyvault', pkcs: 'pkcs11' } as const satisfies Readonly<
  Record<string, ManagedKeyTypeName>
>;

function namesOfKeys(block: Arguments, textOf: Place['textOf']): readonly string[] {
  return Object.entries(BLOCKS_OF_KEYS).flatMap(([name, type]) => {
    const keys: unknown = block[name];
    const names = (Array.isArray(keys) ? keys : []).map((key) =>
      textOf(isRecord(key) ? key.name : undefined),
    );
    return names.flatMap((each) => (each === undefined ? [] : [`${type}/${each}`]));
  });
}

/**
 * Returns the namespace of a block, relative to the namespace of the cluster. `undefined` if it is
 * not known, or lies outside of the namespace of the cluster.
 */
function relativeNamespace(
  namespace: string | undefined,
  settings: ClusterSettings,
  read: readonly ClusterSettings[],
): string | undefined {
  if (namespace === undefined) return undefined;
  const full = normalizeNamespace(`${settings.options.namespace ?? ''}/${namespace}`);
  const own = normalizeNamespace(read.find(({ name }) => name === settings.name)?.options.namespace);
  if (full === own) return '';
  return own === '' || full.startsWith(`${own}/`) ? full.slice(own === '' ? 0 : own.length + 1) : undefined;
}
