import { phrase } from '../../../model/messages';
import type { ReplicationStatus } from '../../../client';
import type { DiagnosticError } from '../../../plugin';
import { MessageError, type LocatedMessage } from '../../messages';
import { howToImport, onCluster, type ObjectSubject } from '../../objects';
import { cannotReplicate } from '../shared/modes';

/** Returns the reason why a cluster cannot be enabled as a primary; `undefined` if it can. */
export function cannotBeEnabled(
  subject: ObjectSubject,
  { mode }: ReplicationStatus,
): DiagnosticError | undefined {
  const { cluster } = subject.location;
  const name = JSON.stringify(cluster);
  switch (mode) {
    case 'primary':
      return new MessageError({
        path: ['cluster'],
        summary: `cluster ${name} is already a primary`,
        claims: ['nothing-changed'],
        cures: howToImport(subject),
      });
    case 'secondary':
      return new MessageError({
        path: ['cluster'],
        summary: `cluster ${name} is a secondary and cannot be enabled as a primary`,
        received: 'a cluster in mode "secondary"',
        allowed: 'one whose replication is disabled',
        claims: ['nothing-changed'],
        cures: phrase`promote it instead, after demoting its primary
          (vaultadmin_perf_replication_set does this in a safe order), and then import it`,
      });
    case 'unsupported':
      return new MessageError({ path: ['cluster'], ...cannotReplicate(`cluster ${name}`) });
    default:
      return undefined;
  }
}

/** Reports a primary that was demoted outside of Terraform. */
export function demotedElsewhere(subject: ObjectSubject): LocatedMessage {
  const name = JSON.stringify(subject.location.cluster);
  return {
    summary: `cluster ${name} is no longer a primary: it was demoted outside of Terraform`,
    details: 'Two primaries would lose data, so nothing was changed.',
    cures: phrase`after a switchover, remove this resource from the state (terraform state rm),
      describe the cluster as a vaultadmin_perf_replication_secondary and import that, and the new
      primary likewise. To make ${name} the primary again, demote the current one, then promote ${name}
      (vault write -f sys/replication/performance/secondary/promote)`,
  };
}

/** Refuses to disable a protected primary. */
export function protectedFromDeletion(subject: ObjectSubject, cause: string): LocatedMessage {
  return {
    summary: `${onCluster(subject)} is protected: ${cause}`,
    details: 'Its secondaries would lose their primary, and their data when they join another one.',
    claims: ['nothing-changed'],
    cures: 'if this is intended, set deletion_protection = false and apply, then try again',
  };
}

/** Refuses to disable a primary that still has secondaries. */
export function stillConnected(subject: ObjectSubject, connected: readonly string[]): DiagnosticError {
  const names = connected.map((name) => JSON.stringify(name)).join(', ');
  return new MessageError({
    summary: `cannot delete ${onCluster(subject)}, since secondaries are connected to it: ${names}`,
    details: 'They would lose their primary, and their data when they join another one.',
    claims: ['nothing-changed'],
    cures: phrase`destroy their resources first, or disable replication on them (vault write -f
      sys/replication/performance/secondary/disable), or point them to another primary`,
  });
}
