import { isShippedDefaultPolicy, SHIPPED_DEFAULT_POLICY } from '../../../src/model';

test.each([
  ['as it is shipped', SHIPPED_DEFAULT_POLICY],
  ['without its comments', SHIPPED_DEFAULT_POLICY.replace(/^#.*$/gm, '')],
  ['in another order', SHIPPED_DEFAULT_POLICY.replace('"create", "read"', '"read", "create"')],
])('the default policy is recognized %s', (_name, text) => {
  expect(isShippedDefaultPolicy(text)).toBe(true);
});

test.each([
  ['with one rule more', `${SHIPPED_DEFAULT_POLICY}path "secret/*" { capabilities = ["read"] }`],
  ['with a capability less', SHIPPED_DEFAULT_POLICY.replace('["create", "read",', '["read",')],
  ['that cannot be parsed', 'path {'],
])('the default policy is not recognized %s', (_name, text) => {
  expect(isShippedDefaultPolicy(text)).toBe(false);
});
