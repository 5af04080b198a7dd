import type { IConstruct } from 'constructs';
import { normalizeNamespace } from '../../../src/model';
import { isUnknown } from '../../private/known';
import type { IVaultCluster } from '../cluster';
import type { VaultConnection } from '../connection';
import { trimmedEnd } from '../../../src/text';

/** The servers (and namespaces on them) of each app, by the text that distinguishes them. */
const SERVERS = new WeakMap<IConstruct, Map<string, object>>();
const SERVER_OF = new WeakMap<IVaultCluster, object>();

/** Registers the server of a handle, if its settings identify it. */
export function registerServer(cluster: IVaultCluster, connection: VaultConnection): void {
  const key = keyOf(cluster, connection);
  if (key === undefined) return;
  const servers = SERVERS.get(cluster.node.root) ?? new Map<string, object>();
  SERVERS.set(cluster.node.root, servers);
  const server = servers.get(key) ?? {};
  servers.set(key, server);
  SERVER_OF.set(cluster, server);
}

/** Returns an object that is the same for all handles which are certainly for one server. */
export function serverOf(cluster: IVaultCluster): object {
  return SERVER_OF.get(cluster) ?? cluster;
}

/**
 * Returns the key of a server. Handles are for one server if they have the same address; without an
 * address, if they have the same name, whose variables they read. The default name is an exception:
 * stacks for several environments may leave it to each run.
 */
function keyOf({ name }: IVaultCluster, { address, namespace }: VaultConnection): string | undefined {
  if (isUnknown(address) || isUnknown(namespace)) return undefined;
  const place = normalizeNamespace(namespace);
  if (address !== undefined) return `${trimmedEnd(address, '/').toLowerCase()}//${place}`;
  return name === 'default' ? undefined : `${name}//${place}`;
}
