import { syntaxError } from '../support/policies';

describe('the error of a text that does not parse', () => {
  test('shows the line with a caret', () => {
    expect(syntaxError('import "time"\n\nmain = rule {\n\ttime.now.hour in [1 2]\n}\n')).toBe(
      'test.sentinel:4:22: expected "," or "]" after an element, found the number 2\n\n' +
        '4 | \ttime.now.hour in [1 2]\n' +
        '  | \t                    ^',
    );
  });

  test.each([
    ['main = ruel { true }', 'Did you mean "rule" instead of "ruel"?'],
    ['improt "time"\nmain = true', 'Did you mean "import" instead of "improt"?'],
    ['main = true\n\tand false', 'end the line above with "and"'],
    ['if true {\n}\nelse {\n}', 'Write "else" on the line of the "}" before it'],
    ['import time', 'Write it in quotes: import "time"'],
    ['x := 1', 'Assign with "="'],
    ['m.a = 1', 'Write the key in brackets: ["a"]'],
    ["x = 'a'", 'Strings are written in double quotes'],
    ['x = a && b', 'Write "and"'],
    ['f = func() {\n\treturn\n}', 'Write "return undefined" to return nothing'],
    ['r = rule { a = 1 }', 'to compare, write "is" or "=="'],
    ['a = [\n\t1\n\t2,\n]', 'End the line with ","'],
    ['rule = 1', 'found "="'],
    ['x = (1 + 2\ny = 3', 'to close "(" of line 1'],
    ['f = func() {\n\ta = 1\n', 'to close "{" of line 1'],
    ['x = "abc\n', 'the string is never closed'],
    ['/* x', 'the comment is never closed'],
    ['x = 08', '08 is not a valid integer: octal digits are 0 to 7'],
    ['x = 9223372036854775808', '9223372036854775808 is too large'],
    ['x = 1e309', '1e309 is too large: the largest float is 1.7976931348623157e+308'],
    ['x = "\\q"', 'unknown escape "\\q"'],
    ['a = 1\nimport "time"', 'an import must come before parameters and statements'],
    ['a = 1\nparam b', 'a parameter must come before statements'],
    ['param a default null', 'the default of a parameter must be a literal'],
    ['}', '"}" closes nothing'],
    ['case 1 {\n\tx = 1\n}', 'expected "when" or "else" to start a clause of "case"'],
  ])('names the correction for %j', (text, part) => {
    expect(syntaxError(text)).toContain(part);
  });

  test.each([
    ['(', '('],
    ['[', 'a list'],
    ['{"a":', 'a map'],
    ['f(', 'a call'],
    ['rule {', 'a rule'],
    ['any x as y {', 'a quantifier'],
    ['not ', 'an operator'],
    ['a[', 'an index'],
  ])('is reported without a crash for endless nesting of %j (%s)', (part) => {
    expect(syntaxError(`main = ${part.repeat(50_000)}`)).toMatch(/nests more than|more than 100 operators/);
  });

  test('does not occur for long chains, which do not nest', () => {
    expect(syntaxError(`main = ${'a or '.repeat(20_000)}b`)).toBe('it parses');
  });
});

describe('the end of a line', () => {
  test.each([
    ['x = 1 +\n\t2', 'it parses'],
    ['x = m.\n\ta', 'it parses'],
    ['x = a is empty\ny = a is not defined\nz = m.rule\n', 'it parses'],
    ['r = rule\n{ true }', 'it parses'],
    ['x = 1 not\n\tin [2]', 'it parses'],
    ['a = 1 /* two\nlines */ b = 2', 'it parses'],
    ['a = 1 /* one line */ b = 2', 'expected the end of the statement'],
    ['a = [\n\t1,\n\t2\n]', 'it parses'],
    ['x = 1; y = 2', 'it parses'],
    ['main = rule { true }', 'it parses'],
    ['\uFEFFmain = true\r\n', 'it parses'],
  ])('ends a statement or not: %j', (text, expected) => {
    expect(syntaxError(text)).toContain(expected);
  });
});
