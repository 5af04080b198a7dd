/** A function that takes foreign texts or values, and the growth of its work that is allowed. */
export interface Bound {
  /** The function, as other code imports it. */
  readonly name: string;
  /** Where its input is from. */
  readonly source: 'policy' | 'request' | 'audit log' | 'file' | 'server' | 'plan';
  /** The sizes of its inputs: each is doubled from the first to the last one. */
  readonly sizes: readonly [first: number, last: number];
  /** The exponent of the growth: 1 for work in proportion to the size. */
  readonly growth: number;
  /** Why it grows faster than the size, and what bounds it then. Absent for a growth of 1. */
  readonly reason?: string;
  /** Counts the work for an input of a size. */
  readonly work: (size: number) => number;
}
