import { startTestEmulator } from '../support/emulator';
import { LEAST } from './support';

test.each([
  ['1.13.0+ent.hsm', [3, 4, 8]],
  ['1.21.0+ent', [3, 4, 8]],
  ['2.0.0+ent', ['generate_random', 'sign', 'verify']],
])('%s answers with the usages %j', async (serverVersion, usages) => {
  const { emulator, api } = await startTestEmulator({ serverVersion });
  try {
    for (const type of ['pkcs11', 'awskms'] as const) {
      await api.post(`sys/managed-keys/${type}/${type}`, { ...LEAST[type], usages: 'verify,sign,random' });
      const { data } = (await api.get(`sys/managed-keys/${type}/${type}`)).body;
      expect([...data.usages].sort()).toEqual(usages);
    }
  } finally {
    await emulator.close();
  }
});

test('a build without support for HSMs', async () => {
  const { emulator, api } = await startTestEmulator({ serverVersion: '1.21.0+ent.fips1403' });
  try {
    for (const answer of [
      await api.list('sys/managed-keys/pkcs11'),
      await api.post('sys/managed-keys/pkcs11/k', LEAST.pkcs11),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: ['unsupported managed key type "pkcs11"'] },
      });
    }
    expect((await api.post('sys/managed-keys/awskms/k', LEAST.awskms)).status).toBe(204);
  } finally {
    await emulator.close();
  }
});

test('the open-source server has no managed keys', async () => {
  const { emulator, api } = await startTestEmulator({ serverVersion: '1.21.0' });
  try {
    expect((await api.list('sys/managed-keys/awskms')).status).toBe(404);
    expect((await api.post('sys/managed-keys/awskms/k', LEAST.awskms)).status).toBe(404);
  } finally {
    await emulator.close();
  }
});
