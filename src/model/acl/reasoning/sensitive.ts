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
import { SENSITIVE_FOLDERS, type ComparedOperation } from './compared-operations';
import { isWidening, type AclChange } from './diff';
import { PatternIndex } from './pattern-index';
import type { AclPolicySet, Clause, MergedRule } from './policy-set';

/** A permission that reviewers should look at, because of what its holders can do with it. */
interface Power {
  readonly kind: string;
  /** Words that follow "may now". */
  readonly text: string;
  readonly operations: readonly ComparedOperation[];
  /** The patterns of the paths within any namespace. */
  readonly paths: readonly PathPattern[];
}

export type SensitiveChange =
  | (Pick<Power, 'kind' | 'text'> & { readonly change: AclChange })
  /**
   * A rule that denies still exists, but another rule now decides on paths within `pattern` and
   * permits something there.
   */
  | (DenyShadow & { readonly kind: typeof SHADOWED_DENY; readonly text: string });

const SHADOWED_DENY = 'shadowed-deny';

const WRITE = ['create', 'update', 'patch'] as const;
const CHANGE = [...WRITE, 'delete'] as const;

/** The permissions that reviewers should look at, the most dangerous first. */
const POWERS: readonly Power[] = [
  power('policies', 'grant itself any policy', WRITE, [
    ...['sys/policies/acl/*', 'sys/policy/*'],
    ...['identity/entity', 'identity/entity/*', 'identity/group', 'identity/group/*'],
  ]),
  power('tokens', 'create tokens and logins with other policies', WRITE, [
    ...['auth/token/create', 'auth/token/create-orphan', 'auth/token/create/*', 'auth/token/roles/*'],
    ...['auth/+/role/*', 'auth/+/users/*', 'auth/+/groups/*', 'auth/+/map/*', 'auth/+/certs/*'],
  ]),
  power('keys', 'create tokens with full permissions, or unseal with new keys', WRITE, [
    ...['sys/generate-root/*', 'sys/generate-recovery-token/*'],
    ...['sys/rekey/*', 'sys/rekey-recovery-key/*', 'sys/unseal'],
  ]),
  power('storage', 'read all that the cluster stores', ['read'], ['sys/raw/*', 'sys/storage/raft/snapshot']),
  power('audit', 'turn off or redirect audit devices', CHANGE, ['sys/audit/*']),
  power('sentinel', 'change or remove the policies that bind others', CHANGE, [
    ...['sys/policies/rgp/*', 'sys/policies/egp/*'],
  ]),
  power('deletions', 'delete policies', ['delete'], ['sys/policies/acl/*', 'sys/policy/*']),
  power('replication', 'disable or redirect replication', CHANGE, ['sys/replication/*']),
  power('seal', 'seal the cluster', WRITE, ['sys/seal', 'sys/step-down']),
  power('mounts', 'mount, move or remove engines and logins', CHANGE, [
    ...['sys/mounts/*', 'sys/auth/*', 'sys/remount'],
  ]),
];

const ALL_SECRETS = { kind: 'secrets', text: 'read all secrets of a mount' };

/** The permission for changes that give none of the others. */
const SUDO = { kind: 'sudo', text: 'use paths that require "sudo"' };
const GENERAL: readonly Power[] = [
  power('system', 'change how the cluster works', CHANGE, ['sys/*']),
  power('auth', 'change how tokens are given out', CHANGE, ['auth/*']),
];

function power(kind: string, text: string, operations: Power['operations'], paths: readonly string[]): Power {
  return { kind, text, operations, paths: paths.map(patternOf) };
}

/**
 * Finds the changes that give sensitive permissions, the most dangerous first. A change is listed
 * once for each such permission.
 *
 * @param changes the result of {@link diffPolicySets}.
 * @param harmless patterns that every token may use, which do not count as changes of the system or
 * of logins.
 * @throws TooComplexError if it takes more steps than `effort` has. Default: what policies of their
 * length may take.
 */
