import { Effort } from './effort';
import { FreshTexts, intersect, patternOf, pathOutside } from './pattern';
import type { AclPolicySet, AclRuleOrigin, Clause, ClauseMode, MergedRule } from './policy-set';
import { permitsAny, type ComparedOperation } from './request-difference';

/** A rule, or a part of one, that changes no decision. */
export type DeadRule =
  /** No request has such a path. */
  | { readonly kind: 'no-request'; readonly rule: MergedRule }
  /** Other rules decide on all of its paths: those in `by`. */
  | { readonly kind: 'never-decides'; readonly rule: MergedRule; readonly by: readonly MergedRule[] }
  /** A rule for the same path denies everything. */
  | { readonly kind: 'denied'; readonly rule: MergedRule; readonly origin: AclRuleOrigin }
  /** No request can use a capability: its parameters or wrapping TTLs exclude each other. */
  | { readonly kind: 'unusable'; readonly rule: MergedRule; readonly capability: ComparedOperation };

const CONSTRAINED = ['create', 'read', 'update', 'patch', 'delete', 'list', 'recover'] as const;

/**
 * Finds the rules of a set that never matter.
 *
 * @throws TooComplexError if it takes more than the effort given. Default: no limit.
 */
export function deadRules(set: AclPolicySet, effort = new Effort(Infinity)): readonly DeadRule[] {
  const fresh = new FreshTexts(
    [...set.clauses('path'), ...set.clauses('list')].map(({ pattern }) => pattern),
  );
  return set.rules.flatMap((rule): readonly DeadRule[] => {
    const modes = (['path', 'list'] as const).map((mode) => ({
      mode,
      decides: set
        .clauses(mode)
        .some((clause) => clause.rule === rule && decides(set, mode, clause, fresh, effort)),
    }));
    if (modes.some(({ decides: any }) => any)) return [...deniedParts(rule), ...unusable(set, rule)];
    if (!pathOutside(patternOf(rule.path), [], fresh)) return [{ kind: 'no-request', rule }];
    return [{ kind: 'never-decides', rule, by: rulesBefore(set, rule) }];
  });
}

function decides(
  set: AclPolicySet,
  mode: ClauseMode,
  clause: Clause,
  fresh: FreshTexts,
  effort: Effort,
): boolean {
  const clauses = set.clauses(mode);
  const index = clauses.indexOf(clause);
  effort.spend(clauses.length + index);
  const earlier = clauses.slice(0, index).map(({ pattern }) => pattern);
  return pathOutside(clause.pattern, earlier, fresh) !== undefined;
}

function rulesBefore(set: AclPolicySet, rule: MergedRule): readonly MergedRule[] {
  const clauses = set.clauses('path');
  const own = patternOf(rule.path);
  return clauses
    .slice(
      0,
      clauses.findIndex((clause) => clause.rule === rule),
    )
    .filter(({ pattern }) => intersect(pattern, own))
    .map((clause) => clause.rule);
}

function deniedParts(rule: MergedRule): readonly DeadRule[] {
  if (!rule.permissions.capabilities.has('deny')) return [];
  return rule.origins
    .filter((origin) => !origin.rule.capabilities.includes('deny') && origin.rule.capabilities.length > 0)
    .map((origin) => ({ kind: 'denied', rule, origin }));
}

function unusable(set: AclPolicySet, rule: MergedRule): readonly DeadRule[] {
  return CONSTRAINED.filter(
    (capability) =>
      rule.permissions.capabilities.has(capability) && !permitsAny(capability, set.permitted(rule)),
  ).map((capability) => ({ kind: 'unusable', rule, capability }));
}
