import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads cases with the results of the server's own code. */
export function readVectors<T>(path: string): readonly T[] {
  return JSON.parse(readFileSync(join(__dirname, '..', path), 'utf8')) as readonly T[];
}
