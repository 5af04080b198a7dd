import type { ReplicationStatus } from '../../../client';
import { DiagnosticError } from '../../../plugin';
import { MessageError } from '../../messages';
import { howToTakeOver, onCluster, type Message, type ObjectSubject } from '../../objects';
import { cannotReplicate } from '../shared/modes';

/** Why a cluster cannot be enabled as a primary. `undefined` if it can. */
export function cannotBeEnabled(
  subject: ObjectSubject,
  { mode }: ReplicationStatus,
): DiagnosticError | undefined {
  const { cluster } = subject.location;
  const name = JSON.stringify(cluster);
  switch (mode) {
    case 'primary':
      return new DiagnosticError(
        `cluster ${name} is already a primary`,
        `Nothing was changed.\nTo do: ${howToTakeOver(subject)}`,
        ['cluster'],
      );
    case 'secondary':
      return new DiagnosticError(
        `cluster ${name} is a secondary and cannot be enabled as a primary`,
        'Received: a cluster in mode "secondary".\nAllowed: one whose replication is disabled. Nothing was changed.\n' +
          'To do: promote it instead, after demoting its primary (vaultadmin_perf_replication_set does this in a ' +
          'safe order), and then import it.',
        ['cluster'],
      );
    case 'unsupported':
      return new MessageError({ path: ['cluster'], ...cannotReplicate(`cluster ${name}`) });
    default:
      return undefined;
  }
}

/** It was demoted outside of Terraform. */
export function demotedElsewhere(subject: ObjectSubject): Message {
  const name = JSON.stringify(subject.location.cluster);
  return [
    `cluster ${name} is no longer a primary: it was demoted outside of Terraform`,
    'Two primaries would lose data, so nothing was changed.\n' +
      'To do: after a switchover, remove this resource from the state (terraform state rm), describe the cluster as a ' +
      'vaultadmin_perf_replication_secondary and import that, and the new primary likewise. ' +
      `To make ${name} the primary again, demote the current one, then promote ${name} ` +
      '(vault write -f sys/replication/performance/secondary/promote).',
  ];
}

/** It must not be disabled. */
export function protectedFromDeletion(subject: ObjectSubject, cause: string): Message {
  return [
    `${onCluster(subject)} is protected: ${cause}`,
    'Its secondaries would lose their primary, and their data when they join another one. Nothing was changed.\n' +
      'To do: if this is intended, set deletion_protection = false and apply, then try again.',
  ];
}

/** It still has secondaries. */
export function stillConnected(subject: ObjectSubject, connected: readonly string[]): DiagnosticError {
  const names = connected.map((name) => JSON.stringify(name)).join(', ');
  return new DiagnosticError(
    `cannot delete ${onCluster(subject)}, since secondaries are connected to it: ${names}`,
    'They would lose their primary, and their data when they join another one. Nothing was changed.\n' +
      'To do: destroy their resources first, or disable replication on them ' +
      '(vault write -f sys/replication/performance/secondary/disable), or point them to another primary.',
  );
}
