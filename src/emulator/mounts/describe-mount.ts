import type { MountEntry, ServerFlavour } from '../core/backend';
import { pluginVersion } from '../core/flavour';
import { isJsonObject, type JsonObject } from '../core/primitives/json';
import { leaseTtls } from '../core/routing/mounts';
import { filledSettings } from './mount-settings';

/** The types of mounts that each namespace has exactly once. */
export const SINGLETON_TYPES = ['cubbyhole', 'identity', 'system', 'token'].flatMap((type) => [
  type,
  `ns_${type}`,
]);

/** Returns a mount's path in its own table: for auth methods without `auth/`. */
export function pathInTable({ kind, path }: MountEntry): string {
  return kind === 'auth' ? path.slice('auth/'.length) : path;
}

/** Returns the description of a mount for lists and reads. */
export function describeMount(entry: MountEntry, server: ServerFlavour): JsonObject {
  return {
    accessor: entry.accessor,
    config: {
      default_lease_ttl: entry.config.default_lease_ttl,
      max_lease_ttl: entry.config.max_lease_ttl,
      ...settings(entry),
    },
    ...(!SINGLETON_TYPES.includes(entry.type) && { deprecation_status: 'supported' }),
    description: entry.description,
    external_entropy_access: entry.externalEntropyAccess,
    local: entry.local,
    options: entry.options,
    plugin_version: '',
    running_plugin_version: pluginVersion(server),
    running_sha256: '',
    seal_wrap: entry.sealWrap,
    type: entry.type,
    uuid: entry.uuid,
  };
}

/**
 * The response to a read of a mount's tuning: the effective TTLs, including the server's defaults.
 */
export function describeTuning(entry: MountEntry): JsonObject {
  const ttls = leaseTtls(entry.config);
  const { user_lockout_config: lockOut, ...others } = settings(entry);
  const hasOptions = Object.keys(entry.options ?? {}).length > 0;
  return {
    default_lease_ttl: ttls.default,
    description: entry.description,
    max_lease_ttl: ttls.max,
    ...others,
    ...(isJsonObject(lockOut) && lockOut),
    ...(hasOptions && { options: entry.options }),
    ...(entry.externalEntropyAccess && { external_entropy_access: true }),
  };
}

function settings(entry: MountEntry): JsonObject {
  return { ...(entry.kind === 'auth' && { token_type: 'default-service' }), ...filledSettings(entry.config) };
}
