import { parametersAllow } from '../../../src/model/acl/parameters';
import { permissionsOf } from '../../../src/model/acl/permissions';

type Constraints = Parameters<typeof permissionsOf>[0];
type Data = Readonly<Record<string, unknown>>;

function allow(
  constraints: Omit<Constraints, 'path' | 'capabilities'>,
  data: Data,
  perElement = true,
): boolean {
  const permissions = permissionsOf({ path: 'a', capabilities: ['update'], ...constraints });
  return parametersAllow(permissions, data, { perElementLists: perElement, lowerPolicyNames: false });
}

const allowed = (values: readonly unknown[], value: unknown, perElement = true) =>
  allow({ allowedParameters: { a: [...values] } }, { a: value }, perElement);

const denied = (values: readonly unknown[], value: unknown, perElement = true) =>
  !allow({ deniedParameters: { a: [...values] } }, { a: value }, perElement);

describe('a request with several parameters', () => {
  test('is refused if one of them is denied', () => {
    const deniedParameters = { secret: ['x'] };
    expect(allow({ deniedParameters }, { secret: 'x', other: 'y' })).toBe(false);
    expect(allow({ deniedParameters }, { secret: 'z', other: 'y' })).toBe(true);
  });

  test('requires that all of them are allowed', () => {
    const allowedParameters = { a: [], b: ['x'] };
    expect(allow({ allowedParameters }, { a: 1, b: 'x' })).toBe(true);
    expect(allow({ allowedParameters }, { a: 1, b: 'y' })).toBe(false);
    expect(allow({ allowedParameters }, { a: 1, c: 'x' })).toBe(false);
  });

  test('passes a lone *, even with a parameter of that name', () => {
    expect(allow({ allowedParameters: { '*': ['x'] } }, { '*': 'y' })).toBe(true);
    expect(allow({ allowedParameters: { '*': ['x'], a: [] } }, { '*': 'y' })).toBe(false);
  });

  test('requires that all required ones are present', () => {
    expect(allow({ requiredParameters: ['A', 'b'] }, { a: 1, b: 2 })).toBe(true);
    expect(allow({ requiredParameters: ['a', 'b'] }, { a: 1 })).toBe(false);
    expect(allow({ requiredParameters: ['a'] }, {})).toBe(false);
  });
});

describe('a parameter that is a list', () => {
  test('is allowed only if each element is', () => {
    expect(allowed(['x', 'y'], 'x, y')).toBe(true);
    expect(allowed(['x', 'y'], 'x,z')).toBe(false);
    expect(allowed(['x', 'y'], ['x', 'y'])).toBe(true);
    expect(allowed(['x', 'y'], ['x', 'z'])).toBe(false);
    expect(allowed(['x', 'y'], 'x, y', false)).toBe(false);
  });

  test('is denied if one element is', () => {
    expect(denied(['x'], 'y, x')).toBe(true);
    expect(denied(['x'], 'y,z')).toBe(false);
    expect(denied(['x'], ['y', 'x'])).toBe(true);
    expect(denied(['x'], ['y', 'x'], false)).toBe(false);
  });

  test('has no elements as an empty text, so it is allowed and not denied', () => {
    expect(allowed(['x'], '')).toBe(true);
    expect(allowed(['x'], '', false)).toBe(false);
    expect(denied(['x'], '')).toBe(false);
  });

  test('has no elements if it is neither list nor text', () => {
    expect(allowed(['x'], true)).toBe(false);
    expect(denied(['x'], true)).toBe(false);
  });
});

describe('the value of a parameter', () => {
  test.each([
    ['a boolean', true, true, true],
    ['another boolean', true, false, false],
    ['null', null, null, true],
    ['the same list', ['a', 'b'], ['a', 'b'], true],
    ['a longer list', ['a'], ['a', 'b'], false],
    ['a list that differs in one element', ['a', 'b'], ['a', 'c'], false],
    ['a text for a list', ['a'], 'a', false],
    ['the same object', { a: 'x', b: true }, { a: 'x', b: true }, true],
    ['an object with more', { a: 'x' }, { a: 'x', b: 'y' }, false],
    ['an object that differs in one member', { a: 'x', b: 'y' }, { a: 'x', b: 'z' }, false],
    ['an object with another name', { a: 'x' }, { b: 'x' }, false],
    ['a text for an empty object', {}, '', false],
    ['a list for an empty object', {}, [], false],
    ['a number, even the same', 1, 1, false],
    ['a number within a list', [1], [1], false],
  ])('is compared with that of the rule: %s', (_what, pattern, value, expected) => {
    expect(allowed([pattern], value, false)).toBe(expected);
    expect(denied([pattern], value, false)).toBe(expected);
  });

  test.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['*', '*', true],
    ['*', 'a', false],
    ['', '', true],
    ['*a', 'xa', true],
    ['*a', 'a', true],
    ['*bc', 'abcd', false],
    ['a*', 'ax', true],
    ['abc*', 'abcd', true],
    ['abc*', 'ax', false],
    ['abc*', 'xabc', false],
    ['*abc*', 'xabcx', true],
    ['*abc*', 'xyz', false],
    ['**', 'a', true],
    ['a*c', 'abc', false],
  ])('matches the text of a rule or not: %j with %j: %j', (pattern, value, expected) => {
    expect(allowed([pattern], value, false)).toBe(expected);
  });

  test('has to be a text to match one', () => {
    expect(allowed(['true'], true, false)).toBe(false);
  });
});

describe('names of policies in parameters, compared in lower case,', () => {
  const rules = { perElementLists: true, lowerPolicyNames: true };
  const isAllowed = (constraints: object, data: Data, compared = rules) =>
    parametersAllow(permissionsOf({ path: 'a', capabilities: ['update'], ...constraints }), data, compared);

  test.each<[string, unknown, boolean]>([
    ['policies', 'Admin', false],
    ['token_policies', ['app', 'ADMIN'], false],
    ['Policies', ['app'], true],
    ['other', 'Admin', true],
  ])('are denied in upper and lower case: %s = %j', (name, value, expected) => {
    const deniedParameters = { policies: ['admin'], token_policies: ['admin'], other: ['admin'] };
    expect(isAllowed({ deniedParameters }, { [name]: value })).toBe(expected);
    expect(isAllowed({ deniedParameters }, { [name]: value }, { ...rules, lowerPolicyNames: false })).toBe(
      true,
    );
  });

  test('do not match a value of a rule with upper case', () => {
    expect(isAllowed({ allowedParameters: { policies: ['App'] } }, { policies: 'App' })).toBe(false);
    expect(isAllowed({ deniedParameters: { policies: ['App'] } }, { policies: 'App' })).toBe(true);
  });
});
