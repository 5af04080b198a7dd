/** Searches bounds with mutants of the provider's decisions, for `npm run mutate -- decide`. */
import { search, type Report, type Start } from './search';
import { assumedOf, oneApply, threeMembers } from './starts';

/** What Stryker's instrumented code reads to know which mutant is active. */
interface Active {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

const active = ((globalThis as { __stryker__?: Active }).__stryker__ ??= {});

/** `same`: no decision in any state of the bounds is another one. `changed`: other decisions, and no property fails. */
export type Verdict = 'static' | 'not reached' | 'same' | 'found' | 'changed';

export interface Judged {
  readonly verdict: Verdict;
  /** The start whose search differs, and how. */
  readonly where?: string;
}

interface Searched {
  readonly start: Start;
  readonly report: Report;
  readonly reaches: Readonly<Record<string, number>>;
}

/** Searches the bounds with single mutants. */
export class Mutants {
  readonly #searched: readonly Searched[];
  readonly #static: Readonly<Record<string, number>>;

  constructor() {
    this.#static = { ...active.mutantCoverage?.static };
    const assumed = assumedOf();
    this.#searched = [...oneApply(assumed), ...threeMembers(assumed)]
      .map((start) => {
        active.currentTestId = start.name;
        const report = search(start);
        active.currentTestId = undefined;
        return { start, report, reaches: active.mutantCoverage!.perTest[start.name] ?? {} };
      })
      .sort((a, b) => a.report.states - b.report.states);
  }

  get figures(): readonly string[] {
    return this.#searched.map(
      ({ report }) => `${report.name}: ${report.states} states, ${report.seconds.toFixed(1)} s`,
    );
  }

  judge(id: string): Judged {
    if (this.#static[id] !== undefined) return { verdict: 'static' };
    const reaching = this.#searched.filter(({ reaches }) => reaches[id] !== undefined);
    if (reaching.length === 0) return { verdict: 'not reached' };
    let changed: string | undefined;
    for (const { start, report, reaches } of reaching) {
      const found = withMutant(id, reaches[id]!, start, report);
      if (found.kind === 'found') return { verdict: 'found', where: `${start.name}: ${found.how}` };
      if (found.kind === 'changed') changed ??= `${start.name}: ${found.how}`;
    }
    return changed === undefined ? { verdict: 'same' } : { verdict: 'changed', where: changed };
  }
}

function withMutant(
  id: string,
  hits: number,
  start: Start,
  { states, transitions, ends }: Report,
): { readonly kind: 'found' | 'changed' | 'same'; readonly how: string } {
  active.activeMutant = id;
  active.hitCount = 0;
  active.hitLimit = 20 * hits + 10_000;
  try {
    const mutated = search(start, { most: 1, limit: 3 * states + 1_000 });
    const [violation] = mutated.violations;
    if (violation) return { kind: 'found', how: violation.property };
    const isSame =
      mutated.states === states &&
      mutated.transitions === transitions &&
      JSON.stringify(mutated.ends) === JSON.stringify(ends);
    const how = `${states} → ${mutated.states} states, ${JSON.stringify(ends)} → ${JSON.stringify(mutated.ends)}`;
    return isSame ? { kind: 'same', how } : { kind: 'changed', how };
  } catch (error) {
    return { kind: 'found', how: (error as Error).message.split('\n')[0]! };
  } finally {
    active.activeMutant = undefined;
  }
}
