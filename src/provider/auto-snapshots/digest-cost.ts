/** The parameters of scrypt, by the names of its specification. */
export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * The cost that OWASP recommends, in the variant with 32 MiB. Node computes up to four digests at a
 * time, so their memory stays within 128 MiB.
 */
export const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
