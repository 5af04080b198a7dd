import {
  constraintOf,
  findValue,
  isFree,
  permitsValue,
  type Permitted,
} from '../../../../src/model/acl/reasoning/parameter-values';
import { setOf } from './random-sets';

/** A rule with constraints on `p`, as a server reads it that looks at the elements of lists. */
function rule(allowed?: string, denied?: string, perElementLists = true): Permitted {
  const constraints = [
    ...(allowed === undefined ? [] : [`allowed_parameters = { p = [${allowed}] }`]),
    ...(denied === undefined ? [] : [`denied_parameters = { p = [${denied}] }`]),
  ];
  const text = `path "a" {\n capabilities = ["update"]\n ${constraints.join('\n ')}\n}`;
  const set = setOf(text, { perElementLists });
  return set.permitted(set.rules[0])!;
}

/** The same, as an older server reads it. */
const older = (allowed?: string, denied?: string) => rule(allowed, denied, false);

/** A value that the first rule permits and the second does not. */
function difference(permitting: Permitted, refusing: Permitted): readonly [unknown] | undefined {
  return findValue(
    'p',
    [permitting, refusing],
    (value) => permitsValue(permitting, 'p', value) && !permitsValue(refusing, 'p', value),
  );
}

describe('a value that one rule permits and another does not', () => {
  test.each<[string, Permitted, Permitted, readonly [unknown] | undefined, readonly [unknown] | undefined]>([
    ['the same constraints', rule('"x", true', '"y*"'), rule('true, "x"', '"y*"'), undefined, undefined],
    ['a text', rule('"x", "y"'), rule('"x"'), ['y'], undefined],
    ['any text', rule(), rule('"x"'), ['example'], undefined],
    ['texts with a beginning', rule('"x*"'), rule('"x"'), ['xexample'], undefined],
    ['texts with an end', rule('"*x"'), rule('"x"'), ['examplex'], undefined],
    ['texts with something inside', rule('"*y*"'), rule('"y*", "*y"'), ['exampleyexample'], undefined],
    ['a lone star is itself', rule('"*"'), rule('"x"'), ['*'], ['x']],
    ['a star in the middle is itself', rule('"a*b"'), rule('"ab"'), ['a*b'], ['ab']],
    ['two stars stand for any text', rule('"**"'), rule('true'), ['example'], [true]],
    ['what is not a text', rule(), rule('"**"'), [1], undefined],
    ['one of two truth values', rule('true, false'), rule('false'), [true], undefined],
    ['a list', rule('["x", "y"]'), rule('true'), [['x', 'y']], [true]],
    ['a list, and its element', rule('["x", "y"]'), rule('"x"'), [['x', 'y']], ['x']],
    ['an object', rule('{ a = "b" }'), rule('true'), [{ a: 'b' }], [true]],
    ['a number, which never matches', rule('5'), rule('true'), undefined, [true]],
    ['a number, to two servers', rule('5'), older('5'), [[]], undefined],
    ['a number but no empty text, to two servers', rule('5', '""'), older('5'), [[]], undefined],
    ['an empty list, to two servers', rule('5'), older('5, []'), [''], undefined],
    ['an element, to two servers', older(undefined, 'true'), rule(undefined, 'true'), [[true]], undefined],
    [
      'lists of an element but for the short ones, to two servers',
      rule('true'),
      older('"", true, [], [true], [true, true]'),
      [[true, true, true]],
      undefined,
    ],
    ['a text with a comma', rule('"ab*"', '"*cd"'), rule('"ab*"', '"*cd", "xy*"'), ['ab,xy'], undefined],
    [
      'a text with a comma, to older servers',
      older('"ab*"', '"*cd"'),
      older('"ab*"', '"*cd", "xy*"'),
      undefined,
      undefined,
    ],
    ['a text with a comma, to two servers', older('"ab*"', '"*cd"'), rule('"ab*"', '"*cd"'), ['abcd,'], [[]]],
    [
      'a list of a text with a comma',
      rule('"a*"', '"b*"'),
      rule('"a*"', '"b*", "*,b"'),
      [['a,b']],
      undefined,
    ],
    ['a text with a comma and a space', rule('"a"', '"*a,a*"'), rule('"a"', '"*a,*"'), ['a, a'], undefined],
    ['a text with a space at its end', rule('"a*"', '"*d"'), rule('"a*"', '"*d", "* "'), ['a '], undefined],
  ])('%s', (_what, one, other, expected, expectedBack) => {
    expect(difference(one, other)).toEqual(expected);
    expect(difference(other, one)).toEqual(expectedBack);
  });
});

test.each<[string, Permitted, { allowed?: readonly unknown[]; denied?: readonly unknown[] }, boolean]>([
  ['nothing', rule(), { allowed: [] }, true],
  ['any value', rule(''), { allowed: [] }, true],
  ['values', rule('"x", "y"'), { allowed: ['x', 'y'] }, false],
  ['values that are denied', rule(undefined, '"x"'), { allowed: [], denied: ['x'] }, false],
  ['that it is denied', rule(undefined, ''), { allowed: [], denied: [] }, false],
  ['values, and values that are denied', rule('"x"', '"y"'), { allowed: ['x'], denied: ['y'] }, false],
])('a rule says of a parameter: %s', (_what, permitted, expected, free) => {
  expect(constraintOf(permitted, 'p')).toEqual(expected);
  expect(isFree(constraintOf(permitted, 'p'))).toBe(free);
});

test.each<[string, string, { allowed?: readonly unknown[]; denied?: readonly unknown[] }, boolean]>([
  ['other parameters are allowed', 'allowed_parameters = { q = [] }', {}, false],
  ['all others are allowed', 'allowed_parameters = { q = ["x"], "*" = [] }', { allowed: [] }, true],
  ['all are allowed', 'allowed_parameters = { "*" = ["x"] }', { allowed: [] }, true],
  ['others are denied', 'denied_parameters = { q = [] }', { allowed: [] }, true],
  ['all are denied', 'denied_parameters = { "*" = ["x"], p = ["x"] }', { allowed: [], denied: [] }, false],
])('a rule says of a parameter that it does not name: %s', (_what, constraints, expected, free) => {
  const set = setOf(`path "a" {\n capabilities = ["update"]\n ${constraints}\n}`);
  const permitted = set.permitted(set.rules[0])!;
  expect(constraintOf(permitted, 'p')).toEqual(expected);
  expect(isFree(constraintOf(permitted, 'p'))).toBe(free);
});

describe('the values that are tried', () => {
  const tried = (...rules: readonly Permitted[]) => {
    const values: unknown[] = [];
    findValue('p', rules, (value) => {
      values.push(value);
      return false;
    });
    return values;
  };

  test('where nothing is constrained', () => {
    expect(tried(older())).toEqual([...['example', 1, [], ['example'], [1]], ...['', [''], 'x', ['x']]]);
  });

  test('of a glob: texts around it, all that leave it undecided, and lists of them', () => {
    const instances = ['xy', 'xyexample', 'examplexy', 'examplexyexample'];
    const elements = ['example', ...instances, 1];
    const searched = ['', 'x', 'y', 'xy'].flatMap((text) => [text, [text]]);
    expect(tried(older('"xy"'))).toEqual([
      ...elements,
      [],
      ...elements.map((element) => [element]),
      ...searched,
    ]);
  });

  test('of a list: one that is longer', () => {
    expect(tried(older('[true]')).slice(0, 7)).toEqual([
      ...['example', 1, [true], []],
      ...[
        ['example', 'example'],
        [1, 1],
        [[true], [true]],
      ],
    ]);
  });
});
