import { stepsFor, type Effort } from '../effort';
import { COMPARED_OPERATIONS, type ComparedOperation } from './compared-operations';
import { checksFor } from './further-checks';
import type { Permitted } from './parameter-values';
import type { AclPolicySet, ClauseMode, MergedRule } from './policy-set';
import {
  capabilityOf,
  findCommon,
  findDifference,
  ParameterSearch,
  permitsAny,
  type RequestParts,
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
   * Whether it concerns only certain parameters or wrapping TTLs, and other requests are decided as
   * before.
   */
  readonly partly: boolean;
  /**
   * The further checks of the requests, under the old and the new set. Absent if neither has any.
   */
  readonly checks?: AclChangedChecks;
  readonly details: RequestParts;
  /** A key that is equal for all differences that are shown together. */
  readonly kind: string;
  /** The length of the texts of the checks. */
  readonly characters: number;
}

/** Differences with equal checks share one object. */
interface AclChangedChecks {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Compared {
  /** The differences by their kinds. */
  readonly differences: ReadonlyMap<string, Difference>;
}

const OTHER_OPERATIONS = COMPARED_OPERATIONS.filter((operation) => operation !== 'list');

/** Returns the differences between what two rules permit, one of each set. */
export type Comparison = (a: MergedRule | undefined, b: MergedRule | undefined) => Compared;

/**
 * Returns a function that compares what two rules permit. It compares each pair of permissions
 * once, because most rules of a set permit the same on different paths.
 *
 * @returns the comparison for lists, or for all other requests.
 */
export function comparisonOf(
  before: AclPolicySet,
  after: AclPolicySet,
  effort: Effort,
): (mode: ClauseMode) => Comparison {
  const numberOf = numbered(effort);
  const checks = new ComparedChecks(effort);
  return (mode) => {
    const operations = mode === 'list' ? (['list', 'sudo'] as const) : OTHER_OPERATIONS;
    const known = new Map<number, Compared>();
    return (a, b) => {
      const pair = numberOf(a) * MOST_RULES + numberOf(b);
      const found = known.get(pair);
      if (found) return found;
      const rules = new RulePair(before.permitted(a), after.permitted(b), checks, effort);
      const differences = operations.flatMap((operation) => {
        effort.spend(1);
        return rules.differences(operation);
      });
      const compared = { differences: new Map(differences.map((each) => [each.kind, each])) };
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

/**
 * The texts of the further checks of an operation, with a number that is the same only for equal
 * texts.
 */
interface NumberedChecks {
  readonly number: number;
  readonly texts: readonly string[];
  /** The length of the texts. */
  readonly characters: number;
}

const NO_CHECKS: NumberedChecks = { number: 0, texts: [], characters: 0 };

/**
 * The further checks of the rules that are compared. Their texts may be long, so they are numbered
 * once for each rule, and pairs of rules are compared by the numbers.
 */
class ComparedChecks {
  readonly #effort: Effort;
  readonly #known = new Map<Permitted['checks'], Map<ComparedOperation, NumberedChecks>>();
  readonly #numbers = new Map<string, number>([['[]', NO_CHECKS.number]]);
  readonly #changes = new Map<string, AclChangedChecks>();

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  of(operation: ComparedOperation, { checks }: Permitted): NumberedChecks {
    const known = found(this.#known, checks, () => new Map<ComparedOperation, NumberedChecks>());
    return found(known, operation, () => {
      const texts = checksFor(checks, capabilityOf(operation));
      const text = JSON.stringify(texts);
      this.#effort.spend(checks.length + stepsFor(text));
      const number = found(this.#numbers, text, () => this.#numbers.size);
      return { texts, number, characters: text.length };
    });
  }

  /** Adds the changed checks to a difference, if there are any. */
  withChecks(
    difference: Omit<Difference, 'checks' | 'kind' | 'characters'>,
    before: NumberedChecks,
    after: NumberedChecks,
  ): Difference {
    const { operation, becomes, partly } = difference;
    const numbers = `${before.number} ${after.number}`;
    const kind = `${operation} ${becomes} ${partly} ${numbers}`;
    const described = { ...difference, kind, characters: before.characters + after.characters };
    if (before.number + after.number === 0) return described;
    const change = () => ({ before: before.texts, after: after.texts });
    return { ...described, checks: found(this.#changes, numbers, change) };
  }

  /** Whether a check is dropped. */
  isLess({ texts: before }: NumberedChecks, { texts: after }: NumberedChecks): boolean {
    this.#effort.spend(before.length + after.length);
    return checksMissing(before, after).length > 0;
  }
}

/** Two rules that are compared, one of each set. */
class RulePair {
  readonly #search: ParameterSearch;

  constructor(
    readonly old: Permitted | undefined,
    readonly now: Permitted | undefined,
    readonly checks: ComparedChecks,
    effort: Effort,
  ) {
    this.#search = new ParameterSearch(effort);
  }

  differences(operation: ComparedOperation): readonly Difference[] {
    return [
      ...this.#permission(operation, 'allowed'),
      ...this.#permission(operation, 'denied'),
      ...this.#checks(operation),
    ];
  }

  /** Returns the difference in the requests that only one of the rules permits. */
  #permission(operation: ComparedOperation, becomes: 'allowed' | 'denied'): readonly Difference[] {
    const isAllowed = becomes === 'allowed';
    const [permitting, refusing] = isAllowed ? [this.now, this.old] : [this.old, this.now];
    const details = findDifference(operation, permitting, refusing, this.#search);
    if (!details) return [];
    const own = this.checks.of(operation, permitting!);
    const [before, after] = isAllowed ? [NO_CHECKS, own] : [own, NO_CHECKS];
    const partly = permitsAny(operation, refusing, this.#search);
    return [this.checks.withChecks({ operation, becomes, partly, details }, before, after)];
  }

  /** Returns the difference in the further checks of requests that both rules permit. */
  #checks(operation: ComparedOperation): readonly Difference[] {
    const { old, now, checks } = this;
    if (!old || !now) return [];
    const [before, after] = [checks.of(operation, old), checks.of(operation, now)];
    if (before.number === after.number) return [];
    const details = findCommon(operation, old, now, this.#search);
    if (!details) return [];
    const becomes = checks.isLess(before, after) ? 'less-checked' : 'more-checked';
    return [checks.withChecks({ operation, becomes, partly: false, details }, before, after)];
  }
}

/** Returns the checks that are not among others. */
export function checksMissing(checks: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return checks.filter((check) => !known.has(check));
}

/** Returns the value of a key. It is made when the key is first asked for. */
export function found<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}
