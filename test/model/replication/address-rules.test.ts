import {
  REPLICATION_PRIMARY,
  REPLICATION_SECONDARY,
  type FieldValues,
  type ObjectDefinition,
} from '../../../src/model';
import { validate, validateSetFields } from '../support/in-words';

const problems = (definition: ObjectDefinition, values: FieldValues) =>
  validate(definition, values).map(({ severity, rule, received }) => [severity, rule, received]);

test.each([
  '',
  'us',
  'us.example.com:8201',
  'https://us.example.com:8201',
  'https://[fd00::1]:8201',
  '10.0.0.1:8201',
  'https://us.example.com/vault',
])('%j may be the address of a primary', (address) => {
  expect(problems(REPLICATION_PRIMARY, { primary_cluster_addr: address })).toEqual([]);
  expect(problems(REPLICATION_SECONDARY, { primary_api_addr: address })).toEqual([]);
});

test.each(['foo bar', 'us:port', 'ftp://us', 'https://', 'us:8201 ', 'us,eu', 'https://us:8201\n'])(
  '%j is not an address',
  (address) => {
    const received = JSON.stringify(address);
    expect(problems(REPLICATION_PRIMARY, { primary_cluster_addr: address })).toEqual([
      ['error', 'primary-cluster-addr-is-address', received],
    ]);
    expect(problems(REPLICATION_SECONDARY, { primary_api_addr: address })).toEqual([
      ['error', 'primary-api-addr-is-address', received],
    ]);
    expect(problems(REPLICATION_SECONDARY, { update_primary_addrs: ['us:8201', address] })).toEqual([
      ['error', 'update-primary-addrs-are-addresses', received],
    ]);
  },
);

test('the addresses of a primary cannot be empty', () => {
  expect(validate(REPLICATION_SECONDARY, { update_primary_addrs: ['us:8201', ''] })).toEqual([
    {
      severity: 'error',
      rule: 'update-primary-addrs-are-addresses',
      field: 'update_primary_addrs',
      problem: 'has an empty address',
      received: '""',
      cure: 'remove it',
    },
  ]);
});

test('each address of the map of a set is checked', () => {
  const unknown = Symbol('a value that is not known yet');
  const set = { primary: 'us', primary_cluster_addrs: { us: 'us:8201', eu: 'foo bar', ap: unknown } };
  expect(
    validateSetFields(set, ['eu', 'ap'], (value) => value === unknown).map(({ path, finding }) => [
      path,
      finding,
    ]),
  ).toEqual([
    [
      ['primary_cluster_addrs', 'eu'],
      {
        severity: 'error',
        rule: 'addresses-are-addresses',
        field: 'primary_cluster_addrs',
        key: 'eu',
        problem: 'of "eu" is not an address',
        received: '"foo bar"',
        allowed: 'a URL or a host, with a port: https://us.example.com:8201 or us.example.com:8201',
        cure: 'correct it, or leave it out',
      },
    ],
  ]);
});

test('the names in the map are checked, whether or not their addresses are known', () => {
  const unknown = Symbol('a value that is not known yet');
  const set = { primary: 'us', primary_cluster_addrs: { us: unknown, euu: unknown } };
  const findings = validateSetFields(set, ['eu'], (value) => value === unknown);
  expect(findings.map(({ path, finding }) => [path, finding.rule, finding.received])).toEqual([
    [['primary_cluster_addrs'], 'addresses-of-members', '"euu"'],
  ]);
});
