import fc from 'fast-check';

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

/** Texts with something of everything in them. */
export const hostileTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ maxLength: 12 }),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

/** A text, from pieces that mean something in its language, sometimes spoilt. */
export function textsOf(pieces: readonly string[], examples: readonly string[]): fc.Arbitrary<string> {
  const assembled = fc
    .array(
      fc.oneof({ arbitrary: fc.constantFrom(...pieces), weight: 8 }, { arbitrary: hostileTexts, weight: 1 }),
      { maxLength: 24 },
    )
    .map((parts) => parts.join(''));
  const spoilt = fc
    .record({
      text: fc.constantFrom(...examples),
      at: fc.nat(),
      removed: fc.nat(6),
      times: fc.integer({ min: 1, max: 3 }),
      put: fc.oneof(fc.constantFrom(...pieces), hostileTexts),
    })
    .map(({ text, at, removed, times, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put.repeat(times) + text.slice(place + removed);
    });
  return fc.oneof(assembled, spoilt);
}
