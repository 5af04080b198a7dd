import { groupsByKey } from '../../groups';
import type { Effort } from '../effort';
import { comparisonOf, type Comparison } from './differences';
import { FreshTexts, intersect, pathOutside, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import {
  mergedRule,
  type AclPolicySet,
  type AclRuleOrigin,
  type Clause,
  type MergedRule,
} from './policy-set';

/** A rule that can be removed, because other rules then decide in the same way. */
interface RedundantRule {
  readonly rule: MergedRule;
  /** The rules that decide on its paths after its removal. */
  readonly by: readonly MergedRule[];
}

/**
 * Finds rules that can be removed without a change of any decision, all together or some of them.
 *
 * @param dead the rules that never decide.
 * @param isCandidate selects the rules that may be found.
 * @throws TooComplexError if it takes more steps than `effort` has.
 */
export function redundantRules(
  set: AclPolicySet,
  dead: Iterable<MergedRule>,
  isCandidate: (rule: MergedRule) => boolean,
  effort: Effort,
): readonly RedundantRule[] {
  const all = (['path', 'list'] as const).flatMap((mode) => set.clauses(mode, effort));
  const fresh = new FreshTexts(all.map(({ pattern }) => pattern));
  const compare = comparisonOf(set, set, effort);
  const modes = (['path', 'list'] as const).map(
    (mode) => new Successors(set.clauses(mode, effort), compare(mode), fresh, effort),
  );
  // A rule that was found must decide like the others, but cannot decide in their place, because it
  // may be removed as well.
  const gone = new Set(dead);
  return set.clauses('path', effort).flatMap(({ rule }): readonly RedundantRule[] => {
    if (gone.has(rule) || !isCandidate(rule)) return [];
    const ofModes = modes.map((mode) => mode.equalTo(rule, gone));
    if (ofModes.includes(undefined)) return [];
    gone.add(rule);
    return [{ rule, by: [...new Set(ofModes.flatMap((by) => by ?? []))] }];
  });
}

/** A rule that can be removed, because rules of other policies for the same path grant the same. */
interface RepeatedRule {
  readonly origin: AclRuleOrigin;
  /** The other rules for the path. */
  readonly rest: MergedRule;
}

/**
 * Finds rules that can all be removed together, because the other policies' rules for their paths
 * grant the same.
 *
 * @throws TooComplexError if it takes more steps than `effort` has.
 */
export function repeatedRules(set: AclPolicySet, effort: Effort): readonly RepeatedRule[] {
  const compare = comparisonOf(set, set, effort);
  const comparisons = [compare('path'), compare('list')];
  return set.rules.flatMap((rule): readonly RepeatedRule[] => {
    const found: RepeatedRule[] = [];
    let left = rule.origins;
    for (const origin of rule.origins.toReversed()) {
      effort.spend(left.length);
      const [first, ...others] = left.filter((each) => each !== origin);
      if (!first || [first, ...others].every(({ policy }) => policy === origin.policy)) continue;
      const rest = mergedRule(rule.path, [first, ...others]);
      if (!isEqual(rule, rest, comparisons)) continue;
      left = rest.origins;
      found.push({ origin, rest });
    }
    return found;
  });
}

/** The clauses of a set, and which of them decide if a rule is removed. */
class Successors {
  readonly #index: PatternIndex;
  readonly #ranks: ReadonlyMap<MergedRule, readonly number[]>;

  constructor(
    readonly clauses: readonly Clause[],
    readonly compare: Comparison,
    readonly fresh: FreshTexts,
    readonly effort: Effort,
  ) {
    effort.spend(clauses.length);
    this.#index = new PatternIndex(clauses.map(({ pattern }) => pattern));
    this.#ranks = groupsByKey(clauses.keys(), (rank) => clauses[rank]!.rule);
  }

  /**
   * Returns the rules that decide if a rule is removed; `undefined` if one of them decides
   * differently, or if no rule decides.
   */
  equalTo(rule: MergedRule, gone: ReadonlySet<MergedRule>): readonly MergedRule[] | undefined {
    const found = (this.#ranks.get(rule) ?? []).map((rank) => this.#equalAt(rank, gone));
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  }

  #equalAt(rank: number, gone: ReadonlySet<MergedRule>): readonly MergedRule[] | undefined {
    const { pattern, rule } = this.clauses[rank]!;
    const meeting = this.#index
      .meeting(pattern, this.effort)
      .map((other) => [other, this.clauses[other]!] as const);
    const stays = ([, clause]: readonly [number, Clause]) => !gone.has(clause.rule);
    const earlier = meeting.filter((each) => each[0] < rank && stays(each));
    const decided = earlier.map(([, clause]) => clause.pattern);
    const found: MergedRule[] = [];
    for (const each of meeting.filter(([other]) => other > rank)) {
      if (!this.#isLeft(pattern, decided)) break;
      const [, next] = each;
      if (next.rule === rule || !this.#isLeft(intersect(pattern, next.pattern, this.effort)!, decided))
        continue;
      if (!isEqual(rule, next.rule, [this.compare])) return undefined;
      if (!stays(each)) continue;
      decided.push(next.pattern);
      found.push(next.rule);
    }
    return this.#isLeft(pattern, decided) ? undefined : found;
  }

  #isLeft(pattern: PathPattern, decided: readonly PathPattern[]): boolean {
    return pathOutside(pattern, decided, this.fresh, this.effort) !== undefined;
  }
}

function isEqual(a: MergedRule, b: MergedRule, comparisons: readonly Comparison[]): boolean {
  // Both refuse everything, but for a token with further policies, only a rule that denies takes
  // precedence.
  if (denies(a) !== denies(b)) return false;
  return comparisons.every((compare) => compare(a, b).differences.size === 0);
}

function denies({ permissions }: MergedRule): boolean {
  return permissions.capabilities.has('deny');
}
