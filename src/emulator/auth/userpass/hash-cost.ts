/** The parameters of scrypt for passwords, by the names of its specification. */
export const COST = { N: 2 ** 14, r: 8, p: 1 };
