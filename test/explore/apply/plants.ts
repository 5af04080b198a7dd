/** Faults that are planted in the data that the provider receives. Searches have to find them. */
import type { Start } from './search';

type Plant = NonNullable<Start['plant']>;

const PLANTS: Readonly<Record<string, Plant>> = {
  /** Hides, at the last read before a promotion, a primary that answers again. */
  'blind look': (request, outcome) =>
    request.kind === 'look' ? { value: { found: 'silent', isQuick: false } } : outcome,
  /** Shows the member eu without replication, as if it had never joined. */
  'members are new': (request, outcome) =>
    request.kind === 'status' && request.cluster === 'eu' ? { value: { mode: 'disabled' } } : outcome,
  /** Hides the notes of a new primary about its predecessors. */
  'no note': (request, outcome) =>
    request.kind === 'read_note' && request.of !== 'announcement' ? { value: undefined } : outcome,
  /** Hides the note that a cluster received before its promotion. */
  'no promotion note': (request, outcome) =>
    request.kind === 'read_note' && request.of === 'promotion' ? { value: undefined } : outcome,
};

/** @throws Error for an unknown name */
export function plantOf(name: string): Plant {
  const plant = PLANTS[name];
  if (!plant) throw new Error(`no planted fault ${name}; there are ${Object.keys(PLANTS).join(', ')}`);
  return plant;
}
