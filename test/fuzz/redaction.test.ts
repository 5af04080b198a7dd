import { Redactor } from '../../src/text';

/** In seconds. `FUZZ_MINUTES` makes it longer, `FUZZ_SEED` repeats a run. */
const BUDGET = process.env.FUZZ_MINUTES ? Number(process.env.FUZZ_MINUTES) * 60 : 8;
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);

/** A small generator of random numbers: the same ones for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

const ALPHABET = [...'abcdefXYZ0123456789+/=-_.%\\"\'&<>{}$ \n\t;:,#ü漢😀'];
/** None ends with the beginning of an escape: what follows it would be read as the rest of that. */
const WORDS = [
  'the server',
  'refused',
  '"pin":',
  'secret/data',
  '{',
  '\n\t* ',
  'https://a.b/c?d=',
  '100%, ',
  ' ',
];

const base64 = (text: string) => Buffer.from(text).toString('base64');
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  base64,
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (text) => [...text].map((each) => `\\u{${each.codePointAt(0)!.toString(16)}}`).join(''),
];

test(
  'random secrets in random encodings in random texts are hidden',
  () => {
    const below = generator(SEED);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
    const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
    const ends = performance.now() + BUDGET * 1000;
    let tried = 0;
    while (performance.now() < ends) {
      const secret = many(12 + below(30), () => pick(ALPHABET)).join('');
      if (secret.replace(/[^\p{L}\p{N}]/gu, '').length < 8) continue;
      const encodings = many(1 + below(2), () => pick(ENCODINGS));
      const encoded = encodings.reduce((text, encode) => encode(text), pick([secret, secret.trim()]));
      const before = many(below(4), () => pick(WORDS)).join('');
      const after = many(below(4), () => pick(WORDS)).join('');
      const shown = new Redactor([secret]).hide(before + encoded + after);
      tried++;
      const middle = encoded.slice(Math.floor(encoded.length / 3), Math.ceil((2 * encoded.length) / 3));
      if (shown.includes('(hidden)') && !shown.includes(middle)) continue;
      throw new Error(
        `FUZZ_SEED=${SEED}: ${JSON.stringify({ secret, before, encoded, after, shown, encodings: encodings.map(String) })}`,
      );
    }
    console.info(`redaction: ${tried} texts, FUZZ_SEED=${SEED}`);
  },
  BUDGET * 1000 + 30_000,
);

test('the search finds a planted fault: an encoding that nobody knows', () => {
  const rotated = [...'canary-secret-1'].map((each) => String.fromCharCode(each.charCodeAt(0) + 1)).join('');
  expect(new Redactor(['canary-secret-1']).hide(rotated)).toBe(rotated);
});
