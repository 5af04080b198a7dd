import { Effort, TooComplexError, UNCOUNTED } from '../../../../src/model/acl/effort';
import {
  overlap,
  patternOf,
  patternText,
  readPatternText,
  type PathPattern,
} from '../../../../src/model/acl/reasoning/pattern';
import { PatternIndex } from '../../../../src/model/acl/reasoning/pattern-index';

const SEGMENTS = ['a', 'ab', 'b', '', '+', 'a+'];

/**
 * Returns all patterns of up to three segments, including those that only an intersection of rules
 * can have.
 */
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

test('the index returns the patterns that overlap a given one, in their order', () => {
  const all = patterns();
  expect(all).toHaveLength(150 + 100);
  const index = new PatternIndex(all);
  for (const pattern of all) {
    const expected = [...all.keys()].filter((at) => overlap(pattern, all[at]!, UNCOUNTED));
    const found = index.meeting(pattern, UNCOUNTED);
    expect({ of: patternText(pattern), found }).toEqual({ of: patternText(pattern), found: expected });
  }
});

test('the index returns equal patterns separately', () => {
  const index = new PatternIndex(['b', 'a*', 'a', 'a*', 'a'].map(readPatternText));
  expect(index.meeting(readPatternText('a'), UNCOUNTED)).toEqual([1, 2, 3, 4]);
  expect(index.meeting(readPatternText('a*'), UNCOUNTED)).toEqual([1, 2, 3, 4]);
});

test.each<[string, (index: number) => string, string]>([
  ['names', (index) => `a/${index}`, 'a/7'],
  ['prefixes', (index) => `a/x${index}y*`, 'a/x7y1'],
  ['open segments in front of a name', (index) => `+/x${index}`, 'a/x7'],
  ['beginnings of a segment', (index) => `a/x${index}y<any but "/">/z`, 'a/x7y/z'],
])(
  'the steps of a search grow with its results, not with the size of the index: %s',
  (_what, path, asked) => {
    const spent = (count: number) => {
      const index = new PatternIndex(Array.from({ length: count }, (_, at) => readPatternText(path(at))));
      const effort = new Effort(1_000);
      expect(index.meeting(readPatternText(asked), effort)).toEqual([7]);
      return 1_000 - effort.left;
    };
    expect(spent(2_000)).toBeLessThan(20);
    expect(spent(2_000)).toBeLessThan(2 * spent(20));
  },
);

test('the effort is spent for every pattern that is found', () => {
  const index = new PatternIndex(Array.from({ length: 100 }, () => patternOf('a/*')));
  const effort = new Effort(1_000);
  expect(index.meeting(patternOf('*'), effort)).toHaveLength(100);
  expect(effort.left).toBeLessThan(900);
  expect(() => index.meeting(patternOf('*'), new Effort(100))).toThrow(TooComplexError);
});

test('a path with more segments than the stack has room for is found', () => {
  const deep = patternOf(`${'+/'.repeat(100_000)}a`);
  expect(new PatternIndex([deep]).meeting(deep, UNCOUNTED)).toEqual([0]);
  expect(new PatternIndex([deep]).meeting(patternOf('*'), UNCOUNTED)).toEqual([0]);
});
