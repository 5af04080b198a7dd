import { Random } from '../../model/support/random';
import { WorkCounter } from '../../support/counted-work';
import { type Grammar, mutated, type Node, written } from './trees';

const { FUZZ_SECONDS, FUZZ_SEED } = process.env;
/** `npm run fuzz` sets another time. */
const SECONDS = Number(FUZZ_SECONDS ?? 1);
/** The tries of each search. They are counted, so that a search finds the same on every machine. */
const TRIES = 120 * SECONDS;
/** Longer runs try other inputs every time. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_SECONDS === undefined ? 1 : Math.floor(Math.random() * 2 ** 31)));
/**
 * The searches for a planted fault, of which one has to find it. Which inputs are kept depends on how V8 compiled the functions
 * that it counts, so that no single seed finds it in every process.
 */
const PLANTED_SEARCHES = 5;
/** Milliseconds for a search, on a machine that is busy. */
const TIMEOUT = 300_000 + 50_000 * SECONDS;
/** The inputs from which the next ones are made. */
const KEPT = 6;
/** In characters: what grows faster than the size shows in shorter inputs. */
const LONGEST = 6_000;

export interface Search<Subject> {
  readonly grammar: Grammar;
  readonly start: (random: Random) => Node;
  readonly subject: Subject;
  /** A subject with a fault that the search has to find. */
  readonly planted: Subject;
  readonly run: (subject: Subject, text: string) => void;
  /** The work that the last run may have taken, for a text of a length. */
  readonly most: (characters: number) => number;
}

interface Found {
  readonly tree: Node;
  readonly text: string;
  readonly work: number;
}

/** Declares two tests: that a planted fault is found within the usual number of tries, and that the subject has none. */
export function climb<Subject>(title: string, search: Search<Subject>): void {
  test(
    `${title}: a planted fault is found`,
    () => {
      const isFound = (_: unknown, index: number) =>
        excess(search, search.planted, SEED + index) !== undefined;
      expect(Array.from({ length: PLANTED_SEARCHES }).some(isFound)).toBe(true);
    },
    TIMEOUT,
  );

  test(
    `${title}: no input takes more work than it pays for`,
    () => {
      const found = excess(search, search.subject, SEED);
      if (found) throw new Error(`FUZZ_SEED=${SEED}: ${found.work} blocks for\n${found.text}`);
    },
    TIMEOUT,
  );
}

/** Looks for an input that takes more work than it may: it changes the inputs that took the most for their length. */
function excess<Subject>(
  { grammar, start, run, most }: Search<Subject>,
  subject: Subject,
  seed: number,
): Found | undefined {
  const random = new Random(seed);
  const counter = new WorkCounter();
  try {
    let kept: Found[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      const tree = tries < KEPT ? start(random) : mutated(random.pick(kept).tree, grammar, random);
      const text = written(tree, grammar);
      if (text.length > LONGEST) continue;
      const work = counter.count(() => run(subject, text));
      const found = { tree, text, work };
      if (work > most(text.length)) return found;
      kept = [...kept, found]
        .sort((a, b) => b.work / (b.text.length + 1_000) - a.work / (a.text.length + 1_000))
        .slice(0, KEPT);
    }
    return undefined;
  } finally {
    counter.close();
  }
}
