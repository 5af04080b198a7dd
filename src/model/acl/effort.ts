import { renderText, type Message } from '../messages';

/** An error for policies whose examination would take more steps than its limit. */
export class TooComplexError extends Error {
  override readonly name = 'TooComplexError';

  /**
   * @param policies the names of the policies.
   * @param message what is too complex. Default: too many rules or values.
   */
  constructor(
    readonly policies: readonly string[] = [],
    message: Message = {
      summary: `${namesText(policies)} too complex to compare: too many rules or parameter values apply to the same requests`,
      cures: 'divide the policy, or write fewer patterns for the same paths and parameters',
    },
  ) {
    super(renderText(message));
  }
}

/**
 * Returns the error for a parameter that a policy and its limit both restrict by patterns of
 * values.
 */
export function limitsTooComplex(parameter: string): TooComplexError {
  return new TooComplexError([], {
    summary: `the policies and their limits are too complex to compare: both restrict the parameter ${JSON.stringify(parameter)} by patterns`,
    cures: 'write values without "*" and commas in one of them, or the same values in both',
  });
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
/**
 * The steps that each character adds to the limit. Policies that people write take less than one
 * step for a character.
 */
const STEPS_PER_CHARACTER = 16;
const MOST_STEPS = 5_000_000;
const STEPS_OF_ITS_OWN = 5_000;

/** Policies, or a request, that are examined. */
interface Examined {
  readonly names: readonly string[];
  /** The length of their texts. */
  readonly characters: number;
}

/**
 * The steps that an examination of policies may still take. A step is a comparison of two segments
 * or values, a character that is read, or an item that is stored. Every loop pays for its steps, so
 * that the time is bounded for all policies.
 */
export class Effort {
  #left: number;
  readonly #names: readonly string[];
  readonly #shared: Effort | undefined;
  /** The steps that this examination may take before it takes shared ones. */
  #own = STEPS_OF_ITS_OWN;

  /**
   * @param names the names of the policies, for the error.
   * @param shared the steps that several examinations have in common. This examination takes from
   * them only after a few thousand steps of its own, so that expensive policies do not prevent the
   * examination of ordinary ones.
   */
  constructor(steps: number, names: readonly string[] = [], shared?: Effort) {
    this.#left = steps;
    this.#names = names;
    this.#shared = shared;
  }

  /**
   * Returns the limit for an examination of some policies. It grows with their length, up to a
   * maximum.
   */
  static for(examined: readonly Examined[], shared?: Effort, most = MOST_STEPS): Effort {
    const characters = examined.reduce((sum, each) => sum + each.characters, 0);
    const names = examined.flatMap((each) => each.names);
    return new Effort(Math.min(STEPS + STEPS_PER_CHARACTER * characters, most), names, shared);
  }

  /**
   * Pays for steps.
   *
   * @throws TooComplexError if not enough is left.
   */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#shared) this.#spendShared(this.#shared, steps);
    if (this.#left < 0) throw new TooComplexError(this.#names);
  }

  #spendShared(shared: Effort, steps: number): void {
    this.#own -= steps;
    if (this.#own >= 0) return;
    shared.#left += this.#own;
    this.#own = 0;
    if (shared.#left < 0) throw new TooComplexError(this.#names);
  }

  get left(): number {
    return this.#left;
  }
}

/** The effort for loops whose length depends on tables in this package, and not on the input. */
export const UNCOUNTED = new Effort(Infinity);

/**
 * The characters that count as one step of a comparison. Texts are compared in blocks, so this
 * number is larger than for splitting and joining.
 */
const COMPARED_CHARACTERS_PER_STEP = 256;
const CUT_CHARACTERS_PER_STEP = 16;

/** Returns the steps of a comparison of texts. */
export function stepsFor(text: string): number {
  return 1 + text.length / COMPARED_CHARACTERS_PER_STEP;
}

/** Returns the steps of splitting or joining texts. */
export function stepsToCut(texts: number, characters: number): number {
  return texts + characters / CUT_CHARACTERS_PER_STEP;
}
