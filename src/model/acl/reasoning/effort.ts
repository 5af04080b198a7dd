/** Policies whose comparison takes more than it may. */
export class TooComplexError extends Error {
  constructor() {
    super('too many rules apply to the same paths');
    this.name = 'TooComplexError';
  }
}

/** What a comparison of policies may still take, in comparisons of two patterns: it grows with the rules that overlap. */
export class Effort {
  #left: number;

  constructor(comparisons: number) {
    this.#left = comparisons;
  }

  /** @throws TooComplexError if nothing is left. */
  spend(comparisons: number): void {
    this.#left -= comparisons;
    if (this.#left < 0) throw new TooComplexError();
  }

  get left(): number {
    return this.#left;
  }
}
