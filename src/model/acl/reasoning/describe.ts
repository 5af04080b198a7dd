import type { Effort } from './effort';
import { contains, intersect, type PathPattern } from './pattern';
import type { Region, Regions } from './regions';

/** Regions that are told together, by a pattern and exceptions. */
export interface Described {
  readonly region: Region;
  readonly except: readonly PathPattern[];
  /** Of a list: whether the folder whose content the pattern names belongs to it. */
  readonly withFolder?: boolean;
}

/**
 * Describes regions by patterns and exceptions: as few patterns as the rules make plain. A rule that comes before makes
 * an exception only if paths within it are not concerned.
 */
export function describe(
  regions: Regions,
  isConcerned: (region: Region) => boolean,
  effort: Effort,
): readonly Described[] {
  const all = regions.all.filter(isConcerned).map((region): Described => {
    const exceptions = region.exceptions!.filter((each) =>
      regions.reaches(each, (other) => !isConcerned(other)),
    );
    effort.spend(exceptions.length ** 2);
    return { region, except: largest(exceptions) };
  });
  const kept: Described[] = [];
  for (const each of [...all].sort(widerFirst)) {
    effort.spend(kept.length);
    if (!kept.some((other) => covers(other, each))) kept.push(each);
  }
  return kept;
}

/** A pattern that contains another one comes before it. */
function widerFirst({ region: { pattern: a } }: Described, { region: { pattern: b } }: Described): number {
  return (
    a.segments.length - b.segments.length ||
    Number(b.isPrefix) - Number(a.isPrefix) ||
    textLength(a) - textLength(b) ||
    openSegments(b) - openSegments(a)
  );
}

function textLength({ segments }: PathPattern): number {
  return segments.reduce((length, { text }) => length + text.length, 0);
}

function openSegments({ segments }: PathPattern): number {
  return segments.filter(({ open }) => open).length;
}

/** Whether `wide` speaks of all paths of `narrow`. */
function covers(wide: Described, narrow: Described): boolean {
  if (!contains(wide.region.pattern, narrow.region.pattern)) return false;
  return wide.except.every((exception) => {
    const common = intersect(exception, narrow.region.pattern);
    return !common || narrow.except.some((other) => contains(other, common));
  });
}

/** The patterns that no other one contains. Each is there once. */
function largest(patterns: readonly PathPattern[]): readonly PathPattern[] {
  return patterns.filter(
    (pattern) => !patterns.some((other) => other !== pattern && contains(other, pattern)),
  );
}
