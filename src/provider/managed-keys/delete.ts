import { VaultError } from '../../client';
import { DiagnosticError } from '../../plugin';
import type { RequestContext } from '../objects';
import type { StoredKey } from './identity';
import { inUse } from './messages';

/** @throws DiagnosticError that names the mounts that list the key, where the server refuses because of them. */
export async function deleteKey(key: StoredKey, context: RequestContext): Promise<void> {
  try {
    await key.delete();
  } catch (error) {
    const mounts = isRefusal(error) ? await mountsThatList(key, context) : [];
    throw mounts.length > 0 ? inUse(key.subject, mounts, error as DiagnosticError) : error;
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof DiagnosticError && VaultError.is(error.cause) && error.cause.code === 'invalid_request'
  );
}

/** The paths of the mounts that list a key. None, where that cannot be found out. */
async function mountsThatList(
  { identity, subject }: StoredKey,
  context: RequestContext,
): Promise<readonly string[]> {
  try {
    const client = await context.provider.client(identity, subject.title, context);
    const mounts = await client.read('sys/mounts', { signal: context.signal });
    return Object.entries(mounts?.data ?? {})
      .filter(([, mount]) => allowedKeys(mount).includes(identity.name))
      .map(([path]) => path);
  } catch (error) {
    if (VaultError.is(error)) return [];
    throw error;
  }
}

function allowedKeys(mount: unknown): readonly unknown[] {
  const { config } = (mount ?? {}) as { config?: { allowed_managed_keys?: unknown } };
  const keys = config?.allowed_managed_keys;
  return Array.isArray(keys) ? keys : [];
}
