import { groupsBy } from '../../groups';
import type { Acl, AclRequest } from '../acl';
import { COMPARED_OPERATIONS, type ComparedOperation } from './compared-operations';
import { describe, type Described } from './describe';
import { comparisonOf, found, type Comparison, type Difference } from './differences';
import { Effort, stepsToCut } from '../effort';
import { joinFolders, listTextOf, listTextsOf } from './list-texts';
import { LimitedPolicySet } from './limited';
import { intersect, patternOf, patternText, type PathPattern } from './pattern';
import { AclPolicySet, foldersOf, type Clause, type ClauseMode, type MergedRule } from './policy-set';
import { Regions, type Region } from './regions';
import { maySubscribe, requestOperation } from './request-difference';

/**
 * Requests that only one of two sets of policies permits, or that both permit with different
 * further checks.
 */
export interface AclChange extends Omit<Difference, 'details' | 'kind' | 'characters'> {
  /**
   * The paths, as a rule would name them. Paths of lists end with the slash that the server adds.
   */
  readonly pattern: string;
  /** The paths within the pattern that are not concerned. */
  readonly except: readonly string[];
  /**
   * Whether all of the paths have empty segments, `.` or `..`. Servers from 1.19.16, 1.20.10,
   * 1.21.5 and 2.0.0 on do not carry out requests for such paths.
   */
  readonly untidy: boolean;
  /** An example request, tried under both sets. */
  readonly witness: AclRequest;
  /** The rule that decides under the old set, and under the new set. */
  readonly before: MergedRule | undefined;
  readonly after: MergedRule | undefined;
}

/** Whether a change allows more than before. */
export function isWidening({ becomes }: AclChange): boolean {
  return becomes === 'allowed' || becomes === 'less-checked';
}

/**
 * Finds everything that a change of policies makes possible or impossible.
 *
 * The paths are divided by the pair of rules that decide on them, one of each set. For each pair of
 * rules that permit different requests, the search looks for a path on which no earlier rule
 * decides. So it misses no change, and reports none that does not exist.
 *
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies.
 */
export function diffPolicySets(
  before: AclPolicySet,
  after: AclPolicySet,
  effort = Effort.for([before, after]),
): readonly AclChange[] {
  return isSame(before, after) ? [] : new SetComparison(before, after, effort).changesWithin(EVERYTHING);
}

/**
 * Whether two sets have the same rules and options. Sets with other rules may still permit the
 * same.
 */
function isSame(before: AclPolicySet, after: AclPolicySet): boolean {
  return textOfSet(before) === textOfSet(after);
}

function textOfSet(set: AclPolicySet): string {
  const limits = set instanceof LimitedPolicySet ? set.limits : [];
  const ofLimits = limits.map(({ alternatives }) => alternatives.map(textOfSet));
  return JSON.stringify([set.policies.map(({ policy }) => policy), set.options, ofLimits]);
}

const EVERYTHING = patternOf('*');

/**
 * Whether everything that `set` permits is permitted by `other` as well, with no further checks.
 */
export function isSubset(set: AclPolicySet, other: AclPolicySet): boolean {
  return !diffPolicySets(other, set).some(isWidening);
}

/** Whether two sets permit the same, with the same further checks. */
export function isEqual(a: AclPolicySet, b: AclPolicySet): boolean {
  return diffPolicySets(a, b).length === 0;
}

/**
 * Returns everything that a set permits, as its differences from a set that permits nothing.
 *
 * @param under the text with which the paths must begin.
 * @throws TooComplexError as {@link diffPolicySets} does.
 */
export function permittedBy(
  set: AclPolicySet,
  under = '',
  effort = Effort.for([set, { names: [], characters: under.length }]),
): readonly AclChange[] {
  const wanted = patternOf(`${under.replace(/^\/+/, '')}*`);
  return new SetComparison(new AclPolicySet([], set.options), set, effort).changesWithin(wanted);
}

/** A comparison of two sets of policies, whose steps count together. */
class SetComparison {
  readonly #before: AclPolicySet;
  readonly #after: AclPolicySet;
  readonly #effort: Effort;
  readonly #comparison: (mode: ClauseMode) => Comparison;

  constructor(before: AclPolicySet, after: AclPolicySet, effort: Effort) {
    this.#before = before;
    this.#after = after;
    this.#effort = effort;
    this.#comparison = comparisonOf(before, after, effort);
  }

