import { escapeAt, longestEscape } from './escapes';

/** The kinds of characters that the search distinguishes. */
export const KIND = {
  TEXT: 0,
  SPACE: 1,
  LINE: 2,
  /** Control characters and characters without width. */
  INVISIBLE: 3,
} as const;
type Kind = (typeof KIND)[keyof typeof KIND];

/** One way to read what stands at a place of a text. */
interface Step {
  readonly kind: Kind;
  /** The sign that the escape begins with. 0 for a character as it is written. */
  readonly sign: number;
  /** One byte of a character as it is written, or all bytes that an escape stands for. */
  readonly bytes: Uint8Array;
  /** Where the rest of the text begins. */
  readonly next: number;
}

/** How many encodings deep escapes are read. */
const DEEPEST = 2;
/** In characters, the longest margin: the hexadecimal digits of a line of a dump, and its offset. */
const LONGEST_MARGIN = 96;
/** In characters, the longest number of a line or offset of a dump. */
const LONGEST_NUMBER = 16;
/** In characters, the longest column of characters behind the numbers of a dump. */
const LONGEST_COLUMN = 40;
/** In bytes, the longest control sequence: a link of a terminal. */
const LONGEST_CONTROL = 2048;

/** For places of which it is not known whether a line break follows. */
const UNKNOWN = -1;
const NO_LINE = -2;

const ESCAPE = 0x1b;
const BELL = 0x07;
const STRING_TERMINATOR = 0x9c;
/** The byte after ESCAPE that ends a text for the terminal. */
const END_OF_STRING = 0x5c;
/** The bytes after ESCAPE that begin a control sequence, and a text for the terminal, such as a link. */
const CONTROL_SEQUENCE = 0x5b;
const CONTROL_STRINGS = new Set([...Buffer.from('PX]^_')]);
/** The C1 characters for both. */
const C1_SEQUENCE = 0x9b;
const C1_STRINGS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

