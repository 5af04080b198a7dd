/* eslint-disable @typescript-eslint/no-require-imports -- imports would load all of them */
import type { ProviderPart } from '../plugin';
import type * as actions from './actions';
import type * as auditDevices from './audit-devices';
import type * as autoSnapshots from './auto-snapshots/auto-snapshots';
import type { Clusters } from './clusters';
import type * as functions from './functions';
import type * as loadedSnapshots from './loaded-snapshots/loaded-snapshots';
import { guarded } from './lock-out/guard';
import type * as managedKeys from './managed-keys/managed-keys';
import type * as namespaces from './namespaces';
import type * as replication from './replication/replication';
import type * as unmanaged from './unmanaged';

/**
 * All objects besides policies. Each part is loaded when Terraform first uses one of its objects:
 * most runs of Terraform use only policies.
 */
export const PARTS: readonly ProviderPart<Clusters>[] = [
  {
    names: ['auto_snapshot', 'auto_snapshots', 'auto_snapshot_status'],
    load: () => (require('./auto-snapshots/auto-snapshots') as typeof autoSnapshots).AUTO_SNAPSHOTS,
  },
  {
    names: ['snapshot_load', 'recovered_secret'],
    load: () => (require('./loaded-snapshots/loaded-snapshots') as typeof loadedSnapshots).LOADED_SNAPSHOTS,
  },
  {
    names: ['audit_device', 'audit_devices'],
    load: () => (require('./audit-devices') as typeof auditDevices).AUDIT_DEVICES,
  },
  {
    names: ['managed_key', 'managed_keys'],
    load: () => (require('./managed-keys/managed-keys') as typeof managedKeys).MANAGED_KEYS,
  },
  {
    names: ['namespace', 'namespaces'],
    load: () => (require('./namespaces') as typeof namespaces).NAMESPACES,
  },
  {
    names: [
      'perf_replication_primary',
      'perf_replication_secondary',
      'perf_replication_paths_filter',
      'perf_replication_set',
      'perf_replication_status',
      'perf_replication_dynamic_filter',
      'perf_replication_secondary_token',
      'perf_replication_public_key',
    ],
    load: () => (require('./replication/replication') as typeof replication).REPLICATION,
  },
  {
    names: ['unmanaged'],
    load: () => (require('./unmanaged') as typeof unmanaged).UNMANAGED_OBJECTS,
  },
  {
    names: ['policy_document', 'policy_check', 'import_id', 'parse_import_id', 'mount_of'],
    load: () => ({ functions: (require('./functions') as typeof functions).FUNCTIONS }),
  },
  {
    names: [
      'managed_key_test_sign',
      'auto_snapshot_wait_healthy',
      'snapshot_recover',
      'token_revoke_accessor',
      'perf_replication_revoke_secondary',
      'perf_replication_update_primary_addrs',
    ],
    load: () => ({ actions: (require('./actions') as typeof actions).ACTIONS }),
  },
].map(({ names, load }: ProviderPart<Clusters>) => ({
  names,
  load() {
    const { resources = [], ...others } = load();
    return { ...others, resources: resources.map(guarded) };
  },
}));
