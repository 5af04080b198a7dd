import { TooComplexError } from '../effort';

/** Runs the searches of one examination. A search that is too complex finds nothing. */
export class Attempts {
  #isComplete = true;

  /** Whether no search was too complex. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  find<Found>(search: () => readonly Found[]): readonly Found[] {
    return this.orElse([], search);
  }

  /** @param otherwise the result of a search that is too complex. */
  orElse<Result>(otherwise: Result, search: () => Result): Result {
    try {
      return search();
    } catch (error) {
      if (!(error instanceof TooComplexError)) throw error;
      this.#isComplete = false;
      return otherwise;
    }
  }
}
