import { AclPolicyError } from '../errors';
import { parseAclSource, type AclParseOptions, type AclSource } from '../parse';
import type { AclRule } from '../policy';
import { mergePermissions, permissionsOf, type Permissions } from '../permissions';
import { AclPolicySet, deadRules, Effort, TooComplexError, type DeadRule } from '../reasoning';
import { coverExpressions } from './expressions';
import { complaintOf, describeFault } from './fault';
import { mountsIn, type MountKind } from './mounts';
import { LINT_CHECKS, type LintSeverity } from './rules';

/** Something about a rule that is probably not meant. */
export interface LintFinding {
  readonly id: string;
  readonly severity: LintSeverity;
  /** The path of the rule, as written. */
  readonly path: string;
  /** Counted from 1. Absent if the place is not known. */
  readonly line?: number;
  readonly column?: number;
  readonly problem: string;
  readonly cure: string;
}

export interface LintOptions extends Pick<AclParseOptions, 'namespace'> {
  /** The kinds of mounts by their paths, as far as they are known: `kv-2` for `secret`. */
  readonly mounts?: ReadonlyMap<string, MountKind>;
  /** The ids of findings that are not wanted. */
  readonly ignore?: readonly string[];
}

/** How many comparisons of patterns rules that never matter are looked for with: those of some thousand rules. */
const MOST_COMPARISONS = 20_000_000;

/** All ids that findings may have. */
export const LINT_IDS: readonly string[] = [
  'refused',
  'denied-beside',
  'never-decides',
  'unusable-capability',
  ...LINT_CHECKS.map(({ id }) => id),
];

/**
 * Looks for rules that cannot work, or probably do not do what was meant. What is right is never reported: where it
 * depends on something that is not known, nothing is said. A text that the server refuses has one finding.
 *
 * The text may hold expressions of Terraform: what they cover is not looked at.
 */
export function lintAclPolicy(written: string, options: LintOptions = {}): readonly LintFinding[] {
  const { text, lines } = coverExpressions(written);
  const source = parseOrFault(text, options);
  if (source instanceof AclPolicyError) {
    return isCertain(source, lines) ? [asFinding(source, text)] : [];
  }
  const { policy, positions, unnamed } = source;
  const { rules } = policy;
  const set = new AclPolicySet([{ name: 'policy', policy: { ...policy, namespace: '' } }]);
  const mounts = mountsIn(
    rules.map(({ path }) => path),
    options.mounts,
  );
  const merged = mergedByPath(rules);
  const seen = new Set<string>();
  const findings = rules.flatMap((rule, index): readonly LintFinding[] => {
    const isRepeated = seen.has(rule.path);
    seen.add(rule.path);
    const { capabilities } = merged.get(rule.path)!;
    const linted = { rule, capabilities, isNamed: !unnamed.has(index), isRepeated, mounts, set };
    return LINT_CHECKS.flatMap((check) => {
      const { id, severity } = check;
      const found = check.find(linted);
      return found ? [{ id, severity, path: rule.path, ...positions[index], ...found }] : [];
    });
  });
  const dead = findingsOfDead(set, rules, (index) => positions[index]);
  const isCovered = rulesWithLines(lines, positions);
  return [...findings, ...dead]
    .filter(({ id, line }) => !options.ignore?.includes(id) && !isCovered(line))
    .sort(inTextOrder);
}

/**
 * Why the server refuses a policy, whatever its expressions of Terraform stand for. `undefined` if it does not, or if that
 * depends on them.
 */
export function findAclFault(written: string): AclPolicyError | undefined {
  const { text, lines } = coverExpressions(written);
  const source = parseOrFault(text, {});
  return source instanceof AclPolicyError && isCertain(source, lines) ? source : undefined;
}

function parseOrFault(text: string, options: LintOptions): AclSource | AclPolicyError {
  try {
    return parseAclSource(text, options);
  } catch (error) {
    if (error instanceof AclPolicyError) return error;
    throw error;
  }
}

/** Whether a fault is there whatever expressions stand for: it is not about one, nor where one may have been left out. */
function isCertain(
  { message, received = '', line = Infinity }: AclPolicyError,
  lines: ReadonlySet<number>,
): boolean {
  const [first = Infinity] = lines;
  // What is no character of the language is none, whatever follows in later lines.
  if (/illegal char/.test(message) && line < first) return true;
  const complaint = message.replace(/path "(?:[^"\\]|\\.)*": /g, '');
  const isAboutExpression = /[$%]\{/.test(complaint + received);
  return !isAboutExpression && (lines.size === 0 || received !== '');
}

function asFinding(error: AclPolicyError, text: string): LintFinding {
  const { position, cure } = describeFault(error, text);
  const complaint = complaintOf(error);
  const [subject = '', path = ''] = /path "((?:[^"\\]|\\.)*)": /.exec(complaint) ?? [];
  // The path is said by itself.
  const said = complaint.startsWith(subject) ? complaint.replaceAll(subject, '') : complaint;
  const problem = `the server refuses the policy: ${said}`;
  return { id: 'refused', severity: 'error', path, ...position, problem, cure };
}

/** Whether a rule that begins on a line holds something that only Terraform knows. */
function rulesWithLines(
  lines: ReadonlySet<number>,
  positions: AclSource['positions'],
): (line: number | undefined) => boolean {
  const starts = positions.map(({ line }) => line);
  return (start = 0) => {
    const next = starts.find((line) => line > start) ?? Infinity;
    return [...lines].some((line) => line >= start && line < next);
  };
}

function mergedByPath(rules: readonly AclRule[]): ReadonlyMap<string, Permissions> {
  const merged = new Map<string, Permissions>();
  for (const rule of rules) {
    const before = merged.get(rule.path);
    merged.set(rule.path, before ? mergePermissions(before, permissionsOf(rule)) : permissionsOf(rule));
  }
  return merged;
}

function findingsOfDead(
  set: AclPolicySet,
  rules: readonly AclRule[],
  positionOf: (index: number) => { readonly line: number; readonly column: number } | undefined,
): readonly LintFinding[] {
  return foundDead(set).flatMap((dead): readonly LintFinding[] => {
    const origin = dead.kind === 'denied' ? dead.origin : dead.rule.origins[0]!;
    const place = { path: rules[origin.index]!.path, ...positionOf(origin.index) };
    switch (dead.kind) {
      case 'no-request':
        return [];
      case 'denied':
        return [
          {
            id: 'denied-beside',
            severity: 'error',
            ...place,
            problem: 'another rule for the same path denies everything',
            cure: 'remove one of the two',
          },
        ];
      case 'never-decides':
        return [
          {
            id: 'never-decides',
            severity: 'error',
            ...place,
            problem: `other rules decide on all paths of this rule: ${dead.by.map(({ path }) => JSON.stringify(path)).join(', ')}`,
            cure: 'remove this rule, or change the others',
          },
        ];
      case 'unusable':
        return [
          {
            id: 'unusable-capability',
            severity: 'error',
            ...place,
            problem: `no request can use "${dead.capability}": its parameters or wrapping TTLs cannot be used together`,
            cure: 'correct the constraints',
          },
        ];
    }
  });
}

/** None if that would take too long. */
function foundDead(set: AclPolicySet): readonly DeadRule[] {
  try {
    return deadRules(set, new Effort(MOST_COMPARISONS));
  } catch (error) {
    if (error instanceof TooComplexError) return [];
    throw error;
  }
}

function inTextOrder(a: LintFinding, b: LintFinding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
