import { IMMUTABLE_POLICIES } from '../../model';
import type { LogicalResponse, Namespace } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { PolicyStore } from '../core/stores/policy-store';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the document of a request. Like the server, it decodes any text that is valid base64. */
export function policyDocument(given: string): string {
  if (given === '') throw invalidRequest("'policy' parameter not supplied or empty");
  const joined = given.replace(/[\r\n]/g, '');
  return BASE64.test(joined) ? Buffer.from(joined, 'base64').toString() : given;
}

export function refuseImmutable(name: string): void {
  if (IMMUTABLE_POLICIES.includes(name)) throw invalidRequest(`cannot update "${name}" policy`);
}

/**
 * Refuses a name that a policy of another kind has: RGPs and ACL policies are both assigned to
 * tokens by name.
 *
 * @param other the kind that must not have it.
 */
export function refuseTaken(
  policies: PolicyStore,
  namespace: Namespace,
  other: 'acl' | 'rgp',
  name: string,
): void {
  if (policies.get(namespace, other, name) !== undefined)
    throw invalidRequest('cannot reuse policy names between ACLs and RGPs');
}

/**
 * Returns the warning about a name that was changed to lower case; with it, the answer is a 200
 * instead of a 204.
 */
export function foldingWarning(written: string): LogicalResponse | undefined {
  const folded = written.toLowerCase();
  return written === folded ? undefined : { warnings: [`policy name was converted to ${folded}`] };
}
