import { COMMON, GAPS, type Gaps, type Needle } from './needle';
import { flags, KIND, PLAIN, Reading } from './reading';

/** Part of a text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How many bytes are looked at for each byte of a text, and at least for any text. */
const EFFORT = 48;
const LEAST_EFFORT = 1 << 18;
/** How many places behind gaps are looked at to exclude needles by their first bytes. */
const MOST_PLACES = 512;

/** Letters and digits: between them, no word ends. */
export const IS_WORD = flags((byte) => /[0-9A-Za-z]/.test(String.fromCharCode(byte)));
/** The signs between numbers in lists: `61:62`, `\x61\x62`, `0x61, 0x62`, `U+0061 U+0062`. */
const IS_SEPARATOR = flags((byte) => /[:,;_.\-+\\%xXuU]/.test(String.fromCharCode(byte)));
/** The bytes that have one meaning, and between which there is no gap unless it begins with another byte. */
const IS_SINGLE = flags((byte) => PLAIN[byte] === 1 && !/[:,;_.-]/.test(String.fromCharCode(byte)));
const ZERO = 0x30;
const X = 0x78;
const SPACE = 0x20;
const BAR = 0x7c;

const NONE: readonly never[] = [];
const SINGLE = Array.from(COMMON, (byte) => [byte] as const);

/** Needles by their first bytes, so that all are looked for at once, however many there are. */
export class Needles {
  readonly #known = new Set<string>();
  readonly #byOne = new Map<number, Needle[]>();
  readonly #byTwo = new Map<number, Needle[]>();
  readonly #byThree = new Map<number, Needle[]>();
  /** Whether there is one that begins with two bytes, to skip other places quickly. */
  readonly #pairs = new Uint8Array(1 << 16);

