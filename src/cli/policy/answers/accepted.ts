/** Findings that a baseline accepts. */
import { readTextFile } from '../../../policy/text-file';
import { isRecord, parseForeignJson, visible } from '../../../text';
import { UserError } from '../../errors';
import { readNamed } from '../../named-files';

/** The parts of a finding that stay the same if its rule moves to another line. */
interface KnownFinding {
  readonly policy: string;
  readonly id: string;
  readonly path: string;
}

/** Returns findings in the form of a baseline. */
export function baselineOf(findings: readonly KnownFinding[]): readonly KnownFinding[] {
  return findings.map(({ policy, id, path }) => ({ policy, id, path }));
}

/**
 * Returns the findings that a baseline does not contain, and the number of findings of the baseline
 * that are gone. Each entry of the baseline accepts one finding.
 */
export function newSince<T extends KnownFinding>(
  known: readonly KnownFinding[],
  findings: readonly T[],
): { readonly found: readonly T[]; readonly gone: number } {
  const left = new Map<string, number>();
  for (const each of known) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1);
  const found = findings.filter((each) => {
    const count = left.get(keyOf(each)) ?? 0;
    if (count > 0) left.set(keyOf(each), count - 1);
    return count === 0;
  });
  return { found, gone: [...left.values()].reduce((sum, count) => sum + count, 0) };
}

function keyOf({ policy, id, path }: KnownFinding): string {
  return JSON.stringify([policy, id, path]);
}

/** @throws UserError if the file cannot be read, or is not a baseline. */
export function readBaseline(file: string): readonly KnownFinding[] {
  const read = readNamed(file, () => parseForeignJson(readTextFile(file)));
  if (Array.isArray(read) && read.every(isKnownFinding)) return read;
  throw new UserError(
    `${visible(file)} is not a baseline\nExpected: [{"policy": "…", "id": "…", "path": "…"}], as --write-baseline writes it.`,
  );
}

function isKnownFinding(value: unknown): value is KnownFinding {
  return isRecord(value) && ['policy', 'id', 'path'].every((name) => typeof value[name] === 'string');
}