  /** Returns the changes on the paths of a pattern. */
  changesWithin(wanted: PathPattern): readonly AclChange[] {
    const changes = this.#changesOf('path', [wanted]);
    // The `sudo` of a path applies to its list as well, unless another rule decides on the list.
    const reported = new Map<MergedRule | undefined, Set<MergedRule | undefined>>();
    for (const { before, after } of changes) found(reported, before, () => new Set()).add(after);
    const ofLists = this.#changesOf('list', foldersOf(wanted)).filter(
      ({ operation, before, after }) => operation === 'list' || !reported.get(before)?.has(after),
    );
    return [...changes, ...ofLists].sort(
      (a, b) =>
        compareTexts(a.pattern, b.pattern) ||
        COMPARED_OPERATIONS.indexOf(a.operation) - COMPARED_OPERATIONS.indexOf(b.operation),
    );
  }

  #changesOf(mode: ClauseMode, wanted: readonly PathPattern[]): readonly AclChange[] {
    const effort = this.#effort;
    const [old, now] = [this.#before, this.#after].map((set) =>
      clausesWithin(wanted, set.clauses(mode, effort), effort),
    );
    const regions = new Regions(old!, now!, this.#comparison(mode), effort);
    const kinds = new Map<string, Set<Region>>();
    const indexes = new Map(regions.all.map((region, index) => [region, index]));
    for (const region of regions.all) {
      effort.spend(region.differences.size);
      for (const kind of region.differences.keys()) found(kinds, kind, () => new Set<Region>()).add(region);
    }
    const described = new Map<string, readonly Described[]>();
    return [...kinds].flatMap(([kind, concerned]) => {
      const [first] = concerned;
      const { operation, becomes, partly, checks, characters } = first!.differences.get(kind)!;
      const key = Array.from(concerned, (region) => indexes.get(region)).join(' ');
      const all = found(described, key, () => describe(regions, concerned, effort));
      return (mode === 'list' ? joinFolders(all) : all).map(
        ({ pattern, region, except, withFolder }): AclChange => {
          const isList = mode === 'list';
          effort.spend(pattern.segments.length + except.length + stepsToCut(0, characters));
          const details = region.differences.get(kind)!.details;
          const path = region.path!.join('/') + (isList ? '/' : '');
          const witness: AclRequest = { operation: requestOperation(operation, mode), path, ...details };
          this.#confirm({ operation, becomes, witness });
          return {
            operation,
            becomes,
            ...(checks && { checks }),
            pattern: isList && !withFolder ? listTextOf(pattern) : patternText(pattern),
            except: isList ? listTextsOf(except) : except.map(patternText),
            partly,
            untidy: isUntidy(path),
            witness,
            before: region.before?.rule,
            after: region.after?.rule,
          };
        },
      );
    });
  }

  /**
   * Tries the example of a change under both sets.
   *
   * @throws Error if they do not decide as the change says: this module then has a fault, and the
   *   change must not be shown.
   */
  #confirm(change: Pick<AclChange, 'operation' | 'becomes' | 'witness'>): void {
    const { operation, becomes, witness } = change;
    const permitted = [this.#before, this.#after].map(({ acl }) =>
      permits(acl, operation, witness, this.#effort),
    );
    if (permitted[0] === (becomes !== 'allowed') && permitted[1] === (becomes !== 'denied')) return;
    throw new Error(`the difference at ${witness.operation} ${witness.path} could not be confirmed`);
  }
}

function clausesWithin(
  wanted: readonly PathPattern[],
  clauses: readonly Clause[],
  effort: Effort,
): readonly Clause[] {
  if (wanted.includes(EVERYTHING)) return clauses;
  return clauses.flatMap(({ pattern, rule }) =>
    wanted.flatMap((each) => {
      const common = intersect(pattern, each, effort);
      return common ? [{ pattern: common, rule }] : [];
    }),
  );
}

function isUntidy(path: string): boolean {
  return /\/\/|(^|\/)\.\.?(\/|$)/.test(path);
}

function permits(acl: Acl, operation: ComparedOperation, witness: AclRequest, effort: Effort): boolean {
  if (operation === 'subscribe') return maySubscribe(acl, witness, effort);
  const { allowed, sudo } = acl.allow(witness, effort);
  return operation === 'sudo' ? sudo : allowed;
}

function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Changes that differ in their operation alone. */
export type AclChangeGroup = readonly [AclChange, ...AclChange[]];

/**
 * Groups the changes that are about the same requests except for the operation, in the order of the
 * first ones.
 */
export function groupChanges(changes: readonly AclChange[]): readonly AclChangeGroup[] {
  const numbers = new Map<AclChange['checks'], number>();
  return groupsBy(changes, ({ becomes, pattern, except, partly, checks, before, after }) => {
    // Changes with equal checks share one object. Their texts may be long.
    const number = found(numbers, checks, () => numbers.size);
    return JSON.stringify([becomes, pattern, except, partly, number, before?.path, after?.path]);
  });
}
