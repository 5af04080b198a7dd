/** Faults that are planted in what the provider learns, by which searches are seen to find what they look for. */
import type { Start } from './search';

type Plant = NonNullable<Start['plant']>;

const PLANTS: Readonly<Record<string, Plant>> = {
  /** It does not see a primary that is back when it looks at it last. */
  'blind look': (request, outcome) =>
    request.kind === 'look' ? { value: { found: 'silent', isQuick: false } } : outcome,
  /** It takes a member that has joined for a new one. */
  'members are new': (request, outcome) =>
    request.kind === 'status' && request.cluster === 'eu' ? { value: { mode: 'disabled' } } : outcome,
  /** It does not read the note of a new primary. */
  'no note': (request, outcome) =>
    request.kind === 'read_note' && request.of === 'predecessors' ? { value: undefined } : outcome,
};

/** @throws Error for a name that no planted fault has. */
export function plantOf(name: string): Plant {
  const plant = PLANTS[name];
  if (!plant) throw new Error(`no planted fault ${name}; there are ${Object.keys(PLANTS).join(', ')}`);
  return plant;
}
