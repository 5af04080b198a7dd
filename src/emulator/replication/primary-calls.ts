import { ASSUMPTIONS } from '../assumptions';
import type { LogicalRequest, LogicalResponse } from '../core/backend';
import { renderEnvelope } from '../core/request/envelope';
import { invalidRequest } from '../core/errors';
import { encryptedToken, wrappedContent } from './activation/token';
import type { CallHandlers, ReplicatedCluster } from './calls';
import { isPublicKey } from './activation/public-keys';

interface TokenFields {
  readonly id: string;
  /** Seconds. */
  readonly ttl: number;
  readonly secondary_public_key: string;
}

/** What a cluster can do to become a primary, as a primary, and to be none any more. */
export function primaryHandlers(
  cluster: ReplicatedCluster,
): CallHandlers<'enablePrimary' | 'demotePrimary' | 'disablePrimary' | 'secondaryToken' | 'revokeSecondary'> {
  const { replication } = cluster;
  return {
    enablePrimary: ({ data }) =>
      replication.changes.enablePrimary((data as { primary_cluster_addr: string }).primary_cluster_addr),
    demotePrimary: () => replication.changes.demotePrimary(),
    disablePrimary: () => replication.changes.disablePrimary(),
    secondaryToken: (request) => issueToken(cluster, request),
    revokeSecondary: ({ data }) => {
      replication.primary.revoke((data as { id: string }).id);
      replication.site.reached('secondary-revoked');
      return undefined;
    },
  };
}

/** The token comes wrapped, whether or not the caller asked for that, or encrypted. */
function issueToken(
  { replication, wrapping, server }: ReplicatedCluster,
  request: LogicalRequest,
): LogicalResponse {
  const { id, ttl, secondary_public_key: publicKey } = request.data as unknown as TokenFields;
  if (publicKey !== '' && !isPublicKey(publicKey)) throw invalidRequest(ASSUMPTIONS.badPublicKey.text);
  const activation = replication.primary.issueToken(id, ttl);
  if (publicKey !== '') {
    replication.site.reached('token-issued');
    return { data: { token: encryptedToken(activation, publicKey) } };
  }
  const body = renderEnvelope(request.id, { data: wrappedContent(activation) }, request.mount.type, server);
  const wrapped = wrapping.wrap(
    body,
    { ttlSeconds: ttl, format: 'jwt' },
    {
      namespace: request.namespace,
      path: request.mount.path + request.path,
      displayName: request.token?.displayName ?? '',
    },
  );
  replication.primary.noteTokenAccessor(id, wrapped.accessor);
  replication.site.reached('token-issued');
  return { wrapped };
}
