import { UNCOUNTED } from '../../../../src/model/acl/effort';
import {
  contains,
  FreshTexts,
  intersect,
  matchesPattern,
  overlap,
  partsOutside,
  pathOutside,
  patternKey,
  patternOf,
  patternText,
  readPatternText,
} from '../../../../src/model/acl/reasoning/pattern';

const fresh = new FreshTexts([]);

test.each<[string, string, readonly string[], readonly string[]]>([
  ['a', '=a', ['a'], ['ab', 'a/b', 'a/']],
  ['a*', '+a*', ['a', 'ab', 'a/b', 'ab/c/d', 'a/'], ['b', '']],
  ['a/*', '=a/+*', ['a/', 'a/b', 'a/b/c'], ['a', 'ab/c']],
  ['a/+', '=a/+', ['a/', 'a/b'], ['a', 'a/b/c']],
  ['+/b', '+/=b', ['a/b', '/b'], ['b', 'a/bc', 'a/b/c']],
  ['+/b*', '+/+b*', ['a/b', 'a/bc', 'a/b/c'], ['a/c', 'b']],
  ['a+/b', '=a+/=b', ['a+/b'], ['ax/b', 'a/b']],
  ['a*b', '=a*b', ['a*b'], ['axb']],
  ['*', '+*', ['', 'a', 'a/b'], []],
])('the rule %s names paths', (path, key, inside, outside) => {
  const pattern = patternOf(path);
  expect(patternKey(pattern)).toBe(key);
  expect(patternText(pattern)).toBe(path);
  for (const each of inside)
    expect([each, matchesPattern(pattern, each.split('/'), UNCOUNTED)]).toEqual([each, true]);
  for (const each of outside)
    expect([each, matchesPattern(pattern, each.split('/'), UNCOUNTED)]).toEqual([each, false]);
});

test.each<[string, string, string | undefined]>([
  ['a', 'a', 'a'],
  ['a', 'b', undefined],
  ['a', 'a/b', undefined],
  ['a/*', 'a', undefined],
  ['a/*', 'a/b', 'a/b'],
  ['a*', 'a/b', 'a/b'],
  ['a*', 'ab*', 'ab*'],
  ['ab*', 'ac*', undefined],
  ['+/b', 'a/+', 'a/b'],
  ['+/b', 'a*', 'a<any but "/">/b'],
  ['+/b*', 'a*', 'a<any but "/">/b*'],
  ['+/+', 'a*', 'a<any but "/">/+'],
  ['a<any but "/">/b', '+/b*', 'a<any but "/">/b'],
  ['a/+', 'a/b*', 'a/b<any but "/">'],
  ['a/*', '+/+/*', 'a/+/*'],
])('%s and %s have %s in common', (a, b, expected) => {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const common = intersect(readPatternText(one), readPatternText(other), UNCOUNTED);
    expect(common && patternText(common)).toBe(expected);
    expect(overlap(readPatternText(one), readPatternText(other), UNCOUNTED)).toBe(expected !== undefined);
  }
});

test('the intersection of a pattern with one that contains it is the pattern itself', () => {
  const [wide, narrow] = [patternOf('a/*'), patternOf('a/b*')];
  expect(intersect(wide, narrow, UNCOUNTED)).toBe(narrow);
  expect(intersect(narrow, wide, UNCOUNTED)).toBe(narrow);
});

test.each<[string, string, boolean]>([
  ['a', 'a', true],
  ['a*', 'a', true],
  ['a', 'a*', false],
  ['a*', 'ab*', true],
  ['ab*', 'a*', false],
  ['a/+', 'a/b', true],
  ['a/b', 'a/+', false],
  ['a/+', 'a/*', false],
  ['a/*', 'a/+', true],
  ['a/*', 'a/+/*', true],
  ['a/+/*', 'a/*', false],
  ['a/*', 'a', false],
  ['+/b', 'a+/b', true],
  ['a+/b', '+/b', false],
])('%s contains %s: %s', (outer, inner, expected) => {
  expect(contains(readPatternText(outer), readPatternText(inner), UNCOUNTED)).toBe(expected);
});

test.each<[string, readonly string[], readonly string[], string | undefined]>([
  ['a', [], ['a'], 'a'],
  ['a', ['a'], [], undefined],
  ['a', ['a*'], [], undefined],
  ['a*', [], ['a*'], 'aexample'],
  ['a*', ['ab*'], ['a*'], 'aexample'],
  ['a*', ['a*'], [], undefined],
  ['a*', ['a<any but "/">'], ['a<any but "/">/*'], 'aexample/example'],
  ['a*', ['a<any but "/">/*'], ['a<any but "/">'], 'aexample'],
  ['a*', ['a<any but "/">/+'], ['a<any but "/">', 'a<any but "/">/+/*'], 'aexample'],
  ['a*', ['a<any but "/">', 'a<any but "/">/+/*'], ['a<any but "/">/+'], 'aexample/example'],
  [
    'a*',
    ['a<any but "/">', 'a<any but "/">/+/+'],
    ['a<any but "/">/+', 'a<any but "/">/+/+/*'],
    'aexample/example',
  ],
  ['+/b', ['a/+'], ['+/b'], 'example/b'],
  ['/a', [], [], undefined],
  ['/*', [], [], undefined],
])('the parts of %s outside of %j are %j', (pattern, others, parts, path) => {
  const [all, without] = [readPatternText(pattern), others.map(readPatternText)];
  expect(partsOutside(all, without, fresh, UNCOUNTED).map(patternText)).toEqual(parts);
  expect(pathOutside(all, without, fresh, UNCOUNTED)?.join('/')).toBe(path);
});

test('a pattern from which nothing is removed is the only part of itself', () => {
  const pattern = patternOf('a/*');
  expect(partsOutside(pattern, [patternOf('a/b')], fresh, UNCOUNTED)[0]).toBe(pattern);
});

test('fresh texts are those that no pattern names', () => {
  const texts = new FreshTexts(['e*', 'any', 'ax', 'aexamp*'].map(patternOf));
  expect(texts.after('', UNCOUNTED)).toBe('x');
  expect(texts.after('a', UNCOUNTED)).toBe('aany');
  expect(texts.after('b', UNCOUNTED)).toBe('bexample');
  const all = new FreshTexts(['e*', 'a*', 'x*', 'o*', '\u0100'].map(patternOf));
  // The letter after \u0100 is left out: it is the lower case of \u0100, and some denials match
  // both.
  expect(all.after('', UNCOUNTED)).toBe('\u0102');
  expect(all.after('', UNCOUNTED)).toBe('\u0102');
});
