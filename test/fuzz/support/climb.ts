import { Random } from '../../model/support/random';
import { countedWorkOf } from '../../support/counted-work';
import { type Grammar, mutated, type Node, written } from './trees';

const { FUZZ_SECONDS, FUZZ_SEED } = process.env;
/** The time of each search, in seconds. `npm run fuzz` sets another time. */
const SECONDS = Number(FUZZ_SECONDS ?? 1);
/**
 * The number of tries of each search. It is fixed, so that a search finds the same on every
 * machine.
 */
const TRIES = 25 * SECONDS;
/** The number of tries within which a planted fault has to be found. */
const PATIENCE = 300;
/** The seed is fixed by default. Each run of `npm run fuzz` tries other inputs. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_SECONDS === undefined ? 1 : Math.floor(Math.random() * 2 ** 31)));
/** The time limit of a search in milliseconds, for a busy machine. */
const TIMEOUT = 300_000 + 50_000 * SECONDS;
/** The number of inputs that are kept. The next inputs are derived from them. */
const KEPT = 6;
/**
 * The number of characters whose work is about that of a command with an empty input. It is added
 * to the length in a score, so that short inputs have no advantage.
 */
const IDLE = 20_000;
/** The maximum length in characters: work that grows faster than the size shows in short inputs. */
const LONGEST = 6_000;

export interface Search {
  readonly grammar: Grammar;
  readonly start: (random: Random) => Node;
  /** The maximum length in characters. Default: {@link LONGEST} */
  readonly longest?: number;
  /** Passes a text to the code, and returns the work that was allowed for it. */
  readonly run: (text: string) => Promise<Allowed>;
  /**
   * Plants a fault in the code, which the search has to find. Returns a function that removes it.
   */
  readonly plant: () => () => void;
}

interface Allowed {
  /** The length of the input of the code. */
  readonly characters: number;
  /** The allowed work. */
  readonly work: number;
}

interface Found {
  readonly tree: Node;
  readonly text: string;
  readonly work: number;
  /** The ratio of the work to the allowed work. */
  readonly part: number;
  /** The work for the length of the input. The inputs with the highest scores are kept. */
  readonly score: number;
}

/** Declares two tests: the search finds a planted fault, and no fault without it. */
export function climb(title: string, search: Search): void {
  test(
    `${title}: a planted fault is found`,
    async () => {
      const remove = search.plant();
      try {
        expect((await worst(search, PATIENCE, 1)).part).toBeGreaterThan(1);
      } finally {
        remove();
      }
    },
    TIMEOUT,
  );

  test(
    `${title}: no input takes more work than it may`,
    async () => {
      const { part, work, text } = await worst(search, TRIES, SEED);
      if (part > 1) throw new Error(`FUZZ_SEED=${SEED}: ${work} blocks, ${part} times the work for\n${text}`);
    },
    TIMEOUT,
  );
}

/**
 * Searches for an input that takes more work than allowed, by repeated changes of the inputs with
 * the highest scores. Returns the input that took the largest part of its allowed work.
 */
async function worst(
  { grammar, start, run, longest = LONGEST }: Search,
  tries: number,
  seed: number,
): Promise<Found> {
  const random = new Random(seed);
  let kept: Found[] = [];
  // The first run also loads code and creates objects that later runs use again.
  await run(written(start(random), grammar));
  for (let count = 0; count < tries; count++) {
    const tree = count < KEPT ? start(random) : mutated(random.pick(kept).tree, grammar, random);
    const text = written(tree, grammar);
    if (text.length > longest) continue;
    let allowed: Allowed | undefined;
    const work = await countedWorkOf(async () => (allowed = await run(text)));
    const score = work / (allowed!.characters + IDLE);
    const found = { tree, text, work, part: work / allowed!.work, score };
    if (found.part > 1) return found;
    kept = [...kept, found].sort((a, b) => b.score - a.score).slice(0, KEPT);
  }
  return kept.reduce((one, other) => (other.part > one.part ? other : one));
}
