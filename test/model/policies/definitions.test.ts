import {
  aclPolicy,
  DEFAULT_POLICY,
  egpPolicy,
  ENFORCEMENT_LEVELS,
  HIDDEN_POLICIES,
  IMMUTABLE_POLICIES,
  rgpPolicy,
} from '../../../src/model';
import { rulesBroken } from './support';

const SENTINEL = 'main = rule { true }';

test.each([
  [aclPolicy, 'acl_policy', 'ACL policy', 'sys/policies/acl', 'community', ['name', 'policy']],
  [
    rgpPolicy,
    'rgp_policy',
    'RGP policy',
    'sys/policies/rgp',
    'enterprise',
    ['name', 'policy', 'enforcement_level'],
  ],
  [
    egpPolicy,
    'egp_policy',
    'EGP policy',
    'sys/policies/egp',
    'enterprise',
    ['name', 'policy', 'enforcement_level', 'paths'],
  ],
])('%#: the facts of a kind', (definition, name, title, path, edition, fields) => {
  expect(definition).toMatchObject({ name, title, path, edition, restricted: true, section: '2.2' });
  expect(Object.keys(definition.fields)).toEqual(fields);
});

test.each([[aclPolicy], [rgpPolicy], [egpPolicy]])(
  'every field of $title is required and has its doc',
  ({ fields }) => {
    for (const field of Object.values(fields)) {
      expect(field).toMatchObject({ required: true, section: '2.2' });
      expect(field.doc).toMatch(/^[A-Z].*\.$/s);
      expect(field.sensitive).toBeUndefined();
    }
    expect(fields.name?.identity).toBe(true);
  },
);

test('the built-in policies', () => {
  expect(IMMUTABLE_POLICIES).toEqual(['root', 'response-wrapping', 'control-group']);
  expect(HIDDEN_POLICIES).toEqual(['response-wrapping', 'control-group']);
  expect(DEFAULT_POLICY).toBe('default');
  expect(rulesBroken(aclPolicy, { name: DEFAULT_POLICY, policy: 'path "a" {}' })).toEqual([]);
});

test.each(ENFORCEMENT_LEVELS)('the enforcement level %s', (level) => {
  expect(rulesBroken(rgpPolicy, { name: 'a', policy: SENTINEL, enforcement_level: level })).toEqual([]);
  expect(
    rulesBroken(egpPolicy, { name: 'a', policy: SENTINEL, enforcement_level: level, paths: ['a'] }),
  ).toEqual([]);
});

test.each([['hard'], ['Advisory'], ['']])('the enforcement level %j does not exist', (level) => {
  const values = { name: 'a', policy: SENTINEL, enforcement_level: level, paths: ['a'] };
  expect(rulesBroken(rgpPolicy, values)).toEqual(['enforcement_level-allowed']);
  expect(rulesBroken(egpPolicy, values)).toEqual(['enforcement_level-allowed']);
});

test('nothing given', () => {
  expect(rulesBroken(aclPolicy, {})).toEqual(['name-required', 'policy-required']);
  expect(rulesBroken(rgpPolicy, {})).toEqual([
    'name-required',
    'policy-required',
    'enforcement_level-required',
  ]);
  expect(rulesBroken(egpPolicy, {})).toEqual([
    'name-required',
    'policy-required',
    'enforcement_level-required',
    'paths-required',
  ]);
});
