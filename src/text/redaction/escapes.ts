/** An escape: the bytes that it stands for, and its number of characters. */
interface Escape {
  readonly meaning: Buffer;
  readonly length: number;
}

/** The sign that escapes begin with, and how many characters of them are looked at. */
const LENGTHS: ReadonlyMap<number, number> = new Map(
  Object.entries({ '\\': 12, '%': 6, '&': 40, "'": 5, '"': 2, '+': 1, '=': 3 }).map(([sign, length]) => [
    sign.charCodeAt(0),
    length,
  ]),
);

/** Returns how many characters an escape has at most that begins with this byte. 0 if none does. */
export function longestEscape(sign: number): number {
  return LENGTHS.get(sign) ?? 0;
}

/** Escapes of JSON, Go, JavaScript and shells. */
const BACKSLASH =
  /^\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|U([0-9a-f]{8})|x([0-9a-f]{2})|([0-3][0-7]{2})|([\0-\x7f]))/i;
/** Escapes of URLs and of old browsers. */
const PERCENT = /^%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/i;
/** Escapes of HTML and XML. */
const ENTITY = /^&(?:#x([0-9a-f]{1,36});?|#(\d{1,36});?|([a-z]{2,8});)/i;
/** Quotation marks within quotation marks, of YAML, SQL, CSV and shells. */
const QUOTES = /^'(?:\\''|"'"'|')/;

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
  lbrack: '[',
  rbrack: ']',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  rcub: '}',
  verbar: '|',
  dollar: '$',
  lpar: '(',
  rpar: ')',
  hyphen: '-',
  dash: '-',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  tab: '\t',
  newline: '\n',
};

/** Returns the escape that a text of characters up to U+00FF begins with, as bytes of UTF-8. */
export function escapeAt(text: string): Escape | undefined {
  switch (text[0]) {
    case '\\':
      return ofBackslash(text);
    case '%': {
      const [all, unit, byte] = PERCENT.exec(text) ?? [];
      if (byte !== undefined) return { meaning: Buffer.from(byte, 'hex'), length: 3 };
      return unit === undefined ? undefined : character(parseInt(unit, 16), all!);
    }
    case '&': {
      const [all, hex, decimal, name = ''] = ENTITY.exec(text) ?? [];
      if (hex !== undefined) return character(parseInt(hex, 16), all!);
      if (decimal !== undefined) return character(Number(decimal), all!);
      const named = NAMED[name.toLowerCase()];
      return named === undefined ? undefined : { meaning: Buffer.from(named), length: all!.length };
    }
    case "'": {
      const [all] = QUOTES.exec(text) ?? [];
      return all === undefined ? undefined : { meaning: Buffer.from("'"), length: all.length };
    }
    case '"':
      return text[1] === '"' ? { meaning: Buffer.from('"'), length: 2 } : undefined;
    case '+':
      return { meaning: Buffer.from(' '), length: 1 };
    default:
      return /^=[0-9A-F]{2}/.test(text)
        ? { meaning: Buffer.from(text.slice(1, 3), 'hex'), length: 3 }
        : undefined;
  }
}

function ofBackslash(text: string): Escape | undefined {
  const [all, high, low, four, braced, eight, byte, octal, short] = BACKSLASH.exec(text) ?? [];
  if (all === undefined) return undefined;
  const code = four ?? braced ?? eight;
  if (code !== undefined) return character(parseInt(code, 16), all);
  if (byte !== undefined) return { meaning: Buffer.from(byte, 'hex'), length: 4 };
  if (octal !== undefined) return { meaning: Buffer.from([parseInt(octal, 8)]), length: 4 };
  if (short !== undefined) return { meaning: Buffer.from(SHORT[short] ?? short), length: 2 };
  return { meaning: Buffer.from(String.fromCharCode(parseInt(high!, 16), parseInt(low!, 16))), length: 12 };
}

function character(code: number, { length }: string): Escape | undefined {
  return code <= 0x10ffff ? { meaning: Buffer.from(String.fromCodePoint(code)), length } : undefined;
}
