import type { AssumptionName } from '../../../emulator/assume';
import { REPLICATION_ASSUMPTIONS } from '../../../emulator/assume/replication';
import type { Probes, Unseen } from './probe';

type Name = keyof typeof REPLICATION_ASSUMPTIONS & AssumptionName;

/** How to see what is open about performance replication. */
export const REPLICATION_PROBES: Probes<Name> = Object.fromEntries(
  Object.keys(REPLICATION_ASSUMPTIONS).map((name) => [
    name,
    { unseen: 'replication is not looked at: it would change the cluster' },
  ]),
) as Record<Name, Unseen>;
