import { AclPolicyError } from '../errors';
import { parseAclSource, type AclParseOptions, type AclSource } from '../parse';
import type { AclRule } from '../policy';
import { Effort } from '../effort';
import { Attempts } from './attempts';
import { AclPolicySet, type AclMergedRule } from '../reasoning';
import { overlap, patternOf } from '../reasoning/pattern';
import { coverExpressions } from './expressions';
import { describeFault } from './fault';
import { faultOfJson } from './json-form';
import { mountsIn, type MountKind } from './mounts';
import type { LintedRule, LintFix, LintSeverity } from './check';
import { LINT_CHECKS } from './rules';
import { findingsOfDead, findingsOfDenies, findingsOfRedundant, NO_DEAD } from './set-findings';

/** A problem of a rule that its author probably did not intend. */
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
  /** The cure as a change of the policy. Absent if it is not certain. */
  readonly fix?: LintFix | undefined;
}

export interface LintOptions extends Pick<AclParseOptions, 'namespace'> {
  /** The known kinds of mounts by their paths: `kv-2` for `secret`. */
  readonly mounts?: ReadonlyMap<string, MountKind>;
  /**
   * Whether Terraform fills in expressions of the text. `false` if nothing fills them in, so that
   * the server takes them literally. Absent if that is not known.
   */
  readonly isTemplate?: boolean;
  /** The ids of findings to leave out. */
  readonly ignore?: readonly string[];
}

const NO_LINES: ReadonlySet<number> = new Set();

/** All ids that findings may have. */
export const LINT_IDS: readonly string[] = [
  'refused',
  'invalid-json',
  'denied-beside',
  'never-decides',
  'unusable-capability',
  'deny-overruled',
  'redundant',
  'too-complex',
  ...LINT_CHECKS.flatMap(({ id }) => (id === 'denied-beside' ? [] : [id])),
];

/**
 * Finds rules that cannot work, or probably do not do what was meant. A rule is reported only if it
 * is wrong for all possible values of unknown facts. A text that the server refuses has one
 * finding.
 *
 * The text may contain expressions of Terraform. Parts that depend on them are not checked.
 */
export function lintAclPolicy(written: string, options: LintOptions = {}): readonly LintFinding[] {
  const isLiteral = options.isTemplate === false;
  const { text, lines } = isLiteral ? { text: written, lines: NO_LINES } : coverExpressions(written);
  const source = parseOrFault(text, options);
  if (source instanceof AclPolicyError) {
    return isLiteral || isCertain(source, lines) ? [asFinding(source, text)] : [];
  }
  const policy = { ...source.policy, namespace: '' };
  const linted: LintedPolicy = {
    source,
    set: new AclPolicySet([{ name: 'policy', policy }]),
    mounts: mountsIn(
      policy.rules.map(({ path }) => path),
      options.mounts,
    ),
    isLiteral,
    hasExpressions: lines.size > 0,
    effort: Effort.for([{ names: [], characters: text.length }]),
    attempts: new Attempts(),
  };
  const ofRules = findingsOfRules(linted);
  const ofSet = findingsOfSet(linted);
  // A rule with another finding will be corrected, and may then no longer be redundant.
  const wrong = new Set(
    [...ofRules, ...ofSet].flatMap(({ severity, path }) => (severity === 'note' ? [] : [path])),
  );
  const isNew = ({ id, path }: LintFinding) => id !== 'redundant' || !wrong.has(path);
  const isCovered = rulesWithLines(lines, source.positions);
  const found = [...invalidJson(text), ...ofRules, ...ofSet.filter(isNew)].filter(
    ({ line }) => !isCovered(line),
  );
  return [...found, ...(linted.attempts.isComplete ? [] : [TOO_COMPLEX])]
    .filter(({ id }) => !options.ignore?.includes(id))
    .sort(inTextOrder);
}

/** A policy that the server accepts, with what its checks need. */
interface LintedPolicy extends Pick<LintedRule, 'set' | 'mounts' | 'isLiteral' | 'effort'> {
  readonly source: AclSource;
  readonly hasExpressions: boolean;
  readonly attempts: Attempts;
}

/** Checks each rule of a policy on its own. */
function findingsOfRules(policy: LintedPolicy): readonly LintFinding[] {
  const { source, set, mounts, isLiteral, effort, attempts } = policy;
  const merged = new Map(set.rules.map(({ path, permissions }) => [path, permissions]));
  const paths = new Set(merged.keys());
  const seen = new Set<string>();
  return source.policy.rules.flatMap((rule, index) => {
    const linted = {
      rule,
      capabilities: merged.get(rule.path)!.capabilities,
      isNamed: !source.unnamed.has(index),
      isDeniedBeside: source.deniedBeside.has(index),
      isRepeated: seen.has(rule.path),
      isLiteral,
      mounts,
      set,
      paths,
      effort,
    };
    seen.add(rule.path);
    return LINT_CHECKS.flatMap((check) =>
      attempts.find((): readonly LintFinding[] => {
        const found = check.find(linted);
        if (!found) return [];
        const place = { path: rule.path, ...source.positions[index] };
        const { id, severity } = check;
        return [{ id, severity, ...place, ...found, ...cureBeside(set, rule, found, effort) }];
      }),
    );
  });
}

