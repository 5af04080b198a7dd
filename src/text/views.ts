import type { Beginnings } from './beginnings';

/** A text, or the decoded content of an encoding within it. */
export interface View {
  readonly bytes: Buffer;
  /** Whether it was decoded from base64 or hexadecimal, which mostly gives accidental bytes. */
  readonly isCode: boolean;
  /** Where in the text, in bytes, each byte of the view begins and ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A text as it is. */
export function plainView(bytes: Buffer): View {
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    starts[at] = at;
    ends[at] = at + 1;
  }
  return { bytes, isCode: false, starts, ends };
}

/** Space for one view at a time, so that attempts without a result cost little. */
let scratch = spaceFor(1 << 12);

function spaceFor(size: number) {
  return { bytes: Buffer.alloc(size), starts: new Uint32Array(size), ends: new Uint32Array(size) };
}

/** Collects the bytes of a view. Only one builder can be in use. */
export class ViewBuilder {
  readonly #source: View;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  /** May be set to drop what was added last. */
  length = 0;

  /** @param size how many bytes there are at most. */
  constructor(source: View, size = source.bytes.length) {
    this.#source = source;
    if (scratch.bytes.length < size) scratch = spaceFor(size);
    this.#bytes = scratch.bytes;
    this.#starts = scratch.starts;
    this.#ends = scratch.ends;
  }

  /** A byte that the bytes of the source from `first` to `last` stand for. */
  add(byte: number, first: number, last: number): void {
    this.#bytes[this.length] = byte;
    this.#starts[this.length] = this.#source.starts[first]!;
    this.#ends[this.length] = this.#source.ends[last]!;
    this.length++;
  }

  /** Lets the last byte end where the byte `last` of the source does. */
  extend(last: number): void {
    this.#ends[this.length - 1] = this.#source.ends[last]!;
  }

