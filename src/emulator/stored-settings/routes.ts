import { type LogicalRequest, type Namespace, type Route, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import type { JsonObject } from '../core/primitives/json';
import { decodeFields, type FieldSchemas } from '../core/input/fields';
import { invalidRequest } from '../core/errors';
import { STORED_SETTINGS } from './declarations';
import type { StoredSetting } from './setting';

/** The beginning of the keys of settings that each cluster has for itself. */
export const OWN_SETTINGS_PREFIX = 'core/own-settings/';
const SHARED_PREFIX = 'core/settings/';
const NAME = '/:name';

/** The settings that this server keeps. */
export function storedSettingsOf({ server }: Pick<ClusterParts, 'server'>): readonly StoredSetting[] {
  return STORED_SETTINGS.filter(({ enterpriseOnly }) => server.enterprise || enterpriseOnly !== true);
}

/** The path from the root of the API. */
export function fullPath({ mount = 'sys', path }: StoredSetting): string {
  return `${mount}/${path}`;
}

/** Reads, writes, deletes and lists the settings of a mount that have no effect. */
export function storedSettingRoutes(
  cluster: ClusterParts,
  mount: NonNullable<StoredSetting['mount']>,
): readonly Route[] {
  const settings = storedSettingsOf(cluster).filter((setting) => fullPath(setting).startsWith(`${mount}/`));
  return settings.flatMap((setting) =>
    setting.path.endsWith(NAME)
      ? [settingRoute(cluster, setting), listRoute(cluster, setting)]
      : [settingRoute(cluster, setting)],
  );
}

/** Those that require sudo. */
export const STORED_SETTINGS_ROOT_PATHS: readonly string[] = STORED_SETTINGS.flatMap(({ path, sudo }) =>
  sudo !== true ? [] : path.endsWith(NAME) ? [path.slice(0, -NAME.length), path.replace(NAME, '/+')] : [path],
);

function settingRoute(cluster: ClusterParts, setting: StoredSetting): Route {
  const { storage } = cluster;
  const { path, fields, check, builtIn = {}, generated, shown = (values: JsonObject) => values } = setting;
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
        const name = nameIn(data as JsonObject);
        const stored = storage.get<JsonObject>(keyOf(namespace, data as JsonObject)) ?? builtIn[name];
        if (stored === undefined && setting.hasDefaults !== true) return undefined;
        const address = `${cluster.address()}/v1/${namespace.path}`;
        return { data: shown(stored ?? (decodeFields(fields, {}) as JsonObject), name, address) };
      },
      update: ({ namespace, data, body }) => {
        const key = keyOf(namespace, data as JsonObject);
        const sent = Object.entries(data).filter(([name]) => name !== 'name' && name in body);
        const before = storage.get<JsonObject>(key) ?? builtIn[nameIn(data as JsonObject)];
        const values = {
          ...(before ?? (decodeFields(fields, {}) as JsonObject)),
          ...(Object.fromEntries(sent) as JsonObject),
        };
        check?.(values);
        storage.put(key, before === undefined ? { ...values, ...generated?.(values) } : values);
        cluster.noteWithoutEffect(fullPath(setting), setting.what);
        return undefined;
      },
      delete: ({ namespace, data }) => {
        const name = nameIn(data as JsonObject);
        if (Object.hasOwn(builtIn, name)) {
          const kind = path.split('/').at(-2);
          throw invalidRequest(`deletion of ${kind} ${JSON.stringify(name)} not allowed`);
        }
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
  const {
    path,
    what,
    builtIn = {},
    readAs,
    rootNamespaceOnly,
    shown = (values: JsonObject) => values,
  } = setting;
  const names = (folder: string) => [...new Set([...Object.keys(builtIn), ...storage.list(folder)])].sort();
  const readAll = ({ namespace }: LogicalRequest) => {
    const folder = folderOf(setting, namespace);
    const all = names(folder).map((name) => shown(storage.get<JsonObject>(folder + name) ?? {}, name, ''));
    return { data: { [readAs!]: Object.assign({}, ...all) as JsonObject } };
  };
  return route({
    pattern: path.slice(0, -NAME.length),
    ...(rootNamespaceOnly && { rootNamespaceOnly: true }),
    operations:
      readAs === undefined
        ? { list: ({ namespace }) => ({ data: { keys: names(folderOf(setting, namespace)) } }) }
        : { read: readAll },
    help: { synopsis: `Lists ${what}.` },
  });
}

function folderOf({ path, local }: StoredSetting, { id }: Namespace): string {
  const prefix = local === true ? OWN_SETTINGS_PREFIX : SHARED_PREFIX;
  return `${prefix}${id}/${path.replace(NAME, '').replaceAll('/', '.')}/`;
}
