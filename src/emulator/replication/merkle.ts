import { createHash } from 'node:crypto';
import { type Json, stringifyJson } from '../core/primitives/json';

/**
 * The hashes of replicated data: of every key, the hash of its value. Of data that a filter keeps from a secondary, the
 * secondary knows these hashes all the same, so that its root can be compared with the primary's.
 */
export type Leaves = ReadonlyMap<string, string>;

/** Values are never changed once stored, and are the same objects in all clusters of a process. */
const KNOWN_HASHES = new WeakMap<object, string>();

/** The id of a key in the tree. */
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

/** 40 hex digits, equal where all leaves are. */
export function merkleRoot(leaves: Leaves): string {
  const root = createHash('sha1');
  for (const id of [...leaves.keys()].sort()) root.update(id).update(leaves.get(id) ?? '');
  return root.digest('hex');
}
