/** Faults that are planted in the data that the provider receives. Searches have to find them. */
import type { Start } from './search';

type Plant = NonNullable<Start['plant']>;

const PLANTS: Readonly<Record<string, Plant>> = {
  /** Hides a primary that is back at the last read before a promotion. */
  'blind look': (request, outcome) =>
    request.kind === 'look' ? { value: { found: 'silent', isQuick: false } } : outcome,
  /** Shows a member that has joined as a new one. */
  'members are new': (request, outcome) =>
    request.kind === 'status' && request.cluster === 'eu' ? { value: { mode: 'disabled' } } : outcome,
  /** Hides the note of a new primary. */
  'no note': (request, outcome) =>
    request.kind === 'read_note' && request.of === 'takeover' ? { value: undefined } : outcome,
};

/** @throws Error for an unknown name */
export function plantOf(name: string): Plant {
  const plant = PLANTS[name];
  if (!plant) throw new Error(`no planted fault ${name}; there are ${Object.keys(PLANTS).join(', ')}`);
  return plant;
}
