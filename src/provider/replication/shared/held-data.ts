import type { CallOptions, VaultClient } from '../../../client';
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
  const [mounts, auth, policies, namespaces] = await Promise.all([
    mountPaths(client, 'sys/mounts', options),
    mountPaths(client, 'sys/auth', options),
    client.policies.acl.list(options).then(({ data }) => data.keys),
    client.list('sys/namespaces', options).then(({ data }) => data.keys),
  ]);
  return [
    ...named('secrets engine', mounts, OF_EVERY_CLUSTER.mounts),
    ...named('auth method', auth, OF_EVERY_CLUSTER.auth),
    ...named('policy', policies, [DEFAULT_POLICY, ...IMMUTABLE_POLICIES]),
    ...named('namespace', namespaces, []),
  ];
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
