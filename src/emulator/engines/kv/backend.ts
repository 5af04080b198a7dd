import type { Backend, MountContext } from '../../core/backend';
import { unversionedKv } from './unversioned';
import { versionedKv } from './versioned';

/** The KV engine in the version that the mount's options ask for. */
export function kv(context: MountContext): Backend {
  return context.mount.options?.['version'] === '2' ? versionedKv(context) : unversionedKv(context);
}
