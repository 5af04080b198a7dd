/** What one run of a policy may use. */
export interface Limits {
  /** Statements and expressions evaluated. */
  readonly steps: number;
  /** Calls within calls. */
  readonly calls: number;
  /** Characters of strings and elements of lists and maps made, in all. */
  readonly memory: number;
}

export const DEFAULT_LIMITS: Limits = { steps: 5_000_000, calls: 500, memory: 50_000_000 };

/** How deep expressions, statements and calls may nest. The stack of Node.js holds more. */
export const DEEPEST_EVALUATION = 4000;
