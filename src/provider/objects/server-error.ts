import { VaultError } from '../../client';
import { DiagnosticError } from '../../plugin';

/** Returns the client's error of a failed call; `undefined` if the error is not from a call. */
export function serverErrorOf(failure: unknown): VaultError | undefined {
  const cause = failure instanceof DiagnosticError ? failure.cause : undefined;
  return VaultError.is(cause) ? cause : undefined;
}
