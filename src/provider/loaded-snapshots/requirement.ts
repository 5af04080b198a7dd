import { MessageError } from '../messages';
import { normalizeNamespace, SNAPSHOT_LOAD, SNAPSHOT_LOAD_SINCE } from '../../model';
import { isEnterprise, isOlder } from '../../model/versions';
import { healthOf } from '../clusters';
import { onCluster, type RequestContext, type Subject } from '../objects';

/** The first version of the server that reads secrets of KV version 2 from snapshots. */
export const KV2_SECRETS_SINCE = '2.1';

/** A subject of requests for loaded snapshots, on a server that supports them. */
export interface LoadedSubject {
  readonly subject: Subject;
  readonly version: string;
}

/** The paths that servers read from loaded snapshots, in descriptions. */
export const RECOVERABLE_PATHS =
  `Servers support it for version 1 of the KV secrets engine, for the secrets of version 2 from Vault ${KV2_SECRETS_SINCE} on, ` +
  'cubbyholes, and some paths of other engines.';

/**
 * Returns the subject of requests for loaded snapshots, and for secrets in them. Refuses servers
 * without loaded snapshots: they would ignore the snapshot's id, and read or write the present
 * data.
 *
 * @throws DiagnosticError also if the version cannot be determined.
 */
export async function loadedSubject(
  title: string,
  config: { readonly cluster: string | null; readonly namespace?: string | null },
  context: RequestContext,
): Promise<LoadedSubject> {
  const cluster = context.providerData.knownNameOf(config.cluster, title, context);
  const namespace = normalizeNamespace(config.namespace);
  const subject = { definition: SNAPSHOT_LOAD, location: { cluster, namespace }, title };
  const { version } = (await healthOf(cluster, title, context)) ?? {};
  if (version !== undefined && isEnterprise(version) && !isOlder(version, SNAPSHOT_LOAD_SINCE))
    return { subject, version };
  throw new MessageError({
    summary: `${onCluster(subject)}: the server must be Vault Enterprise ${SNAPSHOT_LOAD_SINCE} or later`,
    received: version === undefined ? 'no version' : `version ${JSON.stringify(version)}`,
    details: [
      'A server that does not know loaded snapshots uses its present data instead.',
      'Nothing was read or changed.',
    ],
    cures: 'check that the cluster answers sys/health, or upgrade it',
  });
}
