import type { Effort } from '../effort';
import { contains, patternKey, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import type { Region, Regions } from './regions';

/** Regions that are described together, by a pattern and exceptions. */
export interface Described {
  readonly pattern: PathPattern;
  readonly except: readonly PathPattern[];
  /** A region that belongs to it, from which examples are taken. */
  readonly region: Region;
  /** Of a list: whether the folder whose content the pattern names belongs to it. */
  readonly withFolder?: boolean;
}

/** Patterns that cannot be left out because no others describe their regions. */
interface Candidate extends Described {
  /** The regions that it has to tell. */
  readonly regions: readonly Region[];
}

/**
 * Describes regions by patterns and exceptions, as few patterns as possible: no pattern is told if another one tells all of
 * its paths, and only what is not concerned is an exception.
 */
export function describe(
  regions: Regions,
  isConcerned: (region: Region) => boolean,
  effort: Effort,
): readonly Described[] {
  const all = regions.all.filter(isConcerned).map((region): Candidate => {
    const parts = regions.partsOfOthers(region, (other) => !isConcerned(other));
    return { pattern: region.pattern, except: largest(parts, effort), region, regions: [region] };
  });
  const candidates = [...withJoined(all)].sort(widerFirst);
  // Only a pattern with paths in common can contain another one. Nearly all of a large policy have none.
  const index = new PatternIndex(candidates.map(({ pattern }) => pattern));
  const kept = new Set<Candidate>();
  for (const each of candidates) {
    const others = index.meeting(each.pattern, effort).map((at) => candidates[at]!);
    if (!others.some((other) => kept.has(other) && covers(other, each, regions, effort))) kept.add(each);
  }
  return [...kept];
}

/** Adds what two patterns name together: `secret/+` and `secret/+/*` are `secret/*`. */
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

/** A pattern that contains another one comes before it. */
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

/** Whether `wide` speaks of all paths that `narrow` has to tell. */
function covers(wide: Candidate, narrow: Candidate, regions: Regions, effort: Effort): boolean {
  if (!contains(wide.pattern, narrow.pattern, effort)) return false;
  return wide.except.every((exception) =>
    narrow.regions.every((region) => !regions.hasPathsOf(exception, region)),
  );
}

/** The patterns that no other one contains. Each is there once. */
function largest(patterns: readonly PathPattern[], effort: Effort): readonly PathPattern[] {
  const eachOnce = [...new Map(patterns.map((pattern) => [patternKey(pattern), pattern])).values()];
  return eachOnce.filter(
    (pattern) => !eachOnce.some((other) => other !== pattern && contains(other, pattern, effort)),
  );
}
