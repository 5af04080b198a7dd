import {
  type LogicalResponse,
  type MountContext,
  type Namespace,
  type Route,
  type TokenEntry,
  route,
} from '../core/backend';
import { codedError, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { reachableByAccessor } from './accessors';
import { readRole } from './roles';

const INCREMENT = {
  type: 'duration',
  default: 0,
  description: 'The desired increment in seconds to the token expiration',
} as const;

export function renewRoutes(cluster: ClusterParts, context: MountContext): readonly Route[] {
  const renew = (namespace: Namespace, token: TokenEntry | undefined, seconds: number) =>
    renewToken(cluster, context, namespace, token, seconds);
  return [
    route({
      pattern: 'renew',
      fields: { token: { type: 'string', default: '', description: 'Token to renew' }, increment: INCREMENT },
      operations: {
        update: ({ data, namespace }) => {
          if (data.token === '') throw invalidRequest('missing token ID');
          return renew(namespace, cluster.tokens.lookup(data.token), data.increment);
        },
      },
      help: { synopsis: 'Renews a token.' },
    }),
    route({
      pattern: 'renew-self',
      fields: { token: { type: 'string', description: 'Not used' }, increment: INCREMENT },
      operations: { update: ({ data, namespace, token }) => renew(namespace, token, data.increment) },
      help: { synopsis: 'Renews the calling token.' },
    }),
    route({
      pattern: 'renew-accessor',
      fields: {
        accessor: { type: 'string', default: '', description: 'Accessor of the token to renew' },
        increment: INCREMENT,
      },
      operations: {
        update: ({ data, namespace }) => {
          if (data.accessor === '') throw codedError(400, 'missing accessor');
          const token = reachableByAccessor(cluster, namespace, data.accessor);
          if (token === undefined) throw codedError(400, 'invalid accessor');
          const { issued, ...response } = renew(namespace, token, data.increment);
          return { ...response, ...(issued && { issued: { ...issued, id: '' } }) };
        },
      },
      help: { synopsis: 'Renews the token that has an accessor.' },
    }),
  ];
}

function renewToken(
  cluster: ClusterParts,
  context: MountContext,
  namespace: Namespace,
  token: TokenEntry | undefined,
  seconds: number,
): LogicalResponse {
  if (token === undefined) throw invalidRequest('token not found');
  if (token.type === 'batch') throw invalidRequest('batch tokens cannot be renewed');
  if (token.namespaceId !== namespace.id) throw codedError(500, 'cannot renew a token across namespaces');
  if (!token.renewable) throw invalidRequest('lease is not renewable');
  if (token.role !== undefined && readRole(context.storage, token.role) === undefined) {
    throw codedError(500, `original token role "${token.role}" could not be found, not renewing`);
  }
  // Tokens of logins are renewed with the present TTLs of their auth method.
  const origin = cluster.mounts.find(namespace, token.path);
  const ttls = origin === undefined ? context.leaseTtls() : origin.context.leaseTtls();
  const limits = origin?.backend.renewLogin?.(token);
  const { token: renewed, warnings } = cluster.tokens.renew(token, seconds, ttls, limits);
  if (renewed === undefined) throw codedError(500, 'past the max TTL, cannot renew');
  return { issued: renewed, ...(warnings.length > 0 && { warnings }) };
}
