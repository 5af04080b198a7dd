import type { LogicalResponse, MountEntry, Namespace } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { invalidRequest } from '../core/errors';
import type { Decoded } from '../core/input/field-schemas';
import { canonicalMountPath } from './enable';
import { changedSettings, SETTING_FIELDS } from './mount-settings';

export const TUNE_FIELDS = {
  ...SETTING_FIELDS,
  path: {
    type: 'string',
    path: true,
    description: 'Tune the configuration parameters for the mount at path.',
  },
  description: { type: 'string', description: 'User-friendly description of the mount.' },
  options: { type: 'key_values', description: 'Options to set; an empty text removes one.' },
  plugin_version: { type: 'string', description: 'Version of the plugin. The emulator has one of each.' },
} as const;

type TuneData = Partial<Decoded<typeof TUNE_FIELDS>>;

const UNTUNABLE_PATHS = ['cubbyhole/', 'sys/', 'audit/', 'identity/'];
const TUNABLE_EVERYWHERE = ['path', 'audit_non_hmac_request_keys', 'audit_non_hmac_response_keys'];

/** Changes the settings of a mount. */
export function tuneMount(
  { mounts }: Pick<ClusterParts, 'mounts'>,
  namespace: Namespace,
  mountPath: string,
  data: TuneData,
): LogicalResponse | undefined {
  const path = canonicalMountPath(mountPath);
  checkTunable(path, data);
  const entry = mounts.find(namespace, path)?.entry;
  if (entry === undefined) throw invalidRequest(`tune of path "${path}" failed: no mount entry found`);
  if (data.token_type !== undefined) checkTokenType(entry);
  if (data.user_lockout_config !== undefined && entry.kind !== 'auth') {
    throw invalidRequest(`tuning of user lockout configuration for auth type "${entry.type}" not allowed`);
  }
  const upgrade = versionUpgrade(entry, data.options);
  mounts.tune(entry, {
    config: changedSettings(entry.config, data, entry.kind),
    options: changedOptions(entry.options, data.options),
    description: data.description ?? entry.description,
  });
  return upgrade === undefined ? undefined : { warnings: [upgrade] };
}

function checkTunable(path: string, data: TuneData): void {
  if (!UNTUNABLE_PATHS.some((prefix) => path.startsWith(prefix))) return;
  const refused = Object.entries(data).find(
    ([name, value]) => value !== undefined && !TUNABLE_EVERYWHERE.includes(name),
  );
  if (refused !== undefined) throw invalidRequest(`cannot tune parameter ${refused[0]} of ${path}`);
}

function checkTokenType({ kind, type }: MountEntry): void {
  if (kind !== 'auth') throw invalidRequest("'token_type' can only be modified on auth mounts");
  if (type === 'token' || type === 'ns_token') {
    throw invalidRequest("'token_type' cannot be set for 'token' or 'ns_token' auth mounts");
  }
}

/** Returns the message about a change of the KV version. */
function versionUpgrade(entry: MountEntry, options: TuneData['options']): string | undefined {
  if (options?.['version'] === undefined) return undefined;
  // A mount without the option is version 1, which the server treats as 0 here.
  const before = Number(entry.options?.['version'] ?? 0);
  const after = Number(options['version']);
  if (Number.isNaN(after)) {
    throw invalidRequest(
      `unable to parse options: strconv.ParseInt: parsing "${options['version']}": invalid syntax`,
    );
  }
  if (after !== 1 && after !== 2) throw invalidRequest(`invalid version provided: ${after}`);
  if (before > after) throw invalidRequest(`cannot downgrade mount from version ${before}`);
  if (before === after) return undefined;
  return (
    `Upgrading mount from version ${before} to version ${after}. ` +
    'This mount will be unavailable for a brief period and will resume service shortly.'
  );
}

function changedOptions(before: MountEntry['options'], sent: TuneData['options']): MountEntry['options'] {
  if (sent === undefined || Object.keys(sent).length === 0) return before;
  const options = Object.entries({ ...before, ...sent });
  return Object.fromEntries(options.filter(([name, value]) => value !== '' || name === 'version'));
}
