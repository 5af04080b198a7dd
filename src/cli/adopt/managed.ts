import { formatImportId, MANAGED_KEY_TYPES, normalizeNamespace } from '../../model';
import type { ClusterSettings } from '../../provider/configuration';
import { clusterOf, literalOf, namespaceOf, objectNameOf, type Arguments } from '../stacks/blocks';
import { stackClusters, type StackCluster } from '../stacks/stack-clusters';
import type { Stack } from '../stacks/stacks';
import { addressOfSet } from './app/replication';
import { resourceType, type ResourceAddress } from './app/declaration';
import { trimmedEnd } from '../../text';

/**
 * Returns whether stacks manage an object, with either provider, by a name that is known before
 * Terraform runs.
 *
 * @param read the clusters that are read: namespaces are relative to theirs.
 */
export function managedIn(
  stacks: readonly Stack[],
  read: readonly ClusterSettings[],
  env: NodeJS.ProcessEnv,
): (address: ResourceAddress) => boolean {
  const clusters = stackClusters(stacks, env);
  const keys = stacks.flatMap((stack) =>
    Object.entries(stack.json.resource ?? {}).flatMap(([type, ofType]) =>
      Object.values(ofType).flatMap((block) => {
        const cluster = clusterIn(stack, type, block, clusters);
        const address = cluster && addressOf(type, block, cluster.settings, read, stack);
        return address === undefined ? [] : [keyOf(address)];
      }),
    ),
  );
  const managed = new Set(keys);
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

function addressOf(
  type: string,
  block: Arguments,
  settings: ClusterSettings,
  read: readonly ClusterSettings[],
  { json }: Stack,
): ResourceAddress | undefined {
  const kind = objectNameOf(type);
  const cluster = settings.name;
  // A primary that is managed by itself is the set as well.
  if (kind === 'perf_replication_set' || kind === 'perf_replication_primary') return addressOfSet(cluster);
  const name = nameOf(kind, block);
  const namespace = relativeNamespace(namespaceOf(block, json), settings, read);
  if (name === undefined || namespace === undefined) return undefined;
  return {
    resource: resourceType({ name: kind }),
    importId: formatImportId({ cluster, namespace, name }),
  };
}

/** The name that a block gives its object. An audit device without a path has that of its type. */
function nameOf(kind: string, block: Arguments): string | undefined {
  const given =
    kind === 'audit_device' ? (block.path ?? block.type) : kind === 'namespace' ? block.path : block.name;
  const name = literalOf(given);
  if (name === undefined) return undefined;
  const backend = MANAGED_KEY_TYPES.find((each) => block[each] !== undefined);
  if (kind === 'managed_key') return backend && `${backend}/${name}`;
  return kind === 'audit_device' ? trimmedEnd(name, '/') : name;
}

/**
 * The namespace of a block, seen from that of the cluster that is read. `undefined` if it does not
 * lie within, or is not known.
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
