/** Comments of a policy that accept findings. */
import { LINT_IDS, type LintFinding } from '../model';

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
  ignore: readonly string[] = [],
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

/** Returns a key for findings of a kind at a line; `undefined` for findings without a line. */
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
