import type { Value } from '../values/value';

/** Powers of 1024. */
export const UNITS: Readonly<Record<string, Value>> = {
  byte: 1n,
  kilobyte: 1024n,
  megabyte: 1024n ** 2n,
  gigabyte: 1024n ** 3n,
  terabyte: 1024n ** 4n,
  petabyte: 1024n ** 5n,
};
