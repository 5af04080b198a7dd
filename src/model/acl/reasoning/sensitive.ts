import {
  contains,
  FreshTexts,
  intersect,
  overlap,
  pathOutside,
  patternOf,
  patternText,
  readPatternText,
  type PathPattern,
} from './pattern';
import { Effort } from '../effort';
import { isWidening, type AclChange } from './diff';
import { PatternIndex } from './pattern-index';
import type { AclPolicySet, Clause, MergedRule } from './policy-set';

/** The reason why a reviewer should look at a change twice. */
type SensitiveKind =
  /** Writes to policies: anyone who may do this can grant themselves any permission. */
  | 'policies'
  | 'sudo'
  /** Writes below `sys/`, or a read there that shows everything. */
  | 'system'
  /** Writes below `auth/`. */
  | 'auth';

export type SensitiveChange =
  | { readonly kind: SensitiveKind; readonly change: AclChange }
  /**
   * A rule still denies, but another rule now decides on paths within `pattern`, and permits
   * something there.
   */
  | ({ readonly kind: 'shadowed-deny' } & DenyShadow);

const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete'];
const OF_POLICIES = ['sys/policies/*', 'sys/policy/*'].map(patternOf);
const OF_POLICIES_BELOW_A_NAMESPACE = /(^|\/)sys\/polic(y|ies)\//;
const OF_SYSTEM = patternOf('sys/*');
const OF_AUTH = patternOf('auth/*');
/** The path of a snapshot, which holds all that a cluster stores. */
const REVEALING = patternOf('sys/storage/raft/snapshot');

/**
 * Finds the changes that make something sensitive possible.
 *
 * @param changes the result of {@link diffPolicySets}.
 * @param harmless patterns that every token may use, which are not reported.
 * @throws TooComplexError if it takes more than the effort given. Default: what policies of their
 *   length may take.
 */
export function sensitiveChanges(
  changes: readonly AclChange[],
  before: AclPolicySet,
  after: AclPolicySet,
  harmless: readonly PathPattern[] = [],
  effort = Effort.for([before, after]),
): readonly SensitiveChange[] {
  const sensitive = changes.flatMap((change): readonly SensitiveChange[] => {
    const kind = isWidening(change) ? sensitivityOf(change, harmless, effort) : undefined;
    return kind ? [{ kind, change }] : [];
  });
  return [...sensitive, ...newlyShadowedDenies(before, after, effort)];
}

function sensitivityOf(
  change: AclChange,
  harmless: readonly PathPattern[],
  effort: Effort,
): SensitiveKind | undefined {
  const { operation, pattern, except } = change;
  effort.spend(1 + except.length);
  const own = readPatternText(pattern);
  const exceptions = except.map(readPatternText);
  const reaches = (other: PathPattern) =>
    overlap(own, other, effort) && !exceptions.some((exception) => contains(exception, other, effort));
  const writes = WRITES.includes(operation);

  if (writes && (OF_POLICIES.some(reaches) || OF_POLICIES_BELOW_A_NAMESPACE.test(pattern))) return 'policies';
  if (operation === 'sudo') return 'sudo';
  if (operation === 'read' && reaches(REVEALING)) return 'system';
  if (!writes || harmless.some((other) => contains(other, own, effort))) return undefined;
  if (reaches(OF_SYSTEM)) return 'system';
  return reaches(OF_AUTH) ? 'auth' : undefined;
}

function newlyShadowedDenies(
  before: AclPolicySet,
  after: AclPolicySet,
  effort: Effort,
): readonly SensitiveChange[] {
  const old = before.clauses('path');
  const index = new PatternIndex(old.map(({ pattern }) => pattern));
  const ranks = new Map(old.map(({ rule }, rank) => [rule.path, denies(rule) ? rank : undefined]));
  const shadows = denyShadows(
    after,
    old,
    (deny) => {
      const rank = ranks.get(deny.path);
      if (rank === undefined) return undefined;
      return (common) => {
        const meeting = index.meeting(common, effort).filter((other) => other < rank);
        return meeting.map((other) => old[other]!.pattern);
      };
    },
    effort,
  );
  return shadows.map((shadow) => ({ kind: 'shadowed-deny', ...shadow }));
}

/** The paths on which one rule denies, but another one decides and permits something. */
export interface DenyShadow {
  readonly deny: MergedRule;
  readonly by: MergedRule;
  readonly pattern: string;
}

/**
 * Finds the rules of a set that deny, and the rules that decide on some of their paths and permit
 * something there.
 *
 * @throws TooComplexError if it takes more than the effort given. Default: what policies of their
 *   length may take.
 */
export function shadowedDenies(set: AclPolicySet, effort = Effort.for([set])): readonly DenyShadow[] {
  return denyShadows(set, [], () => () => [], effort);
}

/** Returns the patterns that have paths in common with another one and are to be ignored. */
type Elsewhere = (common: PathPattern) => readonly PathPattern[];

/**
 * Finds paths of denying rules on which other rules decide.
 *
 * @param others the clauses that may decide instead.
 * @param decidedElsewhere returns the paths of a deny to ignore; `undefined` to ignore none.
 */
function denyShadows(
  set: AclPolicySet,
  others: readonly Clause[],
  decidedElsewhere: (deny: MergedRule) => Elsewhere | undefined,
  effort: Effort,
): readonly DenyShadow[] {
  const clauses = set.clauses('path');
  effort.spend(clauses.length + others.length);
  const fresh = new FreshTexts([...others, ...clauses].map(({ pattern }) => pattern));
  const index = new PatternIndex(clauses.map(({ pattern }) => pattern));
  return clauses.flatMap(({ pattern, rule: deny }, rank): readonly DenyShadow[] => {
    const elsewhere = denies(deny) ? decidedElsewhere(deny) : undefined;
    if (!elsewhere) return [];
    const meeting = index.meeting(pattern, effort).filter((other) => other < rank);
    return meeting.flatMap((otherRank): readonly DenyShadow[] => {
      const other = clauses[otherRank]!;
      const { rule: by } = other;
      if (by.permissions.capabilities.size === 0 || denies(by)) return [];
      const common = intersect(pattern, other.pattern, effort)!;
      const earlier = index.meeting(common, effort).filter((each) => each < otherRank);
      const decided = [...elsewhere(common), ...earlier.map((each) => clauses[each]!.pattern)];
      if (!pathOutside(common, decided, fresh, effort)) return [];
      return [{ deny, by, pattern: patternText(common) }];
    });
  });
}

function denies({ permissions }: MergedRule): boolean {
  return permissions.capabilities.has('deny');
}
