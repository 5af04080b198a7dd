import type { AssumptionName } from '../../../emulator/assume';
import { AUDIT_PROBES } from './audit';
import { MANAGED_KEY_PROBES } from './managed-keys';
import { POLICY_PROBES } from './policies';
import type { Probes } from './probe';
import { REPLICATION_PROBES } from './replication';
import { REQUEST_PROBES } from './requests';
import { SNAPSHOT_PROBES } from './snapshots';

/** The probes of all assumptions. For an assumption that no probe can decide, the reason. */
export const PROBES: Probes<AssumptionName> = {
  ...REQUEST_PROBES,
  ...POLICY_PROBES,
  ...MANAGED_KEY_PROBES,
  ...REPLICATION_PROBES,
  ...SNAPSHOT_PROBES,
  ...AUDIT_PROBES,
};
