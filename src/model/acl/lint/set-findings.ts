import type { Effort } from '../effort';
import {
  deadRules,
  redundantRules,
  shadowedDenies,
  type AclMergedRule,
  type AclPolicySet,
  type AclRuleOrigin,
} from '../reasoning';
import { contains, overlap, patternOf, type PathPattern } from '../reasoning/pattern';
import type { LintFix, LintSeverity } from './check';
import { OPEN_PATHS } from './open-paths';

/** A finding about a rule that others of its set replace, overrule or repeat. */
export interface PolicySetFinding {
  readonly id: string;
  readonly severity: LintSeverity;
  /** The merged rules of the set for one path. The finding is about the rule in `origin`. */
  readonly rule: AclMergedRule;
  readonly origin: AclRuleOrigin;
  /** The rules of the set that cause the finding. */
  readonly others: readonly AclMergedRule[];
  readonly problem: string;
  readonly cure: string;
  readonly fix?: LintFix;
}

/** Returns the name of a rule in texts: its path, or its path and its place. */
type Naming = (rule: AclMergedRule) => string;

interface DeadFindings {
  readonly found: readonly PolicySetFinding[];
  /** The rules that decide on no path. */
  readonly rules: ReadonlySet<AclMergedRule>;
}

export const NO_DEAD: DeadFindings = { found: [], rules: new Set() };

/** Finds rules without effect. */
export function findingsOfDead(set: AclPolicySet, naming: Naming, effort: Effort): DeadFindings {
  const all = deadRules(set, effort);
  const rules = new Set(
    all.flatMap((each) => (each.kind === 'never-decides' || each.kind === 'no-request' ? [each.rule] : [])),
  );
  const found = all.flatMap((dead): readonly PolicySetFinding[] => {
    switch (dead.kind) {
      case 'no-request':
        return [];
      case 'denied':
        return [
          {
            id: 'denied-beside',
            severity: 'error',
            rule: dead.rule,
            origin: dead.origin,
            others: [dead.rule],
            problem: 'another rule for the same path denies everything',
            cure: 'remove one of the two',
          },
        ];
      case 'never-decides':
        return firstOfEach(dead.rule.origins).map((origin) => ({
          id: 'never-decides',
          severity: 'error',
          rule: dead.rule,
          origin,
          others: dead.by,
          problem: `other rules decide on all paths of this rule: ${namesText(dead.by, naming)}`,
          cure: 'remove this rule, or change the others',
          fix: { kind: 'remove' },
        }));
      case 'unusable':
        return firstOfEach(dead.rule.origins).map((origin) => ({
          id: 'unusable-capability',
          severity: 'error',
          rule: dead.rule,
          origin,
          others: [dead.rule],
          problem: `no request can use "${dead.capability}": its parameters or wrapping TTLs cannot be used together`,
          cure: 'correct the constraints',
        }));
    }
  });
  return { found, rules };
}

/**
 * Finds rules that deny, but do not decide on some of their paths. An exception in the same policy
 * is not reported, because it is probably meant.
 *
 * @param isAsked selects pairs of a rule that denies and a rule that decides. Default: all.
 */
export function findingsOfDenies(
  set: AclPolicySet,
  { rules: dead }: DeadFindings,
  naming: Naming,
  effort: Effort,
  isAsked: (rules: readonly AclMergedRule[]) => boolean = () => true,
): readonly PolicySetFinding[] {
  const seen = new Set<AclMergedRule>();
  return shadowedDenies(set, effort).flatMap(({ deny, by, pattern }): readonly PolicySetFinding[] => {
    if (dead.has(deny) || seen.has(deny) || !isAsked([deny, by])) return [];
    const isException = contains(patternOf(deny.path), patternOf(by.path), effort);
    if (isException && isOfOnePolicy([deny, by])) return [];
    seen.add(deny);
    return firstOfEach(deny.origins).map((origin) => ({
      id: 'deny-overruled',
      severity: isException ? 'note' : 'warning',
      rule: deny,
      origin,
      others: [by],
      problem: `the rule for ${naming(by)} permits ${pattern}, which this one would deny`,
      cure: `if ${pattern} is to be denied, remove the rule for ${naming(by)} or make it more specific: the most specific rule decides, not the one that denies`,
    }));
  });
}

/**
 * Matches the parts of a path that stand for other texts: templates, expressions, verbs,
 * placeholders.
 */
const UNKNOWN_TEXT = /\{\{|[$%]\{|%[dqsv]|<|\$\w/;

/**
 * Finds rules that can be removed, because others then decide in the same way. A rule is left out
 * if its path, or an overlapping one, contains parts that stand for unknown texts.
 *
 * @param isSingle whether a rule can be removed in one place. Default: if only one policy has it.
 */
export function findingsOfRedundant(
  set: AclPolicySet,
  { rules: dead }: DeadFindings,
  naming: Naming,
  effort: Effort,
  isSingle = ({ origins }: AclMergedRule) => origins.length === 1,
): readonly PolicySetFinding[] {
  const openPaths = OPEN_PATHS.map(patternOf);
  const uncertain = set.rules.flatMap((rule): readonly (readonly [AclMergedRule, PathPattern])[] => {
    const end = rule.path.search(UNKNOWN_TEXT);
    return end < 0 ? [] : [[rule, patternOf(`${rule.path.slice(0, end)}*`)]];
  });
  const isCandidate = (rule: AclMergedRule) => {
    const pattern = patternOf(rule.path);
    return (
      isSingle(rule) &&
      rule.permissions.capabilities.size > 0 &&
      !openPaths.some((each) => contains(each, pattern, effort)) &&
      !uncertain.some(([other, beginning]) => other === rule || overlap(beginning, pattern, effort))
    );
  };
  return redundantRules(set, dead, isCandidate, effort).map(({ rule, by }) => ({
    id: 'redundant',
    severity: 'note',
    rule,
    origin: rule.origins[0]!,
    others: by,
    problem: redundantProblem(by, naming),
    cure: 'remove this rule, unless other policies of the same tokens have rules for some of its paths',
    fix: { kind: 'remove' },
  }));
}

export function redundantProblem(by: readonly AclMergedRule[], naming: Naming): string {
  return `without this rule, all requests would be decided in the same way, by ${namesText(by, naming)}`;
}

/** Returns the first rule of each policy. */
function firstOfEach(origins: readonly AclRuleOrigin[]): readonly AclRuleOrigin[] {
  return [...new Map(origins.toReversed().map((origin) => [origin.policy, origin])).values()].reverse();
}

export function isOfOnePolicy(rules: readonly AclMergedRule[]): boolean {
  return new Set(rules.flatMap(({ origins }) => origins.map(({ policy }) => policy))).size <= 1;
}

const MOST_PATHS = 10;

function namesText(rules: readonly AclMergedRule[], naming: Naming): string {
  const shown = rules.slice(0, MOST_PATHS).map(naming);
  return shown.join(', ') + (rules.length > MOST_PATHS ? ` and ${rules.length - MOST_PATHS} more` : '');
}
