import { permits, type Acl } from '../acl';
import type { Effort } from '../effort';
import type { Permissions } from '../permissions';
import { isRootPath } from '../reasoning/root-paths';
import type { AuditedRequest } from './entry';

/** What policies say of a logged request; `unknown` if that depends on a value of which only a hash is logged. */
export type Replayed = 'allowed' | 'refused' | 'unknown';

/** A value that no pattern matches. */
const NO_VALUE: readonly unknown[] = [{}];
const ANY_VALUE: readonly unknown[] = [];

/**
 * Decides on a logged request as the server would decide on it with these policies.
 *
 * @throws TooComplexError if it takes more than the effort given.
 */
export function replay(
  acl: Acl,
  { request, hashed, namespace }: AuditedRequest,
  perElementLists: boolean,
  effort: Effort,
): Replayed {
  const permissions = acl.permissionsFor(request.path, request.operation, effort);
  if (!permissions) return 'refused';
  const needsSudo = isRootPath(request.path.slice(namespace.length), effort);
  if (needsSudo && !permissions.capabilities.has('sudo')) return 'refused';

  const open = [...hashed].map((name) => name.toLowerCase());
  const decide = (suits: boolean) =>
    permits(withHashed(permissions, open, suits), request, perElementLists, effort);
  if (!decide(true)) return 'refused';
  return decide(false) ? 'allowed' : 'unknown';
}

/** The permissions as they are if every hashed value is one that suits, or one that does not. */
function withHashed(permissions: Permissions, hashed: readonly string[], suits: boolean): Permissions {
  const allowedParameters = new Map(permissions.allowedParameters);
  const deniedParameters = new Map(permissions.deniedParameters);
  for (const name of hashed) {
    if (allowedParameters.get(name)?.length) allowedParameters.set(name, suits ? ANY_VALUE : NO_VALUE);
    if (deniedParameters.get(name)?.length) deniedParameters.set(name, suits ? NO_VALUE : ANY_VALUE);
  }
  return { ...permissions, allowedParameters, deniedParameters };
}
