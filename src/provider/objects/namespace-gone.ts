import { VaultError, type VaultErrorCode } from '../../client';
import type { RequestContext } from './request';
import { serverErrorOf } from './server-error';
import type { Subject } from './subject';

/**
 * Seconds for the read of the parent. Without an answer in time, it is unknown whether the
 * namespace exists.
 */
const TIMEOUT = 10;

/**
 * Whether a request about an object failed only because its namespace, and the object with it, was
 * deleted. This is certain only if the parent namespace exists and returns "not found" for the
 * namespace. The namespace in the cluster's settings never counts as deleted: if it is not found,
 * the settings may be wrong.
 */
export async function isNamespaceGone(
  failure: unknown,
  { location, title }: Subject,
  context: RequestContext,
): Promise<boolean> {
  if (!mayLackNamespace(serverErrorOf(failure)?.code)) return false;
  const names = location.namespace.split('/').filter((name) => name !== '');
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const parent = { cluster: location.cluster, namespace: names.slice(0, depth).join('/') };
    try {
      const client = await context.providerData.client(parent, title, context);
      const found = await client.read(`sys/namespaces/${names[depth]!}`, {
        signal: context.signal,
        timeout: TIMEOUT,
      });
      return found === undefined;
    } catch (error) {
      // If the parent is gone as well, this request fails, and the namespace above is tried.
      if (!VaultError.is(error) || !mayLackNamespace(error.code)) return false;
    }
  }
  return false;
}

/**
 * Whether an error may mean that a namespace is missing. Some servers return the same error as for
 * an unknown path.
 */
function mayLackNamespace(code: VaultErrorCode | undefined): boolean {
  return code === 'namespace_missing' || code === 'unsupported_path';
}
