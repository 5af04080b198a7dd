/** The gaps that may be between the bytes of a needle: each kind includes those before it. */
export const GAPS = {
  NONE: 0,
  /** Line breaks with the margins around them. */
  LINES: 1,
  /** White space. */
  SPACES: 2,
  /** The signs between numbers in lists and dumps. */
  SEPARATORS: 3,
} as const;
export type Gaps = (typeof GAPS)[keyof typeof GAPS];

/**
 * The maximum length of a margin in characters: the hexadecimal digits of a line of a dump, and its
 * offset.
 */
const LONGEST_MARGIN = 96;

const SPACE =
  /[\s\x85\xa0]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80/y;
/** The signs of margins: of quotations and frames, between strings of code, behind numbers. */
// eslint-disable-next-line no-control-regex -- they are margins
const MARGIN = /[\s\0-\x1f>|#*:./\\+\-"'`,;=&~()[\]{}\x80-\xff]/y;
const LINE = /[\n\v\f\r]/y;
const MARGIN_AND_LINE =
  // eslint-disable-next-line no-control-regex -- they are margins
  /[\s\0-\x1f>|#*:./\\+\-"'`,;=&~()[\]{}\x80-\xff]{0,96}?(?:[\n\v\f\r]|\xc2\x85|\xe2\x80[\xa8\xa9])/y;
/** The number of a line, or the offset of a dump. */
const LINE_NUMBER = /[0-9a-f]{1,16}(?![0-9a-f])/iy;
/** Spaces behind numbers, the column of characters of a dump, and the end of the line. */
const COLUMN_AND_LINE = /(?<=[0-9a-z]) [ |][^\n\v\f\r]{0,38}[\n\v\f\r]/iy;
/** The signs between numbers in lists: `61:62`, `\x61\x62`, `0x61, 0x62`, `U+0061 U+0062`. */
const SEPARATOR = /0x|[:,;_.\-+\\%xu]/iy;

/**
 * Returns the places in a text that follow the gaps at a place. The text is in UTF-8, with one
 * character for each byte.
 */
export function placesBehindGaps(text: string, at: number, gaps: Gaps): readonly number[] {
  const places: (number | undefined)[] = [];
  if (gaps >= GAPS.LINES) places.push(...placesInMargin(text, endOf(MARGIN_AND_LINE, text, at)));
  if (gaps >= GAPS.SPACES) places.push(endOf(SPACE, text, at));
  if (gaps >= GAPS.SEPARATORS)
    places.push(endOf(SEPARATOR, text, at), ...placesInMargin(text, endOf(COLUMN_AND_LINE, text, at)));
  return places.filter((place) => place !== undefined);
}

/**
 * Returns the places at which the text of a line may begin, one for each possible length of its
 * margin. None if there is no line.
 */
function placesInMargin(text: string, line: number | undefined): readonly number[] {
  if (line === undefined) return [];
  const places = [line];
  let hasNumber = false;
  for (let at = line; at - line < LONGEST_MARGIN;) {
    const number = endOf(LINE_NUMBER, text, at);
    hasNumber ||= number !== undefined;
    const next = number ?? endOf(MARGIN, text, at);
    if (next === undefined || (hasNumber && endOf(LINE, text, at) !== undefined)) break;
    if (number === undefined) places.push(next);
    at = next;
  }
  return places;
}

/** Returns the end of the match of a pattern at a place. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
