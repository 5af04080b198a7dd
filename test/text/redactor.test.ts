import { Redactor } from '../../src/text';
import { computingTime } from '../support/computing-time';
import { CODES, ENCODINGS } from '../support/encodings';

const hide = (text: string, ...secrets: string[]) => new Redactor(secrets).hide(text);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const SECRET = 'canary/Pin+7 "x"\\n%41\'ü😀';

const inURL = ENCODINGS['in a URL']!;
const inJson = ENCODINGS['in JSON']!;

test('a secret that is longer than a text is hidden in the next one that it fits in, however it is written', () => {
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
])('a secret %s', (_, write) => {
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
  [
    'a backslash, as code points in octal twice',
    'aaaaaa\\',
    '\\',
    ENCODINGS['in octal']!(ENCODINGS['in octal']!(ENCODINGS['as code points']!('aaaaaa\\'))),
  ],
  ['the beginning of a code point', 'aa"aaaaaa', '\\u00', 'aa\\"aaaaaa'],
  ['the beginning of an escape, as base64 of a URL', 'nüaaaaaa', '%4', 'biVDMyVCQ2%0AFhYWFhYQ%3D%3D'],
  ['the beginning of a character of HTML', '6;aaa"aa', '&#', '6;aaa&#34;aa'],
])('a secret after %s, with which it looks like an escape', (_, secret, before, written) => {
  // What the secret was taken together with may go with it.
  expect([`${before}(hidden) is wrong`, '(hidden) is wrong']).toContain(
    hide(`${before}${written} is wrong`, secret),
  );
});

test.each(Object.entries(CODES))('a secret %s, within other text and within JSON', (_, write) => {
  const secret = 'canary/Pin+7 "x"ü=Q7';
  for (const written of [write(secret), inJson(write(secret)), base64(write(secret))]) {
    // A sign at an end may stay: it belongs to what comes before or after as well.
    const [before, after] = hide(`pin: ${written} (400)`, secret).split('(hidden)');
    expect([before?.length, after?.length]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(`${before}${after}`.length).toBeLessThan('pin:  (400)'.length + 16);
  }
});

test.each([0, 1, 2, 3, 4])('a secret within other codes, %d bytes from the beginning', (before) => {
  const text = `${'u'.repeat(before)}hvs.CanaryToken:rest`;
  for (const code of [CODES['in base32']!(text), utf16(text).toString('base64')]) {
    const shown = hide(`got ${code}`, 'hvs.CanaryToken');
    expect(shown).toContain('(hidden)');
    expect(shown).not.toContain(code.slice(16, 24));
  }
});

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
])('a secret of which %s is in between, also in base64 and hexadecimal', (_, between) => {
  const secret = 'hvs.CanaryToken0123';
  for (const written of [secret, base64(secret), Buffer.from(secret).toString('hex')]) {
    const text = `got ${written.replace(/.{5}(?=.)/g, `$&${between}`)} here`;
    expect(hide(text, secret).replace(/=+/, '')).toBe('got (hidden) here');
  }
});

test('a secret in capitals, in other compositions of its letters, and in names of HTML', () => {
  expect(hide('got CANARY-TOKEN-1', 'Canary-token-1')).toBe('got (hidden)');
  expect(hide('got pa\u0308ss, p\u00e4ss', 'pa\u0308ss')).toBe('got (hidden), (hidden)');
  expect(hide('got pa\u0308ss, p\u00e4ss', 'p\u00e4ss')).toBe('got (hidden), (hidden)');
  expect(hide('got a&sol;b&plus;c&equals;d&unknown;', 'a/b+c=d')).toBe('got (hidden)&unknown;');
});

test.each([0, 1, 2, 3, 4])('a secret within base64, %d bytes from its beginning', (before) => {
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
])('a secret %s', (_, secret, text, shown) => {
  expect(hide(text, secret)).toBe(shown);
});

test('a secret in codes of its escapes, after what looks like the beginning of an escape', () => {
  const octal = [...'aaaaaa'].map((letter) => `\\${letter.charCodeAt(0).toString(8)}`).join('');
  const lines = base64(octal).replace(/.{10}/g, '$&\n');
  expect(hide(`at \\${JSON.stringify(lines).slice(1, -1)}, `, 'aaaaaa')).toBe('at \\(hidden), ');
});

test('a secret in code points twice and bytes, after the beginning of an escape, in a longer text', () => {
  const codePoints = ENCODINGS['as code points']!;
  const written = ENCODINGS['as bytes of Go']!(codePoints(codePoints('daaaaaaaaa\\')));
  expect(hide(`\\${written}the serverthe server`, 'daaaaaaaaa\\')).toBe('\\(hidden)the serverthe server');
});

test('a key in PEM: as a whole, each line, without its boundaries, broken elsewhere', () => {
  const body = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj', 'Xy0='];
  const pem = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----\n`;
  expect(hide(`{"key":${JSON.stringify(pem)}}`, pem)).toBe('{"key":"(hidden)"}');
  expect(hide(`bad line ${body[1]}`, pem)).toBe('bad line (hidden)');
  expect(hide(`body ${body.join('')}`, pem)).toBe('body (hidden)');
  expect(hide(`body ${body.join('').replace(/.{7}/g, '$& ')}`, pem)).toBe('body (hidden)');
  expect(hide('-----BEGIN PRIVATE KEY----- is missing', pem)).toBe('-----BEGIN PRIVATE KEY----- is missing');
});

test('the members of a service account, and not what people need to see what went wrong', () => {
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

test('words are not hidden for what they would be without white space, or as code', () => {
  const text = 'the mount is not there: cannot delete "root" policy of sys/policies/acl/root on 127.0.0.1';
  expect(hide(text, 'them', 'otth', 'abcd')).toBe(text);
});

test('takes the time that the length of the text asks for', async () => {
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
  ['more than a public word', 'xacme_acl_policy', 'got xacme_acl_policy', 'got (hidden)'],
  ['a part of a longer word', 'policy', 'got acme_acl_policy2', 'got acme_acl_(hidden)2'],
])('%s', (_, secret, text, shown) => {
  expect(new Redactor([secret], ['acme_acl_policy']).hide(text)).toBe(shown);
});