  build(isCode = this.#source.isCode): View {
    return {
      isCode,
      bytes: Buffer.from(this.#bytes.subarray(0, this.length)),
      starts: this.#starts.slice(0, this.length),
      ends: this.#ends.slice(0, this.length),
    };
  }
}

/**
 * Returns the possible decodings of a view.
 *
 * @param spread the view without its white space: code is broken into lines at times.
 * @param shortest how many bytes are worth looking at.
 */
export function decodings(view: View, spread: View, shortest: number): readonly View[] {
  const resolved = FAMILIES.flatMap((family) => withoutEscapes(view, family) ?? []);
  const sources = spread === view ? [view] : [view, spread];
  const decoded = sources.flatMap((source) => [
    ...[0, 1, 2, 3].flatMap((offset) => decodeRuns(source, BASE64, offset, shortest) ?? []),
    ...[0, 1].flatMap((offset) => decodeRuns(source, HEX, offset, shortest) ?? []),
  ]);
  return [...resolved, ...decoded];
}

/** The view without white space, however much there is of it. */
export function withoutSpace(view: View): View {
  const { bytes } = view;
  if (!bytes.some(isSpace)) return view;
  const builder = new ViewBuilder(view);
  for (let at = 0; at < bytes.length; at++) {
    if (!isSpace(bytes[at]!)) builder.add(bytes[at]!, at, at);
  }
  return builder.build();
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * The view with its escapes resolved once: of JSON, Go, JavaScript and shells (`\n`, `\"`, `\u0041`, `\x41`, `\101`), of
 * URLs and forms (`%41`, `+`), of HTML and XML (`&amp;`, `&#65;`); and quotation marks that are doubled, as in YAML, SQL and
 * CSV, or written as shells want them (`'\''`).
 *
 * @returns `undefined` if there are none.
 */
export function withoutEscapes(view: View, family: Family = ALL_ESCAPES): View | undefined {
  const { bytes } = view;
  if (!family.signs.some((sign) => bytes.includes(sign))) return undefined;
  const builder = new ViewBuilder(view);
  let isSame = true;
  for (let at = 0; at < bytes.length;) {
    const escape = family.isSign[bytes[at]!] ? escapeAt(bytes, at) : undefined;
    if (!escape) {
      builder.add(bytes[at]!, at, at);
      at++;
      continue;
    }
    for (const byte of escape.bytes) builder.add(byte, at, at + escape.length - 1);
    at += escape.length;
    isSame = false;
  }
  return isSame ? undefined : builder.build();
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** The characters that escapes of one kind begin with. */
interface Family {
  readonly signs: readonly number[];
  /** 1 at each sign. */
  readonly isSign: Uint8Array;
}

function family(...signs: readonly number[]): Family {
  return { signs, isSign: Uint8Array.from({ length: 256 }, (_, byte) => Number(signs.includes(byte))) };
}

const ALL_ESCAPES = family(BACKSLASH, PERCENT, PLUS, AMPERSAND);
/** Escapes of one kind leave those of others, which may be the secret's own, as they are. */
const FAMILIES = [
  ALL_ESCAPES,
  family(BACKSLASH),
  family(PERCENT),
  family(PERCENT, PLUS),
  family(AMPERSAND),
  family(APOSTROPHE),
  family(QUOTE),
];

/**
 * What begins within escapes, as views of their own: `%` at the end of a text, before a secret that begins with hexadecimal
 * digits, looks like an escape and is none.
 *
 * @param length how many bytes a view has at most.
 */
export function withinEscapes(view: View, beginnings: Beginnings, length: number): readonly View[] {
  const { bytes } = view;
  const found: View[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const escape = ALL_ESCAPES.isSign[bytes[at]!] ? escapeAt(bytes, at) : undefined;
    for (let inner = at + 1; escape && inner < at + escape.length; inner++) {
      // A byte that stands for itself, such as a quotation mark, is found without.
      const isItself = inner === at + escape.length - 1 && escape.bytes[0] === bytes[inner];
      const next = ALL_ESCAPES.isSign[bytes[inner]!] ? escapeAt(bytes, inner) : undefined;
      const begins = next
        ? beginnings.hasEscaped(next.bytes[0]!)
        : !isItself && beginnings.has(bytes[inner]!, bytes[inner + 1] ?? 0);
      if (begins) found.push(part(view, inner, length));
    }
  }
  return found;
}

function part({ bytes, isCode, starts, ends }: View, at: number, length: number): View {
  const end = at + length;
  return {
    isCode,
    bytes: bytes.subarray(at, end),
    starts: starts.subarray(at, end),
    ends: ends.subarray(at, end),
  };
}

interface Escape {
  readonly bytes: ArrayLike<number> & Iterable<number>;
  /** In bytes of the escape. */
  readonly length: number;
}

/** The longest escape: the two halves of `\ud83d\ude00`. */
const LONGEST_ESCAPE = 12;
const ESCAPES =
  /^(?:\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|(?:\\u|%u)([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\U([0-9a-f]{8})|(?:\\x|%)([0-9a-f]{2})|\\([0-3][0-7]{2})|\\([^])|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&([a-z]{2,7});|(')(?:\\''|')|(")"|(\+))/i;
const SHORT: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  0: '\0',
};
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sol: '/',
  bsol: '\\',
  plus: '+',
  equals: '=',
  num: '#',
  excl: '!',
  percnt: '%',
  ast: '*',
  comma: ',',
  period: '.',
  colon: ':',
  semi: ';',
  quest: '?',
  commat: '@',
  lsqb: '[',
  rsqb: ']',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  rcub: '}',
  verbar: '|',
  dollar: '$',
  lpar: '(',
  rpar: ')',
  hyphen: '-',
  tab: '\t',
  newline: '\n',
};

function escapeAt(bytes: Uint8Array, at: number): Escape | undefined {
  const match = ESCAPES.exec(
    Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(LONGEST_ESCAPE, bytes.length - at)).toString(
      'latin1',
    ),
  );
  if (!match) return undefined;
  const [all, high, low, four, braced, eight, byte, octal, short, html, decimal, named, apostrophe, quote] =
    match;
  const { length } = all;
  if (named !== undefined) {
    const meant = NAMED[named.toLowerCase()];
    return meant === undefined ? undefined : text(meant, length);
  }
  if (byte !== undefined) return { bytes: [parseInt(byte, 16)], length };
  if (octal !== undefined) return { bytes: [parseInt(octal, 8)], length };
  if (high !== undefined && low !== undefined)
    return text(String.fromCharCode(parseInt(high, 16), parseInt(low, 16)), length);
  const hex = four ?? braced ?? eight ?? html;
  if (hex !== undefined) return text(character(parseInt(hex, 16)), length);
  if (decimal !== undefined) return text(character(Number(decimal)), length);

  const doubled = apostrophe ?? quote;
  if (doubled !== undefined) return text(doubled, length);
  // A byte above ASCII begins a longer character, which nothing escapes.
  if (short !== undefined) return { bytes: [(SHORT[short] ?? short).charCodeAt(0)], length };
  return text(' ', length);
}

function text(decoded: string, length: number): Escape {
  return { bytes: Buffer.from(decoded), length };
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Ends a run of encoded text, and replaces bytes that are not text. No text contains this byte. */
const NO_TEXT = 0xff;
const NO_DIGIT = -1;
const PADDING = 0x3d;

interface Code {
  readonly digits: Int8Array;
  readonly bits: number;
}

const BASE64: Code = {
  bits: 6,
  digits: digitTable(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ),
};
const HEX: Code = { bits: 4, digits: digitTable('0123456789abcdef', '0123456789ABCDEF') };

function digitTable(...alphabets: readonly string[]): Int8Array {
  const table = new Int8Array(256).fill(NO_DIGIT);
  for (const alphabet of alphabets) {
    [...alphabet].forEach((digit, value) => (table[digit.charCodeAt(0)] = value));
  }
  return table;
}

/**
 * The texts that runs of digits stand for, if the code begins with the digit number `offset` of a run: what comes before
 * may be a word.
 *
 * @returns `undefined` if there are none.
 */
function decodeRuns(view: View, { digits, bits }: Code, offset: number, shortest: number): View | undefined {
  const { bytes } = view;
  const shortestRun = Math.ceil((shortest * 8) / bits) + offset;
  const texts = new TextCollector(new ViewBuilder(view, bytes.length + 1), shortest);
  for (let start = 0; start < bytes.length;) {
    let end = start;
    while (end < bytes.length && digits[bytes[end]!]! !== NO_DIGIT) end++;
    if (end - start >= shortestRun) {
      let value = 0;
      let count = 0;
      let first = start + offset;
      for (let at = first; at < end; at++) {
        value = ((value << bits) | digits[bytes[at]!]!) & 0xffff;
        count += bits;
        if (count < 8) continue;
        count -= 8;
        texts.add((value >> count) & 0xff, first, at);
        first = count > 0 ? at : at + 1;
      }
      // Padding is part of the last byte.
      let padded = end;
      while (bits === BASE64.bits && bytes[padded] === PADDING) padded++;
      texts.end(padded - 1, true);
    }
    start = end + 1;
  }
  return texts.build();
}

/** Keeps the stretches of valid UTF-8 of decoded bytes, and drops what is too short: mostly words of prose. */
class TextCollector {
  readonly #builder: ViewBuilder;
  readonly #shortest: number;
  /** Where the stretch of the moment begins in the view. */
  #start = 0;
  /** How many bytes of a character are still to come. */
  #missing = 0;

  constructor(builder: ViewBuilder, shortest: number) {
    this.#builder = builder;
    this.#shortest = shortest;
  }

  add(byte: number, first: number, last: number): void {
    const continues = (byte & 0xc0) === 0x80;
    if (continues !== this.#missing > 0) this.end(first);
    if (continues && this.#missing === 0) return;
    this.#missing = continues ? this.#missing - 1 : continuationsOf(byte);
    if (this.#missing >= 0) this.#builder.add(byte, first, last);
    else this.end(first);
  }

  /** Ends a stretch. `reaches`: its last byte reaches to there. */
  end(at: number, reaches = false): void {
    this.#missing = 0;
    if (this.#builder.length - this.#start < this.#shortest) {
      this.#builder.length = this.#start;
    } else {
      if (reaches) this.#builder.extend(at);
      this.#builder.add(NO_TEXT, at, at);
    }
    this.#start = this.#builder.length;
  }

  build(): View | undefined {
    return this.#builder.length === 0 ? undefined : this.#builder.build(true);
  }
}

/** How many bytes follow the first one of a character. Negative for a byte that begins none. */
function continuationsOf(byte: number): number {
  if (byte < 0x80) return 0;
  if (byte < 0xc2) return -1;
  if (byte < 0xe0) return 1;
  if (byte < 0xf0) return 2;
  return byte < 0xf5 ? 3 : -1;
}
