import fc from 'fast-check';
import { Redactor } from '../../src/text';
import { fuzz } from './support/fuzz';
import { ENCODINGS } from '../support/encodings';

/** How many characters of what stands for a secret may be left at its ends, where it shares a character with its neighbours. */
const SHARED = 16;

const CHARACTERS = [...'abcdefnrtuxXYZ0123456789+/=-_.%\\"\'&<>{}$ \n\t;:,#ü漢😀'];
const secrets = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 6, maxLength: 40 })
  .map((characters) => characters.join(''))
  .filter((secret) => secret.replace(/[^\p{L}\p{N}]/gu, '').length >= 6);

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'the server',
        'refused',
        '"pin":',
        'secret/data',
        '{',
        '\n\t* ',
        'https://a.b/c?d=',
        '100%, ',
      ),
      fc.constantFrom('%', '\\', '&', '+', '=', '%4', '\\u00', '&#', 'a', '0', ' '),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

/** What servers make of a secret before they write it. */
const SHAPES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.trim(),
  (secret) => secret.trim().replace(/\s+/g, ' '),
];

interface Case {
  readonly secret: string;
  readonly before: string;
  readonly written: string;
  readonly after: string;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    secret: secrets,
    before: texts,
    after: texts,
    shape: fc.constantFrom(...SHAPES),
    encodings: fc.array(fc.constantFrom(...Object.values(ENCODINGS)), { maxLength: 3 }),
  })
  .map(({ secret, before, after, shape, encodings }) => ({
    secret,
    before,
    after,
    written: encodings.reduce((text, encode) => encode(text), shape(secret)),
  }));

function check(
  hide: (text: string, secret: string) => string,
  { secret, before, written, after }: Case,
): void {
  const shown = hide(before + written + after, secret);
  if (!shown.includes('(hidden)')) throw new Error(`shown: ${shown}`);
  for (let at = 0; at + SHARED < written.length; at++) {
    const part = written.slice(at, at + SHARED + 1);
    if (shown.includes(part) && !before.includes(part) && !after.includes(part)) {
      throw new Error(`${part} is left in: ${shown}`);
    }
  }
}

fuzz('random secrets in random encodings in random texts are hidden', {
  inputs: cases,
  check,
  subject: (text, secret) => new Redactor([secret]).hide(text),
  // It decodes what stands alone, and not what follows the sign of an escape.
  planted: (text, secret) =>
    /[%\\]$/.test(text.split(secret)[0] ?? '') ? text : new Redactor([secret]).hide(text),
});
