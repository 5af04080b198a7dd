import { TooComplexError } from '../effort';

/** Runs the searches of one examination. A search that is too complex has no findings. */
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
