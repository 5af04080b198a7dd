import { Effort, TooComplexError } from '../../../../src/model/acl/reasoning';
import {
  overlap,
  patternText,
  readPatternText,
  type PathPattern,
} from '../../../../src/model/acl/reasoning/pattern';
import { PatternIndex } from '../../../../src/model/acl/reasoning/pattern-index';

const SEGMENTS = ['a', 'ab', 'b', '', '+', 'a+'];

/** All patterns of up to three segments, also those that only several rules together have. */
function patterns(): readonly PathPattern[] {
  const bases = SEGMENTS.flatMap((first) => [
    first,
    ...SEGMENTS.flatMap((second) => [
      `${first}/${second}`,
      ...['a', '+', ''].map((third) => `${first}/${second}/${third}`),
    ]),
  ]);
  const open = bases.filter((base) => !base.endsWith('+')).map((base) => `${base}*`);
  return [...bases, ...open].map(readPatternText);
}

test('the patterns that meet another one are those that overlap it, in their order', () => {
  const all = patterns();
  expect(all).toHaveLength(150 + 100);
  const index = new PatternIndex(all);
  for (const pattern of all) {
    const expected = [...all.keys()].filter((at) => overlap(pattern, all[at]!));
    const found = index.meeting(pattern, new Effort(Infinity));
    expect({ of: patternText(pattern), found }).toEqual({ of: patternText(pattern), found: expected });
  }
});

test('the same pattern is found as often as it is there', () => {
  const index = new PatternIndex(['b', 'a*', 'a', 'a*', 'a'].map(readPatternText));
  expect(index.meeting(readPatternText('a'), new Effort(Infinity))).toEqual([1, 2, 3, 4]);
  expect(index.meeting(readPatternText('a*'), new Effort(Infinity))).toEqual([1, 2, 3, 4]);
});

test('effort is spent for what is compared, and for what is found', () => {
  const index = new PatternIndex(['a/x', 'a/y', 'b*', 'c*', '+/z', 'd+/z'].map(readPatternText));
  const spent = (text: string) => {
    const effort = new Effort(100);
    index.meeting(readPatternText(text), effort);
    return 100 - effort.left;
  };
  // Two prefixes, two open segments and the segment itself; then one below "a", and one below "+".
  expect(spent('a/x')).toBe(1 + 2 + 2 + 1 + 1 + 1);
  // The same with the one closed segment; then two names below "a", one below "+", and one below "d+".
  expect(spent('+/+')).toBe(1 + 2 + 2 + 1 + (1 + 2) + (1 + 1) * 2 + 6);
  expect(() => index.meeting(readPatternText('a/x'), new Effort(7))).toThrow(TooComplexError);
});
