import { TooComplexError } from '../effort';

/** The searches of one examination; a search that is too complex finds nothing. */
export class Attempts {
  #isComplete = true;

  /** Whether no search was too complex. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  find<Found>(search: () => readonly Found[]): readonly Found[] {
    try {
      return search();
    } catch (error) {
      if (!(error instanceof TooComplexError)) throw error;
      this.#isComplete = false;
      return [];
    }
  }
}
