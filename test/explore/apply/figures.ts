/**
 * The figures that searches are known to have. Each decision in each state of a search counts in them, so that none changes
 * unnoticed: `npm run explore -- --bound A --bound D --keep` stores those of a change that is wanted.
 */
import figures from './figures.json';
import type { Report } from './search';

export type Figures = Pick<Report, 'states' | 'transitions' | 'ends'>;

const KNOWN: Readonly<Record<string, Figures>> = figures;

/** The bounds whose figures are stored. */
export const WITH_FIGURES: readonly string[] = ['A', 'D'];

export function figuresOf({ states, transitions, ends }: Report): Figures {
  const sorted = Object.entries(ends).sort(([one], [other]) => one.localeCompare(other));
  return { states, transitions, ends: Object.fromEntries(sorted) };
}

/** Returns how the figures of a search differ from the stored ones: one line, or none. */
export function differencesOf(report: Report): readonly string[] {
  const [found, known] = [figuresOf(report), KNOWN[report.name]].map((each) => JSON.stringify(each));
  return found === known ? [] : [`${report.name}: ${known ?? 'no figures'} → ${found}`];
}
