/**
 * Makes digests of secrets cheap. Tests import this file first: a real digest takes a second of a
 * processor in each run of Terraform. The cost of real digests has a test of its own.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHEAP = { N: 16, r: 8, p: 1 };
jest.mock('../../../src/provider/auto-snapshots/digest-cost', () => ({ COST: CHEAP }));

/** Copies the provider's package into a folder for temporary files, with the same cheap digests. */
export function packageWithCheapDigests(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'provider-'));
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, 'objects.js');
  const parts = readFileSync(file, 'utf8').split(/(?<=\bCOST=)\{N:2\*\*15,r:8,p:3\}/);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(JSON.stringify(CHEAP)));
  return copy;
}
