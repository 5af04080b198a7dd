import { valueOf } from '../support/policies';

describe('an arithmetic expression', () => {
  test.each([
    ['5 / 3', '1'],
    ['-5 / 3', '-1'],
    ['8.0 / 5', '1.6'],
    ['5.5 % 2', '1.5'],
    ['9223372036854775807 + 1', '-9223372036854775808'],
    ['0x10 + 010', '24'],
    ['"a" + "b"', 'ab'],
    ['"\\xc3" + "\\xbf" is "ÿ"', 'true'],
    ['[1] + [2]', '[1 2]'],
    ['1 / 0', 'error: division by zero'],
    ['"a" + 1', 'error: "+" cannot be applied to string and int'],
    ['null + 1', 'error: "+" cannot be applied to null and int'],
    ['undefined + 1', 'undefined'],
  ])('%s has the value %s', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected);
  });
});

describe('an expression with undefined', () => {
  test.each([
    ['undefined and false', 'undefined'],
    ['false and undefined', 'false'],
    ['undefined or true', 'true'],
    ['true and undefined and false', 'undefined'],
    ['undefined else 1 is 1', 'true'],
    ['{}.a.b[1][2:3]', 'undefined'],
    ['{}.a is defined', 'false'],
    ['null is defined', 'true'],
    ['not undefined is defined', 'true'],
    ['[1] contains {}.a', 'undefined'],
    ['1 is "1"', 'false'],
    ['1 is not "1"', 'true'],
    ['1 < "1"', 'undefined'],
    ['null["a"]', 'undefined'],
    ['[null][0]', 'null'],
    ['{"a": null}.a', 'null'],
    ['{"a": null}["a"]', 'null'],
    ['nothing else 1', 'error: unknown identifier accessed: nothing'],
    ['(1 + "a") else 1', 'error: "+" cannot be applied to int and string'],
  ])('%s has the value %s', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected);
  });
});

describe('an expression with a list, map or string', () => {
  test.each([
    ['[1, 2, 3][-1]', '3'],
    ['[1, 2, 3][1:]', '[2 3]'],
    ['[1, 2][0:3]', 'undefined'],
    ['"hello"[1:3]', 'el'],
    ['length("é")', '2'],
    ['"\\xff" is "ÿ"', 'false'],
    ['"日" > "z"', 'true'],
    ['{1: "a"} is {1.0: "a"}', 'true'],
    ['{"b": 1, "a": [true, null]}', '{"a": [true null], "b": 1}'],
    ['keys({"b": 1, "a": 2})', '["a" "b"]'],
    ['"abc"[0]', 'error: only lists and maps have an index, received string'],
    ['[1]["a"]', 'error: the index of a list must be an int, received string'],
    ['1 in 1', 'error: "contains" and "in" require a list, a map or a string, received int'],
    ['"a\\nb" matches "a.b"', 'false'],
    ['"TEST" matches "(?i)test"', 'true'],
    [
      '"a" matches "("',
      'error: "(" is not a valid regular expression: error parsing regexp: missing closing ): `(`',
    ],
    ['{"__proto__": 1}.__proto__', '1'],
    ['{}.constructor', 'undefined'],
    ['constructor', 'error: unknown identifier accessed: constructor'],
  ])('%s has the value %s', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected);
  });
});

describe('a quantifier', () => {
  test.each([
    ['any [] as x { true }', 'false'],
    ['all [] as x { false }', 'true'],
    ['all [undefined, false] as x { x }', 'undefined'],
    ['any [undefined, true] as x { x }', 'true'],
    ['filter [1, 2, 3] as x { x > 1 }', '[2 3]'],
    ['filter {"a": 1, "b": 2} as k, v { v is 2 }', '{"b": 2}'],
    ['filter [1] as x { undefined }', 'undefined'],
    ['map {"a": 1} as k, v { [k, v] }', '[["a" 1]]'],
    ['any 1 as x { true }', 'error: unsupported type for looping: int'],
  ])('%s has the value %s', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected);
  });
});

describe('a call of a built-in function', () => {
  test.each([
    ['int("0x1f")', '31'],
    ['int("-5")', '-5'],
    ['int("")', 'error: strconv.ParseInt: parsing "": invalid syntax'],
    ['float(null) else "none"', 'none'],
    ['string(1.5)', '1.500000'],
    ['bool("T")', 'true'],
    ['range(5, 0, -2)', '[5 3 1]'],
    ['range(0, 1, 0)', 'error: the step of range must not be 0'],
    ['compare("a", "b")', '-1'],
    ['length(1)', 'error: length requires a string, a list or a map, received int'],
    ['length({}.a)', 'undefined'],
    ['error("a", [1])', 'error: a [1]'],
  ])('%s has the value %s', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected);
  });
});
