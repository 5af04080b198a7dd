import { groupsByKey } from '../../groups';
import { Effort } from '../effort';
import { ASKED_OPERATIONS, type AskedOperation } from './compared-operations';
import { FreshTexts, patternOf, pathOutside } from './pattern';
import { PatternIndex } from './pattern-index';
import type { AclPolicySet, AclRuleOrigin, Clause, ClauseMode, MergedRule } from './policy-set';
import { ParameterSearch, permitsAny } from './request-difference';

/** A rule, or a part of one, that changes no decision. */
export type DeadRule =
  /** No request can have the path of the rule. */
  | { readonly kind: 'no-request'; readonly rule: MergedRule }
  /** Other rules decide on all of its paths: those in `by`. */
  | { readonly kind: 'never-decides'; readonly rule: MergedRule; readonly by: readonly MergedRule[] }
  /** A rule for the same path denies everything. */
  | { readonly kind: 'denied'; readonly rule: MergedRule; readonly origin: AclRuleOrigin }
  /** No request can use a capability: its parameters or wrapping TTLs exclude each other. */
  | { readonly kind: 'unusable'; readonly rule: MergedRule; readonly capability: AskedOperation };

/**
 * Finds the rules of a set that never matter.
 *
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies.
 */
export function deadRules(set: AclPolicySet, effort = Effort.for([set])): readonly DeadRule[] {
  const fresh = new FreshTexts(
    [...set.clauses('path', effort), ...set.clauses('list', effort)].map(({ pattern }) => pattern),
  );
  const modes = (['path', 'list'] as const).map((mode) => new Priorities(set, mode, fresh, effort));
  return set.rules.flatMap((rule): readonly DeadRule[] => {
    if (modes.some((mode) => mode.decides(rule))) {
      return [...deniedParts(rule, effort), ...unusable(set, rule, effort)];
    }
    if (!pathOutside(patternOf(rule.path), [], fresh, effort)) return [{ kind: 'no-request', rule }];
    return [{ kind: 'never-decides', rule, by: modes[0]!.before(rule) }];
  });
}

/** The clauses of a set, and their order of precedence. */
class Priorities {
  readonly #clauses: readonly Clause[];
  readonly #index: PatternIndex;
  readonly #ranks: ReadonlyMap<MergedRule, readonly number[]>;

  constructor(
    set: AclPolicySet,
    mode: ClauseMode,
    readonly fresh: FreshTexts,
    readonly effort: Effort,
  ) {
    this.#clauses = set.clauses(mode, effort);
    effort.spend(this.#clauses.length);
    this.#index = new PatternIndex(this.#clauses.map(({ pattern }) => pattern));
    this.#ranks = groupsByKey(this.#clauses.keys(), (rank) => this.#clauses[rank]!.rule);
  }

  /** Whether a rule decides on any path. */
  decides(rule: MergedRule): boolean {
    return (this.#ranks.get(rule) ?? []).some((rank) => {
      const earlier = this.#earlier(rank).map(({ pattern }) => pattern);
      return pathOutside(this.#clauses[rank]!.pattern, earlier, this.fresh, this.effort) !== undefined;
    });
  }

  /** Returns the rules that come before a rule and apply to some of its paths. */
  before(rule: MergedRule): readonly MergedRule[] {
    const [first] = this.#ranks.get(rule) ?? [];
    return first === undefined ? [] : this.#earlier(first).map((clause) => clause.rule);
  }

  #earlier(rank: number): readonly Clause[] {
    const meeting = this.#index.meeting(this.#clauses[rank]!.pattern, this.effort);
    return meeting.filter((other) => other < rank).map((other) => this.#clauses[other]!);
  }
}

function deniedParts(rule: MergedRule, effort: Effort): readonly DeadRule[] {
  effort.spend(rule.origins.length);
  if (!rule.permissions.capabilities.has('deny')) return [];
  return rule.origins
    .filter((origin) => !origin.rule.capabilities.includes('deny') && origin.rule.capabilities.length > 0)
    .map((origin) => ({ kind: 'denied', rule, origin }));
}

function unusable(set: AclPolicySet, rule: MergedRule, effort: Effort): readonly DeadRule[] {
  const permitted = set.permitted(rule);
  const search = new ParameterSearch(effort);
  return ASKED_OPERATIONS.filter(
    (capability) =>
      rule.permissions.capabilities.has(capability) && !permitsAny(capability, permitted, search),
  ).map((capability) => ({ kind: 'unusable', rule, capability }));
}
