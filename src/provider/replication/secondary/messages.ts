import { phrase } from '../../../model/messages';
import type { ReplicationStatus } from '../../../client';
import type { DiagnosticError } from '../../../plugin';
import { MessageError, type LocatedMessage } from '../../messages';
import { howToImport, onCluster, type ObjectSubject } from '../../objects';
import { cannotReplicate } from '../shared/modes';

const DISABLE = 'vault write -f sys/replication/performance';

/** Returns the reason why a cluster cannot be enabled as a secondary; `undefined` if it can. */
export function cannotJoin(subject: ObjectSubject, { mode }: ReplicationStatus): DiagnosticError | undefined {
  const name = clusterOf(subject);
  switch (mode) {
    case 'primary':
      return new MessageError({
        path: ['cluster'],
        summary: `cluster ${name} is the primary of a replication set and cannot join one`,
        received: 'a cluster in mode "primary"',
        allowed: 'one whose replication is disabled',
        claims: ['nothing-changed'],
        cures: phrase`for a switchover, use vaultadmin_perf_replication_set; or disable its own set
          first (${DISABLE}/primary/disable)`,
      });
    case 'secondary':
      return new MessageError({
        path: ['cluster'],
        summary: `cluster ${name} is already a secondary`,
        details: 'Joining again would erase its data again.',
        claims: ['nothing-changed'],
        cures: howToImport(subject),
      });
    case 'unsupported':
      return new MessageError({ path: ['cluster'], ...cannotReplicate(`cluster ${name}`) });
    default:
      return undefined;
  }
}

/** Reports that a join requires a token. */
export function tokenMissing(subject: ObjectSubject): DiagnosticError {
  return new MessageError({
    path: ['token_wo'],
    summary: `${onCluster(subject)}: joining requires an activation token`,
    received: 'no token, or an empty one',
    allowed: 'a token that the primary issued for this secondary, and that is not used, expired or revoked',
    claims: ['nothing-changed'],
    cures: phrase`set token_wo and token_wo_version (or token, with Terraform before 1.11), for
      example from the ephemeral resource vaultadmin_perf_replication_secondary_token. If that returns
      none, the primary already knows the id: revoke it there first (vault write
      sys/replication/performance/primary/revoke-secondary id=...)`,
  });
}

/** Refuses a join that would erase data without a confirmation. */
export function dataWouldBeLost(subject: ObjectSubject, held: readonly string[]): DiagnosticError {
  const name = clusterOf(subject);
  return new MessageError({
    path: ['confirm_data_loss'],
    summary: `cluster ${name} holds data, which would be erased if it joins a replication set`,
    details: `It holds: ${held.join(', ')}.`,
    claims: ['nothing-changed'],
    cures: `if all of this may be lost, set confirm_data_loss = ${name}`,
  });
}

/** Refuses a join that may erase data which the provider could not read. */
export function heldDataUnseen(subject: ObjectSubject, failure: DiagnosticError): DiagnosticError {
  const name = clusterOf(subject);
  return new MessageError(
    {
      path: ['confirm_data_loss'],
      summary: phrase`cluster ${name}: could not determine whether it holds data, which would be
        erased if it joins a replication set`,
      details: failure.detail,
      claims: ['nothing-changed'],
      cures: phrase`use a token that may read sys/mounts and sys/auth and list policies and
        namespaces; or, if all data of the cluster may be lost, set confirm_data_loss = ${name}`,
    },
    { cause: failure },
  );
}

/** Refuses a confirmation that names another cluster. */
export function anotherConfirmed(subject: ObjectSubject, received: string): DiagnosticError {
  const name = clusterOf(subject);
  return new MessageError({
    path: ['confirm_data_loss'],
    summary: `${onCluster(subject)}: confirm_data_loss names another cluster`,
    received: JSON.stringify(received),
    allowed: `${name}, the cluster whose data is erased`,
    cures: `if all data of ${name} may be lost, set confirm_data_loss = ${name}; otherwise remove it`,
  });
}

/** Reports that a cluster has joined, but did not follow its primary before the timeout. */
export function goesOnByItself(subject: ObjectSubject, failure: DiagnosticError): DiagnosticError {
  return new MessageError(
    {
      summary: failure.summary,
      details: [
        failure.detail,
        'The cluster has joined, used up its token, and continues on its own. It is not in the state.',
      ],
      cures: [
        phrase`once the data source vaultadmin_perf_replication_status shows "stream-wals",
        ${howToImport(subject)}`,
        phrase`If it does not reach its primary before its activation token expires, the
        primary may refuse it for good, and nobody can log in to it. In that case, give it empty
        storage, initialize and unseal it, and let it join with a new token`,
      ],
    },
    { cause: failure },
  );
}

/** Reports a former secondary whose data may now be used by others. */
export function disabledElsewhere(subject: ObjectSubject, held: readonly string[]): LocatedMessage {
  const name = clusterOf(subject);
  const loss = phrase`It holds ${held.join(', ')}; joining again would erase all of it, and confirm_data_loss was used up the
    first time.`;
  return {
    summary: `cluster ${name} is no longer a secondary: replication was disabled on it outside of Terraform`,
    details: held.length === 0 ? [] : loss,
    claims: ['nothing-changed'],
    cures: phrase`if it should stay out of the set, remove this resource from the configuration. If
      it should join again, apply once without confirm_data_loss; then set confirm_data_loss = ${name}
      with a new activation token and another token_wo_version`,
  };
}

/** Reports a secondary that is now a primary. */
export function promotedElsewhere(subject: ObjectSubject): LocatedMessage {
  return {
    summary: `cluster ${clusterOf(subject)} is no longer a secondary: it was promoted outside of Terraform`,
    details: 'This resource does not turn a primary into a secondary: writes would be lost.',
    claims: ['nothing-changed'],
    cures: phrase`after a switchover, remove this resource from the state (terraform state rm),
      describe the cluster as a vaultadmin_perf_replication_primary and import that, and the former
      primary likewise as a secondary`,
  };
}

/** Warns that a join erases the static token that is configured for the cluster. */
export function tokenDies(subject: ObjectSubject): LocatedMessage {
  const name = clusterOf(subject);
  return {
    summary: `cluster ${name}: its token will be lost when it joins`,
    details: phrase`All tokens of a cluster are erased with its data. Terraform reads the status
      without a token, but all later changes to this cluster require a new one.`,
    cures: phrase`replace token with auth_login in the settings of cluster ${name}, with an auth
      method that the primary has and replicates, such as approle`,
  };
}

function clusterOf({ location }: ObjectSubject): string {
  return JSON.stringify(location.cluster);
}
