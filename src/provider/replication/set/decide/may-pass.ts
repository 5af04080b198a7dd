import { isNotYet, VaultError } from '../../../../client';
import { DiagnosticError } from '../../../../plugin';

/** Whether another attempt may help: the server was changing its mode, or the connection broke. */
export function mayPass(failure: DiagnosticError | VaultError): boolean {
  const error = failure instanceof DiagnosticError ? failure.cause : failure;
  return VaultError.is(error) && isNotYet(error);
}
