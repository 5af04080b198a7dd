import { VaultError, type Health } from '../../client';
import { DiagnosticError, type Context } from '../../plugin';
import type { Clusters } from './clusters';

/** Seconds for a read of the health. A plan does not wait long for optional data. */
const TIMEOUT = 5;

type ClustersContext = Context & { readonly providerData: Clusters };

/**
 * Returns the health of a cluster, such as its version. The read needs no token.
 *
 * @param title the object for which the health is read, for messages.
 * @returns `undefined` if it could not be determined: the next call reports why.
 */
export async function healthOf(
  cluster: string,
  title: string,
  // `defer` is left out, because an unknown version is no reason to defer a resource.
  { providerData: provider, diagnostics, log, mask, signal }: ClustersContext,
): Promise<Health | undefined> {
  try {
    const client = provider.cluster(cluster, title, { diagnostics, log, mask, signal }).anonymous();
    const { data } = await client.system.health({ signal, timeout: TIMEOUT });
    return data;
  } catch (error) {
    if (VaultError.is(error) || error instanceof DiagnosticError) return undefined;
    throw error;
  }
}
