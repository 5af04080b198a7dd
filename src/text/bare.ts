import { plainView, ViewBuilder, type View } from './views';

/** In characters. Shorter codes are numbers that many texts have. */
const SHORTEST_CODE = 8;

const ESCAPE = 0x1b;
const BRACKET = 0x5b;

/**
 * The view with nothing but letters and digits of ASCII, in lower case. What was put between them is left out: white
 * space, invisible characters, signs that begin or continue a line, commas and colons of lists of bytes, colors of a terminal.
 */
export function bareView(view: View): View {
  const { bytes } = view;
  const builder = new ViewBuilder(view);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === ESCAPE && bytes[at + 1] === BRACKET) {
      // As terminals read it: up to a letter.
      at += 2;
      while (at < bytes.length && bytes[at]! < 0x40) at++;
      continue;
    }
    const bare = BARE[bytes[at]!]!;
    if (bare !== 0) builder.add(bare, at, at);
  }
  return builder.build();
}

/** What each byte is in a bare view; 0: left out. */
const BARE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[0-9A-Za-z]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

/** What remains of a text in a bare view. */
export function bareText(text: Buffer): Buffer {
  return bareView(plainView(text)).bytes;
}

/**
 * The encodings of a text that can be found in bare views without decoding: base64, base32, hexadecimal and digits behind
 * signs, as in quoted-printable; UTF-16, also in base64 and hexadecimal; and lists of bytes and code points.
 */
export function bareCodes(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const wide = Buffer.from(text, 'utf16le');
  const plain = bare(text);
  const codes = [
    ...[bytes, wide, Buffer.from(wide).swap16()]
      .flatMap((each) => [
        ...within(each, 3, (part) => part.toString('base64'), 6),
        each.toString('hex'),
        each.toString('latin1'),
      ])
      .map(bare),
    ...within(bytes, 5, base32, 5).map(bare),
    ...byteCodes().map((codes) => written(bytes, codes)),
    // In ASCII, each code point is one byte.
    ...(bytes.length === text.length ? [] : LISTS.map((write) => listed(text, write))),
  ];
  return codes
    .filter((code) => code !== plain && code.length >= SHORTEST_CODE)
    .map((code) => Buffer.from(code));
}

/** The encoding of each byte, computed once because few values occur many times. */
type Codes = readonly string[];

function codesOf(write: (byte: number) => string): Codes {
  return Array.from({ length: 256 }, (_, byte) => write(byte));
}

function written(bytes: Buffer, codes: Codes): string {
  let code = '';
  for (const byte of bytes) code += codes[byte];
  return code;
}

/** How numbers are written in lists: of Go and JSON, of dumps, of C, of Unicode, in octal, in binary, in style sheets. */
const LISTS = [
  String,
  (number: number) => `0x${number.toString(16)}`,
  (number: number) => `0x${digits(number, 16, 2)}`,
  (number: number) => digits(number, 16, 4),
  (number: number) => `u${digits(number, 16, 4)}`,
  (number: number) => digits(number, 16, 6),
  (number: number) => digits(number, 8, 3),
  (number: number) => digits(number, 2, 8),
];

function listed(text: string, write: (codePoint: number) => string): string {
  return [...text].map((character) => write(character.codePointAt(0)!)).join('');
}

function digits(number: number, base: number, length: number): string {
  return number.toString(base).padStart(length, '0');
}

function bare(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
}

/**
 * A text written in a code that takes several bytes together, wherever it begins within other text.
 *
 * @param group how many bytes are taken together.
 * @param bits of one character of the code.
 */
function within(bytes: Buffer, group: number, write: (bytes: Buffer) => string, bits: number): string[] {
  return Array.from({ length: group }, (_, before) => before).flatMap((before) => {
    const code = write(Buffer.concat([Buffer.alloc(before), bytes])).replace(/=+$/, '');
    // Characters at the ends are shared with what comes before and after, if something does.
    const first = Math.ceil((before * 8) / bits);
    const end = Math.floor(((before + bytes.length) * 8) / bits);
    return [code.slice(first, end), code.slice(first)];
  });
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Buffer): string {
  let code = '';
  let value = 0;
  let count = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    count += 8;
    for (; count >= 5; count -= 5) code += BASE32[(value >> (count - 5)) & 31];
  }
  return count > 0 ? code + BASE32[(value << (5 - count)) & 31] : code;
}

/** What is written with two hexadecimal digits in mail, URLs and other escapes. Their prefix is left out here. */
const ESCAPED = [/[^!-~]|=/, /[^ -~]|=/, /[^-.~\w]/, /\W/];

let computed: readonly Codes[] | undefined;

/** The codes of escapes and of lists of bytes. Most processes of the provider never look for a secret, and need none. */
function byteCodes(): readonly Codes[] {
  computed ??= [
    ...ESCAPED.map((which) =>
      codesOf((byte) => {
        const character = String.fromCharCode(byte);
        return bare(which.test(character) ? digits(byte, 16, 2) : character);
      }),
    ),
    ...LISTS.map(codesOf),
  ];
  return computed;
}
