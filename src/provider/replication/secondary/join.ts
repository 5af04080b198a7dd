import {
  isStreaming,
  type EnableSecondaryFields,
  type PrimaryContact,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../../client';
import { DiagnosticError } from '../../../plugin';
import { heldData } from '../shared/held-data';
import type { StandaloneMember } from '../shared/standalone-member';
import { dataWouldBeLost, heldDataUnseen } from './messages';

/** Returns the data of a cluster, which is lost when the cluster joins. */
function whatIsHeld(member: StandaloneMember, verb: string, signal: AbortSignal): Promise<readonly string[]> {
  return member.call(verb, (_, client) => heldData(client, { signal }));
}

/**
 * Returns the data of a cluster for a hint in the plan; empty if it cannot be read now. The apply
 * reads it again before any change.
 */
export async function heldUnlessUnseen(
  member: StandaloneMember,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await whatIsHeld(member, 'plan', signal);
  } catch (failure) {
    if (failure instanceof DiagnosticError) return [];
    throw failure;
  }
}

/** @throws DiagnosticError if the cluster holds data, or if its data cannot be read */
export async function refuseLoss(member: StandaloneMember, verb: string, signal: AbortSignal): Promise<void> {
  let held: readonly string[];
  try {
    held = await whatIsHeld(member, verb, signal);
  } catch (failure) {
    if (failure instanceof DiagnosticError) throw heldDataUnseen(member.subject, failure);
    throw failure;
  }
  if (held.length > 0) throw dataWouldBeLost(member.subject, held);
}

/**
 * Makes the cluster a secondary, which erases its data and begins the copy of the primary's data.
 */
export async function join(
  member: StandaloneMember,
  verb: string,
  fields: EnableSecondaryFields,
  timeout: number,
): Promise<ReplicationSecondaryStatus> {
  const status = await member.change({
    verb,
    goal: 'become a secondary',
    call: (calls) => calls.enableSecondary(fields),
    reached: isSecondary,
    timeout,
  });
  member.forgetLogin();
  return status;
}

/** Waits until the cluster follows its primary. */
export function follows(
  member: StandaloneMember,
  verb: string,
  timeout: number,
): Promise<ReplicationSecondaryStatus> {
  return member.reach(verb, "follow its primary's log", isStreaming, timeout);
}

/**
 * Returns the fields that locate the primary. Empty fields are not sent, so that the server's
 * defaults apply.
 */
export function contactOf(values: Required<PrimaryContact>): PrimaryContact {
  const { primary_api_addr, ca_file, ca_path } = values;
  const given = Object.entries({ primary_api_addr, ca_file, ca_path }).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

export function isIdle(status: ReplicationStatus): status is ReplicationSecondaryStatus {
  return status.mode === 'secondary' && status.state === 'idle';
}

function isSecondary(status: ReplicationStatus): status is ReplicationSecondaryStatus {
  return status.mode === 'secondary';
}
