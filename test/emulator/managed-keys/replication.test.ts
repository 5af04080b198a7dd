import { expectStatus, joinedPair, useSet } from '../replication/support/set';
import { LEAST } from './support';

const set = useSet();
const key = 'sys/managed-keys/awskms/k';

test('a secondary has the keys of its primary, and the same key stores', async () => {
  const { primary, secondary } = await joinedPair(set());
  await expectStatus(primary.post(key, { ...LEAST.awskms, allow_generate_key: true, secret_key: 's' }), 204);
  const [here, there] = [await primary.get(key), await secondary.get(key)];
  expect(there.body.data).toEqual(here.body.data);

  expect((await secondary.post(`${key}/test/sign`)).status).toBe(400);
  await expectStatus(secondary.post(key, { access_key: 'a' }), 204);
  await expectStatus(secondary.post(`${key}/test/sign`), 204);
  await expectStatus(primary.post(`${key}/test/sign`), 204);
  expect(set().emulator.keyStores.awskms.keys.list()).toMatchObject([{ alias: 'alias/k' }]);
  expect((await primary.get(key)).body.data.UUID).toBe(here.body.data.UUID);

  await expectStatus(secondary.delete(key), 204);
  expect((await primary.get(key)).status).toBe(404);
});

test('a mount of the primary prevents a secondary from deleting its key', async () => {
  const { primary, secondary } = await joinedPair(set());
  await expectStatus(primary.post(key, LEAST.awskms), 204);
  await expectStatus(
    primary.post('sys/mounts/kv', { type: 'kv', config: { allowed_managed_keys: ['k'] } }),
    204,
  );
  expect((await secondary.delete(key)).status).toBe(400);
  await expectStatus(primary.delete('sys/mounts/kv'), 204);
  await expectStatus(secondary.delete(key), 204);
});
