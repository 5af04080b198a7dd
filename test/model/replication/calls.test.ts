import {
  PATHS_FILTER,
  REPLICATION_CALLS,
  REPLICATION_PRIMARY,
  REPLICATION_SECONDARY,
  SECONDARY_TOKEN,
  type FieldValues,
  type ReplicationCall,
} from '../../../src/model';
import { validate } from '../support/in-words';

const calls: readonly ReplicationCall[] = Object.values(REPLICATION_CALLS);

test('the sixteen calls are those of the interface', () => {
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET status',
    'POST primary/enable',
    'POST primary/demote',
    'POST primary/disable',
    'POST primary/secondary-token',
    'POST primary/revoke-secondary',
    'POST primary/paths-filter/:id',
    'GET primary/paths-filter/:id',
    'DELETE primary/paths-filter/:id',
    'GET primary/dynamic-filter/:id',
    'GET secondary/dynamic-filter/:id',
    'POST secondary/generate-public-key',
    'POST secondary/enable',
    'POST secondary/promote',
    'POST secondary/disable',
    'POST secondary/update-primary',
  ]);
});

test("the calls have the interface's fields and defaults", () => {
  const fields = Object.fromEntries(
    calls
      .filter(({ path }) => !path.includes(':id') || path === 'primary/paths-filter/:id')
      .map((call) => [
        `${call.method} ${call.path}`,
        Object.fromEntries(
          Object.entries(call.fields).map(([name, field]) => [
            name,
            field.required ? 'required' : field.default,
          ]),
        ),
      ]),
  );
  expect(fields).toMatchObject({
    'GET status': {},
    'POST primary/enable': { primary_cluster_addr: '' },
    'POST primary/demote': {},
    'POST primary/disable': {},
    'POST primary/secondary-token': { id: 'required', ttl: '30m', secondary_public_key: '' },
    'POST primary/revoke-secondary': { id: 'required' },
    'POST primary/paths-filter/:id': { id: 'required', mode: 'allow', paths: [] },
    'POST secondary/generate-public-key': {},
    'POST secondary/enable': { token: 'required', primary_api_addr: '', ca_file: '', ca_path: '' },
    'POST secondary/promote': { primary_cluster_addr: '', force: false },
    'POST secondary/disable': {},
    'POST secondary/update-primary': {
      token: undefined,
      primary_api_addr: '',
      ca_file: '',
      ca_path: '',
      update_primary_addrs: [],
    },
  });
});

test('the calls have their access and first version', () => {
  const paths = (which: (call: ReplicationCall) => boolean) => calls.filter(which).map(({ path }) => path);
  expect(paths(({ access }) => access === 'anyone')).toEqual(['status']);
  expect(paths(({ access }) => access === 'sudo')).toEqual(['primary/secondary-token']);
  expect(paths(({ since }) => since === '1.3')).toEqual(['secondary/generate-public-key']);
});

test('the secret fields of the calls are marked', () => {
  const secrets = calls.flatMap(({ path, fields }) =>
    Object.keys(fields)
      .filter((name) => fields[name]!.sensitive)
      .map((name) => `${path} ${name}`),
  );
  expect(secrets).toEqual(['secondary/enable token', 'secondary/update-primary token']);
});

test('every call and field has its doc', () => {
  for (const { doc, fields } of calls) {
    for (const text of [{ doc }, ...Object.values(fields)]) {
      expect(text.doc).toMatch(/^[A-Z].*\.$/s);
    }
  }
});

test('the definitions of objects have the fields of their calls', () => {
  const objects = [REPLICATION_PRIMARY, REPLICATION_SECONDARY, PATHS_FILTER, SECONDARY_TOKEN];
  expect(objects.map(({ name, fields }) => [name, Object.keys(fields)])).toEqual([
    ['perf_replication_primary', ['primary_cluster_addr']],
    [
      'perf_replication_secondary',
      ['token', 'primary_api_addr', 'ca_file', 'ca_path', 'update_primary_addrs'],
    ],
    ['perf_replication_paths_filter', ['secondary_id', 'mode', 'paths']],
    ['perf_replication_secondary_token', ['secondary_id', 'ttl', 'secondary_public_key']],
  ]);
});

const broken = (call: ReplicationCall, values: FieldValues) =>
  validate(call, values).map(({ rule, severity }) => `${severity} ${rule}`);

test.each(['30m', '1', 1, '1.5h', '7d', '1500ms'])('a ttl of %j is accepted', (ttl) => {
  expect(broken(REPLICATION_CALLS.secondaryToken, { id: 'eu', ttl })).toEqual([]);
});

test.each(['0', 0, '', '-5m', -1, '999ms', 'soon', '5 m'])('a ttl of %j is refused', (ttl) => {
  expect(broken(REPLICATION_CALLS.secondaryToken, { id: 'eu', ttl })).toEqual(['error ttl-positive']);
});

test.each([
  ['0', 'must be at least one second'],
  ['soon', 'is not a valid duration'],
  ['10000000h', 'must be at most 292 years, the maximum of a server'],
  ['9223372037', 'must be at most 292 years, the maximum of a server'],
])('the finding on a ttl of %j names its problem', (ttl, problem) => {
  expect(validate(REPLICATION_CALLS.secondaryToken, { id: 'eu', ttl })).toEqual([
    {
      severity: 'error',
      rule: 'ttl-positive',
      field: 'ttl',
      problem,
      received: JSON.stringify(ttl),
      allowed: 'a number of seconds, or a duration such as "30m" or "24h", of at least one second',
      cure: 'write for example "30m", or remove it',
    },
  ]);
});

test.each(['eu', '2', 'eu-1', 'eu.west_1', '_x'])('the id %j is accepted', (id) => {
  expect(broken(REPLICATION_CALLS.secondaryToken, { id })).toEqual([]);
  expect(broken(REPLICATION_CALLS.readPathsFilter, { id })).toEqual([]);
});

test.each(['', '-eu', 'eu-', '.', 'eu/1', 'eu 1', 'eü'])('the id %j is refused', (id) => {
  expect(broken(REPLICATION_CALLS.secondaryToken, { id })).toEqual(['error id-fits-a-path']);
  expect(broken(REPLICATION_CALLS.deletePathsFilter, { id })).toEqual(['error id-fits-a-path']);
});

test('an update of the primary has either a token or addresses', () => {
  const call = REPLICATION_CALLS.updatePrimary;
  expect(broken(call, { token: 'x' })).toEqual([]);
  expect(broken(call, { token: '' })).toEqual([]);
  expect(broken(call, { update_primary_addrs: ['us:8201'] })).toEqual([]);
  expect(broken(call, { token: 'x', update_primary_addrs: [] })).toEqual([]);
  expect(broken(call, { token: '', update_primary_addrs: 'us:8201' })).toEqual([
    'error token-or-update-primary-addrs',
  ]);
  expect(validate(call, { token: 'x', update_primary_addrs: ['us:8201'] })).toEqual([
    {
      severity: 'error',
      rule: 'token-or-update-primary-addrs',
      field: 'update_primary_addrs',
      problem: 'conflicts with token',
      received: '["us:8201"]',
      allowed: 'one of token and update_primary_addrs',
      cure: 'remove one of them: use addresses if those of the primary have changed, or a token for a different primary',
    },
  ]);
});
