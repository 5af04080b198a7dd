import { invalidRequest } from '../core/errors';

/** The methods that the server supports, as the log of requests shows them. */
const METHODS = ['GET', 'HEAD', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'RECOVER'];

/**
 * Checks the method of a filter.
 *
 * @throws LogicalError 400 for a method that the server does not support.
 */
export function requireMethod(method: string): void {
  if (METHODS.includes(method.toUpperCase())) return;
  throw invalidRequest(`method: ${JSON.stringify(method)} is unknown; allowed are ${METHODS.join(', ')}`);
}
