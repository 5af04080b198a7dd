import type { ReplicationSecondaryStatus } from '../../../client';
import { serverErrorOf } from '../../objects';
import type { StandaloneMember } from '../shared/standalone-member';
import { contactOf, follows, isIdle } from './join';
import type { Planned } from './values';

/**
 * Points a secondary to the primary that issued a token, to none (an empty token), or to other addresses of its own.
 *
 * @param token undefined: by the addresses.
 */
export async function pointElsewhere(
  member: StandaloneMember,
  token: string | undefined,
  plan: Planned,
): Promise<void> {
  const target = token === undefined ? { update_primary_addrs: plan.update_primary_addrs } : { token };
  await member.call('update', (replication) => replication.updatePrimary({ ...target, ...contactOf(plan) }));
}

/** Waits until the secondary follows its new primary, or none where it is to forget the one that it had. */
export function awaitNewPrimary(
  member: StandaloneMember,
  token: string | undefined,
  timeout: number,
): Promise<ReplicationSecondaryStatus> {
  return token === ''
    ? member.reach('update', 'forget its primary', isIdle, timeout)
    : follows(member, 'update', timeout);
}

/** Whether the primary refused a token: it was used already, say. */
export function isTokenRefused(failure: unknown): boolean {
  return serverErrorOf(failure)?.code === 'activation_token_refused';
}
