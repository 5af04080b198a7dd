import { latePattern } from '../late-pattern';

/** The escapes of one encoding. Texts are in UTF-8, with one character for each byte. */
export interface Encoding {
  /** Matches one escape. */
  readonly pattern: RegExp;
  /**
   * Returns what an escape stands for. `undefined` if it stands for nothing.
   *
   * @param parts the escape, and what the groups of the pattern match.
   */
  readonly meaning: (parts: readonly (string | undefined)[]) => string | undefined;
}

const CONTROLS: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' },
};

/** The HTML names of ASCII signs and of characters without width. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", zwnj: '\u200c', zwj: '\u200d' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', lbrack: '[', rbrack: ']', lcub: '{', rcub: '}' },
  ...{ sol: '/', bsol: '\\', verbar: '|', plus: '+', lowbar: '_', equals: '=', grave: '`' },
  ...{ comma: ',', period: '.', colon: ':', semi: ';', excl: '!', quest: '?', ast: '*', dollar: '$' },
  ...{ num: '#', percnt: '%', commat: '@', nbsp: ' ', tab: '\t', newline: '\n', shy: '\u00ad' },
};

/** JSON, Go, JavaScript and shells. */
const BACKSLASH: Encoding = {
  pattern:
    /\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|[uU]([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|[xX]([0-9a-fA-F]{2})|(0?[0-3][0-7]{2}|[0-7]{1,2})|([^]))/g,
  meaning: ([, high, low, eight, four, braced, byte, octal, short = '']) => {
    if (high !== undefined) return inBytes(JSON.parse(`"\\u${high}\\u${low}"`) as string);
    const code = eight ?? four ?? braced;
    if (code !== undefined) return character(code);
    if (byte !== undefined) return byteOf(byte);
    return octal === undefined ? (CONTROLS[short] ?? short) : String.fromCharCode(parseInt(octal, 8));
  },
};

const URL: Encoding = {
  pattern: /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi,
  meaning: ([, unit, byte]) => (unit === undefined ? byteOf(byte) : character(unit)),
};

const withoutWidth = latePattern(
  String.raw`^(?:|(?![^\S\ufeff])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])$`,
  'u',
);

/** Commands to terminals, such as colors and links, and characters without width. */
export const INVISIBLE: Encoding = {
  pattern:
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    /(?:\x1b\[|\xc2\x9b)[ -?]{0,2048}[@-~]|(?:\x1b[PX\]^_]|\xc2[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,2048}(?:\x07|\x1b\\|\xc2?\x9c)|\x1b(?:\\|[ -/]{1,16}[0-~])|([\0-\x1f\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/g,
  meaning: ([, character = '']) => (withoutWidth().test(textOf(character)) ? '' : undefined),
};

export const ENCODINGS: readonly Encoding[] = [
  BACKSLASH,
  // Some programs escape quotation marks alone.
  { pattern: /\\(["'])/g, meaning: ([, quote]) => quote },
  // Texts in which a doubled backslash is no escape: only the second backslash begins one.
  { ...BACKSLASH, pattern: new RegExp(`(?!\\\\{2})${BACKSLASH.pattern.source}`, 'g') },
  URL,
  // Forms (`application/x-www-form-urlencoded`).
  { pattern: /%([0-9a-f]{2})|\+/gi, meaning: ([, byte]) => (byte === undefined ? ' ' : byteOf(byte)) },
  // HTML and XML.
  {
    pattern: /&(?:#x([0-9a-f]{1,36});?|#(\d{1,36});?|([a-z]{2,8});)/gi,
    meaning: ([, hex, decimal, name = '']) => {
      if (hex !== undefined) return character(hex);
      if (decimal !== undefined) return character(Number(decimal).toString(16));
      const named = NAMED[name.toLowerCase()];
      return named && inBytes(named);
    },
  },
  // Mails (quoted-printable), in which `=` at the end continues a long line.
  { pattern: /=(?:([0-9A-F]{2})|\r?\n)/g, meaning: ([, byte]) => (byte === undefined ? '' : byteOf(byte)) },
  // Quotation marks within quotation marks, of YAML, SQL, CSV and shells.
  { pattern: /'(?:\\''|"'"'|')|""/g, meaning: ([quotes = '']) => quotes[0] },
];

/** Returns a text in UTF-8, with one character for each byte. */
export function inBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Returns the text of {@link inBytes}. */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function byteOf(hex = ''): string {
  return String.fromCharCode(parseInt(hex, 16));
}

function character(hex = ''): string | undefined {
  const code = parseInt(hex, 16);
  return code <= 0x10ffff ? inBytes(String.fromCodePoint(code)) : undefined;
}