export function sensitiveChanges(
  changes: readonly AclChange[],
  before: AclPolicySet,
  after: AclPolicySet,
  harmless: readonly PathPattern[] = [],
  effort = Effort.for([before, after]),
): readonly SensitiveChange[] {
  const widening = changes.filter(isWidening).map((change): Widening => {
    effort.spend(1 + change.except.length);
    const [own, ...except] = [change.pattern, ...change.except].map(readPatternText);
    return { change, own: own!, except };
  });
  const found = POWERS.flatMap((each) =>
    widening.filter((one) => hasPower(withinNamespace(one), each, effort)).map((one) => reported(each, one)),
  );
  const ofSecrets = widening.filter(readsAllSecrets).map((one) => reported(ALL_SECRETS, one));
  const isFound = new Set([...found, ...ofSecrets].map(({ change }) => change));
  const others = widening.filter(({ change }) => !isFound.has(change));
  const isHarmless = ({ own }: Widening) => harmless.some((other) => contains(other, own, effort));
  const general = [
    ...others.filter(({ change }) => change.operation === 'sudo').map((one) => reported(SUDO, one)),
    ...GENERAL.flatMap((each) =>
      others
        .filter((one) => hasPower(one, each, effort) && !isHarmless(one))
        .map((one) => reported(each, one)),
    ),
  ];
  return [...found, ...ofSecrets, ...general, ...newlyShadowedDenies(before, after, effort)];
}

/** A change that allows more than before, with its patterns. */
interface Widening {
  readonly change: AclChange;
  readonly own: PathPattern;
  readonly except: readonly PathPattern[];
}

function reported({ kind, text }: Pick<Power, 'kind' | 'text'>, { change }: Widening) {
  return { kind, text, change };
}

function hasPower({ change, own, except }: Widening, { operations, paths }: Power, effort: Effort): boolean {
  return (
    operations.includes(change.operation) &&
    paths.some(
      (path) => overlap(own, path, effort) && !except.some((exception) => contains(exception, path, effort)),
    )
  );
}

/**
 * Returns a widening with paths from the namespace that its pattern names, such as `sys/…` for
 * `team/sys/…`. Exceptions in other namespaces are left out.
 */
function withinNamespace(widening: Widening): Widening {
  const { change, own, except } = widening;
  const start = own.segments.findIndex(({ text, open }) => !open && SENSITIVE_FOLDERS.includes(text));
  if (start <= 0) return widening;
  const isWithin = ({ segments }: PathPattern) =>
    own.segments
      .slice(0, start)
      .every(({ text, open }, index) => segments[index]?.text === text && segments[index].open === open);
  const inner = (pattern: PathPattern) => ({ ...pattern, segments: pattern.segments.slice(start) });
  return {
    change,
    own: inner(own),
    except: except.filter((each) => each.segments.length > start && isWithin(each)).map(inner),
  };
}

/**
 * Matches the first segments of paths without secrets: those of every server, and usual names of
 * engines.
 */
const NO_SECRETS = /^(?:sys|auth|identity|cubbyhole|transit|transform|ssh|(?:.+[-_])?pki(?:[-_].+)?)$/;

/** Whether a change allows to read a whole mount, or all data of a KV mount of version 2. */
function readsAllSecrets({ change, own: { segments, isPrefix } }: Widening): boolean {
  const names = segments.map(({ text }) => text).filter((text) => text !== '');
  const isMount = names.length <= 1 || names.at(-1) === 'data';
  return change.operation === 'read' && isPrefix && isMount && !NO_SECRETS.test(names[0] ?? '');
}

function newlyShadowedDenies(
  before: AclPolicySet,
  after: AclPolicySet,
  effort: Effort,
): readonly SensitiveChange[] {
  const old = before.clauses('path', effort);
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
  return shadows.map((shadow) => {
    const [denied, decides] = [shadow.deny, shadow.by].map(({ path }) => JSON.stringify(path));
    const text = `use paths that ${denied} denies, as ${decides} takes precedence`;
    return { kind: SHADOWED_DENY, text, ...shadow };
  });
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
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies.
 */
export function shadowedDenies(set: AclPolicySet, effort = Effort.for([set])): readonly DenyShadow[] {
  return denyShadows(set, [], () => () => [], effort);
}

/** Returns the patterns to ignore among those that have paths in common with a pattern. */
type Elsewhere = (common: PathPattern) => readonly PathPattern[];

/**
 * Finds paths of denying rules on which other rules decide.
 *
 * @param others the clauses that may decide instead.
 * @param decidedElsewhere returns a function for the paths of a denying rule that are to be
 * ignored; `undefined` to skip the rule.
 */
function denyShadows(
  set: AclPolicySet,
  others: readonly Clause[],
  decidedElsewhere: (deny: MergedRule) => Elsewhere | undefined,
  effort: Effort,
): readonly DenyShadow[] {
  const clauses = set.clauses('path', effort);
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
