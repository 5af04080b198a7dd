import {
  constraintOf,
  findValue,
  isFree,
  permitsValue,
  type Permitted,
} from '../../../../src/model/acl/reasoning/parameter-values';
import { Effort, UNCOUNTED } from '../../../../src/model/acl/effort';
import { Random } from '../../support/random';
import { listOf, setOf } from './random-sets';

/**
 * Returns a rule with constraints on `p`, as read by servers that compare the elements of lists.
 */
function rule(allowed?: string, denied?: string, perElementLists = true): Permitted {
  const constraints = [
    ...(allowed === undefined ? [] : [`allowed_parameters = { p = [${allowed}] }`]),
    ...(denied === undefined ? [] : [`denied_parameters = { p = [${denied}] }`]),
  ];
  const text = `path "a" {\n capabilities = ["update"]\n ${constraints.join('\n ')}\n}`;
  const set = setOf(text, { perElementLists });
  return set.permitted(set.rules[0])!;
}

/** Returns the same rule as read by older servers, which compare whole lists. */
const older = (allowed?: string, denied?: string) => rule(allowed, denied, false);

/** Returns a value that the first rule permits and the second does not. */
function difference(permitting: Permitted, refusing: Permitted): readonly [unknown] | undefined {
  return findValue('p', [permitting, refusing], [true, false], new Effort(100_000));
}

describe('a value that only one of two rules permits', () => {
  test.each<[string, Permitted, Permitted, readonly [unknown] | undefined, readonly [unknown] | undefined]>([
    ['the same constraints', rule('"x", true', '"y*"'), rule('true, "x"', '"y*"'), undefined, undefined],
    ['a text', rule('"x", "y"'), rule('"x"'), ['y'], undefined],
    ['any text', rule(), rule('"x"'), ['example'], undefined],
    ['texts with a beginning', rule('"x*"'), rule('"x"'), ['xexample'], undefined],
    ['texts with an end', rule('"*x"'), rule('"x"'), ['examplex'], undefined],
    ['texts with something inside', rule('"*y*"'), rule('"y*", "*y"'), ['exampleyexample'], undefined],
    ['a lone star, which is literal', rule('"*"'), rule('"x"'), ['*'], ['x']],
    ['a star in the middle, which is literal', rule('"a*b"'), rule('"ab"'), ['a*b'], ['ab']],
    ['two stars, which stand for any text', rule('"**"'), rule('true'), ['example'], [true]],
    ['a value that is not a text', rule(), rule('"**"'), [1], undefined],
    ['one of two booleans', rule('true, false'), rule('false'), [true], undefined],
    ['a list', rule('["x", "y"]'), rule('true'), [['x', 'y']], [true]],
    ['a list, and its element', rule('["x", "y"]'), rule('"x"'), [['x', 'y']], ['x']],
    ['an object', rule('{ a = "b" }'), rule('true'), [{ a: 'b' }], [true]],
    ['a number, which never matches', rule('5'), rule('true'), undefined, [true]],
    ['a number, for two servers', rule('5'), older('5'), [[]], undefined],
    ['a number but no empty text, for two servers', rule('5', '""'), older('5'), [[]], undefined],
    ['an empty list, for two servers', rule('5'), older('5, []'), [''], undefined],
    ['an element, for two servers', older(undefined, 'true'), rule(undefined, 'true'), [[true]], undefined],
    [
      'lists of an element except short ones, for two servers',
      rule('true'),
      older('"", true, [], [true], [true, true]'),
      [[true, true, true]],
      undefined,
    ],
    ['a text with a comma', rule('"ab*"', '"*cd"'), rule('"ab*"', '"*cd", "xy*"'), ['ab,xy'], undefined],
    [
      'a text with a comma, for older servers',
      older('"ab*"', '"*cd"'),
      older('"ab*"', '"*cd", "xy*"'),
      undefined,
      undefined,
    ],
    [
      'a text with a comma, for two servers',
      older('"ab*"', '"*cd"'),
      rule('"ab*"', '"*cd"'),
      ['abcd,'],
      [[]],
    ],
    [
      'a list of a text with a comma',
      rule('"a*"', '"b*"'),
      rule('"a*"', '"b*", "*,b"'),
      [['a,b']],
      undefined,
    ],
    ['a text with a comma and a space', rule('"a"', '"*a,a*"'), rule('"a"', '"*a,*"'), ['a, a'], undefined],
    ['a text with a space at its end', rule('"a*"', '"*d"'), rule('"a*"', '"*d", "* "'), ['a '], undefined],
  ])('is found if it exists: %s', (_what, one, other, expected, expectedBack) => {
    expect(difference(one, other)).toEqual(expected);
    expect(difference(other, one)).toEqual(expectedBack);
  });
});

test.each<[string, Permitted, { allowed?: readonly unknown[]; denied?: readonly unknown[] }, boolean]>([
  ['no constraint', rule(), { allowed: [] }, true],
  ['any value', rule(''), { allowed: [] }, true],
  ['values', rule('"x", "y"'), { allowed: ['x', 'y'] }, false],
  ['values that are denied', rule(undefined, '"x"'), { allowed: [], denied: ['x'] }, false],
  ['denied with any value', rule(undefined, ''), { allowed: [], denied: [] }, false],
  ['values, and denied values', rule('"x"', '"y"'), { allowed: ['x'], denied: ['y'] }, false],
])('the constraint of a rule on a parameter is read: %s', (_what, permitted, expected, free) => {
  expect(constraintOf(permitted, 'p')).toEqual(expected);
  expect(isFree(constraintOf(permitted, 'p'))).toBe(free);
});

