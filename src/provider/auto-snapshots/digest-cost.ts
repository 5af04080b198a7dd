/** The parameters of scrypt, by the names of its specification. */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * The cost that OWASP recommends, in the form that needs 32 MiB: Node computes up to four at a
 * time, so that they need no more than one of the form with 128 MiB.
 */
export const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
