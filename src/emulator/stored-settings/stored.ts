import type { Namespace } from '../core/backend';
import { own } from '../../text';
import { decodeFields } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import type { SettingScope, StoredSetting } from './setting';

/** The prefix of settings that belong to one cluster, and are not replicated. */
export const OWN_SETTINGS_PREFIX = 'core/own-settings/';
const SHARED_PREFIX = 'core/settings/';

/** The end of a path that has several settings. */
export const NAME = '/:name';
/** The field for the name in a path with {@link NAME}. */
export const NAME_FIELD = { type: 'string', path: true, description: 'The name.' } as const;
/** The stored name of the setting if its path has no name. */
const ONLY = 'setting';

/** Returns the folder of the settings of a path. */
function folderOf({ path, local }: StoredSetting, { id }: Namespace): string {
  const prefix = local === true ? OWN_SETTINGS_PREFIX : SHARED_PREFIX;
  return `${prefix}${id}/${path.replace(NAME, '').replaceAll('/', '.')}/`;
}

export function keyOf(setting: StoredSetting, namespace: Namespace, name = ONLY): string {
  return folderOf(setting, namespace) + name;
}

/** Returns the stored values, or those of a built-in setting. */
export function storedValues(
  { storage }: Pick<ClusterParts, 'storage'>,
  setting: StoredSetting,
  namespace: Namespace,
  name = ONLY,
): JsonObject | undefined {
  return storage.get<JsonObject>(keyOf(setting, namespace, name)) ?? own(setting.builtIn ?? {}, name);
}

/** Returns a setting as the server shows it. */
export function readSetting(
  cluster: ClusterParts,
  setting: StoredSetting,
  namespace: Namespace,
  name = ONLY,
): JsonObject | undefined {
  const stored = storedValues(cluster, setting, namespace, name);
  if (stored === undefined && setting.hasDefaults !== true) return undefined;
  const values = stored ?? (decodeFields(setting.fields, {}) as JsonObject);
  return setting.shown?.(values, name, placeOf(cluster, namespace)) ?? values;
}

function placeOf({ address }: ClusterParts, namespace: Namespace): SettingScope {
  return { address: `${address()}/v1/${namespace.path}`, namespace };
}

/** Returns the names of the settings of a path. */
export function settingNames(
  { storage }: Pick<ClusterParts, 'storage'>,
  setting: StoredSetting,
  namespace: Namespace,
): readonly string[] {
  const stored = storage.list(folderOf(setting, namespace));
  return [...new Set([...Object.keys(setting.builtIn ?? {}), ...stored])].sort();
}
