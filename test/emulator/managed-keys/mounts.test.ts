import { ASSUMPTIONS } from '../../../src/emulator';
import type { Api, Ask } from '../support/api';
import { useEmulator } from '../support/emulator';
import { LEAST, refusal } from './support';

const running = useEmulator();

async function allow(api: Api, mount: string, names: readonly string[], ask?: Ask): Promise<void> {
  const answer = await api.post(`sys/mounts/${mount}/tune`, { allowed_managed_keys: names }, ask);
  expect(answer.status).toBe(204);
}

test('a key that mounts have in allowed_managed_keys cannot be deleted, and the refusal names the mounts', async () => {
  const { api } = running();
  const key = 'sys/managed-keys/awskms/used';
  await api.post(key, LEAST.awskms);
  await api.post('sys/mounts/kv-a', { type: 'kv', config: { allowed_managed_keys: ['other', 'Used'] } });
  await api.post('sys/mounts/kv-b', { type: 'kv' });
  await allow(api, 'kv-b', ['used']);
  await api.post('sys/auth/users', { type: 'userpass', config: { allowed_managed_keys: 'used' } });
  const text = (mounts: readonly string[]) =>
    ASSUMPTIONS.managedKeyInUse.alternatives.explained.text('used', mounts);

  expect(refusal(await api.delete(key))).toEqual({
    status: 400,
    text: text(['kv-a/', 'kv-b/', 'auth/users/']),
  });
  await api.delete('sys/mounts/kv-a');
  await api.delete('sys/auth/users');
  expect(refusal(await api.delete(key))).toEqual({ status: 400, text: text(['kv-b/']) });
  expect((await api.get(key)).status).toBe(200);

  await api.post('sys/remount', { from: 'kv-b', to: 'kv-c' });
  expect(refusal(await api.delete(key))).toEqual({ status: 400, text: text(['kv-c/']) });
  await allow(api, 'kv-c', ['other']);
  expect((await api.delete(key)).status).toBe(204);
});

test('mounts of other namespaces do not prevent the deletion', async () => {
  const { api } = running();
  await api.post('sys/namespaces/away');
  const away = { namespace: 'away' };
  for (const ask of [undefined, away]) await api.post('sys/managed-keys/awskms/shared', LEAST.awskms, ask);
  await api.post('sys/mounts/kv', { type: 'kv', config: { allowed_managed_keys: ['shared'] } }, away);
  expect((await api.delete('sys/managed-keys/awskms/shared', away)).status).toBe(400);
  expect((await api.delete('sys/managed-keys/awskms/shared')).status).toBe(204);
});

test('a key that is allowed for any mount can be deleted while mounts exist', async () => {
  const { api } = running();
  await api.post('sys/mounts/any', { type: 'kv' });
  await api.post('sys/managed-keys/awskms/any', { ...LEAST.awskms, any_mount: true });
  expect((await api.delete('sys/managed-keys/awskms/any')).status).toBe(204);
});
