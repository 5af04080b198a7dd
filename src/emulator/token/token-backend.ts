import { type BackendFactory, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { accessorRoutes } from './accessors';
import { createRoutes } from './create';
import { lookupRoutes } from './lookup';
import { renewRoutes } from './renew';
import { revokeRoutes } from './revoke';
import { roleRoutes } from './role-routes';

/**
 * Creates the auth method `token`, which every namespace has: it creates tokens for holders of
 * tokens.
 */
export function tokenBackend(cluster: ClusterParts): BackendFactory {
  return (context) => ({
    type: context.mount.type,
    help: 'Tokens: created, looked up, renewed and revoked.',
    routes: [
      ...createRoutes(cluster, context),
      ...lookupRoutes(cluster),
      ...renewRoutes(cluster, context),
      ...revokeRoutes(cluster),
      ...roleRoutes(context),
      ...accessorRoutes(cluster),
      route({
        pattern: 'tidy',
        operations: {
          // Expired tokens are removed when they are accessed, so there is nothing to tidy.
          update: () => ({
            status: 202,
            warnings: [
              "Tidy operation successfully started. Any information from the operation will be printed to Vault's " +
                'server logs.',
            ],
          }),
        },
        help: { synopsis: 'Cleans up after ended tokens.' },
      }),
    ],
    rootPaths: ['revoke-orphan/*', 'accessors*'],
  });
}
