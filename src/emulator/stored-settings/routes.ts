import { type Namespace, type Route, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import type { JsonObject } from '../core/primitives/json';
import { decodeFields, type FieldSchemas } from '../core/input/fields';
import { type StoredSetting, STORED_SETTINGS } from './declarations';

/** The beginning of the keys of settings that each cluster has for itself. */
export const OWN_SETTINGS_PREFIX = 'core/own-settings/';
const SHARED_PREFIX = 'core/settings/';
const NAME = '/:name';

/** The settings that this server keeps. */
export function storedSettingsOf({ server }: Pick<ClusterParts, 'server'>): readonly StoredSetting[] {
  return STORED_SETTINGS.filter(({ enterpriseOnly }) => server.enterprise || enterpriseOnly !== true);
}

/** Reads, writes, deletes and lists settings that have no effect. */
export function storedSettingRoutes(cluster: ClusterParts): readonly Route[] {
  return storedSettingsOf(cluster).flatMap((setting) =>
    setting.path.endsWith(NAME)
      ? [settingRoute(cluster, setting), listRoute(cluster, setting)]
      : [settingRoute(cluster, setting)],
  );
}

/** Those that require sudo. */
export const STORED_SETTINGS_ROOT_PATHS: readonly string[] = STORED_SETTINGS.flatMap(({ path, sudo }) =>
  sudo === true ? [path] : [],
);

function settingRoute(cluster: ClusterParts, setting: StoredSetting): Route {
  const { storage } = cluster;
  const { path, fields, check, shown = (values: JsonObject) => values } = setting;
  const named: FieldSchemas = path.endsWith(NAME)
    ? { ...fields, name: { type: 'string', path: true, description: 'The name.' } }
    : fields;
  const keyOf = (namespace: Namespace, data: JsonObject) => folderOf(setting, namespace) + nameIn(data);
  return route({
    pattern: path,
    fields: named,
    ...(setting.rootNamespaceOnly && { rootNamespaceOnly: true }),
    operations: {
      read: ({ namespace, data }) => {
        const stored = storage.get<JsonObject>(keyOf(namespace, data as JsonObject));
        if (stored === undefined && setting.hasDefaults !== true) return undefined;
        return {
          data: shown(stored ?? (decodeFields(fields, {}) as JsonObject), nameIn(data as JsonObject)),
        };
      },
      update: ({ namespace, data, body }) => {
        const key = keyOf(namespace, data as JsonObject);
        const sent = Object.entries(data).filter(([name]) => name !== 'name' && name in body);
        const before = storage.get<JsonObject>(key) ?? (decodeFields(fields, {}) as JsonObject);
        const values = { ...before, ...(Object.fromEntries(sent) as JsonObject) };
        check?.(values);
        storage.put(key, values);
        cluster.noteWithoutEffect(`sys/${path}`, setting.what);
        return undefined;
      },
      delete: ({ namespace, data }) => {
        storage.delete(keyOf(namespace, data as JsonObject));
        return undefined;
      },
    },
    help: { synopsis: `Stores ${setting.what}, which have no effect in the emulator.` },
  });
}

/** There is one setting at a path without names. */
function nameIn({ name }: JsonObject): string {
  return typeof name === 'string' ? name : 'setting';
}

function listRoute({ storage }: ClusterParts, setting: StoredSetting): Route {
  return route({
    pattern: setting.path.slice(0, -NAME.length),
    ...(setting.rootNamespaceOnly && { rootNamespaceOnly: true }),
    operations: {
      list: ({ namespace }) => ({ data: { keys: storage.list(folderOf(setting, namespace)) } }),
    },
    help: { synopsis: `Lists ${setting.what}.` },
  });
}

function folderOf({ path, local }: StoredSetting, { id }: Namespace): string {
  const prefix = local === true ? OWN_SETTINGS_PREFIX : SHARED_PREFIX;
  return `${prefix}${id}/${path.replace(NAME, '').replaceAll('/', '.')}/`;
}
