import { MessageError } from '../messages';
import { SNAPSHOT_LOAD, SNAPSHOT_LOAD_SINCE } from '../../model';
import { isEnterprise, isOlder } from '../../model/versions';
import { healthOf } from '../clusters';
import { onCluster, type RequestContext } from '../objects';
import type { Subject } from '../objects/subject';

/** The subject of requests for loaded snapshots, and for secrets in them. */
export function loadedSubject(title: string, cluster: string, namespace = ''): Subject {
  return { definition: SNAPSHOT_LOAD, location: { cluster, namespace }, title };
}

/**
 * Refuses servers that do not know loaded snapshots: they would ignore that a request is about one,
 * and read or write the present data.
 *
 * @throws DiagnosticError also if the version cannot be determined.
 */
export async function requireLoadedSnapshots(subject: Subject, context: RequestContext): Promise<void> {
  const { cluster } = subject.location;
  const { version } = (await healthOf(cluster, subject.title, context)) ?? {};
  if (version !== undefined && isEnterprise(version) && !isOlder(version, SNAPSHOT_LOAD_SINCE)) return;
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
