import { type LogicalResponse, type Route, type TokenEntry, route } from '../core/backend';
import { LogicalError, codedError, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { timestamp } from '../core/primitives/clock';
import { derivedPolicies } from '../core/identity/derived-policies';
import { reachableByAccessor } from './accessors';

const TOKEN_FIELD = { token: { type: 'string', default: '', description: 'Token to lookup' } } as const;

/** The path of the tokens that a new cluster has; they have no lease. */
const FIRST_TOKEN_PATH = 'auth/token/root';

export function lookupRoutes(cluster: ClusterParts): readonly Route[] {
  const lookup = (id: string | undefined): LogicalResponse => {
    if (!id) throw invalidRequest('missing token ID');
    const token = cluster.tokens.lookup(id);
    if (token === undefined) throw new LogicalError(403, 'bad token');
    return { data: tokenData(cluster, token) };
  };
  return [
    route({
      pattern: 'lookup',
      fields: TOKEN_FIELD,
      operations: {
        read: ({ data, clientToken }) => lookup(data.token || clientToken),
        update: ({ data, clientToken }) => lookup(data.token || clientToken),
      },
      help: { synopsis: 'Shows the properties of a token.' },
    }),
    route({
      pattern: 'lookup-self',
      fields: TOKEN_FIELD,
      operations: {
        read: ({ clientToken }) => lookup(clientToken),
        update: ({ clientToken }) => lookup(clientToken),
      },
      help: { synopsis: 'Shows the properties of the calling token.' },
    }),
    route({
      pattern: 'lookup-accessor',
      fields: { accessor: { type: 'string', default: '', description: 'Accessor of the token to look up' } },
      operations: {
        update: ({ data, namespace }) => {
          if (data.accessor === '') throw codedError(400, 'missing accessor');
          const token = reachableByAccessor(cluster, namespace, data.accessor);
          if (token === undefined) throw codedError(400, 'invalid accessor');
          return { data: { ...tokenData(cluster, token), id: '' } };
        },
      },
      help: { synopsis: 'Shows the properties of the token that has an accessor, without the token itself.' },
    }),
  ];
}

function tokenData(
  { clock, identity, namespaces }: ClusterParts,
  token: TokenEntry,
): NonNullable<LogicalResponse['data']> {
  const derived = derivedPolicies(identity, namespaces, token);
  const namespace = namespaces.byId(token.namespaceId);
  const { expiresAt, lastRenewedAt } = token;
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.createdAt / 1000),
    creation_ttl: token.creationTtlSeconds,
    display_name: token.displayName,
    entity_id: token.entityId ?? '',
    expire_time: expiresAt === undefined ? null : timestamp(expiresAt),
    explicit_max_ttl: token.explicitMaxTtlSeconds,
    ...(derived.size > 0 && {
      external_namespace_policies: Object.fromEntries(
        [...derived].filter(([namespaceId]) => namespaceId !== token.namespaceId),
      ),
      identity_policies: derived.get(token.namespaceId) ?? null,
    }),
    id: token.id,
    ...(token.path !== FIRST_TOKEN_PATH && {
      issue_time: issueTime(token.createdAt),
      renewable: token.renewable,
    }),
    ...(lastRenewedAt !== undefined && {
      last_renewal: timestamp(lastRenewedAt),
      last_renewal_time: Math.floor(lastRenewedAt / 1000),
    }),
    meta: token.metadata,
    num_uses: token.usesLeft,
    orphan: token.parent === '',
    path: token.path,
    ...(token.periodSeconds > 0 && { period: token.periodSeconds }),
    policies: token.policies,
    ...(token.role !== undefined && { role: token.role }),
    ...(token.boundCidrs !== undefined && { bound_cidrs: token.boundCidrs }),
    ttl: expiresAt === undefined ? 0 : Math.round((expiresAt - clock.now()) / 1000),
    type: token.type,
    ...(namespace !== undefined && namespace.path !== '' && { namespace_path: namespace.path }),
  };
}

/**
 * Returns the issue time. The server sets it just after the expiry, so that the difference is a
 * little less than the TTL.
 */
function issueTime(createdAt: number): string {
  return new Date(createdAt).toISOString().replace('Z', '001Z');
}