test.each<[string, string, { allowed?: readonly unknown[]; denied?: readonly unknown[] }, boolean]>([
  ['other parameters are allowed', 'allowed_parameters = { q = [] }', {}, false],
  ['all others are allowed', 'allowed_parameters = { q = ["x"], "*" = [] }', { allowed: [] }, true],
  ['all are allowed', 'allowed_parameters = { "*" = ["x"] }', { allowed: [] }, true],
  ['others are denied', 'denied_parameters = { q = [] }', { allowed: [] }, true],
  ['all are denied', 'denied_parameters = { "*" = ["x"], p = ["x"] }', { allowed: [], denied: [] }, false],
])(
  'the constraint on a parameter that a rule does not name is read: %s',
  (_what, constraints, expected, free) => {
    const set = setOf(`path "a" {\n capabilities = ["update"]\n ${constraints}\n}`);
    const permitted = set.permitted(set.rules[0])!;
    expect(constraintOf(permitted, 'p')).toEqual(expected);
    expect(isFree(constraintOf(permitted, 'p'))).toBe(free);
  },
);

const LETTERS = ['a', 'b', ',', ' '];
const GLOBS = ['a', 'a*', '*b', '*ab*', '*', '**', 'a,b', '*, *', ' a', 'b ', ''];

/** Returns all texts of the letters up to a length. */
function textsOf(length: number): readonly string[] {
  if (length === 0) return [''];
  const shorter = textsOf(length - 1);
  return [...shorter, ...shorter.flatMap((text) => LETTERS.map((letter) => text + letter))];
}

test('findValue returns a value exactly if one exists, for random globs', () => {
  const random = new Random(7);
  const texts = [...new Set(textsOf(4))];
  const values: readonly unknown[] = [
    ...texts,
    ...texts.map((text) => [text]),
    [],
    1,
    true,
    [true],
    [true, true],
  ];
  for (let round = 0; round < 300; round++) {
    const written = () => {
      const all = listOf(random, 4, () =>
        random.pick([...GLOBS.map((glob) => JSON.stringify(glob)), 'true', '[true]']),
      );
      return random.below(5) === 0 ? undefined : all.join(', ');
    };
    const make = () => rule(written(), random.below(2) === 0 ? undefined : written(), random.below(2) === 0);
    const [permitting, refusing] = [make(), make()];
    const differs = (value: unknown) =>
      permitsValue(permitting, 'p', value, UNCOUNTED) && !permitsValue(refusing, 'p', value, UNCOUNTED);
    const found = difference(permitting, refusing);
    const constraints = [permitting, refusing].map((each) => constraintOf(each, 'p'));
    const example = values.find(differs);
    expect({ round, constraints, found: found !== undefined || example === undefined }).toEqual({
      round,
      constraints,
      found: true,
    });
    expect({ round, differs: !found || differs(found[0]) }).toEqual({ round, differs: true });
  }
});

test('a list that is found for an element is longer than the lists in the rules', () => {
  expect(difference(rule('true'), rule('["x"], [true], [true, true]', undefined, false))).toEqual([true]);
  expect(difference(rule('"x"'), older('"x", "", [], ["x"], ["x", "x"], "x,x"'))).toEqual([['x', 'x', 'x']]);
});

/** Returns globs as a policy writes them. */
function manyGlobs(count: number, glob: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => JSON.stringify(glob(index))).join(', ');
}

test.each<[string, (index: number) => string]>([
  ['texts within', (index) => `*x${index}*`],
  ['ends', (index) => `*${index}x`],
  ['the same letters', (index) => `*${'a'.repeat(index % 12)}b${'a'.repeat(index % 7)}*`],
  ['letters of two kinds', (index) => `*${index.toString(2).padStart(8, '0')}*`],
  ['letters of three kinds', (index) => `*${index.toString(3)}`],
  ['texts with commas', (index) => `*${index}, ${index}*`],
  ['different letters', (index) => `*${String.fromCodePoint(0x4e00 + index)}*`],
])('the steps grow with the number of globs, not with their combinations: %s', (_what, glob) => {
  /** Returns the steps per character. */
  const spent = (count: number) => {
    const globs = manyGlobs(count, glob);
    const [narrow, wide] = [rule(`"y", ${globs}`), rule(`"y*", ${globs}`)];
    const counted = new Effort(1e9);
    findValue('p', [narrow, wide], [true, false], counted);
    findValue('p', [wide, narrow], [true, false], counted);
    return (1e9 - counted.left) / (2 * globs.length);
  };
  const few = spent(10);
  expect(spent(40)).toBeLessThan(1.1 * few);
  expect(spent(200)).toBeLessThan(1.1 * few);
});

test('a value of a rule with upper case matches no name of a policy in lower case', () => {
  const text = `path "a" { capabilities = ["update"] allowed_parameters = { policies = ["App", "ops"] } }`;
  const set = setOf(text, { lowerPolicyNames: true });
  const [one] = set.rules.map((each) => set.permitted(each)!);
  const unlimited = rule();
  const found = findValue('policies', [one!, unlimited], [true, true], UNCOUNTED);
  expect(found).toEqual(['ops']);
  expect(permitsValue(one!, 'policies', 'OPS', UNCOUNTED)).toBe(true);
});
