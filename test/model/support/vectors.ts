import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Cases with the answers that the server's own code gave. */
export function readVectors<T>(path: string): readonly T[] {
  return JSON.parse(readFileSync(join(__dirname, '..', path), 'utf8')) as readonly T[];
}
