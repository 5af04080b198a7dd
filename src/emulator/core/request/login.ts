import type { AuthRequest, LogicalRequest, LogicalResponse, MountEntry, TokenEntry } from '../backend';
import { invalidRequest } from '../errors';
import { entityOfLogin, refreshExternalGroups } from '../identity/login';
import type { Mounted } from '../routing/mounts';
import type { ClusterParts } from './parts';
import { refuseInternalPolicies, sanitizePolicies } from '../stores/policy-store';
import { calculateTtl } from '../stores/ttl';

/** Creates the token that a login requests. */
export function issueLoginToken(
  cluster: ClusterParts,
  request: LogicalRequest,
  { entry, context }: Mounted,
  auth: AuthRequest,
): { readonly token: TokenEntry; readonly warnings: LogicalResponse['warnings'] } {
  const policies = sanitizePolicies(auth.policies, auth.noDefaultPolicy !== true);
  if (policies.includes('root')) throw invalidRequest('auth methods cannot create root tokens');
  refuseInternalPolicies(policies);
  const limits = {
    ttl: auth.ttlSeconds ?? 0,
    period: auth.periodSeconds ?? 0,
    maxTtl: auth.maxTtlSeconds ?? 0,
    explicitMaxTtl: auth.explicitMaxTtlSeconds ?? 0,
  };
  const { ttl = 0, warnings } = calculateTtl(limits, context.leaseTtls(), 0);
  const source = entry.path.slice('auth/'.length).replaceAll('/', '-');
  const entity = auth.alias && entityOfLogin(cluster.identity, request.namespace, entry, auth.alias);
  if (entity !== undefined) refreshExternalGroups(cluster.identity, entity, entry, auth.groups ?? []);
  const token = cluster.tokens.create({
    type: tokenType(entry, auth),
    namespace: request.namespace,
    policies,
    displayName: `${source}${auth.displayName}`.replace(/-$/, ''),
    path: `${entry.path}${request.path}`,
    metadata: auth.metadata ?? null,
    ...(entity && { entityId: entity.id }),
    ...(auth.boundCidrs?.length && { boundCidrs: auth.boundCidrs }),
    ttlSeconds: ttl,
    explicitMaxTtlSeconds: limits.explicitMaxTtl,
    maxTtlSeconds: limits.maxTtl,
    periodSeconds: limits.period,
    renewable: auth.renewable ?? true,
    numUses: auth.numUses ?? 0,
  });
  return { token, warnings };
}

/** Returns the token type of the mount's tuning; if that is only a default, the role's type. */
function tokenType({ config }: MountEntry, auth: AuthRequest): TokenEntry['type'] {
  switch (config['token_type']) {
    case 'service':
    case 'batch':
      return config['token_type'];
    case 'default-batch':
      return auth.type ?? 'batch';
    default:
      return auth.type ?? 'service';
  }
}
