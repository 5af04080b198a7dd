import { type LogicalResponse, type Namespace, type Route, type TokenEntry, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import { leaseTtls } from '../core/routing/mounts';
import { sha256 } from '../core/primitives/identifiers';
import type { ClusterParts } from '../core/request/parts';
import { timestamp } from '../core/primitives/clock';

const LEASE_ID = { lease_id: { type: 'string', default: '', description: 'The lease.' } } as const;
const INCREMENT = {
  increment: { type: 'duration', default: 0, description: 'Seconds to add to the lease.' },
} as const;
const PREFIX = {
  prefix: { type: 'string', path: true, description: 'The beginning of the leases.' },
} as const;

/**
 * The routes of leases. The emulator only has the leases of tokens: its secrets engines do not
 * create any.
 */
export function leaseRoutes(cluster: ClusterParts): readonly Route[] {
  const { tokens } = cluster;
  const leased = (namespace: Namespace) =>
    tokens.list(namespace).filter(({ type, expiresAt }) => type === 'service' && expiresAt !== undefined);
  const find = (namespace: Namespace, id: string): TokenEntry | undefined => {
    if (id === '') throw invalidRequest('lease_id must be specified');
    return leased(namespace).find((candidate) => tokenLeaseId(candidate, namespace) === id);
  };
  const require = (namespace: Namespace, id: string, refusal: string): TokenEntry => {
    const token = find(namespace, id);
    if (token === undefined) throw invalidRequest(refusal);
    return token;
  };
  const list = (namespace: Namespace, folder: string) => ({
    data: {
      keys: namesBelow(
        leased(namespace).map((token) => tokenLeaseId(token, namespace)),
        folder,
      ),
    },
  });
  const revokePrefix = ({ namespace, data }: { namespace: Namespace; data: { prefix: string } }) => {
    for (const token of leased(namespace)) if (token.path.startsWith(data.prefix)) tokens.revoke(token);
  };
  return [
    route({
      pattern: 'leases/lookup',
      fields: LEASE_ID,
      operations: {
        update: ({ namespace, data }) => ({
          data: describeLease(cluster, namespace, require(namespace, data.lease_id, 'invalid lease')),
        }),
        list: ({ namespace }) => list(namespace, ''),
      },
      help: { synopsis: 'Shows the times of a lease.' },
    }),
    route({
      pattern: 'leases/lookup/*prefix',
      fields: PREFIX,
      operations: {
        list: ({ namespace, data }) =>
          list(namespace, data.prefix.endsWith('/') ? data.prefix : `${data.prefix}/`),
      },
      help: { synopsis: 'Lists the leases below a prefix.' },
    }),
    route({
      pattern: 'leases/renew',
      fields: { ...LEASE_ID, ...INCREMENT },
      operations: {
        update: ({ namespace, data }) =>
          renew(cluster, namespace, require(namespace, data.lease_id, 'lease not found'), data.increment),
      },
      help: { synopsis: 'Renews a lease.' },
    }),
    route({
      pattern: 'leases/revoke',
      fields: {
        ...LEASE_ID,
        sync: { type: 'boolean', description: 'Not used: leases are revoked at once.' },
      },
      operations: {
        update: ({ namespace, data }) => {
          const token = find(namespace, data.lease_id);
          if (token !== undefined) tokens.revoke(token);
        },
      },
      help: { synopsis: 'Revokes a lease.' },
    }),
    ...['leases/revoke-prefix', 'leases/revoke-force', 'revoke-prefix', 'revoke-force'].map((pattern) =>
      route({
        pattern: `${pattern}/*prefix`,
        fields: {
          ...PREFIX,
          sync: { type: 'boolean', description: 'Not used: leases are revoked at once.' },
        },
        operations: { update: revokePrefix },
        help: { synopsis: 'Revokes all leases below a prefix.' },
      }),
    ),
  ];
}

export const LEASE_ROOT_PATHS = [
  'leases/lookup/*',
  'leases/revoke-prefix/*',
  'leases/revoke-force/*',
  'revoke-prefix/*',
  'revoke-force/*',
];

function tokenLeaseId({ id, path }: TokenEntry, namespace: Namespace): string {
  const hash = sha256(id);
  return `${path}/h${hash}${namespace.path === '' ? '' : `.${namespace.id}`}`;
}

function describeLease(
  { clock }: ClusterParts,
  namespace: Namespace,
  token: TokenEntry,
): NonNullable<LogicalResponse['data']> {
  const { expiresAt, lastRenewedAt } = token;
  return {
    id: tokenLeaseId(token, namespace),
    issue_time: timestamp(token.createdAt),
    expire_time: expiresAt === undefined ? null : timestamp(expiresAt),
    last_renewal: lastRenewedAt === undefined ? null : timestamp(lastRenewedAt),
    renewable: token.renewable,
    ttl: expiresAt === undefined ? 0 : Math.round((expiresAt - clock.now()) / 1000),
  };
}

function renew(
  cluster: ClusterParts,
  namespace: Namespace,
  token: TokenEntry,
  seconds: number,
): LogicalResponse {
  if (!token.renewable) throw invalidRequest('lease is not renewable');
  const origin = cluster.mounts.find(namespace, token.path)?.entry;
  const ttls = leaseTtls(origin?.config ?? { default_lease_ttl: 0, max_lease_ttl: 0 });
  const { token: renewed, warnings } = cluster.tokens.renew(token, seconds, ttls);
  if (renewed?.expiresAt === undefined) throw invalidRequest('past the max TTL, cannot renew');
  const durationSeconds = Math.round((renewed.expiresAt - cluster.clock.now()) / 1000);
  return {
    lease: { id: tokenLeaseId(token, namespace), renewable: true, durationSeconds },
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Returns the names directly below a prefix; folders end with a slash. */
function namesBelow(ids: readonly string[], folder: string): string[] {
  const names = ids
    .filter((id) => id.startsWith(folder))
    .map((id) => id.slice(folder.length))
    .map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/') + 1) : rest));
  return [...new Set(names)].sort();
}
