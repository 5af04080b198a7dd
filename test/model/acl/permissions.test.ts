import { mergePermissions, permissionsOf } from '../../../src/model/acl/permissions';

type Rule = Parameters<typeof permissionsOf>[0];

const rule = (parts: Partial<Rule>) => permissionsOf({ path: 'a', capabilities: ['read'], ...parts });

/** Returns the permissions of two merged rules. */
function merged(a: Partial<Rule>, b: Partial<Rule>) {
  return mergePermissions([rule(a), rule(b)]);
}

test('a rule without constraints has empty permissions', () => {
  expect(rule({})).toEqual({
    capabilities: new Set(['read']),
    allowedParameters: new Map(),
    deniedParameters: new Map(),
    requiredParameters: [],
    minWrappingTtl: 0,
    maxWrappingTtl: 0,
  });
});

test('merged rules grant the capabilities of both, and only deny if one denies', () => {
  expect(merged({}, { capabilities: ['list'] }).capabilities).toEqual(new Set(['read', 'list']));
  const denied = { ...rule({}), capabilities: new Set(['deny']) };
  expect(merged({ requiredParameters: ['a'] }, { capabilities: ['deny'] })).toEqual(denied);
  expect(merged({ capabilities: ['deny'] }, { requiredParameters: ['a'] })).toEqual(denied);
});

test('merged rules require the parameters of both, each parameter once', () => {
  const { requiredParameters } = merged(
    { requiredParameters: ['a', 'b'] },
    { requiredParameters: ['b', 'c'] },
  );
  expect(requiredParameters).toEqual(['a', 'b', 'c']);
});

test.each(['allowedParameters', 'deniedParameters'] as const)(
  'merged rules have the values of both, and free parameters stay free: %s',
  (kind) => {
    const { [kind]: parameters } = merged(
      { [kind]: { one: ['a'], both: ['b'], freed: ['c'], free: [] } },
      { [kind]: { both: ['d'], freed: [], free: ['e'], other: ['f'] } },
    );
    expect(Object.fromEntries(parameters)).toEqual({
      one: ['a'],
      both: ['d', 'b'],
      freed: [],
      free: [],
      other: ['f'],
    });
  },
);

test.each([
  [0, 0, 0],
  [0, 5, 5],
  [5, 0, 5],
  [5, 7, 5],
  [7, 5, 5],
  [5, 5, 5],
])('merged rules with the wrapping TTLs %d and %d have the shorter one: %d', (a, b, expected) => {
  expect(merged({ minWrappingTtl: a }, { minWrappingTtl: b })).toMatchObject({
    minWrappingTtl: expected,
    maxWrappingTtl: 0,
  });
  expect(merged({ maxWrappingTtl: a }, { maxWrappingTtl: b })).toMatchObject({
    minWrappingTtl: 0,
    maxWrappingTtl: expected,
  });
});
