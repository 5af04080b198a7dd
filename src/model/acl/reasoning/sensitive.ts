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
import { isWidening, type AclChange } from './diff';
import type { AclPolicySet, Clause, MergedRule } from './policy-set';

/** Why a reviewer should look at a change twice. */
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
  /** A rule still denies, but another rule now decides on paths within `pattern`, and permits something there. */
  | ({ readonly kind: 'shadowed-deny' } & DenyShadow);

const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete'];
const OF_POLICIES = ['sys/policies/*', 'sys/policy/*'].map(patternOf);
const OF_POLICIES_BELOW_A_NAMESPACE = /(^|\/)sys\/polic(y|ies)\//;
const OF_SYSTEM = patternOf('sys/*');
const OF_AUTH = patternOf('auth/*');
/** A snapshot holds all that a cluster stores. */
const REVEALING = patternOf('sys/storage/raft/snapshot');

/**
 * Finds what of a change makes something sensitive possible.
 *
 * @param changes what {@link diffPolicySets} found.
 * @param harmless patterns that are not worth a word: what every token may do.
 */
export function sensitiveChanges(
  changes: readonly AclChange[],
  before: AclPolicySet,
  after: AclPolicySet,
  harmless: readonly PathPattern[] = [],
): readonly SensitiveChange[] {
  const sensitive = changes.flatMap((change): readonly SensitiveChange[] => {
    const kind = isWidening(change) ? sensitivityOf(change, harmless) : undefined;
    return kind ? [{ kind, change }] : [];
  });
  return [...sensitive, ...newlyShadowedDenies(before, after)];
}

function sensitivityOf(change: AclChange, harmless: readonly PathPattern[]): SensitiveKind | undefined {
  const { operation, pattern, except } = change;
  const own = readPatternText(pattern);
  const exceptions = except.map(readPatternText);
  const reaches = (other: PathPattern) =>
    overlap(own, other) && !exceptions.some((exception) => contains(exception, other));
  const writes = WRITES.includes(operation);

  if (writes && (OF_POLICIES.some(reaches) || OF_POLICIES_BELOW_A_NAMESPACE.test(pattern))) return 'policies';
  if (operation === 'sudo') return 'sudo';
  if (operation === 'read' && reaches(REVEALING)) return 'system';
  if (!writes || harmless.some((other) => contains(other, own))) return undefined;
  if (reaches(OF_SYSTEM)) return 'system';
  return reaches(OF_AUTH) ? 'auth' : undefined;
}

function newlyShadowedDenies(before: AclPolicySet, after: AclPolicySet): readonly SensitiveChange[] {
  const old = before.clauses('path');
  const shadows = denyShadows(after, old, (deny) => {
    const rank = old.findIndex(({ rule }) => rule.path === deny.path && denies(rule));
    return rank < 0 ? undefined : old.slice(0, rank).map(({ pattern }) => pattern);
  });
  return shadows.map((shadow) => ({ kind: 'shadowed-deny', ...shadow }));
}

/** Paths on which a rule denies, and another one decides and permits something. */
export interface DenyShadow {
  readonly deny: MergedRule;
  readonly by: MergedRule;
  readonly pattern: string;
}

/** Finds the rules of a set that deny, and the rules that decide on some of their paths and permit something there. */
export function shadowedDenies(set: AclPolicySet): readonly DenyShadow[] {
  return denyShadows(set, [], () => []);
}

/**
 * @param others clauses that have a say in `decidedElsewhere`.
 * @param decidedElsewhere the paths of a deny that do not count; `undefined` if none of them do.
 */
function denyShadows(
  set: AclPolicySet,
  others: readonly Clause[],
  decidedElsewhere: (deny: MergedRule) => readonly PathPattern[] | undefined,
): readonly DenyShadow[] {
  const clauses = set.clauses('path');
  const fresh = new FreshTexts([...others, ...clauses].map(({ pattern }) => pattern));
  return clauses.flatMap(({ pattern, rule: deny }, rank): readonly DenyShadow[] => {
    const elsewhere = denies(deny) ? decidedElsewhere(deny) : undefined;
    if (!elsewhere) return [];
    return clauses.slice(0, rank).flatMap((other, otherRank): readonly DenyShadow[] => {
      const { rule: by } = other;
      const common = by.permissions.capabilities.size > 0 && !denies(by) && intersect(pattern, other.pattern);
      if (!common) return [];
      const earlier = [...elsewhere, ...clauses.slice(0, otherRank).map((each) => each.pattern)];
      return pathOutside(common, earlier, fresh) ? [{ deny, by, pattern: patternText(common) }] : [];
    });
  });
}

function denies({ permissions }: MergedRule): boolean {
  return permissions.capabilities.has('deny');
}
