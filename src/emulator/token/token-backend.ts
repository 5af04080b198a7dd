import {
  type BackendFactory,
  route,
  type LogicalRequest,
  type LogicalResponse,
  type MountContext,
  type Route,
} from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { accessorRoutes } from './accessors';
import { createRoutes } from './create';
import { lookupRoutes } from './lookup';
import { renewRoutes } from './renew';
import { revokeRoutes } from './revoke';
import { readRole, ROLE_FIELDS, showRole, writeRole } from './roles';

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

function roleRoutes({ storage, leaseTtls }: MountContext): readonly Route[] {
  const write = ({ data }: LogicalRequest<typeof ROLE_FIELDS>): LogicalResponse | undefined => {
    const warnings = writeRole(storage, data, leaseTtls().max);
    return warnings.length > 0 ? { warnings } : undefined;
  };
  return [
    route({
      pattern: 'roles',
      operations: { list: () => ({ data: { keys: storage.list('roles/') } }) },
      help: { synopsis: 'Lists the token roles.' },
    }),
    route({
      pattern: 'roles/:role_name',
      fields: ROLE_FIELDS,
      exists: ({ data }) => readRole(storage, data.role_name) !== undefined,
      operations: {
        read: ({ data }) => {
          const role = readRole(storage, data.role_name);
          return role && showRole(role);
        },
        create: write,
        update: write,
        delete: ({ data }) => storage.delete(`roles/${data.role_name}`),
      },
      help: { synopsis: 'Reads, writes and deletes a role that tokens are created against.' },
    }),
  ];
}
