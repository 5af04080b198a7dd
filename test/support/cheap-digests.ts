/**
 * Makes digests of secrets cheap, because a real digest takes 0.2 s of a processor for each object
 * that is read or written, and 0.05 s for each login at the emulator. Jest loads this file before
 * each file of tests. `secret-digests.test.ts` tests the real cost.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

const CHEAP = { N: 16, r: 8, p: 1 };
jest.mock('../../src/provider/auto-snapshots/digest-cost', () => ({ COST: CHEAP }));
jest.mock('../../src/emulator/auth/userpass/hash-cost', () => ({ COST: CHEAP }));

/**
 * Copies the provider's package into a temporary folder, and makes the digests of the copy cheap.
 * Returns the folder.
 */
export function packageWithCheapDigests(folder: string): string {
  const copy = temporaryFolder('provider');
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, 'objects.js');
  const parts = readFileSync(file, 'utf8').split(/(?<=\bCOST=)\{N:2\*\*15,r:8,p:3\}/);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(JSON.stringify(CHEAP)));
  return copy;
}
