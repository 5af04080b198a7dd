import { renderText } from '../messages';

/** Policies that would take more steps than they may. */
export class TooComplexError extends Error {
  override readonly name = 'TooComplexError';

  /** @param policies the names of the policies. */
  constructor(readonly policies: readonly string[] = []) {
    super(
      renderText({
        summary: `${namesText(policies)} too complex to compare: too many rules or parameter values apply to the same requests`,
        cures: 'divide the policy, or write fewer patterns for the same paths and parameters',
      }),
    );
  }
}

const MOST_NAMES = 3;

function namesText(policies: readonly string[]): string {
  const names = [...new Set(policies)];
  if (names.length === 0) return 'the ACL policies are';
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.length === 1 ? `ACL policy ${shown[0]} is` : `the ACL policies ${shown.join(', ')}${more} are`;
}

/** The limit of small policies. */
const STEPS = 60_000;
/** Added to the limit of longer policies. Policies that people write take less than one. */
const STEPS_PER_CHARACTER = 16;
const MOST_STEPS = 5_000_000;
const STEPS_OF_ITS_OWN = 5_000;

/** Policies, or a request, that are examined. */
interface Examined {
  readonly names: readonly string[];
  /** Their length. */
  readonly characters: number;
}

/**
 * The steps that an examination of policies may still take: a step is a comparison of two segments or values, a character
 * that is read, or a thing that is kept. Every loop pays for its steps, so that the time is bounded whatever the policies
 * hold.
 */
export class Effort {
  #left: number;
  readonly #names: readonly string[];
  readonly #shared: Effort | undefined;
  /** The steps that are not taken from the shared ones. */
  #own = STEPS_OF_ITS_OWN;

  /**
   * @param names those of the policies, for the error.
   * @param shared steps that several examinations have together: this one takes from them what is more than a few thousand, so
   * that expensive policies do not keep ordinary ones from being examined.
   */
  constructor(steps: number, names: readonly string[] = [], shared?: Effort) {
    this.#left = steps;
    this.#names = names;
    this.#shared = shared;
  }

  /** Returns what the examination of some policies may take. It grows with their length, and has an end. */
  static for(examined: readonly Examined[], shared?: Effort): Effort {
    const characters = examined.reduce((sum, each) => sum + each.characters, 0);
    const names = examined.flatMap((each) => each.names);
    return new Effort(Math.min(STEPS + STEPS_PER_CHARACTER * characters, MOST_STEPS), names, shared);
  }

  /** @throws TooComplexError if not enough is left. */
  spend(steps: number): void {
    this.#left -= steps;
    this.#own -= steps;
    if (this.#shared && this.#own < 0) {
      this.#shared.#left += this.#own;
      this.#own = 0;
      if (this.#shared.#left < 0) throw new TooComplexError(this.#names);
    }
    if (this.#left < 0) throw new TooComplexError(this.#names);
  }

  get left(): number {
    return this.#left;
  }
}

/** For loops that the product's own tables bound, and not what is given. */
export const UNCOUNTED = new Effort(Infinity);

/** Texts are compared in blocks, and taken apart and joined character by character. */
const COMPARED_CHARACTERS_PER_STEP = 256;
const CUT_CHARACTERS_PER_STEP = 16;

/** The steps of a comparison of texts. */
export function stepsFor(text: string): number {
  return 1 + text.length / COMPARED_CHARACTERS_PER_STEP;
}

/** The steps of taking texts apart, and of joining them. */
export function stepsToCut(texts: number, characters: number): number {
  return texts + characters / CUT_CHARACTERS_PER_STEP;
}
