import type { ClientCall } from '../call-options';
import type { CallProblem } from '../errors/call-error';
import type { VaultErrorCode } from '../vault-error';

/**
 * The temporary failures. A promotion that is refused because the cluster is still catching up is
 * not retried: the caller has to check first whether another cluster has become the primary.
 */
const TRANSIENT: ReadonlySet<VaultErrorCode> = new Set<VaultErrorCode>([
  'state_not_present',
  'rate_limited',
  'sealed',
  'no_active_node',
  'unavailable',
  'server_error',
  'unreachable',
  'connection_lost',
  'timeout',
]);

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

/** Whether repeating the call can succeed, and does no harm. */
export function mayTryAgain(
  problem: CallProblem,
  { repeatable = false }: Pick<ClientCall, 'repeatable'>,
): boolean {
  return TRANSIENT.has(problem.code) && (repeatable || problem.withoutEffect);
}

/**
 * Returns the milliseconds to wait before the next attempt: 0.5 s doubled each time, up to 8 s,
 * plus a random part of up to half of it, so that many clients do not repeat their calls at the
 * same time. Never less than the server requires.
 *
 * @param tries the number of attempts so far.
 * @param now milliseconds since 1970, for a `Retry-After` that is a date.
 */
export function waitBeforeNextTry(
  tries: number,
  retryAfter: string | undefined,
  now: number,
  random: () => number,
): number {
  const base = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
  return Math.max(base * (1 + random() / 2), asked(retryAfter, now));
}

function asked(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : date - now;
}
