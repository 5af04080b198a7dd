import { ASSUMPTIONS } from '../assumptions';
import type { MountEntry, Namespace } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/parts';
import { managedKeyName } from './write';

/** @throws LogicalError 400 where mounts of the key's namespace list it in their `allowed_managed_keys`. */
export function refuseInUse(
  { mounts }: Pick<ClusterParts, 'mounts'>,
  namespace: Namespace,
  name: string,
): void {
  const users = [...mounts.list(namespace, 'secret'), ...mounts.list(namespace, 'auth')]
    .filter((mount) => allowedKeys(mount).includes(name))
    .map(({ path }) => path);
  if (users.length > 0) throw invalidRequest(ASSUMPTIONS.managedKeyInUse.text(name, users));
}

function allowedKeys({ config }: MountEntry): readonly string[] {
  const { allowed_managed_keys: names } = config;
  return Array.isArray(names) ? (names as readonly string[]).map(managedKeyName) : [];
}