const BYTES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
const KINDS = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
/** The signs of margins: of quotations and frames, between strings of code, behind numbers. */
const MARGIN = flags((byte) => /[\s>|#*:./\\+\-"'`,;=&~()[\]{}\x80-\xff]/.test(String.fromCharCode(byte)));
/** The digits of numbers of lines, of offsets, and of the bytes in a dump. */
const IS_DIGIT = flags((byte) => /[0-9a-fA-F]/.test(String.fromCharCode(byte)));

/** The bytes that stand for themselves and nothing else. */
export const PLAIN = flags((byte) => byte < 128 && KINDS[byte] === KIND.TEXT && longestEscape(byte) === 0);

const IS_SIGN = flags((byte) => longestEscape(byte) > 0);

const IS_QUOTE = flags((byte) => byte === 0x22 || byte === 0x27);

export function flags(test: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(test(byte)));
}

/**
 * All ways to read a text: each character as it is, and each escape as what it stands for, two encodings deep. The result
 * is kept, so that each place of the text is read once.
 */
export class Reading {
  readonly #text: Buffer;
  readonly #spend: (effort: number) => void;
  readonly #steps: readonly Map<number, readonly Step[]>[] = Array.from(
    { length: DEEPEST + 1 },
    () => new Map<number, readonly Step[]>(),
  );
  readonly #lines: Int32Array;
  readonly #places = new Map<number, readonly number[]>();

  /** @param spend is called with the number of bytes that were looked at. */
  constructor(text: Buffer, spend: (effort: number) => void) {
    this.#text = text;
    this.#lines = new Int32Array(text.length).fill(UNKNOWN);
    this.#spend = spend;
  }

  /** Returns the steps from a place within the text, the one that resolves most last. */
  steps(at: number): readonly Step[] {
    return this.#stepsAt(at, DEEPEST);
  }

  /**
   * Returns the places behind the line break that follows a place, if nothing but margins is in between: as many as the next
   * margin has lengths.
   */
  placesAfterLine(at: number): readonly number[] {
    const line = this.#nextLine(at);
    if (line < 0 || line - at > LONGEST_MARGIN) return [];
    let places = this.#places.get(line);
    if (!places) this.#places.set(line, (places = this.#findPlaces(line)));
    return places;
  }

  /** The line break behind nothing but margins. Negative if no line break follows. */
  #nextLine(start: number): number {
    const passed: number[] = [];
    let line = NO_LINE;
    for (let at = start; at < this.#text.length;) {
      const known = this.#lines[at]!;
      if (known !== UNKNOWN) {
        line = known;
        break;
      }
      passed.push(at);
      const step = this.#deepest(at);
      if (step.kind === KIND.LINE) line = at;
      if (step.kind === KIND.LINE || !isMargin(step)) break;
      at = step.next;
    }
    for (const at of passed) this.#lines[at] = line;
    this.#spend(passed.length);
    return line;
  }

  #findPlaces(line: number): readonly number[] {
    const first = this.#deepest(line).next;
    const places = [first];
    let digits = 0;
    let hasNumber = false;
    for (let at = first; at < this.#text.length && at - first < LONGEST_MARGIN;) {
      const step = this.#deepest(at);
      const isDigit = step.kind === KIND.TEXT && IS_DIGIT[step.bytes[0]!] === 1;
      digits = isDigit ? digits + 1 : 0;
      hasNumber ||= isDigit;
      if (digits > LONGEST_NUMBER || !(isDigit || isMargin(step)) || (hasNumber && step.kind === KIND.LINE))
        break;
      at = step.next;
      if (!isDigit) places.push(at);
    }
    this.#spend(LONGEST_MARGIN);
    return places;
  }

  /** The same behind the rest of a line, such as the column of characters of a dump. */
  placesAfterColumn(start: number): readonly number[] {
    let at = start;
    for (let length = 0; length < LONGEST_COLUMN && at < this.#text.length; length++) {
      const step = this.#deepest(at);
      this.#spend(1);
      if (step.kind === KIND.LINE) return this.placesAfterLine(at);
      at = step.next;
    }
    return [];
  }

  #stepsAt(at: number, depth: number): readonly Step[] {
    if (!this.#mayEscape(at)) return [this.#asWritten(at)];
    const known = this.#steps[depth]!;
    let steps = known.get(at);
    if (!steps) known.set(at, (steps = this.#read(at, depth)));
    return steps;
  }

  #deepest(at: number): Step {
    if (!this.#mayEscape(at)) return this.#asWritten(at);
    return this.#stepsAt(at, DEEPEST).at(-1)!;
  }

  /** Whether an escape may begin here: quotation marks are part of one only before another sign. */
  #mayEscape(at: number): boolean {
    const sign = this.#text[at]!;
    if (!IS_SIGN[sign]) return false;
    return !IS_QUOTE[sign] || IS_SIGN[this.#text[at + 1] ?? 0] === 1;
  }

  #read(at: number, depth: number): readonly Step[] {
    if (depth === 0) return [this.#asWritten(at)];
    const shallower = this.#stepsAt(at, depth - 1);
    return [...shallower, ...shallower.flatMap((sign) => this.#escapes(sign, depth))];
  }

  #asWritten(at: number): Step {
    const byte = this.#text[at]!;
    if (byte < 128) return { kind: KINDS[byte]!, sign: 0, bytes: BYTES[byte]!, next: at + 1 };
    const character = String.fromCodePoint(this.#text.toString('utf8', at, at + 4).codePointAt(0)!);
    const kind = byte < 0xc2 ? KIND.TEXT : kindOf(character);
    const bytes = kind === KIND.TEXT ? BYTES[byte]! : Buffer.from(character);
    return { kind, sign: 0, bytes, next: at + bytes.length };
  }

  /** The escapes that begin with a sign and are of this depth: the sign or what follows is an escape itself. */
  #escapes(sign: Step, depth: number): readonly Step[] {
    const longest = sign.bytes.length === 1 ? longestEscape(sign.bytes[0]!) : 0;
    if (longest === 0) return [];
    if (depth === 1) return this.#escape(sign, longest, 0);
    if (sign.sign !== 0) return this.#escape(sign, longest, sign.sign);
    // Encoders that leave the sign as it is write one of the next two characters as an escape, if any.
    const following = [...this.#text.subarray(sign.next, sign.next + 2)].filter((byte) => IS_SIGN[byte]);
    return following.flatMap((each) => this.#escape(sign, longest, each));
  }

  /**
   * The escape that begins with a sign. The characters after the sign are read as one encoder writes it: with escapes that begin
   * with `outer`, and no others.
   */
  #escape(sign: Step, longest: number, outer: number): readonly Step[] {
    let text = String.fromCharCode(sign.bytes[0]!);
    const ends = [sign.next];
    let isOfDepth = outer === sign.sign;
    for (let at = sign.next; ends.length < longest && at < this.#text.length;) {
      const steps = this.#stepsAt(at, outer === 0 ? 0 : 1);
      const step = steps.find((each) => each.sign === outer) ?? steps[0]!;
      if (step.bytes.length !== 1 || step.bytes[0]! > 127) break;
      isOfDepth ||= step.sign !== 0;
      text += String.fromCharCode(step.bytes[0]!);
      ends.push((at = step.next));
    }
    this.#spend(ends.length);
    const escape = isOfDepth ? escapeAt(text) : undefined;
    if (!escape) return [];
    const { meaning, length } = escape;
    return [
      { kind: kindOf(meaning.toString()), sign: sign.bytes[0]!, bytes: meaning, next: ends[length - 1]! },
    ];
  }

  /** Returns where an invisible character ends: behind the control sequence that begins with it, if one does. */
  afterInvisible({ bytes, next }: Step): number {
    const code = Buffer.from(bytes).toString().codePointAt(0)!;
    if (code === C1_SEQUENCE) return this.#sequenceEnd(next);
    if (C1_STRINGS.has(code)) return this.#stringEnd(next);
    if (code !== ESCAPE || next >= this.#text.length) return next;
    if (this.#text[next] === END_OF_STRING) return next + 1;
    const second = this.#deepest(next);
    if (second.bytes[0] === CONTROL_SEQUENCE) return this.#sequenceEnd(second.next);
    if (CONTROL_STRINGS.has(second.bytes[0]!)) return this.#stringEnd(second.next);
    return next;
  }

  /** As terminals read it: up to a letter. */
  #sequenceEnd(start: number): number {
    return this.#findControlEnd(start, (byte) => byte >= 0x40 || byte < 0x20);
  }

  #stringEnd(start: number): number {
    // An end that begins with ESCAPE is a control sequence itself.
    const isEnd = (byte: number) => byte === BELL || byte === STRING_TERMINATOR || byte === ESCAPE;
    return this.#findControlEnd(start, isEnd);
  }

  /** Returns the start if no end is within reach: then it is no control sequence. */
  #findControlEnd(start: number, isEnd: (byte: number) => boolean): number {
    for (let at = start; at < Math.min(this.#text.length, start + LONGEST_CONTROL);) {
      const { bytes, next } = this.#deepest(at);
      this.#spend(1);
      if (isEnd(bytes[0]!)) return bytes[0] === ESCAPE ? at : next;
      at = next;
    }
    return start;
  }
}

function isMargin({ kind, bytes }: Step): boolean {
  return kind !== KIND.TEXT || MARGIN[bytes[0]!] === 1;
}

function kindOf(character: string): Kind {
  if (/^[\n\v\f\r\x85\u2028\u2029]/.test(character)) return KIND.LINE;
  if (/^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character) && character !== '\t')
    return KIND.INVISIBLE;
  return /^\s/.test(character) ? KIND.SPACE : KIND.TEXT;
}
