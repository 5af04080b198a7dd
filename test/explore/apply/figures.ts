/**
 * The expected figures of searches, and the advice of their messages. Each decision in each state
 * of a search counts, so that a changed decision changes the figures. To store the figures after an
 * intended change: `npm run explore -- --bound A --bound D --bound E --keep`.
 */
import figures from './figures.json';
import type { Report } from './search';

export type Figures = Pick<Report, 'states' | 'transitions' | 'ends' | 'advice'>;

const KNOWN: Readonly<Record<string, Figures>> = figures;

/** The bounds whose figures are stored. */
export const WITH_FIGURES: readonly string[] = ['A', 'D', 'E'];

export function figuresOf({ states, transitions, ends, advice }: Report): Figures {
  const sorted = Object.entries(ends).sort(([one], [other]) => one.localeCompare(other));
  return { states, transitions, ends: Object.fromEntries(sorted), advice };
}

/** Returns the difference of a search's figures from the stored ones: one text, or none. */
export function differencesOf(report: Report): readonly string[] {
  const found = figuresOf(report);
  const known = KNOWN[report.name];
  if (JSON.stringify(found) === JSON.stringify(known)) return [];
  const numbers = ({ advice: _, ...each }: Figures) => JSON.stringify(each);
  const added = found.advice.filter((each) => !known?.advice.includes(each)).map((each) => `  + ${each}`);
  const removed = (known?.advice ?? [])
    .filter((each) => !found.advice.includes(each))
    .map((each) => `  - ${each}`);
  const before = known ? numbers(known) : 'no figures';
  return [[`${report.name}: ${before} → ${numbers(found)}`, ...removed, ...added].join('\n')];
}
