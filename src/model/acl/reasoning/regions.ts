import type { Compared, Comparison } from './differences';
import type { Effort } from './effort';
import { FreshTexts, intersect, pathOutside, patternKey, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import type { Clause } from './policy-set';

/** Paths on which one clause of each set decides, as far as the clauses that come before leave them. */
export interface Region extends Compared {
  readonly pattern: PathPattern;
  /** How many clauses come before, in both sets. */
  readonly rank: readonly [number, number];
  readonly before: Clause | undefined;
  readonly after: Clause | undefined;
  /** The segments of a path of the region. Only looked for if there are differences. */
  readonly path?: readonly string[];
  /** The parts that are left to clauses that come before, each once. Only looked for if there are differences. */
  readonly exceptions?: readonly PathPattern[];
}

/** Each is made, looked at and perhaps told. */
const EFFORT_PER_EXCEPTION = 20;

/** The regions into which the clauses of two sets divide the paths. Each set's come in the order in which they decide. */
export class Regions {
  readonly all: readonly Region[];
  readonly #old: readonly Clause[];
  readonly #now: readonly Clause[];
  readonly #oldIndex: PatternIndex;
  readonly #nowIndex: PatternIndex;
  readonly #index: PatternIndex;
  readonly #fresh: FreshTexts;
  readonly #effort: Effort;
  readonly #near = new Map<PathPattern, readonly Region[]>();
  readonly #reached = new Map<PathPattern, Map<Region, boolean>>();

  constructor(old: readonly Clause[], now: readonly Clause[], compare: Comparison, effort: Effort) {
    this.#old = old;
    this.#now = now;
    this.#effort = effort;
    this.#fresh = new FreshTexts(patternsOf([...old, ...now]));
    this.#oldIndex = new PatternIndex(patternsOf(old));
    this.#nowIndex = new PatternIndex(patternsOf(now));
    this.all = this.#findAll(compare);
    this.#index = new PatternIndex(patternsOf(this.all));
  }

  /** Whether paths of an exception belong to a region that suits. Asked for again for each operation, and found once. */
  reaches(exception: PathPattern, suits: (region: Region) => boolean): boolean {
    const near = found(this.#near, exception, () =>
      this.#index.meeting(exception, this.#effort).map((index) => this.all[index]!),
    );
    const reached = found(this.#reached, exception, () => new Map<Region, boolean>());
    return near.some(
      (region) => suits(region) && found(reached, region, () => this.#hasPathsOf(exception, region)),
    );
  }

  #findAll(compare: Comparison): readonly Region[] {
    const [ofOld, ofNow] = [firstByPattern(this.#old), firstByPattern(this.#now)];
    const regions: Region[] = [];
    const add = (i: number, j: number) => {
      const region = this.#regionOf(i, j, compare);
      if (region) regions.push(region);
    };
    // Behind a clause for the same pattern, of either set, nothing is left: of sets that are alike this is nearly all.
    const isLeft = (key: string, i: number, j: number) =>
      i <= (ofOld.get(key) ?? Infinity) && j <= (ofNow.get(key) ?? Infinity);
    const keysOfNow = this.#now.map(({ pattern }) => patternKey(pattern));
    this.#old.forEach(({ pattern }, i) => {
      const key = patternKey(pattern);
      for (const j of this.#nowIndex.meeting(pattern, this.#effort)) {
        if (isLeft(key, i, j) && isLeft(keysOfNow[j]!, i, j)) add(i, j);
      }
      if (isLeft(key, i, Infinity)) add(i, this.#now.length);
    });
    keysOfNow.forEach((key, j) => {
      if (isLeft(key, Infinity, j)) add(this.#old.length, j);
    });
    return regions;
  }

  /** The region of two clauses, one of which may be none; `undefined` if others decide on all of its paths. */
  #regionOf(i: number, j: number, compare: Comparison): Region | undefined {
    const [before, after] = [this.#old[i], this.#now[j]];
    const pattern = before && after ? intersect(before.pattern, after.pattern)! : (before ?? after)!.pattern;
    const compared = compare(before?.rule, after?.rule);
    const region = { pattern, rank: [i, j] as const, before, after, ...compared };
    // What is permitted alike is only looked at where it meets something else.
    if (compared.differences.length === 0) return region;
    const earlier = this.#earlierWithin(pattern, region.rank);
    const path = pathOutside(pattern, earlier, this.#fresh);
    return path && { ...region, path, exceptions: eachOnce(earlier) };
  }

  /** What the clauses that come before have in common with a pattern. */
  #earlierWithin(pattern: PathPattern, [i, j]: Region['rank']): readonly PathPattern[] {
    const earlier = [
      ...commonWith(pattern, this.#oldIndex.meeting(pattern, this.#effort), this.#old, i),
      ...commonWith(pattern, this.#nowIndex.meeting(pattern, this.#effort), this.#now, j),
    ];
    this.#effort.spend(earlier.length * EFFORT_PER_EXCEPTION);
    return earlier;
  }

  #hasPathsOf(exception: PathPattern, region: Region): boolean {
    const pattern = intersect(exception, region.pattern)!;
    return pathOutside(pattern, this.#earlierWithin(pattern, region.rank), this.#fresh) !== undefined;
  }
}

/** The first clause for each pattern. */
function firstByPattern(clauses: readonly Clause[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  clauses.forEach(({ pattern }, index) => {
    const key = patternKey(pattern);
    if (!first.has(key)) first.set(key, index);
  });
  return first;
}

function patternsOf(all: readonly { readonly pattern: PathPattern }[]): readonly PathPattern[] {
  return all.map(({ pattern }) => pattern);
}

/** What the clauses of a set before one of them have in common with a pattern. */
function commonWith(
  pattern: PathPattern,
  meeting: readonly number[],
  clauses: readonly Clause[],
  before: number,
): readonly PathPattern[] {
  return meeting
    .filter((index) => index < before)
    .map((index) => intersect(pattern, clauses[index]!.pattern)!);
}

function eachOnce(patterns: readonly PathPattern[]): readonly PathPattern[] {
  return [...new Map(patterns.map((pattern) => [patternKey(pattern), pattern])).values()];
}

function found<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = find();
  known.set(key, value);
  return value;
}