/** Finds the rules of a policy that others replace, overrule or repeat. */
function findingsOfSet({
  source,
  set,
  hasExpressions,
  effort,
  attempts,
}: LintedPolicy): readonly LintFinding[] {
  const naming = ({ path }: AclMergedRule) => JSON.stringify(path);
  const dead = attempts.orElse(NO_DEAD, () => findingsOfDead(set, naming, effort));
  const denies = attempts.find(() => findingsOfDenies(set, dead, naming, effort));
  // Expressions may contain further rules, so no rule can be called redundant.
  const redundant = hasExpressions ? [] : attempts.find(() => findingsOfRedundant(set, dead, naming, effort));
  return [...dead.found, ...denies, ...redundant].map(({ id, severity, origin, problem, cure, fix }) => {
    const place = { path: source.policy.rules[origin.index]!.path, ...source.positions[origin.index] };
    return { id, severity, ...place, problem, cure, ...(fix && { fix }) };
  });
}

function invalidJson(text: string): readonly LintFinding[] {
  const position = faultOfJson(text);
  if (!position) return [];
  return [
    {
      id: 'invalid-json',
      severity: 'warning',
      path: '',
      ...position,
      problem: 'the JSON is not valid from here on, and the server ignores what it cannot read',
      cure: 'correct the JSON',
    },
  ];
}

/**
 * Returns the cure of a finding. It has no certain fix if the corrected rule would decide on paths
 * for which another rule grants more.
 */
function cureBeside(
  set: AclPolicySet,
  rule: AclRule,
  { cure, fix }: Pick<LintFinding, 'cure' | 'fix'>,
  effort: Effort,
): Pick<LintFinding, 'cure' | 'fix'> {
  if (!fix || fix.kind === 'remove' || fix.path === rule.path) return { cure };
  const granted: readonly string[] = fix.kind === 'grant' ? [fix.capability] : rule.capabilities;
  const pattern = patternOf(fix.path);
  const other = set.rules.find(
    ({ path, permissions: { capabilities } }) =>
      path !== rule.path &&
      (path !== fix.path || granted.includes('deny')) &&
      !capabilities.has('deny') &&
      [...capabilities].some((capability) => !granted.includes(capability)) &&
      overlap(patternOf(path), pattern, effort),
  );
  if (!other) return { cure };
  const warning = `it decides in place of ${JSON.stringify(other.path)} then, so add the capabilities needed there`;
  return { cure: `${cure}; ${warning}`, fix: undefined };
}

export const TOO_COMPLEX: LintFinding = {
  id: 'too-complex',
  severity: 'warning',
  path: '',
  problem:
    'the policy was not checked completely: too many rules or parameter values apply to the same requests',
  cure: 'divide the policy, or write fewer patterns for the same paths and parameters',
};

/**
 * Returns the error of the server for a policy, if it is the same for all values of the Terraform
 * expressions in it; otherwise `undefined`.
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

/**
 * Whether a fault occurs for all values of the expressions. It must not be about an expression, nor
 * at a place from which one was removed.
 */
function isCertain(
  { message, received = '', line = Infinity }: AclPolicyError,
  lines: ReadonlySet<number>,
): boolean {
  const [first = Infinity] = lines;
  // An illegal character before the first expression is illegal for all values of the expressions.
  if (/illegal char/.test(message) && line < first) return true;
  const complaint = message.replace(/path "(?:[^"\\]|\\.)*": /g, '');
  const isAboutExpression = /[$%]\{/.test(complaint + received);
  return !isAboutExpression && (lines.size === 0 || received !== '');
}

function asFinding(error: AclPolicyError, text: string): LintFinding {
  const { position, problem: fault, cure } = describeFault(error, text);
  const [subject = '', path = ''] = /path "((?:[^"\\]|\\.)*)": /.exec(error.message) ?? [];
  // The finding has a field for the path, so the problem does not repeat it.
  const withoutPath = fault.startsWith(subject) ? fault.replaceAll(subject, '') : fault;
  const problem = `the server refuses the policy: ${withoutPath}`;
  return { id: 'refused', severity: 'error', path, ...position, problem, cure };
}

/**
 * Returns a function that determines whether the rule that begins on a line contains one of the
 * given lines.
 */
function rulesWithLines(
  lines: ReadonlySet<number>,
  positions: AclSource['positions'],
): (line: number | undefined) => boolean {
  const starts = positions.map(({ line }) => line).sort((a, b) => a - b);
  const covered = new Set<number>();
  let rule = 0;
  for (const line of [...lines].sort((a, b) => a - b)) {
    while (rule < starts.length && starts[rule]! <= line) rule++;
    covered.add(starts[rule - 1] ?? 0);
  }
  return (start = 0) => covered.has(start);
}

export function inTextOrder(a: LintFinding, b: LintFinding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