  add(needle: Needle): void {
    const key = `${needle.form.name} ${needle.bytes.toString('latin1')}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const [one = 0, two = 0, three = 0] = Array.from(needle.bytes.subarray(0, 3), (byte) => COMMON[byte]!);
    this.#pairs[(one << 8) | two] = 1;
    addTo(this.#byOne, one, needle);
    addTo(this.#byTwo, (one << 8) | two, needle);
    addTo(this.#byThree, (one << 16) | (two << 8) | three, needle);
  }

  /**
   * Returns all places where needles stand, also overlapping ones. Where a text takes more effort than any that people
   * write, the rest of it is one of these places.
   */
  find(text: Buffer): readonly Span[] {
    const found: Span[] = [];
    const search = new Search(text);
    for (let start = 0; start < text.length; start++) {
      for (const needle of this.#candidates(text, start, search)) {
        const end = search.end(needle, start);
        if (end !== undefined) found.push({ start, end });
      }
      if (search.isExhausted) return [...found, { start, end: text.length }];
    }
    return found;
  }

  /** The needles whose first bytes stand at a place, in any of its readings. */
  #candidates(text: Buffer, start: number, search: Search): readonly Needle[] {
    const first = text[start]!;
    if (!PLAIN[first]) {
      return search.texts(start).flatMap(({ bytes: [one, two], next }) => {
        const seconds = two === undefined ? search.following(next) : [COMMON[two]!];
        return this.#withTwo(COMMON[one!]!, seconds);
      });
    }
    const one = COMMON[first]!;
    const second = text[start + 1] ?? 0;
    if (!IS_SINGLE[second]) return this.#withTwo(one, search.following(start + 1));
    const pair = (one << 8) | COMMON[second]!;
    if (this.#pairs[pair] === 0) return NONE;
    const third = text[start + 2] ?? 0;
    if (IS_SINGLE[third]) return this.#byThree.get((pair << 8) | COMMON[third]!) ?? NONE;
    const thirds = search.following(start + 2);
    if (!thirds) return this.#byTwo.get(pair) ?? NONE;
    return thirds.flatMap((byte) => [...(this.#byThree.get((pair << 8) | byte) ?? NONE)]);
  }

  #withTwo(one: number, seconds: readonly number[] | undefined): readonly Needle[] {
    if (!seconds) return this.#byOne.get(one) ?? NONE;
    return seconds.flatMap((byte) => [...(this.#byTwo.get((one << 8) | byte) ?? NONE)]);
  }
}

function addTo(index: Map<number, Needle[]>, key: number, needle: Needle): void {
  const same = index.get(key);
  if (same) same.push(needle);
  else index.set(key, [needle]);
}

/** The search for needles in one text. */
class Search {
  readonly #text: Buffer;
  readonly #reading: Reading;
  readonly #following = new Map<number, readonly number[] | undefined>();
  #effort: number;

  constructor(text: Buffer) {
    this.#text = text;
    this.#effort = LEAST_EFFORT + EFFORT * text.length;
    this.#reading = new Reading(text, (effort) => (this.#effort -= effort));
  }

  get isExhausted(): boolean {
    return this.#effort < 0;
  }

  /** Returns the steps at a place with which a needle may begin. */
  texts(at: number): readonly { readonly bytes: Uint8Array; readonly next: number }[] {
    return this.#reading.steps(at).filter(({ kind }) => kind === KIND.TEXT);
  }

  /**
   * Returns the bytes, in their common alphabet, that may come next in a needle at a place, behind all gaps. `undefined` if
   * there are too many gaps to say.
   */
  following(at: number): readonly number[] | undefined {
    if (at >= this.#text.length) return NONE;
    const byte = this.#text[at]!;
    if (IS_SINGLE[byte]) return SINGLE[byte]!;
    if (!this.#following.has(at)) this.#following.set(at, this.#findFollowing(at));
    return this.#following.get(at);
  }

  #findFollowing(start: number): readonly number[] | undefined {
    const bytes = new Set<number>();
    const places = new Set([start]);
    // Places that are added meanwhile are looked at as well.
    for (const at of places) {
      if (places.size > MOST_PLACES) return undefined;
      if (at >= this.#text.length) continue;
      this.#effort--;
      const byte = this.#text[at]!;
      if (PLAIN[byte]) bytes.add(COMMON[byte]!);
      else for (const step of this.#reading.steps(at)) bytes.add(COMMON[step.bytes[0]!]!);
      if (IS_SINGLE[byte] && byte !== ZERO) continue;
      for (const place of this.#gaps(at, GAPS.SEPARATORS)) places.add(place);
    }
    return [...bytes];
  }

  /**
   * Returns the end of a needle that begins at a place, in the longest writing of those with the fewest gaps. `undefined` if
   * it does not.
   */
  end(needle: Needle, start: number): number | undefined {
    const { bytes, form } = needle;
    const { alphabet, gaps, standsAlone } = form;
    const text = this.#text;
    if (standsAlone && IS_WORD[text[start - 1] ?? 0]) return undefined;
    let longest: number | undefined;
    const states = new States(text.length);
    states.add(start, 0);
    while (!this.isExhausted) {
      const state = states.take() ?? (longest === undefined ? states.takeBehindGap() : undefined);
      if (!state) break;
      let { at, index } = state;
      for (; index < bytes.length && at < text.length; at++, index++) {
        const isNext = alphabet[text[at]!] === bytes[index];
        const isPlain = PLAIN[text[at]!] === 1;
        this.#effort--;
        if (index > 0 && (!isPlain || !isNext || gaps === GAPS.SEPARATORS)) {
          for (const place of this.#gaps(at, gaps)) states.addBehindGap(place, index);
        }
        if (!isPlain) this.#addSteps(needle, at, index, states);
        if (!isPlain || !isNext) break;
      }
      const isComplete = index === bytes.length && !(standsAlone && IS_WORD[text[at] ?? 0]);
      if (isComplete) longest = Math.max(longest ?? 0, at);
    }
    return longest;
  }

  #addSteps({ bytes, form: { alphabet } }: Needle, at: number, index: number, states: States): void {
    for (const { bytes: read, next } of this.#reading.steps(at)) {
      this.#effort--;
      const isNext = read.every((byte, offset) => alphabet[byte] === bytes[index + offset]);
      if (isNext) states.add(next, index + read.length);
    }
  }

  /** The places behind the gaps that begin at a place. */
  #gaps(at: number, gaps: Gaps): readonly number[] {
    const byte = this.#text[at]!;
    const places: number[] = [];
    if (!PLAIN[byte]) {
      for (const step of this.#reading.steps(at)) {
        if (step.kind === KIND.INVISIBLE) places.push(this.#reading.afterInvisible(step));
        else if (step.kind !== KIND.TEXT && gaps >= GAPS.SPACES) places.push(step.next);
        else if (step.sign !== 0 && gaps === GAPS.SEPARATORS && IS_SEPARATOR[step.bytes[0]!])
          places.push(step.next);
      }
    }
    if (gaps >= GAPS.LINES && !IS_WORD[byte]) places.push(...this.#reading.placesAfterLine(at));
    if (gaps === GAPS.SEPARATORS) {
      if (IS_SEPARATOR[byte]) places.push(at + 1);
      if (byte === ZERO && ((this.#text[at + 1] ?? 0) | 0x20) === X) places.push(at + 2);
      if (this.#isColumn(at)) places.push(...this.#reading.placesAfterColumn(at));
    }
    return places;
  }

  /** Whether numbers end here, and the column of characters follows. */
  #isColumn(at: number): boolean {
    const next = this.#text[at + 1];
    return (
      this.#text[at] === SPACE && (next === SPACE || next === BAR) && IS_WORD[this.#text[at - 1] ?? 0] === 1
    );
  }
}

interface State {
  /** Where in the text. */
  readonly at: number;
  /** How much of the needle has been found before. */
  readonly index: number;
}

/** The states of a search that are still to be looked at. Each is looked at once, those with fewer gaps first. */
class States {
  #open: State[] = [];
  #behindGap: State[] = [];
  readonly #known = new Set<number>();
  readonly #length: number;

  constructor(length: number) {
    this.#length = length + 1;
  }

  add(at: number, index: number): void {
    this.#open.push({ at, index });
  }

  addBehindGap(at: number, index: number): void {
    this.#behindGap.push({ at, index });
  }

  take(): State | undefined {
    for (let state = this.#open.pop(); state; state = this.#open.pop()) {
      const key = state.index * this.#length + state.at;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      return state;
    }
    return undefined;
  }

  takeBehindGap(): State | undefined {
    [this.#open, this.#behindGap] = [this.#behindGap, []];
    return this.take();
  }
}
