import type { BackendFactory, MountBackend, MountContext } from '../core/backend';
import { cubbyhole } from './cubbyhole';
import { unversionedKv } from './kv/unversioned';
import { versionedKv } from './kv/versioned';

/** An engine or auth method that can be mounted, tuned and moved, and has no paths of its own. */
export const silent: BackendFactory = ({ mount }) => ({
  type: mount.type,
  help: `The emulator does not implement ${mount.type}: it can only be mounted.`,
  routes: [],
});

/** Creates the KV engine in the version that the mount's options request. */
function kv(context: MountContext): MountBackend {
  return context.mount.options?.['version'] === '2' ? versionedKv(context) : unversionedKv(context);
}

/**
 * Engines that the emulator only mounts, without paths of their own, so that mounts can be managed
 * and tuned.
 */
const SILENT_ENGINES = [
  ...['ad', 'alicloud', 'aws', 'azure', 'consul', 'database', 'gcp', 'gcpkms', 'keymgmt', 'kmip'],
  ...['kubernetes', 'ldap', 'mongodbatlas', 'nomad', 'openldap', 'pki', 'rabbitmq', 'ssh', 'terraform'],
  ...['totp', 'transform', 'transit'],
];

/** The secrets engines, by type. */
export const SECRETS_ENGINES: ReadonlyMap<string, BackendFactory> = new Map([
  ...SILENT_ENGINES.map((type) => [type, silent] as const),
  ['kv', kv],
  // The original name of the KV engine.
  ['generic', kv],
  ['cubbyhole', cubbyhole],
  ['ns_cubbyhole', cubbyhole],
]);
