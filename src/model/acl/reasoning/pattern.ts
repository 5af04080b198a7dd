import { kindOfPath } from '../wildcard-path';
import { stepsFor, type Effort } from '../effort';
import { lowerCase, otherCase } from '../letter-case';

/** A segment of a pattern. If it is open, it stands for any segment that begins with its text. */
export interface PatternSegment {
  readonly text: string;
  readonly open: boolean;
  /**
   * The number of characters that match as written. The characters after them are in lower case,
   * and match in upper and lower case. Absent: all characters match as written.
   */
  readonly exact?: number;
}

/**
 * A set of paths: the paths of a rule, or those that several rules have in common.
 *
 * `+` is an open segment without text. Unlike a rule, a pattern may have an open segment with a
 * text before its last segment.
 */
export interface PathPattern {
  readonly segments: readonly PatternSegment[];
  /** Whether everything below the last segment is included. The last segment is then open. */
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

/** Returns the pattern of a path, which matches in upper and lower case. */
export function patternInAnyCase(path: string): PathPattern {
  const { segments, isPrefix } = patternOf(lowerCase(path));
  return { segments: segments.map(({ text, open }) => segmentOf(text, open, 0)), isPrefix };
}

/** Returns a segment. `exact` is left out if no letter after it has another case. */
function segmentOf(text: string, open: boolean, exact: number): PatternSegment {
  const hasLetters = Array.from(text.slice(exact)).some((each) => otherCase(each) !== each);
  return hasLetters ? { text, open, exact } : { text, open };
}

/** Whether any letter of a pattern matches in upper and lower case. */
export function hasAnyCase({ segments }: PathPattern): boolean {
  return segments.some(({ exact }) => exact !== undefined);
}

/**
 * Returns a pattern with its texts in lower case. Compared in lower case, it matches at least the
 * paths of the original.
 */
export function inLowerCase({ segments, isPrefix }: PathPattern): PathPattern {
  return { segments: segments.map(({ text, open }) => ({ text: lowerCase(text), open })), isPrefix };
}

/** Whether one text can match the texts of both segments, up to the length of the shorter one. */
function agree(a: PatternSegment, b: PatternSegment): boolean {
  if (a.exact === undefined && b.exact === undefined)
    return a.text.startsWith(b.text) || b.text.startsWith(a.text);
  const length = Math.min(a.text.length, b.text.length);
  const [exactOfA, exactOfB] = [a.exact ?? length, b.exact ?? length];
  const both = Math.min(exactOfA, exactOfB, length);
  return (
    a.text.slice(0, both) === b.text.slice(0, both) &&
    lowerCase(a.text.slice(0, length)) === lowerCase(b.text.slice(0, length))
  );
}

/** Whether every text that a segment matches begins with the text of another segment. */
function beginsWith(segment: PatternSegment, beginning: PatternSegment): boolean {
  if (segment.exact === undefined && beginning.exact === undefined)
    return segment.text.startsWith(beginning.text);
  const { length } = beginning.text;
  const exact = beginning.exact ?? length;
  if (segment.text.length < length || (segment.exact ?? Infinity) < exact) return false;
  return (
    segment.text.startsWith(beginning.text.slice(0, exact)) &&
    (exact === length || lowerCase(segment.text.slice(exact, length)) === beginning.text.slice(exact))
  );
}

/** Returns the texts that two segments have in common. They must have some. */
function common(a: PatternSegment, b: PatternSegment): PatternSegment {
  const [long, short] = isNarrower(a, b) ? [a, b] : [b, a];
  if (long.exact === undefined) return long;
  const exact = short.exact ?? short.text.length;
  if (exact <= long.exact) return long;
  return segmentOf(short.text.slice(0, exact) + long.text.slice(exact), long.open, exact);
}

/**
 * The text for any rest of a segment. Rules have no notation for this: a `+` after a text is
 * literal.
 */
const REST = '<any but "/">';

/** Returns the pattern as a rule writes it, or with {@link REST} if no rule can express it. */
export function patternText({ segments, isPrefix }: PathPattern): string {
  const last = segments.length - 1;
  return segments
    .map(({ text, open, exact }, index) => {
      const named = exact === undefined ? text : text.slice(0, exact) + anyCaseText(text.slice(exact));
      if (!open) return named;
      return named + (isPrefix && index === last ? '*' : text === '' ? '+' : REST);
    })
    .join('/')
    .replaceAll(/(?<!")>\/<any case: /g, '/');
}

/**
 * The marks around a text that matches in upper and lower case. Rules have no notation for this.
 */
const ANY_CASE = ['<any case: ', '>'] as const;

function anyCaseText(text: string): string {
  return ANY_CASE[0] + text + ANY_CASE[1];
}

/**
 * Returns a text that only this pattern has: {@link patternText} does not distinguish an open
 * segment from a `+` in a name.
 */
export function patternKey({ segments, isPrefix }: PathPattern): string {
  const texts = segments.map(
    ({ text, open, exact }) => `${exact === undefined ? '' : `${exact}~`}${open ? '+' : '='}${text}`,
  );
  return texts.join('/') + (isPrefix ? '*' : '');
}

/** Reads the output of {@link patternText}. */
export function readPatternText(text: string): PathPattern {
  const isPrefix = text.endsWith('*');
  const texts = text.replaceAll(REST, '\0').split('/');
  const [start, end] = ANY_CASE;
  let isAnyCase = false;
  const segments = texts.map((written, index) => {
    const segment = written.replace(start, '').replace(end, '');
    const open = segment === '+' || segment.endsWith('\0') || (isPrefix && index === texts.length - 1);
    const named = open ? segment.slice(0, -1) : segment;
    const exact = isAnyCase ? 0 : written.indexOf(start);
    isAnyCase = (isAnyCase || exact >= 0) && !written.includes(end);
    return exact < 0 ? { text: named, open } : segmentOf(named, open, exact);
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
    const { text, open, exact } = pattern[index]!;
    effort.spend(stepsFor(text));
    const actual = segments[index]!;
    if (open ? actual.length < text.length : actual.length !== text.length) return false;
    if (!actual.startsWith(text.slice(0, exact))) return false;
    if (exact !== undefined && lowerCase(actual.slice(exact, text.length)) !== text.slice(exact))
      return false;
  }
  return true;
}

/**
 * Returns the paths that two patterns have in common; `undefined` if there are no such paths. If
 * one pattern contains the other, returns the latter itself.
 */
export function intersect(a: PathPattern, b: PathPattern, effort: Effort): PathPattern | undefined {
  if (!overlap(a, b, effort)) return undefined;
  if (contains(a, b, effort)) return b;
  if (contains(b, a, effort)) return a;
  effort.spend(Math.max(a.segments.length, b.segments.length));
  const [long, short] = a.segments.length >= b.segments.length ? [a, b] : [b, a];
  const segments = long.segments.map((segment, index) => {
    const other = short.segments[index];
    return other ? common(segment, other) : segment;
  });
  const isLonger = long.segments.length > short.segments.length;
  return { segments, isPrefix: long.isPrefix && (isLonger || short.isPrefix) };
}

/**
 * Whether the patterns have a path in common. It is called for all pairs of rules, and nearly all
 * pairs differ in an early segment.
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
  const isPossible =
    (a.open && b.text.length >= a.text.length) ||
    (b.open ? a.text.length >= b.text.length : !a.open && a.text.length === b.text.length);
  return isPossible && agree(a, b);
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
  for (let index = 0; index < length; index++) {
    const each = outer.segments[index]!;
    const segment = inner.segments[index]!;
    effort.spend(stepsFor(each.text));
    if (!each.open && (segment.open || segment.text.length !== each.text.length)) return false;
    if (!beginsWith(segment, each)) return false;
  }
  return true;
}

/** Completes open segments with texts that none of the given patterns contains. */
export class FreshTexts {
  /** The texts of all segments in lower case. */
  readonly #named = new Set<string>();
  /** The parts of texts that match only as written. */
  readonly #spelled = new Set<string>();
  #beginnings: Set<string> | undefined;
  readonly #known = new Map<string, string>();

  constructor(patterns: Iterable<PathPattern>) {
    for (const { segments } of patterns) {
      for (const { text, exact = text.length } of segments) {
        this.#named.add(lowerCase(text));
        if (exact > 0) this.#spelled.add(text.slice(0, exact));
      }
    }
  }

  /**
   * Returns the spellings of a segment, in upper and lower case, that have to be tried: one that no
   * pattern contains, or if there is none, all that patterns contain.
   */
  spellings({ text, exact = text.length }: PatternSegment, effort: Effort): readonly string[] {
    const found: string[] = [];
    const left: { readonly written: string; readonly isNamed: boolean }[] = [
      { written: text.slice(0, exact), isNamed: false },
    ];
    for (let next = left.pop(); next; next = left.pop()) {
      const { written, isNamed } = next;
      effort.spend(stepsFor(text));
      if (written.length === text.length) {
        if (!isNamed) return [written];
        found.push(written);
        continue;
      }
      const letter = text[written.length]!;
      const longer = [...new Set([letter, otherCase(letter)])].map((each) => written + each);
      const beginnings = longer.filter((each) => this.#isBeginning(each, effort));
      const other = longer.find((each) => !beginnings.includes(each));
      if (other !== undefined && !isNamed) return [other + text.slice(other.length)];
      for (const each of other === undefined ? beginnings : [...beginnings, other])
        left.push({ written: each, isNamed: isNamed || this.#spelled.has(each) });
    }
    return found;
  }

  /** Whether any text that matches only as written begins with the given text. */
  #isBeginning(text: string, effort: Effort): boolean {
    if (!this.#beginnings) {
      this.#beginnings = new Set();
      for (const each of this.#spelled) {
        effort.spend(each.length * stepsFor(each));
        for (let length = 1; length <= each.length; length++) this.#beginnings.add(each.slice(0, length));
      }
    }
    return this.#beginnings.has(text);
  }

  /** Returns a segment that begins with `text`, but with no longer text that a pattern contains. */
  after(text: string, effort: Effort): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isFresh = (end: string) => {
      effort.spend(end.length * stepsFor(text));
      return ![...end].some((_, index, characters) =>
        this.#named.has(lowerCase(text + characters.slice(0, index + 1).join(''))),
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
 * Returns a path of `pattern` that belongs to none of `others`; `undefined` if there is no such
 * path.
 *
 * It suffices to try one path for each number of segments. Its open segments are completed with
 * texts that no pattern contains. So a pattern that matches this path matches all paths of
 * `pattern` with this number of segments.
 */
export function pathOutside(
  pattern: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
): readonly string[] | undefined {
  let outside: string[] | undefined;
  tryPaths(pattern, others, fresh, effort, (path) => {
    if (isOutside(path, others, effort)) outside = [...path];
    return outside !== undefined;
  });
  return outside;
}

/** Returns the parts of `pattern` for each number of segments that `others` do not cover. */
export function partsOutside(
  pattern: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
): readonly PathPattern[] {
  const isLeft: boolean[] = [];
  tryPaths(pattern, others, fresh, effort, (path) => {
    const more = path.length - pattern.segments.length;
    isLeft[more] = isLeft[more] === true || isOutside(path, others, effort);
    return false;
  });
  const firstOfRest = isLeft.lastIndexOf(false) + 1;
  return isLeft.flatMap((left, more) => {
    if (!left || more > firstOfRest) return [];
    effort.spend(pattern.segments.length + more);
    return [lengthened(pattern, more, pattern.isPrefix && more === firstOfRest)];
  });
}

/**
 * Calls `tried` with a path for each number of segments, in one list that grows, until it returns
 * true. The last path stands for all longer paths, which belong to the same patterns. This is not a
 * generator, because V8 takes longer to optimize one than to call it.
 */
function tryPaths(
  { segments, isPrefix }: PathPattern,
  others: readonly PathPattern[],
  fresh: FreshTexts,
  effort: Effort,
  tried: (path: readonly string[]) => boolean,
): void {
  // No path begins with a slash.
  if (segments[0]!.text === '' && !segments[0]!.open) return;
  effort.spend(segments.length + others.length);
  const longest = isPrefix
    ? others.reduce((most, other) => Math.max(most, other.segments.length), 0) + 1
    : segments.length;
  const written = segments.map((segment) =>
    segment.exact === undefined ? [segment.text] : fresh.spellings(segment, effort),
  );
  const chosen = written.map(() => 0);
  do {
    const path = written.map((texts, index) => {
      const text = texts[chosen[index]!]!;
      return segments[index]!.open ? fresh.after(text, effort) : text;
    });
    if (tried(path)) return;
    while (path.length < longest) {
      path.push(fresh.after('', effort));
      if (tried(path)) return;
    }
  } while (chooseNext(chosen, written));
}

/**
 * Changes the index of the chosen text in each list to the next combination.
 *
 * @returns whether there is one.
 */
function chooseNext(chosen: number[], lists: readonly (readonly string[])[]): boolean {
  let place = lists.length - 1;
  while (place >= 0 && chosen[place] === lists[place]!.length - 1) chosen[place--] = 0;
  if (place < 0) return false;
  chosen[place]!++;
  return true;
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
