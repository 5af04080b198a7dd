import { Redactor } from '../../src/text';
import { computingTime } from '../support/computing-time';
import { CODES, ENCODINGS } from '../support/encodings';

const hide = (text: string, ...secrets: string[]) => new Redactor(secrets).hide(text);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const SECRET = 'canary/Pin+7 "x"\\n%41\'ü😀';

const inURL = ENCODINGS['in a URL']!;
const inJson = ENCODINGS['in JSON']!;

test('a secret that is longer than a text is hidden in the next text that contains it, however it is written', () => {
  const token = base64('canary '.repeat(60));
  for (const write of [(secret: string) => secret, ...Object.values(ENCODINGS)]) {
    const redactor = new Redactor([token, 'canary-pin']);
    expect(redactor.hide('canary-pin is wrong')).toBe('(hidden) is wrong');
    expect(redactor.hide(`"${write(token)}"`)).toBe('"(hidden)"');
    expect(redactor.hide(`${token.slice(0, -1)} canary-pin`)).toBe(`${token.slice(0, -1)} (hidden)`);
  }
});

test.each<[form: string, write: (secret: string) => string]>([
  ['as it is', (secret) => secret],
  ...Object.entries(ENCODINGS),
  ['in JSON in JSON', (secret) => inJson(inJson(secret))],
  ['in a URL twice', (secret) => inURL(inURL(secret))],
  ['in base64 in base64', (secret) => base64(base64(secret))],
  ['in base64 in a URL', (secret) => inURL(base64(secret))],
  ['in JSON in base64', (secret) => base64(JSON.stringify({ pin: secret }))],
  ['in hexadecimal in base64', (secret) => base64(Buffer.from(secret).toString('hex'))],
  ['in a shell in a shell', (secret) => ENCODINGS['in a shell']!(ENCODINGS['in a shell']!(secret))],
])('a secret is hidden %s', (_, write) => {
  for (const place of [`${write(SECRET)}`, `bad pin: "${write(SECRET)}" (400)`, `a,${write(SECRET)}`]) {
    const shown = hide(place, SECRET);
    expect(shown).toContain('(hidden)');
    expect(shown).not.toContain(write(SECRET));
    expect(shown).not.toContain(write(SECRET).slice(4, -8));
  }
});

test.each([
  ['a percent sign', 'abc d', '100%', 'abc%20d'],
  ['a percent sign and a digit', 'faaaaa"', '%a', 'faaaaa%22'],
  ['a percent sign, encoded twice', 'abc d', '100%', 'abc%2520d'],
  ['a backslash', 'nancy "x"', 'DOMAIN\\', 'nancy \\"x\\"'],
  ['a backslash, as bytes', 'aaaaaa\\', '\\', '\\x61\\x61\\x61\\x61\\x61\\x61\\x5c'],
  [
    'a backslash, as code points twice',
    'a+\\aaaaa%',
    '\\',
    ENCODINGS['as code points']!(ENCODINGS['as code points']!('a+\\aaaaa%')),
  ],
  ['the beginning of a code point', 'aa"aaaaaa', '\\u00', 'aa\\"aaaaaa'],
  ['the beginning of an escape, as base64 of a URL', 'nüaaaaaa', '%4', 'biVDMyVCQ2%0AFhYWFhYQ%3D%3D'],
  ['the beginning of a character of HTML', '6;aaa"aa', '&#', '6;aaa&#34;aa'],
])('a secret is hidden after %s that seems to form an escape with it', (_, secret, before, written) => {
  // Characters before the secret that look like a part of it are hidden as well.
  const [shown = '', rest] = hide(`${before}${written} is wrong`, secret).split('(hidden)');
  expect(before.startsWith(shown)).toBe(true);
  expect(rest).toBe(' is wrong');
});

