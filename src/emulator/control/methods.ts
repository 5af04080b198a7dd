import { invalidRequest } from '../core/errors';

/** The methods that the server knows, as the log of requests shows them. */
const METHODS = ['GET', 'HEAD', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'RECOVER'];

/** @throws LogicalError 400 if no request has the method. */
export function requireMethod(method: string): void {
  if (METHODS.includes(method.toUpperCase())) return;
  throw invalidRequest(`method: ${JSON.stringify(method)} is unknown; allowed are ${METHODS.join(', ')}`);
}
