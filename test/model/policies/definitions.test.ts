import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  ENFORCEMENT_LEVELS,
  HIDDEN_POLICIES,
  IMMUTABLE_POLICIES,
  RGP_POLICY,
} from '../../../src/model';
import { rulesBroken } from './support';

const SENTINEL = 'main = rule { true }';

test.each([
  [ACL_POLICY, 'acl_policy', 'ACL policy', 'sys/policies/acl', 'community', ['name', 'policy']],
  [
    RGP_POLICY,
    'rgp_policy',
    'RGP policy',
    'sys/policies/rgp',
    'enterprise',
    ['name', 'policy', 'enforcement_level'],
  ],
  [
    EGP_POLICY,
    'egp_policy',
    'EGP policy',
    'sys/policies/egp',
    'enterprise',
    ['name', 'policy', 'enforcement_level', 'paths'],
  ],
])(
  "the definition of a kind of policy has the interface's facts (%#)",
  (definition, name, title, path, edition, fields) => {
    expect(definition).toMatchObject({ name, title, path, edition, restricted: true });
    expect(Object.keys(definition.fields)).toEqual(fields);
  },
);

test.each([[ACL_POLICY], [RGP_POLICY], [EGP_POLICY]])(
  'every field of $title is required and has its doc',
  ({ fields }) => {
    for (const field of Object.values(fields)) {
      expect(field).toMatchObject({ required: true });
      expect(field.doc).toMatch(/^[A-Z].*\.$/s);
      expect(field.sensitive).toBeUndefined();
    }
    expect(fields.name?.identity).toBe(true);
  },
);

test("the names of the built-in policies are the server's", () => {
  expect(IMMUTABLE_POLICIES).toEqual(['root', 'response-wrapping', 'control-group']);
  expect(HIDDEN_POLICIES).toEqual(['response-wrapping', 'control-group']);
  expect(DEFAULT_POLICY).toBe('default');
  expect(rulesBroken(ACL_POLICY, { name: DEFAULT_POLICY, policy: 'path "a" {}' })).toEqual([]);
});

test.each(ENFORCEMENT_LEVELS)('the enforcement level %s is accepted', (level) => {
  expect(rulesBroken(RGP_POLICY, { name: 'a', policy: SENTINEL, enforcement_level: level })).toEqual([]);
  expect(
    rulesBroken(EGP_POLICY, { name: 'a', policy: SENTINEL, enforcement_level: level, paths: ['a'] }),
  ).toEqual([]);
});

test.each([['hard'], ['Advisory'], ['']])('the enforcement level %j is refused', (level) => {
  const values = { name: 'a', policy: SENTINEL, enforcement_level: level, paths: ['a'] };
  expect(rulesBroken(RGP_POLICY, values)).toEqual(['enforcement_level-allowed']);
  expect(rulesBroken(EGP_POLICY, values)).toEqual(['enforcement_level-allowed']);
});

test('an object without fields breaks the rules of all required fields', () => {
  expect(rulesBroken(ACL_POLICY, {})).toEqual(['name-required', 'policy-required']);
  expect(rulesBroken(RGP_POLICY, {})).toEqual([
    'name-required',
    'policy-required',
    'enforcement_level-required',
  ]);
  expect(rulesBroken(EGP_POLICY, {})).toEqual([
    'name-required',
    'policy-required',
    'enforcement_level-required',
    'paths-required',
  ]);
});
