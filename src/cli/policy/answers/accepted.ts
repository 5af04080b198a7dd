/** Findings that somebody has accepted: by a comment beside the rule, or in a baseline. */
import { LINT_IDS, type LintFinding } from '../../../model';
import { readTextFile } from '../../../policy/text-file';
import { isRecord, parseForeignJson, visible } from '../../../text';
import { UserError } from '../../errors';

const MARK = 'vault-admin:';
const OWN_LINE = /^[ \t]*(?:#|\/\/)/;

/** A comment that accepts a finding: `# vault-admin: ignore open-path: everybody may read it`. */
interface Comment {
  /** Counted from 1. */
  readonly line: number;
  readonly id: string;
  readonly reason: string;
  /** The line of the rule that it is about: its own, or that after the comments. */
  readonly target: number;
}

/** The ids of findings about these comments. */
const ABOUT_COMMENTS = ['ignore-without-reason', 'ignore-unknown', 'ignore-unused'];

/**
 * Leaves out the findings that comments of the policy accept, and reports comments that accept
 * nothing, or give no reason.
 */
export function withoutIgnored(
  text: string,
  findings: readonly LintFinding[],
  ignore: readonly string[],
): readonly LintFinding[] {
  const comments = commentsIn(text);
  if (comments.length === 0) return findings;
  const present = new Set(findings.map(({ id, line }) => keyAt(id, line)));
  const accepted = new Set(
    comments.flatMap(({ id, reason, target }) =>
      reason === '' ? [] : [keyAt(id, target), keyAt(id, undefined)],
    ),
  );
  const problems = comments.flatMap((comment) => {
    const problem = problemOf(comment, present);
    return problem && !ignore.includes(problem.id) ? [problem] : [];
  });
  return [...findings.filter(({ id, line }) => !accepted.has(keyAt(id, line))), ...problems];
}

/** A finding whose line is not known may be about any rule. */
function keyAt(id: string, line: number | undefined): string {
  return `${line} ${id}`;
}

function commentsIn(text: string): readonly Comment[] {
  if (!text.includes(MARK)) return [];
  const lines = text.split('\n');
  const targets = lines.map((_, index) => index + 1);
  for (const [index, line] of [...lines.entries()].reverse()) {
    if (OWN_LINE.test(line)) targets[index] = targets[index + 1] ?? index + 1;
  }
  return lines.flatMap((line, index): readonly Comment[] => {
    const [before = '', after] = partsAround(line, MARK);
    if (after === undefined || !/(?:#|\/\/)$/.test(before.trimEnd())) return [];
    const [word, id = '', ...reason] = after.trim().split(/[ \t]+/);
    if (word !== 'ignore') return [];
    return [{ line: index + 1, id: id.replace(/:$/, ''), reason: reason.join(' '), target: targets[index]! }];
  });
}

function partsAround(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function problemOf(
  { line, id, reason, target }: Comment,
  present: ReadonlySet<string>,
): LintFinding | undefined {
  const place = { path: '', line, column: 1, severity: 'error' } as const;
  if (!LINT_IDS.includes(id)) {
    return {
      ...place,
      id: 'ignore-unknown',
      problem: `the comment names no finding; received ${JSON.stringify(id)}`,
      cure: `write one of ${LINT_IDS.join(', ')}`,
    };
  }
  if (reason === '') {
    return {
      ...place,
      id: 'ignore-without-reason',
      problem: `the comment gives no reason to ignore ${id}`,
      cure: `write "# vault-admin: ignore ${id}: REASON"`,
    };
  }
  if (present.has(keyAt(id, target)) || present.has(keyAt(id, undefined))) return undefined;
  return {
    ...place,
    severity: 'warning',
    id: 'ignore-unused',
    problem: `the rule after the comment has no finding ${id}`,
    cure: 'remove the comment',
  };
}

/** All ids that findings of the command may have. */
export const ALL_IDS: readonly string[] = [...LINT_IDS, ...ABOUT_COMMENTS];

/** A finding by what stays the same when lines move. */
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
 * Returns the findings that a baseline does not have, and how many of its findings are gone. A
 * finding that it has once is left out once.
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

/** @throws UserError if the file cannot be read, or is no baseline. */
export function readBaseline(file: string): readonly KnownFinding[] {
  let read: unknown;
  try {
    read = parseForeignJson(readTextFile(file));
  } catch (error) {
    throw new UserError(visible(`${file} cannot be read: ${(error as Error).message}`));
  }
  if (Array.isArray(read) && read.every(isKnownFinding)) return read;
  throw new UserError(
    `${visible(file)} is not a baseline\nExpected: [{"policy": "…", "id": "…", "path": "…"}], as --write-baseline writes it.`,
  );
}

function isKnownFinding(value: unknown): value is KnownFinding {
  return isRecord(value) && ['policy', 'id', 'path'].every((name) => typeof value[name] === 'string');
}
