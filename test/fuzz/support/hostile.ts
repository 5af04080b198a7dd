import fc from 'fast-check';
import { Random } from '../../model/support/random';
import { mutated, written, type Grammar, type Node } from './trees';

/** The characters that control terminals, end lines and texts, hide text, or reverse it. */
export const HOSTILE = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\r',
  '\n! ',
  '\r\n',
  '\0',
  '\b',
  '\u007f',
  '\u0085',
  '\u009b2J',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
  '\udc00',
] as const;

/**
 * The characters that are shown as escapes: none may reach a person unescaped. Line breaks and tabs
 * are not among them, because other tests check these.
 */
export const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const CHARACTERS = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

/**
 * Returns texts of any characters. The texts of fast-check would take each file of tests a second
 * for a table of all characters.
 */
export function textsOfAny(maxLength: number): fc.Arbitrary<string> {
  return fc.array(CHARACTERS, { maxLength }).map((characters) => characters.join(''));
}

/** Texts that combine all kinds of characters. */
export const hostileTexts: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), textsOfAny(6), fc.string({ maxLength: 12 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

/** The length limit in characters. Longer texts take longer, and find no more. */
const LONGEST = 4_000;

/** A text of a grammar, changed a few times by the rules of the grammar. */
export function madeBy(grammar: Grammar, start: (random: Random) => Node): fc.Arbitrary<string> {
  return fc.record({ seed: fc.nat(2 ** 31 - 1), changes: fc.nat(4) }).map(({ seed, changes }) => {
    const random = new Random(seed);
    let tree = start(random);
    for (let change = 0; change < changes; change++) tree = mutated(tree, grammar, random);
    return written(tree, grammar).slice(0, LONGEST);
  });
}

/** A text of a grammar, or an example, usually damaged by pieces of its language. */
export function textsOf(
  pieces: readonly string[],
  examples: readonly string[],
  made: fc.Arbitrary<string> = fc.constantFrom(...examples),
): fc.Arbitrary<string> {
  const spoilt = fc
    .record({
      text: fc.oneof(fc.constantFrom(...examples), made),
      at: fc.nat(),
      removed: fc.nat(6),
      times: fc.integer({ min: 1, max: 3 }),
      put: fc.oneof(fc.constantFrom(...pieces), hostileTexts),
    })
    .map(({ text, at, removed, times, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put.repeat(times) + text.slice(place + removed);
    });
  return fc.oneof({ arbitrary: made, weight: 1 }, { arbitrary: spoilt, weight: 3 });
}
