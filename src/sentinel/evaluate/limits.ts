/** The limits of one run of a policy. */
export interface RunLimits {
  /** The number of statements and expressions to evaluate. */
  readonly steps: number;
  /** The depth of calls within calls. */
  readonly calls: number;
  /** The number of characters of strings and elements of lists and maps to create, in total. */
  readonly memory: number;
  /**
   * The time that the run may take. It is checked between steps, after each request of `http`, and
   * before each call that would take longer than the remaining time.
   */
  readonly milliseconds: number;
}

/** Returns the limits, with the default for each that is left out. */
export function withDefaults({
  steps = 5_000_000,
  calls = 500,
  memory = 50_000_000,
  milliseconds = Infinity,
}: Partial<RunLimits> = {}): RunLimits {
  return { steps, calls, memory, milliseconds };
}

/** The number of steps after which the clock is checked again. */
export const STEPS_BETWEEN_LOOKS = 1000;

/**
 * The depth to which expressions, statements and calls may nest. The stack of Node.js is large
 * enough for it.
 */
export const DEEPEST_EVALUATION = 4000;
