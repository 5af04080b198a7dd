import { Random } from '../../model/support/random';
import { countedWorkOf } from '../../support/counted-work';
import { type Grammar, mutated, type Node, written } from './trees';

const { FUZZ_SECONDS, FUZZ_SEED } = process.env;
/** `npm run fuzz` sets another time. */
const SECONDS = Number(FUZZ_SECONDS ?? 1);
/** The tries of each search. They are counted, so that a search finds the same on every machine. */
const TRIES = 25 * SECONDS;
/** The tries within which a planted fault has to be found. */
const PATIENCE = 300;
/** Longer runs try other inputs every time. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_SECONDS === undefined ? 1 : Math.floor(Math.random() * 2 ** 31)));
/** Milliseconds for a search, on a machine that is busy. */
const TIMEOUT = 300_000 + 50_000 * SECONDS;
/** The inputs from which the next ones are made. */
const KEPT = 6;
/**
 * The characters that take about as much work as a command without any. Shorter inputs are no
 * better for being short.
 */
const IDLE = 20_000;
/** In characters: what grows faster than the size shows in shorter inputs. */
const LONGEST = 6_000;

export interface Search {
  readonly grammar: Grammar;
  readonly start: (random: Random) => Node;
  /** In characters, if the first inputs are long already. */
  readonly longest?: number;
  /** Gives a text to the code. */
  readonly run: (text: string) => Promise<Allowed>;
  /** Puts a fault into the code, which the search has to find. Returns how to remove it. */
  readonly plant: () => () => void;
}

interface Allowed {
  /** The length of what the code received. */
  readonly characters: number;
  /** The work that it may take. */
  readonly work: number;
}

interface Found {
  readonly tree: Node;
  readonly text: string;
  readonly work: number;
  /** The part of the work that is allowed. */
  readonly part: number;
  /** The highest ones are changed into the next inputs. */
  readonly score: number;
}

/** Declares two tests: that a planted fault is found, and that the code has none. */
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
    `${title}: no input takes more work than it pays for`,
    async () => {
      const { part, work, text } = await worst(search, TRIES, SEED);
      if (part > 1) throw new Error(`FUZZ_SEED=${SEED}: ${work} blocks, ${part} times the work for\n${text}`);
    },
    TIMEOUT,
  );
}

/**
 * Looks for an input that takes more work than it may: it changes the inputs that took the most for
 * what they may take.
 */
async function worst(
  { grammar, start, run, longest = LONGEST }: Search,
  tries: number,
  seed: number,
): Promise<Found> {
  const random = new Random(seed);
  let kept: Found[] = [];
  // The first run also loads and makes things that later ones keep.
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
