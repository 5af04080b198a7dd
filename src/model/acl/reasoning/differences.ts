import { stepsFor, type Effort } from '../effort';
import { checksFor } from './further-checks';
import type { Permitted } from './parameter-values';
import type { AclPolicySet, ClauseMode, MergedRule } from './policy-set';
import {
  capabilityOf,
  COMPARED_OPERATIONS,
  findCommon,
  findDifference,
  ParameterSearch,
  permitsAny,
  type ComparedOperation,
  type RequestDetails,
} from './request-difference';

/** A difference between what two rules for the same paths permit. */
export interface Difference {
  readonly operation: ComparedOperation;
  /**
   * `less-checked`: a control group, MFA method or limit of event types no longer applies.
   * `more-checked`: only new ones apply.
   */
  readonly becomes: 'allowed' | 'denied' | 'less-checked' | 'more-checked';
  /**
   * Whether it is about certain parameters or wrapping TTLs only: other requests are decided as
   * before.
   */
  readonly partly: boolean;
  /**
   * The further checks of the requests, under the old and the new set. Absent if neither has any.
   */
  readonly checks?: AclChangedChecks;
  readonly details: RequestDetails;
}

interface AclChangedChecks {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** The kinds of the differences. */
  readonly kinds: ReadonlySet<string>;
}

const OTHER_OPERATIONS = COMPARED_OPERATIONS.filter((operation) => operation !== 'list');

/** Returns what two rules, one of each set, permit differently. */
export type Comparison = (a: MergedRule | undefined, b: MergedRule | undefined) => Compared;

/**
 * Compares what two rules permit, each pair of permissions once, because most rules of a set permit
 * the same on other paths.
 *
 * @returns the comparison for lists, or for all other requests.
 */
export function comparisonOf(
  before: AclPolicySet,
  after: AclPolicySet,
  effort: Effort,
): (mode: ClauseMode) => Comparison {
  const numberOf = numbered(effort);
  return (mode) => {
    const operations = mode === 'list' ? (['list', 'sudo'] as const) : OTHER_OPERATIONS;
    const known = new Map<number, Compared>();
    return (a, b) => {
      const pair = numberOf(a) * MOST_RULES + numberOf(b);
      const found = known.get(pair);
      if (found) return found;
      const [old, now] = [before.permitted(a), after.permitted(b)];
      const search = new ParameterSearch(effort);
      const differences = operations.flatMap((operation) => {
        effort.spend(1 + (old?.checks.length ?? 0) + (now?.checks.length ?? 0));
        return [
          ...difference(operation, 'allowed', now, old, search),
          ...difference(operation, 'denied', old, now, search),
          ...checkDifference(operation, old, now, search),
        ];
      });
      const compared = { differences, kinds: new Set(differences.map(kindOf)) };
      known.set(pair, compared);
      return compared;
    };
  };
}

const MOST_RULES = 2 ** 24;

/** Returns a function that numbers rules: rules that permit the same get the same number. */
function numbered(effort: Effort): (rule: MergedRule | undefined) => number {
  const numbers = new Map<MergedRule, number>();
  const byPermissions = new Map<string, number>();
  return (rule) => {
    if (!rule) return 0;
    const known = numbers.get(rule);
    if (known !== undefined) return known;
    const text = textOfPermissions(rule);
    effort.spend(stepsFor(text));
    const number = byPermissions.get(text) ?? byPermissions.size + 1;
    byPermissions.set(text, number);
    numbers.set(rule, number);
    return number;
  };
}

function textOfPermissions({ permissions, checks }: MergedRule): string {
  const { capabilities, allowedParameters, deniedParameters, ...rest } = permissions;
  return JSON.stringify([[...capabilities], [...allowedParameters], [...deniedParameters], rest, checks]);
}

/** Returns a text that is equal for all differences that are shown together. */
export function kindOf({ operation, becomes, partly, checks }: Difference): string {
  return JSON.stringify([operation, becomes, partly, checks]);
}

function difference(
  operation: ComparedOperation,
  becomes: 'allowed' | 'denied',
  permitting: Permitted | undefined,
  refusing: Permitted | undefined,
  search: ParameterSearch,
): readonly Difference[] {
  const details = findDifference(operation, permitting, refusing, search);
  if (!details) return [];
  const checks = checksOf(operation, permitting!);
  const changed = becomes === 'allowed' ? { before: [], after: checks } : { before: checks, after: [] };
  const partly = permitsAny(operation, refusing, search);
  return [{ operation, becomes, partly, details, ...(checks.length > 0 && { checks: changed }) }];
}

/** Returns how the further checks differ of requests that both rules permit. */
function checkDifference(
  operation: ComparedOperation,
  old: Permitted | undefined,
  now: Permitted | undefined,
  search: ParameterSearch,
): readonly Difference[] {
  if (!old || !now) return [];
  const checks = { before: checksOf(operation, old), after: checksOf(operation, now) };
  if (JSON.stringify(checks.before) === JSON.stringify(checks.after)) return [];
  const details = findCommon(operation, old, now, search);
  if (!details) return [];
  const isLess = checks.before.some((check) => !checks.after.includes(check));
  const becomes = isLess ? 'less-checked' : 'more-checked';
  return [{ operation, becomes, partly: false, details, checks }];
}

function checksOf(operation: ComparedOperation, { checks }: Permitted): readonly string[] {
  return checksFor(checks, capabilityOf(operation));
}
