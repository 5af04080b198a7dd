import { VaultError } from '../../client';
import { DiagnosticError } from '../../plugin';

/** The client's error behind a call that failed. `undefined`: what failed was not a call. */
export function serverErrorOf(failure: unknown): VaultError | undefined {
  const cause = failure instanceof DiagnosticError ? failure.cause : undefined;
  return VaultError.is(cause) ? cause : undefined;
}
