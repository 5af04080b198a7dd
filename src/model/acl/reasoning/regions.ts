import { found, type Compared, type Comparison } from './differences';
import type { Effort } from '../effort';
import {
  FreshTexts,
  intersect,
  overlap,
  partsOutside,
  pathOutside,
  patternKey,
  type PathPattern,
} from './pattern';
import { PatternIndex } from './pattern-index';
import type { Clause } from './policy-set';

/** The index of the deciding clause in each set; the number of clauses if no clause decides. */
type Rank = readonly [old: number, now: number];

/** The paths on which one certain clause of each set decides. */
export interface Region extends Compared {
  readonly pattern: PathPattern;
  readonly rank: Rank;
  readonly before: Clause | undefined;
  readonly after: Clause | undefined;
  /** The segments of a path of the region. Set only if there are differences. */
  readonly path?: readonly string[];
}

/** A pattern of clauses. Only the first clause of each set with this pattern decides. */
interface Named {
  readonly pattern: PathPattern;
  /**
   * The index of the first clause with this pattern in each set; `Infinity` if a set lacks the
   * pattern.
   */
  readonly rank: Rank;
  /** The regions of these clauses. */
  readonly regions: Region[];
}

/**
 * The regions into which the clauses of two sets divide the paths. The clauses of each set are in
 * the order in which they decide.
 */
export class Regions {
  readonly all: readonly Region[];
  readonly #old: readonly Clause[];
  readonly #now: readonly Clause[];
  /** The patterns of both sets. Each is stored once, because most patterns are in both sets. */
  readonly #named: readonly Named[];
  readonly #index: PatternIndex;
  readonly #fresh: FreshTexts;
  readonly #effort: Effort;
  readonly #meeting = new Map<PathPattern, readonly Named[]>();
  readonly #earlier = new Map<Region, readonly PathPattern[]>();
  readonly #others = new Map<Region, readonly Region[]>();
  readonly #parts = new Map<Region, Map<Region, readonly PathPattern[]>>();

  constructor(old: readonly Clause[], now: readonly Clause[], compare: Comparison, effort: Effort) {
    this.#old = old;
    this.#now = now;
    this.#effort = effort;
    this.#named = namedBy(old, now);
    const patterns = this.#named.map(({ pattern }) => pattern);
    this.#fresh = new FreshTexts(patterns);
    this.#index = new PatternIndex(patterns);
    this.all = this.#findAll(compare);
  }

  /**
   * Returns the parts of a region's pattern that belong to other regions, if these satisfy a
   * condition.
   */
  partsOfOthers(region: Region, suits: (other: Region) => boolean): readonly PathPattern[] {
    const others = found(this.#others, region, () => this.#othersOnPathsOf(region));
    // The result is kept, because it is needed for each operation.
    const parts = found(this.#parts, region, () => new Map<Region, readonly PathPattern[]>());
    this.#effort.spend(others.length);
    return others.flatMap((other) =>
      suits(other) ? found(parts, other, () => this.#partsOf(region, other)) : [],
    );
  }

  /** Whether paths of a pattern belong to a region. */
  hasPathsOf(pattern: PathPattern, region: Region): boolean {
    const common = intersect(pattern, region.pattern, this.#effort);
    if (!common) return false;
    return pathOutside(common, this.#earlierPatterns(region), this.#fresh, this.#effort) !== undefined;
  }

  #findAll(compare: Comparison): readonly Region[] {
    const regions: Region[] = [];
    const add = (before: Named | undefined, after: Named | undefined) => {
      const region = this.#regionOf(before, after, compare);
      if (!region) return;
      regions.push(region);
      before?.regions.push(region);
      if (after !== before) after?.regions.push(region);
    };
    for (const named of this.#named) {
      const [old, now] = named.rank;
      if (now === Infinity) add(named, undefined);
      if (old === Infinity) {
        add(undefined, named);
        continue;
      }
      for (const other of this.#meetingWith(named.pattern)) {
        this.#effort.spend(1);
        const isLeft = other.rank[1] !== Infinity && other.rank[1] <= now && old <= other.rank[0];
        if (isLeft) add(named, other);
      }
    }
    return regions;
  }

  /**
   * Returns the region of two clauses, one of which may be missing; `undefined` if earlier clauses
   * decide on all of its paths.
   */
  #regionOf(before: Named | undefined, after: Named | undefined, compare: Comparison): Region | undefined {
    const rank = [before?.rank[0] ?? this.#old.length, after?.rank[1] ?? this.#now.length] as const;
    const clauses = { before: this.#old[rank[0]], after: this.#now[rank[1]] };
    const pattern =
      before && after && before !== after
        ? intersect(before.pattern, after.pattern, this.#effort)!
        : (before ?? after)!.pattern;
    const region = { pattern, rank, ...clauses, ...compare(clauses.before?.rule, clauses.after?.rule) };
    // A region without differences needs no example path.
    if (region.differences.size === 0) return region;
    const parts = partsOutside(pattern, this.#earlierPatterns(region), this.#fresh, this.#effort);
    const [first] = parts;
    if (!first) return undefined;
    const path = pathOutside(first, [], this.#fresh, this.#effort)!;
    return { ...region, pattern: parts.length === 1 ? first : pattern, path };
  }

  /**
   * Returns the other regions that can have paths of a region's pattern: those of earlier clauses.
   */
  #othersOnPathsOf(region: Region): readonly Region[] {
    const { pattern, rank } = region;
    const others = new Set(this.#earlierThan(region).flatMap(({ regions }) => regions));
    this.#effort.spend(others.size);
    return [...others].filter(
      (other) =>
        other.rank[0] <= rank[0] && other.rank[1] <= rank[1] && overlap(pattern, other.pattern, this.#effort),
    );
  }

  #partsOf(region: Region, other: Region): readonly PathPattern[] {
    const common = intersect(region.pattern, other.pattern, this.#effort)!;
    return partsOutside(common, this.#earlierPatterns(other), this.#fresh, this.#effort);
  }

  #earlierPatterns(region: Region): readonly PathPattern[] {
    return found(this.#earlier, region, () => this.#earlierThan(region).map(({ pattern }) => pattern));
  }

  /** Returns the patterns of earlier clauses that have paths of a region's pattern. */
  #earlierThan({ pattern, rank: [old, now] }: Region): readonly Named[] {
    const meeting = this.#meetingWith(pattern);
    this.#effort.spend(meeting.length);
    return meeting.filter(({ rank }) => rank[0] < old || rank[1] < now);
  }

  #meetingWith(pattern: PathPattern): readonly Named[] {
    return found(this.#meeting, pattern, () =>
      this.#index.meeting(pattern, this.#effort).map((index) => this.#named[index]!),
    );
  }
}

function namedBy(old: readonly Clause[], now: readonly Clause[]): readonly Named[] {
  const named = new Map<string, Named & { readonly rank: [number, number] }>();
  [old, now].forEach((clauses, set) => {
    clauses.forEach(({ pattern }, index) => {
      const unknown = () => ({ pattern, rank: [Infinity, Infinity] as [number, number], regions: [] });
      const { rank } = found(named, patternKey(pattern), unknown);
      rank[set] = Math.min(rank[set]!, index);
    });
  });
  return [...named.values()];
}
