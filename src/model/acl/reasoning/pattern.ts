import { kindOfPath } from '../wildcard-path';
import { stepsFor, type Effort } from '../effort';

/** A segment of a pattern: a text, or, if open, any segment that begins with it. */
interface PatternSegment {
  readonly text: string;
  readonly open: boolean;
}

/**
 * A set of paths: all that rules can name, and what several rules have in common.
 *
 * `+` is an open segment without text. Unlike a rule, a pattern may have an open segment with a
 * text in its middle.
 */
export interface PathPattern {
  readonly segments: readonly PatternSegment[];
  /** Whether everything below the last segment, which is then open, is included. */
  readonly isPrefix: boolean;
}

export function patternOf(path: string): PathPattern {
  const kind = kindOfPath(path);
  const isPrefix = path.endsWith('*');
  const texts = (isPrefix ? path.slice(0, -1) : path).split('/');
  const segments = texts.map((text, index) => {
    if (kind === 'segments' && text === '+') return { text: '', open: true };
    return { text, open: isPrefix && index === texts.length - 1 };
  });
  return { segments, isPrefix };
}

/**
 * Stands for the rest of a segment after a text. Rules cannot say that: a `+` after a text is
 * literal.
 */
const REST = '<any but "/">';

/** Returns the pattern as a rule would write it, if one can: otherwise with {@link REST}. */
export function patternText({ segments, isPrefix }: PathPattern): string {
  const last = segments.length - 1;
  return segments
    .map(({ text, open }, index) => {
      if (!open) return text;
      return text + (isPrefix && index === last ? '*' : text === '' ? '+' : REST);
    })
    .join('/');
}

/**
 * Returns a text that only this pattern has: {@link patternText} does not distinguish an open
 * segment from a `+` in a name.
 */
export function patternKey({ segments, isPrefix }: PathPattern): string {
  return segments.map(({ text, open }) => (open ? '+' : '=') + text).join('/') + (isPrefix ? '*' : '');
}

/** Reads the output of {@link patternText}. */
export function readPatternText(text: string): PathPattern {
  const isPrefix = text.endsWith('*');
  const texts = text.replaceAll(REST, '\0').split('/');
  const segments = texts.map((segment, index) => {
    const open = segment === '+' || segment.endsWith('\0') || (isPrefix && index === texts.length - 1);
    return { text: open ? segment.slice(0, -1) : segment, open };
  });
  return { segments, isPrefix };
}

export function matchesPattern(
  { segments: pattern, isPrefix }: PathPattern,
  segments: readonly string[],
  effort: Effort,
): boolean {
  effort.spend(1);
  if (isPrefix ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  for (let index = 0; index < pattern.length; index++) {
    const { text, open } = pattern[index]!;
    effort.spend(stepsFor(text));
    if (open ? !segments[index]!.startsWith(text) : segments[index] !== text) return false;
  }
  return true;
}

/**
 * Returns the paths of both patterns: one of the two itself if the other contains it; `undefined`
 * if they share none.
 */
export function intersect(a: PathPattern, b: PathPattern, effort: Effort): PathPattern | undefined {
  if (!overlap(a, b, effort)) return undefined;
  if (contains(a, b, effort)) return b;
  if (contains(b, a, effort)) return a;
  effort.spend(Math.max(a.segments.length, b.segments.length));
  const [long, short] = a.segments.length >= b.segments.length ? [a, b] : [b, a];
  const segments = long.segments.map((segment, index) => {
    const other = short.segments[index];
    return other && isNarrower(other, segment) ? other : segment;
  });
  const isLonger = long.segments.length > short.segments.length;
  return { segments, isPrefix: long.isPrefix && (isLonger || short.isPrefix) };
}

/**
 * Whether the patterns have a path in common. It is called for all pairs of rules, nearly all of
 * which differ in an early segment.
 */
export function overlap(a: PathPattern, b: PathPattern, effort: Effort): boolean {
  effort.spend(1);
  const lengthOfA = a.segments.length;
  const lengthOfB = b.segments.length;
  if (lengthOfA !== lengthOfB && !(lengthOfA > lengthOfB ? b : a).isPrefix) return false;
  const length = Math.min(lengthOfA, lengthOfB);
  for (let index = 0; index < length; index++) {
    effort.spend(stepsFor(a.segments[index]!.text));
    if (!segmentsOverlap(a.segments[index]!, b.segments[index]!)) return false;
  }
  return true;
}

function segmentsOverlap(a: PatternSegment, b: PatternSegment): boolean {
  if (a.open && b.text.startsWith(a.text)) return true;
  return b.open ? a.text.startsWith(b.text) : !a.open && a.text === b.text;
}

/** Whether the first of two segments that overlap is narrower. */
function isNarrower(a: PatternSegment, b: PatternSegment): boolean {
  return !a.open || (b.open && a.text.length > b.text.length);
}

/** Whether every path of `inner` belongs to `outer`. */
export function contains(outer: PathPattern, inner: PathPattern, effort: Effort): boolean {
  effort.spend(1);
  const { length } = outer.segments;
  if (outer.isPrefix ? inner.segments.length < length : inner.segments.length !== length) return false;
  if (inner.isPrefix && !outer.isPrefix) return false;
  return outer.segments.every(({ text, open }, index) => {
    const segment = inner.segments[index]!;
    effort.spend(stepsFor(text));
    return open ? segment.text.startsWith(text) : !segment.open && segment.text === text;
  });
}

/** Completes open segments with texts that no pattern of a given collection names. */
export class FreshTexts {
  readonly #named = new Set<string>();
  readonly #known = new Map<string, string>();

  constructor(patterns: Iterable<PathPattern>) {
    for (const { segments } of patterns) for (const { text } of segments) this.#named.add(text);
  }

  /**
   * Returns a segment that begins with `text`, and with none of the longer texts that patterns
   * name.
   */
  after(text: string, effort: Effort): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isFresh = (end: string) => {
      effort.spend(end.length * stepsFor(text));
      return ![...end].some((_, index, characters) =>
        this.#named.has(text + characters.slice(0, index + 1).join('')),
      );
    };
    const fresh = text + firstOf(ENDINGS, isFresh);
    this.#known.set(text, fresh);
    return fresh;
  }
}

