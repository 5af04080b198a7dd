import { VaultError } from '../../client';
import { DiagnosticError } from '../../plugin';
import { holds, type PolicyFields } from './kind';
import type { StoredPolicy } from './stored-policy';

/** Seconds to find out what came of a write that was not answered. Terraform may be stopping already. */
const READ_BACK_TIMEOUT = 5;

/**
 * Writes a policy that is not there yet. Where the answer is lost, the server is asked what came of the write, so that
 * the policy is neither forgotten nor taken for somebody else's at the next apply.
 *
 * @param outcomeUnknown called before the failure is thrown, where the policy may be there, or may yet appear.
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
    const call = failure instanceof DiagnosticError ? failure.cause : undefined;
    if (!VaultError.is(call) || !call.mayHaveTakenEffect) throw failure;

    const stored = await policy
      .read('create', { timeout: READ_BACK_TIMEOUT })
      .catch(() => 'unknown' as const);
    if (typeof stored === 'object' && holds(stored, fields)) return;
    // A server that has not answered may still be at it.
    const answered = call.status !== undefined;
    if (stored === 'unknown' || (stored === undefined && !answered)) outcomeUnknown();
    throw failure;
  }
}
