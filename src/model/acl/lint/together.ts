import { Effort } from '../effort';
import { Attempts } from './attempts';
import type { AclPolicy } from '../policy';
import { AclPolicySet, repeatedRules, type AclMergedRule, type AclRuleOrigin } from '../reasoning';
import type { LintFinding } from './lint';
import {
  findingsOfDead,
  findingsOfDenies,
  findingsOfRedundant,
  isOfOnePolicy,
  redundantProblem,
  NO_DEAD,
  type PolicySetFinding,
} from './set-findings';

/** A policy that is examined together with others. */
interface JointPolicy {
  readonly policy: AclPolicy;
  /** Returns where a rule is, for people: `policies/app.hcl:3`. */
  placeOf(rule: number): string;
}

/** A finding about a rule of one of several policies. */
interface JointFinding extends Pick<LintFinding, 'id' | 'severity' | 'path' | 'problem' | 'cure'> {
  /** The index of the policy, and that of the rule in it. */
  readonly policy: number;
  readonly rule: number;
}

interface JointFindings {
  readonly findings: readonly JointFinding[];
  /** Whether all checks were made; `false` if some were too complex. */
  readonly isComplete: boolean;
}

/**
 * Finds rules that rules of other policies replace, overrule or repeat for a token that has all of
 * them.
 *
 * @param hasAll whether these are all policies of the token. Otherwise no rule is called redundant.
 */
export function lintTogether(policies: readonly JointPolicy[], hasAll: boolean): JointFindings {
  const named = policies.map(({ policy }, index) => ({ name: String(index), policy }));
  const set = new AclPolicySet(named);
  const effort = Effort.for([set]);
  const placeOf = ({ policy, index }: AclRuleOrigin) => policies[Number(policy)]!.placeOf(index);
  const naming = ({ path, origins }: AclMergedRule) =>
    `${JSON.stringify(path)} (${origins.map(placeOf).join(', ')})`;
  const attempts = new Attempts();
  const dead = attempts.orElse(NO_DEAD, () => findingsOfDead(set, naming, effort));
  const ofDead = (): readonly PolicySetFinding[] => {
    const alone = new Set(
      named.flatMap((each) =>
        findingsOfDead(new AclPolicySet([each]), naming, effort).found.map(({ id, origin }) =>
          keyOf(id, origin),
        ),
      ),
    );
    return dead.found
      .filter(
        (each) => !isOfOnePolicy([each.rule, ...each.others]) && !alone.has(keyOf(each.id, each.origin)),
      )
      .map((each) => (each.id === 'denied-beside' ? withDenials(each, placeOf) : each));
  };
  const ofDenies = () => findingsOfDenies(set, dead, naming, effort, (rules) => !isOfOnePolicy(rules));
  const ofRedundant = (): readonly PolicySetFinding[] => {
    if (!hasAll) return [];
    const repeated = repeatedRules(set, effort).filter(({ origin }) => origin.rule.capabilities.length > 0);
    const gone = new Set(repeated.map(({ origin }) => origin));
    const left = ({ origins }: AclMergedRule) => origins.filter((origin) => !gone.has(origin));
    const found = findingsOfRedundant(set, dead, naming, effort, (rule) => left(rule).length === 1).map(
      (each) => ({ ...each, origin: each.rule.origins.find((origin) => !gone.has(origin))! }),
    );
    const ofPaths = repeated.map(({ origin, rest }) => ({
      id: 'redundant',
      severity: 'note' as const,
      rule: rest,
      origin,
      others: [rest],
      problem: redundantProblem([rest], naming),
    }));
    return [...ofPaths, ...found].map((each) => ({ ...each, cure: 'remove this rule' }));
  };
  const found = [ofDead, ofDenies, ofRedundant].flatMap((find) => attempts.find(find));
  // A rule with another finding will be corrected, and may then no longer be redundant.
  const wrong = new Set(found.flatMap(({ severity, origin }) => (severity === 'note' ? [] : [origin])));
  const isNew = ({ id, origin }: PolicySetFinding) => id !== 'redundant' || !wrong.has(origin);
  return {
    findings: found.filter(isNew).map(({ id, severity, origin, problem, cure }) => ({
      ...{ id, severity, path: origin.rule.path, problem, cure },
      policy: Number(origin.policy),
      rule: origin.index,
    })),
    isComplete: attempts.isComplete,
  };
}

function keyOf(id: string, { policy, index }: AclRuleOrigin): string {
  return `${id} ${policy} ${index}`;
}

/** Adds the places of the rules that deny a path to a finding about this path. */
function withDenials(
  finding: PolicySetFinding,
  placeOf: (origin: AclRuleOrigin) => string,
): PolicySetFinding {
  const denials = finding.others.flatMap(({ origins }) =>
    origins.filter(({ rule }) => rule.capabilities.includes('deny')),
  );
  return { ...finding, problem: `${finding.problem}: ${denials.map(placeOf).join(', ')}` };
}
