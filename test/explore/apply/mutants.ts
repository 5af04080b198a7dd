/** Searches bounds with mutants of the provider's decisions, for `npm run mutate -- decide`. */
import { figuresOf } from './figures';
import { furtherStarts } from './further-starts';
import { search, type Report, type Start } from './search';
import { assumedOf, oneApply, threeMembers } from './starts';

/** The object from which Stryker's instrumented code reads the active mutant. */
interface Active {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

const active = ((globalThis as { __stryker__?: Active }).__stryker__ ??= {});

/**
 * `static`: the mutated code runs once, while it is loaded, so that the mutant cannot be switched
 * on. `same`: the mutant makes the same requests in each world that the bounds reach. `property`: a
 * property fails, or the search does not end. `figures`: the search has another number of states or
 * ends, or its messages give other advice. `unnoticed`: the mutant makes another request, and the
 * search does not differ.
 */
type Verdict = 'static' | 'not reached' | 'same' | 'property' | 'figures' | 'unnoticed';

interface Judged {
  readonly verdict: Verdict;
  /** The first start whose search differs, and the difference. */
  readonly where?: string;
}

interface Searched {
  readonly start: Start;
  readonly report: Report;
  /** By start, how often the search reaches each mutant. */
  readonly reaches: Readonly<Record<string, number>>;
}

/** Searches the bounds A, D and E with single mutants. */
class Mutants {
  readonly #searched: readonly Searched[];
  readonly #static: Readonly<Record<string, number>>;

  constructor() {
    this.#static = { ...active.mutantCoverage?.static };
    const assumed = assumedOf();
    this.#searched = [...oneApply(assumed), ...threeMembers(assumed), ...furtherStarts(assumed)]
      .map((start) => {
        active.currentTestId = start.name;
        const report = search(start, { digests: true });
        active.currentTestId = undefined;
        return { start, report, reaches: active.mutantCoverage?.perTest[start.name] ?? {} };
      })
      .sort((one, other) => one.report.states - other.report.states);
  }

  /** Searches with a mutant, the smallest starts first, until a start notices it. */
  judge(id: string): Judged {
    if (this.#static[id] !== undefined) return { verdict: 'static' };
    const reaching = this.#searched.filter(({ reaches }) => reaches[id] !== undefined);
    if (reaching.length === 0) return { verdict: 'not reached' };
    let unnoticed: Judged | undefined;
    for (const searched of reaching) {
      const judged = withMutant(id, searched);
      if (judged.verdict === 'unnoticed') unnoticed ??= judged;
      else if (judged.verdict !== 'same') return judged;
    }
    return unnoticed ?? { verdict: 'same' };
  }
}

let mutants: Mutants | undefined;

/** Returns what notices a mutant. The searches without one are made once in a process. */
export function judge(id: string): Judged {
  mutants ??= new Mutants();
  return mutants.judge(id);
}

function withMutant(id: string, { start, report, reaches }: Searched): Judged {
  active.activeMutant = id;
  active.hitCount = 0;
  active.hitLimit = 20 * reaches[id]! + 10_000;
  try {
    const mutated = search(start, { most: 1, limit: 3 * report.states + 1_000, digests: true });
    const [violation] = mutated.violations;
    if (violation) return { verdict: 'property', where: `${start.name}: ${violation.property}` };
    const [before, after] = [report, mutated].map((each) => JSON.stringify(figuresOf(each)));
    if (before !== after) return { verdict: 'figures', where: start.name };
    return mutated.digest === report.digest
      ? { verdict: 'same' }
      : { verdict: 'unnoticed', where: start.name };
  } catch (error) {
    return { verdict: 'property', where: `${start.name}: ${(error as Error).message.split('\n')[0]!}` };
  } finally {
    active.activeMutant = undefined;
  }
}
