import type { ClauseIndex } from './clause-index';
import type { Effort } from './effort';
import type { FreshTexts } from './pattern';
import { intersect, overlap, pathOutside, patternKey, type PathPattern } from './pattern';

/** Paths on which one clause of each side decides. */
export interface Placed {
  readonly pattern: PathPattern;
  /** How many clauses come before, in both sets. */
  readonly rank: readonly [number, number];
}

/** The clauses of both sides. */
export interface Indexes {
  readonly old: ClauseIndex;
  readonly now: ClauseIndex;
}

/** Each is made, looked at and perhaps told. */
const EFFORT_PER_EXCEPTION = 20;

/** What the clauses that come before have in common with a pattern. */
export function earlierWithin(
  { pattern, rank: [i, j] }: Placed,
  { old, now }: Indexes,
  effort: Effort,
): readonly PathPattern[] {
  const earlier = [...old.commonWith(pattern, i, effort), ...now.commonWith(pattern, j, effort)];
  effort.spend(earlier.length * EFFORT_PER_EXCEPTION);
  return earlier;
}

/** What is beside and within the regions of a comparison. It is asked for again for each operation, and found once. */
export class Surroundings<Region extends Placed> {
  readonly #regions: readonly Region[];
  readonly #byFirstSegment = new Map<string, Region[]>();
  readonly #withOpenFirstSegment: Region[] = [];
  readonly #indexes: Indexes;
  readonly #fresh: FreshTexts;
  readonly #effort: Effort;
  readonly #neighbours = new Map<Region, readonly Region[]>();
  readonly #exceptions = new Map<Region, readonly PathPattern[]>();
  readonly #reached = new Map<PathPattern, Map<Region, boolean>>();

  constructor(regions: readonly Region[], indexes: Indexes, fresh: FreshTexts, effort: Effort) {
    this.#regions = regions;
    this.#indexes = indexes;
    this.#fresh = fresh;
    this.#effort = effort;
    for (const region of regions) {
      const first = region.pattern.segments[0]!;
      const same = first.open ? this.#withOpenFirstSegment : this.#byFirstSegment.get(first.text);
      if (same) same.push(region);
      else this.#byFirstSegment.set(first.text, [region]);
    }
  }

  /** The regions that may have a path in common with another one. */
  neighbours(region: Region): readonly Region[] {
    return found(this.#neighbours, region, () => {
      const first = region.pattern.segments[0]!;
      const candidates = first.open
        ? this.#regions
        : [...(this.#byFirstSegment.get(first.text) ?? []), ...this.#withOpenFirstSegment];
      this.#effort.spend(candidates.length);
      return candidates.filter(({ pattern }) => overlap(pattern, region.pattern));
    });
  }

  /** The parts of a region on which clauses decide that come before, each once. */
  exceptions(region: Region): readonly PathPattern[] {
    return found(this.#exceptions, region, () => {
      const all = new Map<string, PathPattern>();
      for (const each of earlierWithin(region, this.#indexes, this.#effort)) all.set(patternKey(each), each);
      return [...all.values()];
    });
  }

  /** Whether any path of an exception belongs to a region. */
  reaches(exception: PathPattern, region: Region): boolean {
    const ofException = found(this.#reached, exception, () => new Map<Region, boolean>());
    return found(ofException, region, () => {
      this.#effort.spend(1);
      const pattern = intersect(exception, region.pattern);
      if (!pattern) return false;
      const earlier = earlierWithin({ pattern, rank: region.rank }, this.#indexes, this.#effort);
      return pathOutside(pattern, earlier, this.#fresh) !== undefined;
    });
  }
}

function found<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = find();
  known.set(key, value);
  return value;
}
