import type { IConstruct } from 'constructs';
import { normalizeNamespace } from '../../../src/model';
import { isUnknown } from '../../private/known';
import type { IVaultCluster } from '../cluster';
import type { VaultConnection } from '../connection';
import { trimmedEnd } from '../../../src/text';

/** The servers of each app, by a key with their address and namespace. */
const SERVERS = new WeakMap<IConstruct, Map<string, object>>();
const SERVER_OF = new WeakMap<IVaultCluster, object>();

/** Registers the server of a cluster, if the cluster's settings identify it. */
export function registerServer(cluster: IVaultCluster, connection: VaultConnection): void {
  const key = keyOf(cluster, connection);
  if (key === undefined) return;
  const servers = SERVERS.get(cluster.node.root) ?? new Map<string, object>();
  SERVERS.set(cluster.node.root, servers);
  const server = servers.get(key) ?? {};
  servers.set(key, server);
  SERVER_OF.set(cluster, server);
}

/**
 * Returns an object that is the same for all clusters of the app that are certainly on one server.
 */
export function serverOf(cluster: IVaultCluster): object {
  return SERVER_OF.get(cluster) ?? cluster;
}

/**
 * Returns the key of a server; `undefined` if it is not certain. Clusters are on one server if they
 * have the same address. Without an address, they are on one server if they have the same name,
 * because they read the same variables. The default name is an exception: stacks for several
 * environments may get the address in each run.
 */
function keyOf({ name }: IVaultCluster, { address, namespace }: VaultConnection): string | undefined {
  if (isUnknown(address) || isUnknown(namespace)) return undefined;
  const place = normalizeNamespace(namespace);
  if (address !== undefined) return `${trimmedEnd(address, '/').toLowerCase()}//${place}`;
  return name === 'default' ? undefined : `${name}//${place}`;
}
