import {
  groupChanges,
  isWidening,
  shortLine,
  type AclChange,
  type AclChangeGroup,
  type AclMergedRule,
  type SensitiveChange,
} from '../../../model';
import type { JsonRecord } from '../../../text';
import { groupsBy } from '../../../model/groups';
import { counted } from '../../output/lists';
import type { CommandFinding, FindingsReport, Severity } from '../report/finding';
import type { PlacedPolicy, PolicyFault } from '../sources/policy-source';
import type { Rules } from '../sources/read-set';
import { sensitiveLine } from './messages';

/** The differences that can make a comparison fail. */
export type FailOn = 'sensitive' | 'widening' | 'change';

/** A pair of policies after their comparison. */
export interface ComparedPolicies {
  readonly name: string | undefined;
  readonly changes: readonly AclChange[];
  readonly sensitive: readonly SensitiveChange[];
}

/** The result of a comparison. */
export interface ComparisonResult extends Pick<Sides, 'faults'> {
  readonly changed: readonly ComparedPolicies[];
  /** The policies of a plan that are known only during the apply. */
  readonly unknown: readonly string[];
  /** The reasons why policies were not compared. */
  readonly notCompared: readonly string[];
}

/** The compared sets, and the options of the comparison. */
export interface Sides {
  readonly old: readonly PlacedPolicy[];
  readonly now: readonly PlacedPolicy[];
  /** Whether one token has all of a side's policies. */
  readonly isOneToken: boolean;
  readonly rules: Rules;
  /** The policies of both sides that cannot be parsed. */
  readonly faults: readonly PolicyFault[];
  /** Policies that cannot be compared yet. */
  readonly unknown?: readonly string[];
  /** The plan, if the sides come from one. */
  readonly planned?: readonly JsonRecord[];
}

/** Returns the findings of a comparison: first the sensitive changes, then the others. */
export function comparisonFindings(
  { changed, unknown, notCompared, faults }: ComparisonResult,
  sides: Sides,
  failOn: FailOn | undefined,
): FindingsReport {
  const { rules, old, now } = sides;
  const severity = (otherwise: Severity, ...kinds: readonly FailOn[]): Severity =>
    failOn !== undefined && kinds.includes(failOn) ? 'error' : otherwise;
  const sensitive = changed.flatMap((each) =>
    groupsBy(each.sensitive, sameReason).map((same): CommandFinding => {
      const [one] = same;
      const rule = 'change' in one ? (one.change.after ?? one.change.before) : one.by;
      const message = sensitiveLine(same, each.name ?? 'the token');
      return {
        ...{ rule: one.kind, severity: severity('warning', 'sensitive', 'widening', 'change'), message },
        ...placeOf(each, rule, sides),
      };
    }),
  );
  const changes = changed.flatMap((each) =>
    groupChanges(each.changes).map((group): CommandFinding => {
      const [change] = group;
      const widens = isWidening(change);
      return {
        rule: widens ? 'widening' : 'narrowing',
        severity: widens ? severity('note', 'widening', 'change') : severity('note', 'change'),
        ...placeOf(each, change.after ?? change.before, sides),
        message: changeText(group),
      };
    }),
  );
  const late = unknown.map((place): CommandFinding => ({
    ...{
      rule: 'unknown',
      severity: severity('warning', 'sensitive', 'widening', 'change'),
      policy: place,
      place,
    },
    message: 'the policy is known only when the plan is applied',
  }));
  const complex = notCompared.map((message): CommandFinding => ({
    ...{ rule: 'not-compared', severity: 'warning', policy: 'policies', place: 'policies', message },
  }));
  const broken = faults.map(({ name, place, file, position, reason: message }): CommandFinding => ({
    ...{ rule: 'invalid', severity: 'error', policy: name, place, message, ...position },
    ...(file !== undefined && { file }),
  }));
  const all = [...broken, ...sensitive, ...late, ...complex, ...changes];
  const [wider, narrower] = [true, false].map(
    (widens) => changes.filter(({ rule }) => (rule === 'widening') === widens).length,
  );
  return {
    command: 'policy diff',
    title: 'Changes of ACL policies',
    cases: [...(now.length > 0 ? now : old)].map(({ name, source: { place } }) => ({ policy: name, place })),
    findings: all,
    summary:
      all.length === 0
        ? 'The policies allow the same requests.'
        : `${counted(wider!, 'change allows', 'changes allow')} more, ${counted(narrower!, 'change allows', 'changes allow')} less, by the rules of server version ${rules.version} (${rules.origin})`,
  };
}

/**
 * Returns a text that is equal for changes with the same danger on the same paths. These become one
 * finding.
 */
function sameReason(sensitive: SensitiveChange): string {
  return JSON.stringify([
    sensitive.text,
    'change' in sensitive ? sensitive.change.pattern : sensitive.pattern,
  ]);
}

function changeText(group: AclChangeGroup): string {
  return `${isWidening(group[0]) ? 'newly allowed' : 'no longer allowed'}: ${shortLine(group)}`;
}

/** Returns where the rule of a change is written. */
function placeOf(
  { name }: Pick<ComparedPolicies, 'name'>,
  rule: AclMergedRule | undefined,
  { old, now }: Sides,
): Pick<CommandFinding, 'policy' | 'place' | 'file' | 'line' | 'column'> {
  const origin = rule?.origins[0];
  const owner = [...now, ...old].find(
    (policy) =>
      policy.name === origin?.policy && policy.policy.rules[origin.index]?.path === origin.rule.path,
  );
  const policy = name ?? origin?.policy ?? 'the token';
  if (!owner || !origin) return { policy, place: policy };
  const { place, file, at = (position) => position } = owner.source;
  const position = owner.positions[origin.index];
  return { policy, place, ...(file !== undefined && { file }), ...(position && at(position)) };
}
