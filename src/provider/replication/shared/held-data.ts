import {
  VaultError,
  type CallOptions,
  type KeyList,
  type VaultClient,
  type VaultResponse,
} from '../../../client';
import { DEFAULT_POLICY, IMMUTABLE_POLICIES } from '../../../model';

/** Secrets engines and auth methods that every cluster has. */
const OF_EVERY_CLUSTER = { mounts: ['cubbyhole/', 'identity/', 'sys/'], auth: ['token/'] };

/**
 * What a cluster holds that a new one does not, in words such as `secrets engine "secret/"`. It is lost when the
 * cluster becomes a secondary.
 *
 * @param client for the root namespace.
 * @throws VaultError where the client may not look.
 */
export async function heldData(client: VaultClient, options: CallOptions): Promise<readonly string[]> {
  const [mounts, auth, policies, rgp, egp, namespaces, managedKeys, snapshots, entities] = await Promise.all([
    mountPaths(client, 'sys/mounts', options),
    mountPaths(client, 'sys/auth', options),
    keys(client.policies.acl.list(options)),
    keys(client.policies.rgp.list(options)),
    keys(client.policies.egp.list(options)),
    keys(client.list('sys/namespaces', options)),
    offered(client.managedKeys.listAll(options).then(({ data }) => Object.values(data).flat())),
    keys(client.autoSnapshots.list(options)),
    keys(client.list('identity/entity/id', options)),
  ]);
  return [
    ...named('secrets engine', mounts, OF_EVERY_CLUSTER.mounts),
    ...named('auth method', auth, OF_EVERY_CLUSTER.auth),
    ...named('policy', policies, [DEFAULT_POLICY, ...IMMUTABLE_POLICIES]),
    ...named('policy', [...rgp, ...egp], []),
    ...named('namespace', namespaces, []),
    ...named('managed key', managedKeys, []),
    ...named('automated snapshot', snapshots, []),
    ...(entities.length > 0 ? [`identities (${entities.length})`] : []),
  ];
}

function keys(list: Promise<VaultResponse<KeyList>>): Promise<readonly string[]> {
  return offered(list.then(({ data }) => data.keys));
}

/** A server that does not offer a kind of object holds none of it. */
async function offered(names: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await names;
  } catch (error) {
    if (VaultError.is(error) && error.code === 'unsupported_path') return [];
    throw error;
  }
}

async function mountPaths(
  client: VaultClient,
  path: string,
  options: CallOptions,
): Promise<readonly string[]> {
  const response = await client.read(path, options);
  return Object.keys(response?.data ?? {});
}

function named(kind: string, names: readonly string[], usual: readonly string[]): readonly string[] {
  return names.filter((name) => !usual.includes(name)).map((name) => `${kind} ${JSON.stringify(name)}`);
}
