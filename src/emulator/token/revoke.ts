import { type Route, route } from '../core/backend';
import { codedError, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { reachableByAccessor } from './accessors';

const TOKEN_FIELD = { token: { type: 'string', default: '', description: 'Token to revoke' } } as const;

export function revokeRoutes(cluster: ClusterParts): readonly Route[] {
  const { tokens } = cluster;
  const revoke = (id: string | undefined) => {
    const token = id === undefined ? undefined : tokens.lookup(id);
    if (token?.type === 'batch') throw invalidRequest('batch tokens cannot be revoked');
    if (token !== undefined) tokens.revoke(token);
  };
  return [
    route({
      pattern: 'revoke',
      fields: TOKEN_FIELD,
      operations: {
        update: ({ data }) => {
          if (data.token === '') throw invalidRequest('missing token ID');
          return revoke(data.token);
        },
      },
      help: { synopsis: 'Revokes a token and everything that descends from it.' },
    }),
    route({
      pattern: 'revoke-self',
      operations: { update: ({ token }) => revoke(token?.id) },
      help: { synopsis: 'Revokes the calling token and everything that descends from it.' },
    }),
    route({
      pattern: 'revoke-accessor',
      fields: { accessor: { type: 'string', default: '', description: 'Accessor of the token' } },
      operations: {
        update: ({ data, namespace }) => {
          if (data.accessor === '') throw codedError(400, 'missing accessor');
          const token = reachableByAccessor(cluster, namespace, data.accessor);
          if (token === undefined) return { warnings: ['No token found with this accessor'] };
          return revoke(token.id);
        },
      },
      help: { synopsis: 'Revokes the token that has an accessor, and everything that descends from it.' },
    }),
    route({
      pattern: 'revoke-orphan',
      fields: TOKEN_FIELD,
      operations: {
        update: ({ data, sudo }) => {
          if (data.token === '') throw invalidRequest('missing token ID');
          if (!sudo) throw invalidRequest('root or sudo privileges required to revoke and orphan');
          const token = tokens.lookup(data.token);
          if (token === undefined) throw invalidRequest('token to revoke not found');
          if (token.type === 'batch') throw invalidRequest('batch tokens cannot be revoked');
          tokens.revokeOrphaning(token);
        },
      },
      help: { synopsis: 'Revokes a token and leaves its children as orphans.' },
    }),
  ];
}
