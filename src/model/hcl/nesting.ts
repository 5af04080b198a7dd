import type { HclError } from './errors';

/** Deeper texts would exhaust the stack. No policy comes near. */
const DEEPEST = 500;

/** Counts how deep a parser is inside of values. */
export class Nesting {
  #depth = 0;

  /** Reads something inside of what is being read. */
  within<T>(read: () => T, refuse: (message: string) => HclError): T {
    if (this.#depth >= DEEPEST) throw refuse(`nested more than ${DEEPEST} levels deep`);
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
