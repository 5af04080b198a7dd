import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../../src/text';
import { CODES, ENCODINGS, WITHIN_CODES } from '../support/encodings';
import { sightings } from '../support/secret-forms';
import { Random } from '../model/support/random';

type Write = (secret: string) => string;

const named = (...names: readonly string[]): readonly Write[] =>
  names.map((name) => ENCODINGS[name] ?? CODES[name]!);
const between =
  (sign: string): Write =>
  (secret) =>
    [...secret].join(sign);
const lines = (
  write: Write,
  length: number,
  line: (part: string, number: number) => string,
  end = '\n',
): Write => {
  return (secret) => (write(secret).match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []).map(line).join(end);
};
const then = (outer: readonly Write[], inner: readonly Write[]): readonly Write[] =>
  inner.flatMap((first) =>
    outer.map(
      (second): Write =>
        (secret) =>
          second(first(secret)),
    ),
  );

const ofBytes =
  (write: (byte: number) => string, separator = ''): Write =>
  (secret) =>
    [...Buffer.from(secret)].map(write).join(separator);
const ofCharacters =
  (write: (code: number) => string): Write =>
  (secret) =>
    [...secret].map((each) => write(each.codePointAt(0)!)).join('');
const ofUnits =
  (write: (unit: number) => string, separator = ''): Write =>
  (secret) =>
    Array.from({ length: secret.length }, (_, at) => write(secret.charCodeAt(at))).join(separator);
const hex = (number: number, length = 2) => number.toString(16).padStart(length, '0');

/** Rare forms, which are not tried within a second encoding. */
const MORE: Readonly<Record<string, readonly Write[]>> = {
  strings: [
    ofUnits((unit) => `\\u${hex(unit, 4).toUpperCase()}`),
    ofCharacters((code) => `\\U${hex(code, 8)}`),
    ofCharacters((code) => `\\u{${hex(code, 6)}}`),
    ofBytes((byte) => `\\x${hex(byte).toUpperCase()}`),
    ofBytes((byte) => `\\${byte.toString(8)}`),
    ofBytes((byte) => `\\0${byte.toString(8).padStart(3, '0')}`),
    (secret) => secret.replace(/[^A-Za-z0-9]/gu, '\\$&'),
    (secret) => secret.replaceAll("'", `'"'"'`),
  ],
  mails: [
    lines(named('in quoted-printable')[0]!, 3, (part) => part, '=\r\n'),
    (secret) => `=?utf-8?q?${ofBytes((byte) => `=${hex(byte).toUpperCase()}`)(secret)}?=`,
  ],
  html: [
    ofCharacters((code) => `&#${String(code).padStart(7, '0')};`),
    ofCharacters((code) => `&#X${hex(code).toUpperCase()};`),
  ],
  terminals: [
    ...['\u001b(B', '\u001b[?25l', '\u001b[K', '\u001bPq1\u001b\\', '\u001b]0;t\u0007', '\u0007'],
    ...['\ufeff', '\ufe0f', '\u{e0041}', '\u3164', '\u034f'],
  ].map(between),
  margins: [
    lines(
      (secret) => secret,
      4,
      (part) => `> > ${part}`,
      '\r\n',
    ),
    ...['\t', '# ', '// ', ' * ', '+ ', '- "', '| '].map((margin) =>
      lines(
        (secret) => secret,
        4,
        (part) => margin + part,
      ),
    ),
    lines(
      (secret) => secret,
      4,
      (part, at) => `${at + 98} | ${part}`,
    ),
    lines(
      (secret) => secret,
      4,
      (part, at) => `[${at + 1}] ${part}`,
    ),
    lines(
      (secret) => secret,
      4,
      (part, at) => `     ${at + 1}\t${part}`,
    ),
  ],
  codesInLines: [
    lines(named('in base64')[0]!, 4, (part) => part, '\r\n'),
    lines(named('in base64')[0]!, 4, (part) => part, '\\n'),
    lines(named('in base64')[0]!, 4, (part) => `"${part}"`, ' +\n  '),
    lines(named('in base64')[0]!, 6, (part) => `# ${part}`),
  ],
  separators: ['-', ',', '_', '; 0X', '%3A'].map((sign) => ofBytes((byte) => hex(byte), sign)),
  lists: [
    (secret) => JSON.stringify([...Buffer.from(secret)], null, 2),
    ofBytes((byte) => String(byte > 127 ? byte - 256 : byte), ', '),
    ofBytes((byte) => `0x${byte.toString(16).padStart(2, '0')}`, ', '),
    ofUnits(String, ', '),
    ofBytes(String, '\n'),
  ],
};

const OF_STRINGS = named(
  'in JSON',
  'in JSON of Go',
  'in JSON of PHP',
  'as code points',
  'as bytes of Go',
  'in octal',
  'in a shell',
);
const OF_URLS = named(
  'in a URL',
  'in a URL, with small digits',
  'in a form',
  'as bytes of a URL',
  'in quoted-printable',
);
const OF_HTML = named('in HTML', 'in numbers of HTML', 'in HTML, without the ends');
const ESCAPES = [...OF_STRINGS, ...OF_URLS.slice(0, 4), ...OF_HTML.slice(0, 2)];
const ALONE = named(
  'in base64',
  'in base64 without padding',
  'in hexadecimal',
  'in hexadecimal, in capitals',
);
const BASE64_AND_HEX = [...ALONE, ...named('in base64 of URLs')];
const WITHIN = BASE64_AND_HEX.flatMap((code) =>
  ['', 'u', 'u:', 'me:'].map(
    (before): Write =>
      (secret) =>
        code(`${before}${secret}=rest`),
  ),
);

