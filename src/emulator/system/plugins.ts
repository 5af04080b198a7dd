import { type Route, route } from '../core/backend';
import { pluginVersion } from '../core/flavour';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import { SINGLETON_TYPES } from '../mounts/describe-mount';

/** The kinds of plugins in the catalog. Database plugins are not emulated. */
const KINDS = ['auth', 'database', 'secret'] as const;

/** The routes of the plugin catalog, which only has the built-in types and can only be read. */
export function pluginRoutes({ mounts, server }: Pick<ClusterParts, 'mounts' | 'server'>): readonly Route[] {
  const namesOf = (kind: string): string[] =>
    kind === 'auth' || kind === 'secret'
      ? [...mounts.types[kind].keys()].filter((type) => !SINGLETON_TYPES.includes(type)).sort()
      : [];
  const describe = (name: string): JsonObject => ({
    builtin: true,
    deprecation_status: 'supported',
    name,
    version: pluginVersion(server),
  });
  return [
    route({
      pattern: 'plugins/catalog',
      rootNamespaceOnly: true,
      operations: {
        read: () => ({
          data: {
            ...Object.fromEntries(KINDS.map((kind) => [kind, namesOf(kind)])),
            detailed: KINDS.flatMap((type) => namesOf(type).map((name) => ({ ...describe(name), type }))),
          },
        }),
      },
      help: { synopsis: 'Lists the plugins.' },
    }),
    route({
      pattern: 'plugins/catalog/:type',
      rootNamespaceOnly: true,
      fields: { type: { type: 'string', path: true, description: 'auth, database or secret.' } },
      operations: { list: ({ data: { type } }) => ({ data: { keys: namesOf(type) } }) },
      help: { synopsis: 'Lists the plugins of a type.' },
    }),
    route({
      pattern: 'plugins/catalog/:type/:name',
      rootNamespaceOnly: true,
      fields: {
        type: { type: 'string', path: true, description: 'auth, database or secret.' },
        name: { type: 'string', path: true, description: 'The name of the plugin.' },
      },
      operations: {
        read: ({ data: { type, name } }) =>
          namesOf(type).includes(name)
            ? { data: { ...describe(name), args: null, command: '', sha256: '' } }
            : undefined,
      },
      help: { synopsis: 'Describes a plugin.' },
    }),
  ];
}

/** The paths of the catalog that require sudo. */
export const PLUGIN_ROOT_PATHS: readonly string[] = ['plugins/catalog/*'];
