import { listTextOf, listTextsOf } from '../../../../src/model/acl/reasoning/list-texts';
import { readPatternText } from '../../../../src/model/acl/reasoning/pattern';

test.each([
  ['a', 'a/'],
  ['a/+', 'a/+/'],
  ['a*', 'a*'],
  ['*', '*'],
  ['a/*', 'a/+/*'],
  ['a/b*', 'a/b*'],
])('the list pattern %s has the text %s', (pattern, expected) => {
  expect(listTextOf(readPatternText(pattern))).toBe(expected);
});

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [
    ['a', 'b/*'],
    ['a/', 'b/+/*'],
  ],
  [['a', 'a/*'], ['a/*']],
  [
    ['a/*', 'b', 'a'],
    ['a/*', 'b/'],
  ],
  [
    ['a', 'a/+'],
    ['a/', 'a/+/'],
  ],
])('the exceptions %j of lists have one text for a folder and its content: %j', (patterns, expected) => {
  expect(listTextsOf(patterns.map(readPatternText))).toEqual(expected);
});
