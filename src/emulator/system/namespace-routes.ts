import { normalizeNamespace } from '../../model';
import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type Route,
  route,
} from '../core/backend';
import type { EmulatedCluster } from '../cluster';
import { invalidRequest, openRefusal } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import type { Json, JsonObject } from '../core/primitives/json';
import { ManagedKeyStore } from '../managed-keys';

const FIELDS = {
  path: {
    type: 'string',
    path: true,
    description: 'Path of the namespace, relative to the namespace of the request.',
  },
  custom_metadata: { type: 'key_values', description: 'Custom metadata of the namespace.' },
} as const satisfies FieldSchemas;

type NamespaceRequest = LogicalRequest<typeof FIELDS>;

export function namespaceRoutes(cluster: NamespaceKeeper): readonly Route[] {
  const { namespaces } = cluster;
  const find = ({ namespace, data }: NamespaceRequest) =>
    namespaces.get(`${namespace.path}${normalizeNamespace(data.path)}/`);
  const write = (request: NamespaceRequest): LogicalResponse => {
    const { data, namespace } = request;
    const existing = find(request);
    if (existing !== undefined) {
      return show(
        data.custom_metadata === undefined ? existing : namespaces.update(existing, data.custom_metadata),
      );
    }
    const created = namespaces.create(namespace, checkName(data.path), data.custom_metadata ?? {});
    cluster.furnish(created);
    return show(created);
  };
  return [
    route({
      pattern: 'namespaces',
      operations: {
        list: ({ namespace }) => {
          const children = namespaces.children(namespace);
          const keys = children.map(({ path }) => path.slice(namespace.path.length));
          const info = children.map((child) => [child.path.slice(namespace.path.length), describe(child)]);
          return { data: { keys, key_info: Object.fromEntries(info) as JsonObject } };
        },
      },
      help: { synopsis: 'Lists the namespaces directly below this one.' },
    }),
    route({
      pattern: 'namespaces/*path',
      fields: FIELDS,
      exists: (request) => find(request) !== undefined,
      operations: {
        read: (request) => {
          const found = find(request);
          return found && show(found);
        },
        create: write,
        update: write,
        patch: (request) => patch(cluster, request, find(request)),
        delete: (request) => {
          const found = find(request);
          if (found !== undefined) remove(cluster, found);
        },
      },
      help: { synopsis: 'Reads, creates, changes and deletes a namespace.' },
    }),
  ];
}

/** The parts and operations of a cluster that the routes use. */
type NamespaceKeeper = Pick<
  EmulatedCluster,
  'namespaces' | 'mounts' | 'policies' | 'tokens' | 'storage' | 'furnish'
>;

function checkName(path: string): string {
  const name = normalizeNamespace(path);
  if (name === '') throw invalidRequest(`"${path}" is not a valid namespace path`);
  return name;
}

function patch(
  { namespaces }: NamespaceKeeper,
  { body }: NamespaceRequest,
  found: Namespace | undefined,
): LogicalResponse {
  if (found === undefined) throw invalidRequest('requested namespace does not exist');
  const changes: Json = body.custom_metadata ?? {};
  const merged = Object.entries({ ...found.customMetadata, ...(changes as Record<string, string | null>) });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== null);
  return show(namespaces.update(found, Object.fromEntries(kept)));
}

function remove(cluster: NamespaceKeeper, namespace: Namespace): void {
  if (cluster.namespaces.children(namespace).length > 0) {
    throw openRefusal('namespaceWithChildren', namespace.path);
  }
  // The replicated record comes first: on a secondary its deletion fails, and then nothing else may
  // change.
  cluster.namespaces.delete(namespace);
  cluster.tokens.revokeWhere((token) => token.namespaceId === namespace.id);
  cluster.mounts.unmountAll(namespace);
  cluster.policies.deleteAll(namespace);
  new ManagedKeyStore(cluster.storage).deleteAll(namespace);
}

function show(namespace: Namespace): LogicalResponse {
  return { data: describe(namespace) };
}

function describe({ id, path, customMetadata }: Namespace): JsonObject {
  return { custom_metadata: customMetadata, id, path };
}
