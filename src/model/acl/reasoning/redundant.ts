import type { Effort } from '../effort';
import { comparisonOf, type Comparison } from './differences';
import { FreshTexts, intersect, pathOutside, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import type { AclPolicySet, Clause, MergedRule } from './policy-set';

/** A rule without which other rules decide on all requests as it does. */
interface RedundantRule {
  readonly rule: MergedRule;
  /** The rules that decide on its paths without it. */
  readonly by: readonly MergedRule[];
}

/**
 * Finds rules that can be removed, all of them together, without a change of any decision.
 *
 * @param dead the rules that never decide.
 * @param isCandidate selects the rules that may be found.
 * @throws TooComplexError if it takes more than the effort given.
 */
export function redundantRules(
  set: AclPolicySet,
  dead: Iterable<MergedRule>,
  isCandidate: (rule: MergedRule) => boolean,
  effort: Effort,
): readonly RedundantRule[] {
  const all = (['path', 'list'] as const).flatMap((mode) => set.clauses(mode));
  const fresh = new FreshTexts(all.map(({ pattern }) => pattern));
  const compare = comparisonOf(set, set, effort);
  const modes = (['path', 'list'] as const).map(
    (mode) => new Successors(set.clauses(mode), compare(mode), fresh, effort),
  );
  // A rule that is found counts as removed from then on: two rules may replace only each other.
  const gone = new Set(dead);
  return set.clauses('path').flatMap(({ rule }): readonly RedundantRule[] => {
    if (gone.has(rule) || !isCandidate(rule)) return [];
    const ofModes = modes.map((mode) => mode.equalTo(rule, gone));
    if (ofModes.includes(undefined)) return [];
    gone.add(rule);
    return [{ rule, by: [...new Set(ofModes.flatMap((by) => by ?? []))] }];
  });
}

/** The clauses of a set, and which of them decide if a rule is removed. */
class Successors {
  readonly #index: PatternIndex;
  readonly #ranks = new Map<MergedRule, number[]>();

  constructor(
    readonly clauses: readonly Clause[],
    readonly compare: Comparison,
    readonly fresh: FreshTexts,
    readonly effort: Effort,
  ) {
    effort.spend(clauses.length);
    this.#index = new PatternIndex(clauses.map(({ pattern }) => pattern));
    clauses.forEach(({ rule }, rank) => {
      const ranks = this.#ranks.get(rule);
      if (ranks) ranks.push(rank);
      else this.#ranks.set(rule, [rank]);
    });
  }

  /**
   * Returns the rules that decide instead of a rule; `undefined` if one of them decides otherwise,
   * or none does.
   */
  equalTo(rule: MergedRule, gone: ReadonlySet<MergedRule>): readonly MergedRule[] | undefined {
    const found = (this.#ranks.get(rule) ?? []).map((rank) => this.#equalAt(rank, gone));
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  }

  #equalAt(rank: number, gone: ReadonlySet<MergedRule>): readonly MergedRule[] | undefined {
    const { pattern, rule } = this.clauses[rank]!;
    const meeting = this.#index
      .meeting(pattern, this.effort)
      .filter((other) => !gone.has(this.clauses[other]!.rule));
    const decided = meeting.filter((other) => other < rank).map((other) => this.clauses[other]!.pattern);
    const found: MergedRule[] = [];
    for (const other of meeting.filter((each) => each > rank)) {
      if (!this.#isLeft(pattern, decided)) break;
      const next = this.clauses[other]!;
      if (next.rule === rule || !this.#isLeft(intersect(pattern, next.pattern, this.effort)!, decided))
        continue;
      if (!this.#isEqual(rule, next.rule)) return undefined;
      decided.push(next.pattern);
      found.push(next.rule);
    }
    return this.#isLeft(pattern, decided) ? undefined : found;
  }

  #isLeft(pattern: PathPattern, decided: readonly PathPattern[]): boolean {
    return pathOutside(pattern, decided, this.fresh, this.effort) !== undefined;
  }

  #isEqual(a: MergedRule, b: MergedRule): boolean {
    const denies = ({ permissions }: MergedRule) => permissions.capabilities.has('deny');
    // Beside other policies, a rule that denies is another one than a rule that grants nothing.
    return denies(a) === denies(b) && this.compare(a, b).differences.size === 0;
  }
}
