import { createHash } from 'node:crypto';
import { type Json, stringifyJson } from '../core/primitives/json';

/**
 * The hashes of the replicated values by the ids of their keys. A secondary also has the hashes of
 * data that a filter withholds from it, so that its root can be compared with the primary's.
 */
export type Leaves = ReadonlyMap<string, string>;

/**
 * Hashes of values. Values never change after they are stored, and all clusters of a process share
 * them.
 */
const KNOWN_HASHES = new WeakMap<object, string>();

/** Returns the id of a key in the tree. */
export function leafId(key: string): string {
  return createHash('sha1').update(key).digest('hex');
}

export function leafHash(value: Json): string {
  if (typeof value !== 'object' || value === null) return hashOf(value);
  const known = KNOWN_HASHES.get(value);
  if (known !== undefined) return known;
  const hash = hashOf(value);
  KNOWN_HASHES.set(value, hash);
  return hash;
}

function hashOf(value: Json): string {
  return createHash('sha1').update(stringifyJson(value)).digest('hex');
}

/** Returns the root: 40 hex digits, which are equal if all leaves are. */
export function merkleRoot(leaves: Leaves): string {
  const root = createHash('sha1');
  for (const id of [...leaves.keys()].sort()) root.update(id).update(leaves.get(id) ?? '');
  return root.digest('hex');
}
