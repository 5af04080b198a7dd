import type { Effort } from './effort';
import { intersect, type PathPattern } from './pattern';
import type { Clause } from './policy-set';

type Segment = PathPattern['segments'][number];

/** How many segments are compared before patterns are: nearly all pairs of rules differ in one of them. */
const LEADING_SEGMENTS = 3;

/** Finds the clauses that have paths in common with a pattern. */
export class ClauseIndex {
  readonly #clauses: readonly Clause[];
  readonly #known = new Map<string, readonly number[]>();

  /** @param clauses in the order in which they decide. */
  constructor(clauses: readonly Clause[]) {
    this.#clauses = clauses;
  }

  /** The indexes of clauses that may have a path in common with a pattern, by their leading segments. */
  near({ segments }: PathPattern): readonly number[] {
    const leading = segments.slice(0, LEADING_SEGMENTS);
    const key = leading.map(({ text, open }) => (open ? '+' : `/${text}`)).join('/');
    const known = this.#known.get(key);
    if (known) return known;
    const found = [...this.#clauses.keys()].filter((index) => {
      const others = this.#clauses[index]!.pattern.segments;
      return leading.every((segment, at) => mayMeet(segment, others[at]));
    });
    this.#known.set(key, found);
    return found;
  }

  /** What the clauses before one of them have in common with a pattern. */
  commonWith(pattern: PathPattern, before: number, effort: Effort): readonly PathPattern[] {
    const found: PathPattern[] = [];
    for (const index of this.near(pattern)) {
      if (index >= before) break;
      effort.spend(1);
      const common = intersect(pattern, this.#clauses[index]!.pattern);
      if (common) found.push(common);
    }
    return found;
  }
}

/** Whether a path may belong to both. Only closed segments are looked at. */
function mayMeet(a: Segment, b: Segment | undefined): boolean {
  return a.open || !b || b.open || a.text === b.text;
}
