import { findImbalance } from '../../../src/model/sentinel';

test.each([
  [''],
  ['main = rule { true }'],
  ['a = [1, (2), {"k": [3]}]'],
  ['a = "({[" # )]}\nb = 1'],
  ['// )\na = 1'],
  ['/* ) \n { */ a = 1'],
  ['a = "quote \\" bracket {"'],
  ['a = "backslash \\\\"'],
  ['a = "# no comment"'],
  ['a = "// nor /* this"'],
  ['a = `raw " {\n`'],
  ['# "open in a comment'],
  ['a = 4 / 2'],
])('%j balances', (text) => {
  expect(findImbalance(text)).toBeUndefined();
});

test.each([
  ['a = (1', '"(" is never closed', '(', 'add the missing ")"', 1, 5],
  ['a = {\n  b = [\n', '"[" is never closed', '[', 'add the missing "]"', 2, 7],
  ['a = 1)', '")" closes nothing', ')', 'remove it, or add the bracket that it closes', 1, 6],
  [
    'rule {\n  (1]\n}',
    '"]" does not close the "(" of line 2, column 3',
    ']',
    'close that one with ")" first',
    2,
    5,
  ],
  ['a = "open', 'a string is never closed', '"', "close the string with '\"' in the same line", 1, 5],
  ['a = "two\nlines"', 'a string is never closed', '"', "close the string with '\"' in the same line", 1, 5],
  ['a = `open', 'a string is never closed', '`', "close the string with '`'", 1, 5],
  ['a = 1 /* open', '"/*" is never closed', '/*', 'add the missing "*/"', 1, 7],
  ['é😀 = (', '"(" is never closed', '(', 'add the missing ")"', 1, 6],
])('%j does not', (text, problem, received, cure, line, column) => {
  expect(findImbalance(text)).toEqual({ problem, received, cure, position: { line, column } });
});

test('a long document is checked at once', () => {
  const text = `${'a = "b" # c\n'.repeat(50_000)}main = rule { (`;
  expect(findImbalance(text)?.position).toEqual({ line: 50_001, column: 15 });
  expect(findImbalance(`a = "${'\\"x'.repeat(200_000)}`)?.problem).toBe('a string is never closed');
});
