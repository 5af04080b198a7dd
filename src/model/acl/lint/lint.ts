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
import type { LintFix, LintSeverity } from './check';
import { LINT_CHECKS } from './rules';
import {
  findingsOfDead,
  findingsOfDenies,
  findingsOfRedundant,
  NO_DEAD,
  type PolicySetFinding,
} from './set-findings';

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
    if (isLiteral) return [asFinding(source, text)];
    return isCertain(source, lines) ? [asFinding(source, text)] : [];
  }
  const { policy, positions, unnamed, deniedBeside } = source;
  const { rules } = policy;
  const set = new AclPolicySet([{ name: 'policy', policy: { ...policy, namespace: '' } }]);
  const mounts = mountsIn(
    rules.map(({ path }) => path),
    options.mounts,
  );
  const merged = new Map(set.rules.map((rule) => [rule.path, rule.permissions]));
  const paths = new Set(merged.keys());
  const effort = Effort.for([{ names: [], characters: text.length }]);
  const attempts = new Attempts();
  const seen = new Set<string>();
  const findings = rules.flatMap((rule, index): readonly LintFinding[] => {
    const isRepeated = seen.has(rule.path);
    seen.add(rule.path);
    const { capabilities } = merged.get(rule.path)!;
    const isNamed = !unnamed.has(index);
    const isDeniedBeside = deniedBeside.has(index);
    const linted = {
      rule,
      capabilities,
      isNamed,
      isDeniedBeside,
      isRepeated,
      isLiteral,
      mounts,
      set,
      paths,
      effort,
    };
    return LINT_CHECKS.flatMap((check) =>
      attempts.find((): readonly LintFinding[] => {
        const { id, severity } = check;
        const found = check.find(linted);
        if (!found) return [];
        return [
          {
            id,
            severity,
            path: rule.path,
            ...positions[index],
            ...found,
            ...cureBeside(set, rule, found, effort),
          },
        ];
      }),
    );
  });
  const naming = ({ path }: AclMergedRule) => JSON.stringify(path);
  const placed = ({ id, severity, origin, problem, cure, fix }: PolicySetFinding): LintFinding => {
    const place = { path: rules[origin.index]!.path, ...positions[origin.index] };
    return { id, severity, ...place, problem, cure, ...(fix && { fix }) };
  };
  const dead = attempts.orElse(NO_DEAD, () => findingsOfDead(set, naming, effort));
  const denies = attempts.find(() => findingsOfDenies(set, dead, naming, effort));
  // Expressions may contain further rules, so no rule can be called redundant.
  const redundant = lines.size > 0 ? [] : attempts.find(() => findingsOfRedundant(set, dead, naming, effort));
  const ofSet = [...dead.found, ...denies, ...redundant].map(placed);
  // A rule with another finding will be corrected, and may then no longer be redundant.
  const wrong = new Set(
    [...findings, ...ofSet].flatMap(({ severity, path }) => (severity === 'note' ? [] : [path])),
  );
  const isNew = ({ id, path }: LintFinding) => id !== 'redundant' || !wrong.has(path);
  const isCovered = rulesWithLines(lines, positions);
  const found = [...invalidJson(text), ...findings, ...ofSet.filter(isNew)].filter(
    ({ line }) => !isCovered(line),
  );
  return [...found, ...(attempts.isComplete ? [] : [TOO_COMPLEX])]
    .filter(({ id }) => !options.ignore?.includes(id))
    .sort(inTextOrder);
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
