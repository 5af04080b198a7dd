import type { VaultClient } from '../../../client';
import type { Remarks } from './remarks';

/** A namespace of a cluster, in which objects are looked for. */
export interface Place {
  readonly cluster: string;
  /** Relative to the cluster's own; empty for that one itself. */
  readonly namespace: string;
  readonly client: VaultClient;
  readonly remarks: Remarks;
  /** How remarks call something in it: `managed keys in namespace "team"`. */
  readonly subject: (what: string) => string;
}

export function placeOf(facts: Omit<Place, 'subject'>): Place {
  const where = facts.namespace === '' ? '' : ` in namespace ${JSON.stringify(facts.namespace)}`;
  return { ...facts, subject: (what) => `${what}${where}` };
}
