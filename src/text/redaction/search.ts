import { GAPS, placesBehindGaps, type Gaps } from './gaps';
import { COMMON, type Needle } from './needle';
import { readingsOf, type Reading } from './readings';

/** Part of a text, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum number of bytes that are compared for each byte of all readings. */
const EFFORT = 64;
/** The number of bytes that may be compared for any text, however short. */
const LEAST_EFFORT = 1 << 18;
/** The effort of looking for gaps at a place. */
const EFFORT_OF_GAPS = 16;
/** The number of bytes of all readings that are searched at once. */
const BLOCK = 256;

/**
 * Letters and digits. No word ends between two of them, and a gap begins there only within numbers.
 */
export const IS_WORD = new Uint8Array(256)
  .fill(1, codeOf('0'), codeOf('9') + 1)
  .fill(1, codeOf('A'), codeOf('Z') + 1)
  .fill(1, codeOf('a'), codeOf('z') + 1);

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

const NO_ESCAPE = { written: '', end: 0 };

/** Needles by their first bytes, so that the time for a text does not grow with their number. */
export class Needles {
  readonly #byFirst = Array.from({ length: 256 }, (): Needle[] => []);

  add(needle: Needle): void {
    this.#byFirst[COMMON[needle.bytes[0]!]!]!.push(needle);
  }

  /** Returns the needles that may begin with a byte. */
  beginningWith(byte: number): readonly Needle[] {
    return this.#byFirst[COMMON[byte]!]!;
  }

  /**
   * Returns all places of needles, also overlapping ones. If a text takes more effort than texts of
   * people ever do, the rest of the text is one of these places.
   *
   * @param text in UTF-8, with one character for each byte.
   */
  find(text: string): readonly ByteRange[] {
    const readings = readingsOf(text);
    const effort = { left: LEAST_EFFORT + EFFORT * readings.length * text.length };
    const searches = readings.map((reading) => new Search(this, reading, effort));
    // The search proceeds by blocks in all readings: when the effort is used up, all readings have
    // been searched to the same block.
    for (let block = 0; block < text.length; block += BLOCK) {
      for (const search of searches) search.continueTo(Math.min(block + BLOCK, text.length));
      if (effort.left < 0)
        return [...searches.flatMap(({ found }) => found), { start: block, end: text.length }];
    }
    return searches.flatMap(({ found }) => found);
  }
}

function beginsWith({ bytes, form: { alphabet } }: Needle, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (alphabet[text.charCodeAt(at)] !== bytes[at]) return false;
  return true;
}

/** The search for needles in one reading of a text. */
class Search {
  readonly found: ByteRange[] = [];
  readonly #places = new Map<number, readonly number[]>();
  #next = 0;

  /** @param effort the number of steps that are left to all searches in a text. */
  constructor(
    readonly needles: Needles,
    readonly reading: Reading,
    readonly effort: { left: number },
  ) {}

  /**
   * Looks for needles that begin before a place of the text, in the offsets of the unchanged text.
   */
  continueTo(end: number): void {
    const { text, offsets, escapes } = this.reading;
    for (; offsets[this.#next]! < end && this.effort.left >= 0; this.#next++) {
      const at = this.#next;
      for (const needle of this.needles.beginningWith(text.charCodeAt(at))) {
        if (this.#mayContinue(needle, at + 1)) this.#add(needle, at, at, 0);
      }
      const { written, end: behind } = escapes.get(at) ?? NO_ESCAPE;
      for (let cut = 1; cut < written.length; cut++) {
        const index = written.length - cut;
        for (const needle of this.needles.beginningWith(written.charCodeAt(cut))) {
          if (beginsWith(needle, written.slice(cut))) this.#add(needle, at, behind, index);
        }
      }
    }
  }

  /**
   * Whether the second byte of a needle is at a place or behind a gap. This excludes most needles
   * quickly.
   */
  #mayContinue({ bytes, form: { alphabet, gaps } }: Needle, at: number): boolean {
    const byte = this.reading.text.charCodeAt(at);
    return alphabet[byte] === bytes[1] || (!IS_WORD[byte] && this.#placesBehindGaps(at, gaps).length > 0);
  }

  /**
   * Adds the place of a needle that begins at `start`, if its bytes from `index` on follow at `at`.
   */
  #add(needle: Needle, start: number, at: number, index: number): void {
    const { text, offsets } = this.reading;
    if (needle.form.standsAlone && IS_WORD[text.charCodeAt(start - 1)]) return;
    const end = this.#end(needle, at, index);
    if (end !== undefined) this.found.push({ start: offsets[start]!, end: offsets[end]! });
  }

  /** Returns the end of a needle: the longest of the matches with the fewest gaps. */
  #end(needle: Needle, start: number, beginning: number): number | undefined {
    const { text } = this.reading;
    const { bytes, form } = needle;
    const known = new Set<number>();
    for (let states = [{ at: start, index: beginning }]; states.length > 0 && this.effort.left >= 0;) {
      const behindGaps: typeof states = [];
      let longest = -1;
      for (let { at, index } of states) {
        const key = index * (text.length + 1) + at;
        if (known.has(key)) continue;
        known.add(key);
        for (; index < bytes.length && at < text.length; at++, index++) {
          this.effort.left--;
          const byte = text.charCodeAt(at);
          if (index > 0 && (!IS_WORD[byte] || form.gaps === GAPS.SEPARATORS)) {
            for (const place of this.#placesBehindGaps(at, form.gaps)) behindGaps.push({ at: place, index });
          }
          if (form.alphabet[byte] !== bytes[index]) break;
        }
        const isWhole = index === bytes.length && !(form.standsAlone && IS_WORD[text.charCodeAt(at)]);
        if (isWhole) longest = Math.max(longest, at);
      }
      if (longest >= 0) return longest;
      states = behindGaps;
    }
    return undefined;
  }

  #placesBehindGaps(at: number, gaps: Gaps): readonly number[] {
    const key = at * 4 + gaps;
    let places = this.#places.get(key);
    if (!places) {
      places = placesBehindGaps(this.reading.text, at, gaps);
      this.#places.set(key, places);
      this.effort.left -= EFFORT_OF_GAPS;
    }
    this.effort.left -= places.length;
    return places;
  }
}
