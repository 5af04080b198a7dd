import { VaultError, type VaultClient, type VaultResponse } from '../../client';
import type { ConfiguredContext, DeferralContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { report } from '../messages';
import { failuresOf } from './failures-of-cluster';
import { serverWarns } from './messages';
import type { Subject } from './subject';

/** The context of a handler that makes requests to a cluster. */
export type RequestContext = ConfiguredContext<Clusters> & Partial<DeferralContext>;

/**
 * Makes a request about an object. The server's warnings are reported to the user.
 *
 * @param verb the verb that follows `cannot` in messages: `read`, `create`.
 * @throws DiagnosticError, with the client's error as its cause if a call failed.
 */
export async function request<R extends Pick<VaultResponse, 'warnings'> | undefined>(
  verb: string,
  { definition, location, title }: Subject,
  context: RequestContext,
  call: (client: VaultClient) => Promise<R>,
): Promise<R> {
  const { cluster, namespace } = location;
  context.log.debug(`${verb} ${title}`, { cluster, namespace });
  const failures = failuresOf(context.providerData, cluster);
  const attempt = { verb, title, cluster, definition };
  failures.admit(attempt);
  try {
    const response = await call(await context.providerData.client(location, title, context));
    for (const warning of response?.warnings ?? []) {
      report(context.diagnostics, 'warning', serverWarns({ title, location }, warning));
    }
    failures.succeeded();
    return response;
  } catch (error) {
    throw VaultError.is(error) ? failures.errorOf(error, attempt) : error;
  }
}