/** By row of the table in SECURITY.md, the functions that write a secret in its forms. */
const FORMS: Readonly<Record<string, readonly Write[]>> = {
  'as it is': [(secret) => secret],
  'escaped for JSON, Go, JavaScript or a shell': [...OF_STRINGS, ...MORE.strings!],
  'escaped for a URL, a form or a mail': [...OF_URLS, ...MORE.mails!],
  'with names or numbers of characters, for HTML or XML': [...OF_HTML, ...MORE.html!],
  'with control characters, colors or links of a terminal, or characters without width in between': [
    ...[
      '\0',
      '\u001b[1;31m',
      '\u009b0m',
      '\u001b]8;;https://a.b/?c=d\u0007',
      '\u001b]8;;https://a.b/\u001b\\',
      '\u200b',
      '\u00ad',
      '\u202e',
    ].map(between),
    ...MORE.terminals!,
  ],
  'in base64 or hexadecimal, on its own': ALONE,
  'in base64 or hexadecimal, within that of a longer text': WITHIN,
  'in other case': [
    (secret) => secret.toUpperCase(),
    (secret) => secret.toLowerCase(),
    (secret) =>
      secret.replace(/../gsu, ([first = '', second = '']) => first.toUpperCase() + second.toLowerCase()),
  ],
  'over several lines, with margins, frames or line numbers': [
    lines(
      (secret) => secret,
      3,
      (part) => `> ${part}`,
    ),
    lines(
      (secret) => secret,
      4,
      (part) => `   | ${part}`,
    ),
    lines(
      (secret) => secret,
      5,
      (part) => `│ ${part} │`,
    ),
    lines(
      (secret) => secret,
      4,
      (part, at) => `${at + 9}: ${part}`,
    ),
    ...MORE.margins!,
  ],
  'in base64 or hexadecimal over several lines, with line numbers or offsets': [
    ...BASE64_AND_HEX.flatMap((code) => [
      lines(code, 4, (part) => part),
      lines(code, 8, (part, at) => `${at + 1}  ${part}`),
      lines(code, 6, (part, at) => `${hex(at * 16, 8)}: ${part}`),
    ]),
    ...MORE.codesInLines!,
  ],
  'in hexadecimal with separators': [
    ...named('in hexadecimal, with colons', 'in hexadecimal, as in C'),
    ...MORE.separators!,
  ],
  'in base64 or hexadecimal of UTF-16': named(
    'in base64 of UTF-16',
    'in base64 of UTF-16, the other way round',
    'in hexadecimal of UTF-16',
  ),
  'as a list of the numbers of bytes or characters': [
    ...named('as a slice of Go', 'as runes of Go', 'as bytes in JSON', 'as names of code points'),
    ...MORE.lists!,
  ],
  'with other white space': [
    lines(
      (secret) => secret,
      5,
      (part) => part,
    ),
    (secret) => secret.replace(/.{4}/gsu, '$&  '),
  ],
  'escaped twice, in any of these ways': then(ESCAPES, ESCAPES),
  'in base64 or hexadecimal, then escaped': then(ESCAPES, BASE64_AND_HEX),
  'escaped for JSON, a URL or HTML, or in base64 or hexadecimal, then in base64 or hexadecimal': then(
    BASE64_AND_HEX,
    WITHIN_CODES,
  ),
};

const TABLE = readFileSync(join(__dirname, '../../SECURITY.md'), 'utf8')
  .split('### Forms of secrets that are hidden')[1]!
  .matchAll(/^\| (?!Written)([^|]+) \| (\d+) bytes \|$/gm);
const ROWS = Array.from(TABLE, ([, form = '', shortest]) => [form, Number(shortest)] as const);

test('each row of the table has generators, and each generator a row', () => {
  expect(ROWS.map(([form]) => form)).toEqual(Object.keys(FORMS));
});

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const SIGNS = [...`+/=-_.%\\"'&<>{}$;:,#ü漢😀`];

describe.each(ROWS)('a secret written %s', (form, shortest) => {
  test(`a secret of ${shortest} bytes or more is hidden`, () => {
    const random = new Random(shortest);
    for (const write of FORMS[form]!) {
      for (let length = shortest; length < shortest + 14; length++) {
        const isPlain = length % 2 === 0;
        const secret = Array.from({ length }, () =>
          random.pick(isPlain ? LETTERS : [...LETTERS, ...SIGNS]),
        ).join('');
        const written = write(secret);
        const shown = new Redactor([secret]).hide(`it is "${written}" here`);
        const found = { isHidden: shown.includes('(hidden)'), left: sightings([written], shown) };
        expect({ secret, written, shown, ...found }).toMatchObject({ isHidden: true, left: [] });
      }
    }
  });
});
