import {
  type LogicalRequest,
  type LogicalResponse,
  type MountContext,
  type Route,
  route,
} from '../core/backend';
import { readRole, ROLE_FIELDS, showRole, writeRole } from './roles';

export function roleRoutes({ storage, leaseTtls }: MountContext): readonly Route[] {
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
