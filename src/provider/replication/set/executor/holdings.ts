import { VaultError, type Data, type KeyList, type VaultClient } from '../../../../client';
import { UNFILTERABLE_MOUNT_TYPES } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import type { Fleet } from './fleet';

/** What every server has from the start, and may not be lost: nothing of it counts as data. */
const BUILT_IN_POLICIES: readonly string[] = ['default', 'root'];

/** Where data shows that a new server does not have. */
const PLACES: readonly ((client: VaultClient) => Promise<readonly string[]>)[] = [
  mounts('sys/mounts', 'mount', ''),
  mounts('sys/auth', 'auth mount', 'auth/'),
  keys('sys/policies/acl', 'ACL policies', BUILT_IN_POLICIES),
  keys('sys/policies/rgp', 'RGP policies'),
  keys('sys/policies/egp', 'EGP policies'),
  keys('sys/namespaces', 'namespaces'),
  keys('identity/entity/id', 'entities'),
  keys('identity/group/id', 'groups'),
];

/**
 * What a cluster holds beyond what a new one has, in words; nothing where it is as new.
 *
 * @returns undefined where not everything can be seen.
 */
export async function holdingsOf(fleet: Fleet, cluster: string): Promise<readonly string[] | undefined> {
  try {
    const found = await fleet.call('look for data on', cluster, (_, client) =>
      Promise.all(PLACES.map((place) => place(client))),
    );
    return found.flat();
  } catch (error) {
    if (error instanceof DiagnosticError && VaultError.is(error.cause)) return undefined;
    throw error;
  }
}

function mounts(path: string, what: string, prefix: string) {
  return async (client: VaultClient) => {
    const response = await client.read(path);
    return Object.entries(response?.data ?? {})
      .filter(([, mount]) => !UNFILTERABLE_MOUNT_TYPES.includes(String((mount as Data).type)))
      .map(([name]) => `${what} ${prefix}${name}`);
  };
}

function keys(path: string, what: string, builtIn: readonly string[] = []) {
  return async (client: VaultClient) => {
    const { data } = await client.list(path).catch(emptyIfNotOffered);
    const found = data.keys.filter((key) => !builtIn.includes(key));
    return found.length === 0 ? [] : [`${what} (${found.length})`];
  };
}

/** A server that has no such objects holds none. */
function emptyIfNotOffered(error: unknown): { readonly data: KeyList } {
  if (VaultError.is(error) && error.code === 'unsupported_path') return { data: { keys: [] } };
  throw error;
}
