import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type Route,
  route,
} from '../core/backend';
import { decodeFields, type FieldSchemas } from '../core/input/field-schemas';
import { invalidRequest } from '../core/errors';
import { uuid } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import { STORED_SETTINGS } from './declarations';
import type { StoredSetting } from './setting';
import { keyOf, NAME, NAME_FIELD, readSetting, settingNames, storedValues } from './stored';

/** Returns the settings that this server supports. */
export function storedSettingsOf({ server }: Pick<ClusterParts, 'server'>): readonly StoredSetting[] {
  return STORED_SETTINGS.filter(({ enterpriseOnly }) => server.enterprise || enterpriseOnly !== true);
}

/** Returns the path of a setting from the root of the API. */
export function fullPath({ mount = 'sys', path }: StoredSetting): string {
  return `${mount}/${path}`;
}

/** Routes that read, write, delete and list the stored settings of a mount. */
export function storedSettingRoutes(
  cluster: ClusterParts,
  mount: NonNullable<StoredSetting['mount']>,
): readonly Route[] {
  const settings = storedSettingsOf(cluster).filter((setting) => fullPath(setting).startsWith(`${mount}/`));
  const routes = settings.flatMap((setting) =>
    setting.path.endsWith(NAME)
      ? [settingRoute(cluster, setting), folderRoute(cluster, setting)]
      : [settingRoute(cluster, setting)],
  );
  return mount === 'identity' ? [...routes, methodsRoute(cluster, settings)] : routes;
}

/** The route that lists the MFA methods for logins, whatever their type is. */
function methodsRoute(cluster: ClusterParts, settings: readonly StoredSetting[]): Route {
  const pattern = 'mfa/method';
  const types = settings.filter(({ path }) => path.startsWith(`${pattern}/`));
  return route({
    pattern,
    operations: {
      list: ({ namespace }) => {
        const methods = types.flatMap((setting) =>
          settingNames(cluster, setting, namespace).map(
            (id) => [id, readSetting(cluster, setting, namespace, id)!] as const,
          ),
        );
        const key_info = Object.fromEntries(methods);
        return { data: { keys: Object.keys(key_info).sort(), key_info } };
      },
    },
    help: { synopsis: 'Lists the MFA methods for logins of all types.' },
  });
}

/** The paths of settings that require sudo. */
export const STORED_SETTINGS_ROOT_PATHS: readonly string[] = STORED_SETTINGS.flatMap(({ path, sudo }) =>
  sudo !== true ? [] : path.endsWith(NAME) ? [path.slice(0, -NAME.length), path.replace(NAME, '/+')] : [path],
);

function settingRoute(cluster: ClusterParts, setting: StoredSetting): Route {
  const { path, what, fields, generatedName, builtIn = {}, hasEffect } = setting;
  const named: FieldSchemas = path.endsWith(NAME) ? { ...fields, name: NAME_FIELD } : fields;
  return route({
    pattern: path,
    fields: named,
    ...(setting.rootNamespaceOnly && { rootNamespaceOnly: true }),
    operations: {
      read: ({ namespace, data }) => {
        const shown = readSetting(cluster, setting, namespace, nameIn(data as JsonObject));
        return shown && { data: shown };
      },
      update: (request) => {
        const name = nameIn(request.data as JsonObject);
        if (
          generatedName !== undefined &&
          storedValues(cluster, setting, request.namespace, name) === undefined
        )
          throw invalidRequest(`${generatedName} ${JSON.stringify(name)} does not exist`);
        return write(cluster, setting, request, name);
      },
      delete: ({ namespace, data }) => {
        const name = nameIn(data as JsonObject);
        if (name !== undefined && Object.hasOwn(builtIn, name)) {
          const kind = path.split('/').at(-2);
          throw invalidRequest(`deletion of ${kind} ${JSON.stringify(name)} not allowed`);
        }
        cluster.storage.delete(keyOf(setting, namespace, name));
      },
    },
    help: {
      synopsis: hasEffect ? `Stores ${what}.` : `Stores ${what}, which have no effect in the emulator.`,
    },
  });
}

/**
 * The route that lists the settings of a path, or returns all of them. If the server generates
 * their names, the route also creates settings.
 */
function folderRoute(cluster: ClusterParts, setting: StoredSetting): Route {
  const { path, what, fields, readAs, generatedName, rootNamespaceOnly } = setting;
  const readAll = (namespace: Namespace): JsonObject => {
    const all = settingNames(cluster, setting, namespace).map((name) =>
      readSetting(cluster, setting, namespace, name),
    );
    return { [readAs!]: Object.assign({}, ...all) as JsonObject };
  };
  return route({
    pattern: path.slice(0, -NAME.length),
    ...(rootNamespaceOnly && { rootNamespaceOnly: true }),
    ...(generatedName !== undefined && { fields }),
    operations: {
      ...(readAs === undefined
        ? { list: ({ namespace }) => ({ data: { keys: settingNames(cluster, setting, namespace) } }) }
        : { read: ({ namespace }) => ({ data: readAll(namespace) }) }),
      ...(generatedName !== undefined && {
        update: (request: LogicalRequest) => {
          const name = uuid();
          return { ...write(cluster, setting, request, name), data: { [generatedName]: name } };
        },
      }),
    },
    help: { synopsis: `Lists ${what}.` },
  });
}

function write(
  cluster: ClusterParts,
  setting: StoredSetting,
  { namespace, data, body }: LogicalRequest,
  name: string | undefined,
): LogicalResponse | undefined {
  const { fields, check, generated, warnings } = setting;
  const sent = Object.entries(data).filter(([field]) => field !== 'name' && field in body);
  const before = storedValues(cluster, setting, namespace, name);
  const values = {
    ...(before ?? (decodeFields(fields, {}) as JsonObject)),
    ...(Object.fromEntries(sent) as JsonObject),
  };
  check?.(values);
  const added = before === undefined ? generated?.(values) : undefined;
  cluster.storage.put(keyOf(setting, namespace, name), { ...values, ...added });
  if (!setting.hasEffect) cluster.noteWithoutEffect(fullPath(setting), setting.what);
  const texts = warnings?.(values) ?? [];
  return texts.length === 0 ? undefined : { warnings: texts };
}

/**
 * Returns the name in the path; `undefined` for a path without names, which has one setting only.
 */
function nameIn({ name }: JsonObject): string | undefined {
  return typeof name === 'string' ? name : undefined;
}
