import type { Effort } from '../effort';
import { contains, patternKey, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import type { Region, Regions } from './regions';

/** A pattern and its exceptions, which describe one or more regions. */
export interface Described {
  readonly pattern: PathPattern;
  readonly except: readonly PathPattern[];
  /** One of the regions, from which examples are taken. */
  readonly region: Region;
  /** For lists: whether the pattern also includes the list of the folder itself. */
  readonly withFolder?: boolean;
}

/** A description that may be left out if another one covers it. */
interface Candidate extends Described {
  /** The regions that the pattern has to describe. */
  readonly regions: readonly Region[];
}

/**
 * Describes regions by patterns and exceptions. A pattern is left out if another one covers all of
 * its paths. Only paths outside of the concerned regions are exceptions.
 */
export function describe(
  regions: Regions,
  concerned: ReadonlySet<Region>,
  effort: Effort,
): readonly Described[] {
  const all = Array.from(concerned, (region): Candidate => {
    const parts = regions.partsOfOthers(region, (other) => !concerned.has(other));
    return { pattern: region.pattern, except: largest(parts, effort), region, regions: [region] };
  });
  const candidates = [...withJoined(all)].sort(widerFirst);
  // A pattern can only contain another one if they have paths in common. Nearly all pairs of
  // patterns of a large policy have none, so an index finds the others.
  const index = new PatternIndex(candidates.map(({ pattern }) => pattern));
  const kept = new Set<Candidate>();
  for (const each of candidates) {
    const others = index.meeting(each.pattern, effort).map((at) => candidates[at]!);
    if (!others.some((other) => kept.has(other) && covers(other, each, regions, effort))) kept.add(each);
  }
  return [...kept];
}

/** Adds patterns that join two others: `secret/+` and `secret/+/*` are `secret/*`. */
function withJoined(all: readonly Candidate[]): readonly Candidate[] {
  const byPattern = new Map(all.map((each) => [patternKey(each.pattern), each]));
  const joined = new Map<string, Candidate>();
  const deepestFirst = [...all].sort((a, b) => b.pattern.segments.length - a.pattern.segments.length);
  for (const each of deepestFirst) {
    const { segments, isPrefix } = each.pattern;
    if (isPrefix || !segments.at(-1)!.open) continue;
    const below = patternKey({ segments: [...segments, { text: '', open: true }], isPrefix: true });
    const other = joined.get(below) ?? byPattern.get(below);
    if (!other) continue;
    const pattern = { segments, isPrefix: true };
    joined.set(patternKey(pattern), {
      pattern,
      except: [...each.except, ...other.except],
      region: each.region,
      regions: [...each.regions, ...other.regions],
    });
  }
  return [...joined.values(), ...all];
}

/** Sorts patterns so that one which contains another comes before it. */
function widerFirst({ pattern: a }: Described, { pattern: b }: Described): number {
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

/** Whether the description `wide` includes all paths that `narrow` has to describe. */
function covers(wide: Candidate, narrow: Candidate, regions: Regions, effort: Effort): boolean {
  if (!contains(wide.pattern, narrow.pattern, effort)) return false;
  return wide.except.every((exception) =>
    narrow.regions.every((region) => !regions.hasPathsOf(exception, region)),
  );
}

/** Returns the patterns that no other one contains, without duplicates. */
function largest(patterns: readonly PathPattern[], effort: Effort): readonly PathPattern[] {
  if (patterns.length < 2) return patterns;
  const eachOnce = [...new Map(patterns.map((pattern) => [patternKey(pattern), pattern])).values()];
  // A pattern of a single path contains no other one.
  const wide = eachOnce.filter(({ segments }) =>
    segments.some(({ open, exact }) => open || exact !== undefined),
  );
  return eachOnce.filter(
    (pattern) => !wide.some((other) => other !== pattern && contains(other, pattern, effort)),
  );
}
