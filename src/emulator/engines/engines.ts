import type { BackendFactory } from '../core/backend';
import { cubbyhole } from './cubbyhole';
import { kv } from './kv/backend';
import { silent } from './silent';

/** Engines that can only be mounted in the emulator, so that mounts can be managed and tuned. */
const SILENT_ENGINES = [
  ...['ad', 'alicloud', 'aws', 'azure', 'consul', 'database', 'gcp', 'gcpkms', 'keymgmt', 'kmip'],
  ...['kubernetes', 'ldap', 'mongodbatlas', 'nomad', 'openldap', 'pki', 'rabbitmq', 'ssh', 'terraform'],
  ...['totp', 'transform', 'transit'],
];

/** The secrets engines, by type. */
export const SECRETS_ENGINES: ReadonlyMap<string, BackendFactory> = new Map([
  ...SILENT_ENGINES.map((type) => [type, silent] as const),
  ['kv', kv],
  // The engine's first name.
  ['generic', kv],
  ['cubbyhole', cubbyhole],
  ['ns_cubbyhole', cubbyhole],
]);
