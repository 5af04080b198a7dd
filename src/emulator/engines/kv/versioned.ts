import {
  route,
  type MountBackend,
  type LogicalResponse,
  type MountContext,
  type Operation,
  type Route,
} from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import { isJsonObject, type JsonObject } from '../../core/primitives/json';
import { dataRoute } from './data';
import { metadataRoutes } from './metadata';
import { withNewVersion } from './secret';
import { settingsRoute } from './kv-settings';
import { mountSettings, unversionedSecrets, versionedSecrets } from './storage';
import { subkeysRoute } from './subkeys';
import { versionRoutes } from './versions';

/**
 * Creates KV version 2: every write creates a new version. Secrets that the mount stored as version
 * 1 become first versions. From Vault 2.1 on, a recovery writes the latest version of a snapshot as
 * a new one, without its metadata; it fails if check-and-set is required.
 */
export function versionedKv(context: MountContext): MountBackend {
  upgrade(context);
  return {
    type: 'kv',
    help: 'Stores secrets in versions.',
    recoverable: (path) => context.server.atLeast(2, 1) && path.startsWith('data/'),
    recovered: ({ data }) => {
      if (!isJsonObject(data?.data)) throw invalidRequest('no data provided');
      return { data: data.data };
    },
    routes: [
      settingsRoute(context),
      dataRoute(context),
      ...metadataRoutes(context),
      ...versionRoutes(context),
      subkeysRoute(context),
      ...misdirected(),
    ],
  };
}

function upgrade({ storage, clock }: MountContext): void {
  const before = unversionedSecrets(storage);
  const after = versionedSecrets(storage);
  for (const path of before.keys('')) {
    const data = before.get<JsonObject>(path) ?? {};
    after.put(path, withNewVersion(undefined, data, mountSettings(storage), clock.now()));
    before.delete(path);
  }
}

const COMMANDS: Readonly<Record<Operation, string>> = {
  read: 'get',
  list: 'list',
  create: 'put',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
};

/** Returns routes for the paths of version 1, which answer 404 with a hint. */
function misdirected(): Route[] {
  const hint = ({ operation }: { operation: Operation }): LogicalResponse => ({
    status: 404,
    warnings: [
      'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints to use. ' +
        `If using the Vault CLI, use 'vault kv ${COMMANDS[operation]}' for this operation.`,
    ],
  });
  const atRoot = (): LogicalResponse => ({
    status: 404,
    warnings: ['Non-listing operations on the root of a K/V v2 mount are not supported.'],
  });
  const operations = { read: hint, list: hint, update: hint, patch: hint, delete: hint };
  return [
    ...['data', 'delete', 'undelete', 'destroy'].map((pattern) =>
      route({ pattern, operations: { read: atRoot, update: atRoot, patch: atRoot, delete: atRoot } }),
    ),
    route({ pattern: '', operations }),
    route({
      pattern: '*path',
      fields: { path: { type: 'string', path: true } },
      arbitraryInput: true,
      operations,
    }),
  ];
}
