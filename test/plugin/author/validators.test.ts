import { between, matching, oneOf, sized } from '../../../src/plugin';

test.each([
  [oneOf('a', 'b')('a'), undefined],
  [oneOf('a', 'b')('c'), 'must be one of "a", "b", got "c"'],
  [oneOf(1, 2)(3), 'must be one of 1, 2, got 3'],
  [matching(/^[a-z]+$/, 'lower-case letters')('abc'), undefined],
  [matching(/^[a-z]+$/, 'lower-case letters')('Abc'), 'must be lower-case letters, got "Abc"'],
  [between(1, 3)(1), undefined],
  [between(1, 3)(3), undefined],
  [between(1, 3)(4), 'must be from 1 to 3, got 4'],
  [sized(1)('x'), undefined],
  [sized(1)([]), 'must have at least 1 character or element, got 0'],
  [sized(2, 3)(['a', 'b', 'c', 'd']), 'must have 2 to 3 characters or elements, got 4'],
])('validator %# returns %s', (problem, expected) => {
  expect(problem).toBe(expected);
});