test.each(Object.entries(CODES))('a secret is hidden %s, within other text and within JSON', (_, write) => {
  const secret = 'canary/Pin+7 "x"ü=Q7';
  for (const written of [write(secret), inJson(write(secret))]) {
    // Punctuation at an end may remain, because it may belong to the text before or after the
    // secret.
    const [before, after] = hide(`pin: ${written} (400)`, secret).split('(hidden)');
    expect([before?.length, after?.length]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(`${before}${after}`.length).toBeLessThan('pin:  (400)'.length + 16);
  }
});

test.each([0, 1, 2, 3, 4])(
  'a secret is hidden within base64 of UTF-16, %d bytes from the beginning',
  (before) => {
    const text = `${'u'.repeat(before)}hvs.CanaryToken:rest`;
    const code = utf16(text).toString('base64');
    const shown = hide(`got ${code}`, 'hvs.CanaryToken');
    expect(shown).toContain('(hidden)');
    expect(shown).not.toContain(code.slice(16, 24));
  },
);

test.each([
  ['a sign at each line', '\n> '],
  ['a margin', '\n    | '],
  ['a line that goes on', '\\\n'],
  ['a space of no width', '\u200b'],
  ['a space that does not break', '\u00a0'],
  ['a soft hyphen', '\u00ad'],
  ['a color', '\u001b[31m'],
  ['a color, as an escape', '\\u001b[31;1m'],
  ['nothing, as NUL', '\0'],
])('a secret with %s between its parts is hidden, also in base64 and hexadecimal', (_, between) => {
  const secret = 'hvs.CanaryToken0123';
  for (const written of [secret, base64(secret), Buffer.from(secret).toString('hex')]) {
    const text = `got ${written.replace(/.{5}(?=.)/g, `$&${between}`)} here`;
    expect(hide(text, secret).replace(/=+/, '')).toBe('got (hidden) here');
  }
});

/**
 * Returns a dump of bytes with offsets and a column of characters, in groups of hexadecimal digits.
 */
function dump(text: string, group: number, [offset, column]: readonly [string, string]): string {
  const rows =
    Buffer.from(text)
      .toString('latin1')
      .match(/.{1,16}/gs) ?? [];
  const line = (row: string, index: number) => {
    const digits =
      Buffer.from(row, 'latin1')
        .toString('hex')
        .match(new RegExp(`.{1,${group}}`, 'g')) ?? [];
    return `${(index * 16).toString(16).padStart(8, '0')}${offset}${digits.join(' ')}${column}${row}`;
  };
  return rows.map(line).join('\n');
}

describe('a password of eleven characters', () => {
  const PASSWORD = 'hunter2Pass';
  const code = base64(PASSWORD).match(/.{1,4}/g) ?? [];
  const hex = Buffer.from(PASSWORD).toString('hex').match(/../g) ?? [];

  test.each([
    ['in capitals', 'HUNTER2PASS', '(hidden)'],
    ['over two lines', 'hunter\n2Pass', '(hidden)'],
    ['over two lines with numbers', 'hunter\n   12 | 2Pass', '(hidden)'],
    ['over two lines of a quotation, in JSON', 'hunter\\n> 2Pass', '(hidden)'],
    ['over two lines of a frame', '│ hunter │\n│ 2Pass', '│ (hidden)'],
    ['over two lines of code', '"hunter" +\n   "2Pass"', '"(hidden)"'],
    ['over two lines of a shell', 'hunter\\\n2Pass', '(hidden)'],
    ['with a link of a terminal in between', 'hunter\u001b]8;;http://a.b/\u00072Pass', '(hidden)'],
    ['with links of a terminal everywhere', [...PASSWORD].join('\u001b]8;;http://a.b/\u001b\\'), '(hidden)'],
    ['with colors in between', 'hun\u001b[1;31mter\u009b0m2Pass', '(hidden)'],
    ['with an escaped color in between', 'hun\\u001b[1;31mter2Pass', '(hidden)'],
    ['with a character without width in between', 'hun\u2060ter2&shy;Pass', '(hidden)'],
    [
      'in numbers of HTML with many zeros',
      PASSWORD.replace(/./g, (letter) => `&#x${letter.charCodeAt(0).toString(16).padStart(8, '0')};`),
      '(hidden)',
    ],
    ['in HTML of a URL', 'hunter2&#37;50ass', '(hidden)'],
    ['in JSON of JSON', '\\\\u0068unter2Pass', '(hidden)'],
    [
      'in lines of base64 with numbers',
      code.map((part, at) => `${at + 9}: ${part}`).join('\n'),
      '9: (hidden)',
    ],
    ['in base64 of base64', base64(`u:${base64(`user:${PASSWORD}`)}`), 'dTpkWE5sY2pw(hidden)N3PT0='],
    ['in hexadecimal with spaces', hex.join(' '), '(hidden)'],
    ['in hexadecimal as in C', hex.map((digits) => `0x${digits}`).join(', '), '0x(hidden)'],
    ['in hexadecimal with colons, in a URL', hex.join('%3A'), '(hidden)'],
  ])('the password is hidden: %s', (_, written, shown) => {
    expect(hide(`got ${written} here`, PASSWORD)).toBe(`got ${shown} here`);
  });

  test.each<[title: string, group: number, columns: readonly [string, string]]>([
    ['in pairs', 2, ['  ', '  |']],
    ['in groups of four', 4, [': ', '  ']],
  ])('the password is hidden in a dump over two lines: %s', (_, group, columns) => {
    const shown = hide(`got ${dump(`user=admin;${PASSWORD}`, group, columns)} here`, PASSWORD);
    expect(shown).toContain('(hidden)');
    expect(shown).not.toMatch(/hun|ter2|2Pass|Pass|68 ?75|74 ?65|32 ?50|61 ?73 ?73/);
  });
});

test.each([
  ['backslashes', '\\'],
  ['ampersands', '&'],
  ['percent signs', '%25'],
  ['quotation marks', `'"`],
  ['control sequences without an end', '\u001b]'],
  ['line breaks and margins', '\n> '],
  ['white space', ' \t'],
  ['the beginning of a secret, with gaps', 'aa\n'],
])('a secret after a long text of %s is hidden, because the text is searched to its end', (_, sign) => {
  const secret = `${'aa'.repeat(30)}-secret`;
  for (const count of [1_000, 20_000]) {
    const shown = hide(`${sign.repeat(count)} ${secret}`, secret);
    expect(shown.endsWith('(hidden)')).toBe(true);
  }
});

test('a text that takes more effort than its length allows is shown up to that point, and the rest is hidden', () => {
  const before = 'no secret '.repeat(1_000);
  const shown = hide(before + '%25'.repeat(2_000), `${'aa'.repeat(30)}-secret`);
  expect(shown).toMatch(/^(?:no secret )+(?:%25)*n?o? ?s?e?c?r?e?t?%?2?5?\(hidden\)$/);
  expect(shown.length).toBeLessThan(before.length + 1_000);
  expect(shown.length).toBeGreaterThan(before.length - 1_000);
});

test('a secret is hidden in capitals, in other compositions of its letters, and in names of HTML', () => {
  expect(hide('got Änderung-SchlÜssel, hunter2Pass', 'änderung-schlüssel', 'HUNTER2pASS')).toBe(
    'got (hidden), (hidden)',
  );
  expect(hide('got CANARY-TOKEN-1', 'Canary-token-1')).toBe('got (hidden)');
  expect(hide('got pa\u0308ss, p\u00e4ss', 'pa\u0308ss')).toBe('got (hidden), (hidden)');
  expect(hide('got pa\u0308ss, p\u00e4ss', 'p\u00e4ss')).toBe('got (hidden), (hidden)');
  expect(hide('got a&sol;b&plus;c&equals;d&unknown;', 'a/b+c=d')).toBe('got (hidden)&unknown;');
});

test.each([0, 1, 2, 3, 4])('a secret is hidden within base64, %d bytes after the beginning', (before) => {
  const text = base64(`${'u'.repeat(before)}${SECRET}:rest`);
  const shown = hide(`Authorization: Basic ${text}`, SECRET);
  expect(shown).toContain('(hidden)');
  expect(shown).not.toContain(text.slice(8, -12));
});

test.each([
  ['trimmed', '1234\n', 'PIN 1234 is wrong', 'PIN (hidden) is wrong'],
  ['trimmed, in base64', '1234\n', `PIN ${base64('1234')} is wrong`, 'PIN (hidden) is wrong'],
  ['of several lines, collapsed', 'one word\n\n  another', 'got one word another', 'got (hidden)'],
  ['of several lines, in one', 'line-1a\nline-2b', 'got line-2b', 'got (hidden)'],
  ['of several lines, without them', 'line-1a\r\nline-2b', 'got line-1aline-2b', 'got (hidden)'],
  ['long, spread over lines', 'AQICAHhcanaryKEY', 'got AQICAH\n  hcanaryKEY', 'got (hidden)'],
  ['folded to lower case', 'Canary-TOKEN-1', 'got canary-token-1', 'got (hidden)'],
  ['that is a part of a word', 'abc', 'abcdef, abc', '(hidden)def, (hidden)'],
  ['twice without anything between', 'abcdef', '"abcdefabcdef"', '"(hidden)"'],
  ['that overlaps itself', 'abab', 'ababab', '(hidden)'],
  ['shorter than three bytes', 'ab', 'ab', 'ab'],
  ['empty', '', 'ab', 'ab'],
  ['of white space', '   \n', 'a    \n', 'a    \n'],
])('a secret %s is hidden, unless it is too short', (_, secret, text, shown) => {
  expect(hide(text, secret)).toBe(shown);
});

test('a key in PEM is hidden as a whole, in single lines, without its boundaries, and with other line breaks', () => {
  const body = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj', 'Xy0='];
  const pem = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----\n`;
  expect(hide(`{"key":${JSON.stringify(pem)}}`, pem)).toBe('{"key":"(hidden)\\n"}');
  expect(hide(`bad line ${body[1]}`, pem)).toBe('bad line (hidden)');
  expect(hide(`body ${body.join('')}`, pem)).toBe('body (hidden)');
  expect(hide(`body ${body.join('').replace(/.{7}/g, '$& ')}`, pem)).toBe('body (hidden)');
  expect(hide('-----BEGIN PRIVATE KEY----- is missing', pem)).toBe('-----BEGIN PRIVATE KEY----- is missing');
});

test('the secret members of a service account are hidden, and the members that users need to find the fault are shown', () => {
  const account = JSON.stringify(
    {
      type: 'service_account',
      project_id: 'my-project',
      private_key_id: '0a1b2c3d',
      private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n',
      client_email: 'snapshots@my-project.iam.gserviceaccount.com',
      nested: { list: ['deep-secret'], pin: 12345678 },
    },
    null,
    2,
  );
  expect(
    hide(
      'project my-project of service_account snapshots@my-project.iam.gserviceaccount.com: ' +
        'key 0a1b2c3d, MIIEvQIBADANBg, deep-secret, 12345678',
      account,
    ),
  ).toBe(
    'project my-project of service_account snapshots@my-project.iam.gserviceaccount.com: ' +
      'key (hidden), (hidden), (hidden), (hidden)',
  );
  expect(hide(`got ${JSON.stringify(JSON.parse(account))}`, account)).not.toContain('MIIE');
});

test('words that match a secret only without white space, or if decoded, are not hidden', () => {
  const text = 'the mount is not there: cannot delete "root" policy of sys/policies/acl/root on 127.0.0.1';
  expect(hide(text, 'them', 'otth', 'abcd')).toBe(text);
});

test('the time to hide secrets grows with the length of the text', async () => {
  const redactor = new Redactor([SECRET, 'another-secret']);
  const text = `${'the server answered with many words, '.repeat(8_000)}${encodeURIComponent(SECRET)}`;
  const took = await computingTime(() => expect(redactor.hide(text).endsWith(', (hidden)')).toBe(true));
  expect(took).toBeLessThan(20_000);
});

test.each([
  [
    'a part of a public word',
    'policy',
    'import acme_acl_policy.x, not policy',
    'import acme_acl_policy.x, not (hidden)',
  ],
  ['a public word itself', 'acme_acl_policy', 'got acme_acl_policy', 'got (hidden)'],
  ['a longer text with a public word in it', 'xacme_acl_policy', 'got xacme_acl_policy', 'got (hidden)'],
  ['a part of a longer word', 'policy', 'got acme_acl_policy2', 'got acme_acl_(hidden)2'],
])('a secret with %s is hidden', (_, secret, text, shown) => {
  expect(new Redactor([secret], ['acme_acl_policy']).hide(text)).toBe(shown);
});
