import { IMMUTABLE_POLICIES } from '../../model';
import type { LogicalResponse, Namespace } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { PolicyStore } from '../core/stores/policies';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The document that was sent: whatever happens to be valid base64 is taken for encoded, as the server does. */
export function policyDocument(given: string): string {
  if (given === '') throw invalidRequest("'policy' parameter not supplied or empty");
  const joined = given.replace(/[\r\n]/g, '');
  return BASE64.test(joined) ? Buffer.from(joined, 'base64').toString() : given;
}

export function refuseImmutable(name: string): void {
  if (IMMUTABLE_POLICIES.includes(name)) throw invalidRequest(`cannot update "${name}" policy`);
}

/** RGPs and ACL policies are attached by name alike, and so share their names. @param other the kind that must not have it. */
export function refuseTaken(
  policies: PolicyStore,
  namespace: Namespace,
  other: 'acl' | 'rgp',
  name: string,
): void {
  if (policies.get(namespace, other, name) !== undefined)
    throw invalidRequest('cannot reuse policy names between ACLs and RGPs');
}

/** Names are folded to lower case, which makes a 200 with a warning of what would have been a 204. */
export function foldingWarning(written: string): LogicalResponse | undefined {
  const folded = written.toLowerCase();
  return written === folded ? undefined : { warnings: [`policy name was converted to ${folded}`] };
}
