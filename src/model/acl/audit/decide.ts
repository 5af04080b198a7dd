import { permits, type Acl } from '../acl';
import type { Effort } from '../effort';
import type { ParameterRules } from '../parameters';
import type { Permissions } from '../permissions';
import { isRootPath } from '../reasoning/root-paths';
import type { AuditedRequest } from './entry';

/**
 * The decision of policies on a logged request; `unknown` if it depends on a value that is logged
 * as a hash.
 */
export type Replayed = 'allowed' | 'refused' | 'unknown';

/** The list of an allowed or denied parameter that matches no value. */
const NO_VALUE: readonly unknown[] = [{}];
const ANY_VALUE: readonly unknown[] = [];

/**
 * Decides on a logged request as a server with these policies would.
 *
 * @throws TooComplexError if it takes more steps than `effort` has.
 */
export function replay(
  acl: Acl,
  { request, hashed, namespace }: AuditedRequest,
  rules: ParameterRules,
  effort: Effort,
): Replayed {
  const permissions = acl.permissionsFor(request.path, request.operation, effort);
  if (!permissions) return 'refused';
  const needsSudo = isRootPath(request.path.slice(namespace.length), effort);
  if (needsSudo && !permissions.capabilities.has('sudo')) return 'refused';

  const open = [...hashed].map((name) => name.toLowerCase());
  const decide = (suits: boolean) => permits(withHashed(permissions, open, suits), request, rules, effort);
  if (!decide(true)) return 'refused';
  return decide(false) ? 'allowed' : 'unknown';
}

/**
 * Returns the permissions with other lists for hashed parameters: with `suits`, every value is
 * permitted, and otherwise no value.
 */
function withHashed(permissions: Permissions, hashed: readonly string[], suits: boolean): Permissions {
  const allowedParameters = new Map(permissions.allowedParameters);
  const deniedParameters = new Map(permissions.deniedParameters);
  for (const name of hashed) {
    if (allowedParameters.get(name)?.length) allowedParameters.set(name, suits ? ANY_VALUE : NO_VALUE);
    if (deniedParameters.get(name)?.length) deniedParameters.set(name, suits ? NO_VALUE : ANY_VALUE);
  }
  return { ...permissions, allowedParameters, deniedParameters };
}
