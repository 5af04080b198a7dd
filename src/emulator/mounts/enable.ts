import type { MountEntry, Namespace } from '../core/backend';
import { invalidRequest, openRefusal } from '../core/errors';
import type { Decoded } from '../core/input/field-schemas';
import { MountError, type MountTable } from '../core/routing/mounts';
import { SINGLETON_TYPES } from './describe-mount';
import { newSettings } from './mount-settings';
import { trimmed } from '../../text';

export const ENABLE_FIELDS = {
  path: { type: 'string', path: true, description: 'The path to mount to.' },
  type: { type: 'string', default: '', description: 'The type of the backend.' },
  description: { type: 'string', default: '', description: 'User-friendly description of the mount.' },
  config: { type: 'object', default: {}, description: 'Settings: TTLs, headers, listing and more.' },
  options: {
    type: 'key_values',
    default: {},
    description: 'Options of the engine, such as the version of KV.',
  },
  local: { type: 'boolean', default: false, description: 'Never replicated.' },
  seal_wrap: { type: 'boolean', default: false, description: 'Wraps critical values with the seal.' },
  external_entropy_access: {
    type: 'boolean',
    default: false,
    description: 'Uses an external source of entropy.',
  },
  plugin_name: { type: 'string', default: '', description: 'Name of the plugin, for the type `plugin`.' },
  plugin_version: { type: 'string', default: '', description: 'Version of the plugin.' },
} as const;

type EnableData = Decoded<typeof ENABLE_FIELDS>;

/** Prefixes of paths that are reserved: nothing can be mounted or unmounted there. */
export const PROTECTED_PATHS = ['audit/', 'auth/', 'sys/', 'cubbyhole/', 'identity/'];

/**
 * Mounts a secrets engine or an auth method.
 *
 * @throws LogicalError if the server would refuse it.
 */
export function enableMount(
  mounts: MountTable,
  kind: MountEntry['kind'],
  namespace: Namespace,
  data: EnableData,
): undefined {
  const config = newSettings(data.config, kind);
  const { type, options } = kind === 'auth' ? authMethod(data) : secretsEngine(data);
  const path = canonicalMountPath(data.path);
  if (kind === 'secret' && PROTECTED_PATHS.some((prefix) => path.startsWith(prefix))) {
    throw invalidRequest(`cannot mount "${path}"`);
  }
  try {
    mounts.mount(namespace, kind, kind === 'auth' ? `auth/${path}` : path, type, {
      description: data.description,
      options,
      config,
      local: data.local,
      sealWrap: data.seal_wrap,
      externalEntropyAccess: data.external_entropy_access,
    });
  } catch (error) {
    throw error instanceof MountError ? openRefusal('mountStatus', error.message) : error;
  }
}

/** Returns a mount's path in the server's form: without a leading slash, with a trailing one. */
export function canonicalMountPath(path: string): string {
  return `${trimmed(path, '/')}/`;
}

type TypeAndOptions = Pick<EnableData, 'type' | 'options'>;

function secretsEngine(data: EnableData): TypeAndOptions {
  const named = requestedType(data);
  // The types `kv-v1` and `kv-v2` are the KV engine with an option.
  const version = /^kv-v([12])$/.exec(named)?.[1];
  if (version !== undefined) return { type: 'kv', options: { ...data.options, version } };
  if (named !== 'kv' && data.options['version']) {
    throw invalidRequest(`secrets engine "${named}" does not allow setting a version`);
  }
  if (SINGLETON_TYPES.includes(named)) throw invalidRequest(`mount type of "${named}" is not mountable`);
  return { type: named, options: data.options };
}

function authMethod(data: EnableData): TypeAndOptions {
  const type = requestedType(data);
  if (data.options['version']) {
    throw invalidRequest(`auth method "${type}" does not allow setting a version`);
  }
  if (SINGLETON_TYPES.includes(type)) throw invalidRequest('token credential backend cannot be instantiated');
  return { type, options: data.options };
}

function requestedType({ type, plugin_name }: EnableData): string {
  if (type === '') throw invalidRequest('backend type must be specified as a string');
  if (type !== 'plugin') return type;
  if (plugin_name === '') throw invalidRequest('plugin_name must be provided for plugin backend');
  return plugin_name;
}