const ENDINGS = ['example', 'any', 'x', 'other'];
const FIRST_OTHER_ENDING = 0x100;

function firstOf(endings: readonly string[], suits: (ending: string) => boolean): string {
  const found = endings.find(suits);
  if (found !== undefined) return found;
  for (let code = FIRST_OTHER_ENDING; ; code++) {
    const ending = String.fromCodePoint(code);
    if (suits(ending)) return ending;
  }
}

/**
 * Returns a path of `pattern` that belongs to none of `others`, or `undefined` if all of them do.
 *
 * It suffices to try one path for each number of segments: its open segments are completed with
 * texts that no pattern names, so that a pattern which matches this path matches all of that
 * length.
 */
export function pathOutside(
  pattern: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
): readonly string[] | undefined {
  for (const path of pathsToTry(pattern, others, fresh, effort)) {
    if (isOutside(path, others, effort)) return [...path];
  }
  return undefined;
}

/** Returns the parts of `pattern` for each number of segments that `others` do not cover. */
export function partsOutside(
  pattern: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
): readonly PathPattern[] {
  const isLeft: boolean[] = [];
  for (const path of pathsToTry(pattern, others, fresh, effort)) {
    isLeft.push(isOutside(path, others, effort));
  }
  const firstOfRest = isLeft.lastIndexOf(false) + 1;
  return isLeft.flatMap((left, more) => {
    if (!left || more > firstOfRest) return [];
    effort.spend(pattern.segments.length + more);
    return [lengthened(pattern, more, pattern.isPrefix && more === firstOfRest)];
  });
}

/**
 * Yields a path for each number of segments, in one list that grows. All longer ones belong to the
 * same patterns as the last one.
 */
function* pathsToTry(
  { segments, isPrefix }: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
): Generator<readonly string[]> {
  // No path begins with a slash.
  if (segments[0]!.text === '' && !segments[0]!.open) return;
  effort.spend(segments.length + others.length);
  const path = segments.map(({ text, open }) => (open ? fresh.after(text, effort) : text));
  yield path;
  if (!isPrefix) return;
  const longest = others.reduce((most, other) => Math.max(most, other.segments.length), 0) + 1;
  while (path.length < longest) {
    path.push(fresh.after('', effort));
    yield path;
  }
}

function isOutside(path: readonly string[], others: readonly PathPattern[], effort: Effort): boolean {
  return !others.some((other) => matchesPattern(other, path, effort));
}

/** Returns a pattern with further open segments at its end. */
function lengthened(pattern: PathPattern, more: number, isPrefix: boolean): PathPattern {
  if (more === 0 && isPrefix === pattern.isPrefix) return pattern;
  const added = Array.from({ length: more }, () => ({ text: '', open: true }));
  return { segments: [...pattern.segments, ...added], isPrefix };
}
