import type { AuthRequest, LogicalRequest, LogicalResponse, TokenEntry } from './backend';
import { invalidRequest } from './errors';
import type { Mounted } from './mounts';
import { sanitizePolicies } from './policies';
import type { TokenStore } from './tokens';
import { calculateTtl } from './ttl';

const notAssignable = ['response-wrapping', 'control-group'];

/** Makes the token that a login asks for. */
export function issueLoginToken(
  tokens: TokenStore,
  request: LogicalRequest,
  { entry, context }: Mounted,
  auth: AuthRequest,
): { readonly token: TokenEntry; readonly warnings: LogicalResponse['warnings'] } {
  const policies = sanitizePolicies(auth.policies, auth.noDefaultPolicy !== true);
  if (policies.includes('root')) throw invalidRequest('auth methods cannot create root tokens');
  const refused = policies.find((name) => notAssignable.includes(name));
  if (refused !== undefined) throw invalidRequest(`cannot assign policy "${refused}"`);
  const limits = {
    ttl: auth.ttlSeconds ?? 0,
    period: auth.periodSeconds ?? 0,
    maxTtl: auth.maxTtlSeconds ?? 0,
    explicitMaxTtl: auth.explicitMaxTtlSeconds ?? 0,
  };
  const { ttl = 0, warnings } = calculateTtl(limits, context.leaseTtls(), 0);
  const source = entry.path.slice('auth/'.length).replaceAll('/', '-');
  const token = tokens.create({
    type: auth.type ?? 'service',
    namespace: request.namespace,
    policies,
    displayName: `${source}${auth.displayName}`.replace(/-$/, ''),
    path: `${entry.path}${request.path}`,
    metadata: auth.metadata ?? null,
    ttlSeconds: ttl,
    explicitMaxTtlSeconds: limits.explicitMaxTtl,
    maxTtlSeconds: limits.maxTtl,
    periodSeconds: limits.period,
    renewable: auth.renewable ?? true,
    numUses: auth.numUses ?? 0,
  });
  return { token, warnings };
}
