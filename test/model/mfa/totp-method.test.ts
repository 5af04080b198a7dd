import { TOTP_METHOD, validate } from '../../../src/model';

const broken = (values: object) =>
  validate(TOTP_METHOD, { name: 'phone', issuer: 'vault', ...values }).map(({ rule }) => rule);

test.each<[string, object, readonly string[]]>([
  ['the issuer alone', {}, []],
  ['all fields', { period: '1m', key_size: 32, qr_size: 0, algorithm: 'SHA512', digits: 8, skew: 0 }, []],
  ['no issuer', { issuer: undefined }, ['issuer-required']],
  ['an empty issuer', { issuer: ' ' }, ['issuer-not-empty']],
  ['another hash', { algorithm: 'MD5' }, ['algorithm-allowed']],
  ['seven digits', { digits: 7 }, ['digits-allowed']],
  ['a wide skew', { skew: 2 }, ['skew-allowed']],
  ['no period', { period: '0s' }, ['period-positive']],
  ['a period that is not a duration', { period: 'soon' }, ['period-positive']],
  ['an empty key', { key_size: 0 }, ['key-size-range']],
  ['the longest key', { key_size: 128 }, []],
  ['a longer key', { key_size: 129 }, ['key-size-range']],
  ['no attempts', { max_validation_attempts: 0 }, ['attempts-positive']],
])('a TOTP method breaks exactly the expected rules: %s', (_what, values, rules) => {
  expect(broken(values)).toEqual(rules);
});

test('the finding on a period that is longer than servers can count names the maximum', () => {
  const findings = validate(TOTP_METHOD, { name: 'phone', issuer: 'vault', period: '10000000h' });
  expect(findings.map(({ problem }) => problem)).toEqual([
    'must be at most 292 years, the maximum of a server',
  ]);
});
