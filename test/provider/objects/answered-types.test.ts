import { AUTO_SNAPSHOT, MANAGED_KEY } from '../../../src/model';
import { backedShown, backedState } from '../../../src/provider/objects';

const NOT_A_SERVER = 'To do: check that the address leads to a Vault server, and the proxies in between.';

test.each([
  ['allow_generate_key', {}, 'true or false'],
  ['allow_generate_key', 'yes', 'true or false'],
  ['kms_key', ['alias/x'], 'text'],
])('a server whose %s is %j is an error, because it is not %s', (name, value, type) => {
  const key = { type: 'awskms', fields: { kms_key: 'alias/x', [name]: value }, secrets: [] };
  const expected = expect.objectContaining({
    summary: `the server answered with a value of ${name} that is not ${type}`,
    detail: NOT_A_SERVER,
  }) as unknown;
  expect(() => backedState(MANAGED_KEY, key, {})).toThrow(expected as Error);
  expect(() => backedShown(MANAGED_KEY, key)).toThrow(expected as Error);
});

test('numbers from a server are accepted as texts and as durations', () => {
  const snapshot = {
    type: 'local',
    fields: { interval: 3600, path_prefix: 7, storage_type: 'local', local_max_space: 1 },
    secrets: [],
  };
  expect(backedState(AUTO_SNAPSHOT, snapshot, {})).toMatchObject({ interval: '3600', path_prefix: '7' });
});
