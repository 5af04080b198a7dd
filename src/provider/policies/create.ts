import { VaultError } from '../../client';
import { DiagnosticError } from '../../plugin';
import { holds, type PolicyFields } from './kind';
import type { StoredPolicy } from './stored-policy';

/** Seconds to find out what came of a write whose answer was lost. Terraform may be stopping already. */
const READ_BACK_TIMEOUT = 5;

/**
 * Writes a policy that is not there yet. Where the answer is lost, the server is asked what came of the write, so that
 * the policy is neither forgotten nor taken for somebody else's at the next apply.
 *
 * @param outcomeUnknown called before the failure is thrown, where the server does not answer that question either.
 * @throws DiagnosticError
 */
export async function writeNew(
  policy: StoredPolicy,
  fields: PolicyFields,
  outcomeUnknown: () => void,
): Promise<void> {
  try {
    await policy.write('create', fields);
  } catch (failure) {
    if (!mayHaveTakenEffect(failure)) throw failure;
    const outcome = await outcomeOf(policy, fields);
    if (outcome === 'written') return;
    if (outcome === 'unknown') outcomeUnknown();
    throw failure;
  }
}

/** A server that refuses a request has done nothing; unless an earlier try of it got lost. */
function mayHaveTakenEffect(failure: unknown): boolean {
  const call = failure instanceof DiagnosticError ? failure.cause : undefined;
  if (!VaultError.is(call)) return false;
  const refused = call.status !== undefined && call.status < 500;
  return !refused || call.attempts > 1;
}

async function outcomeOf(
  policy: StoredPolicy,
  fields: PolicyFields,
): Promise<'written' | 'not written' | 'unknown'> {
  try {
    const stored = await policy.read('create', { timeout: READ_BACK_TIMEOUT });
    return stored && holds(stored, fields) ? 'written' : 'not written';
  } catch {
    return 'unknown';
  }
}
