import { startTestEmulator } from '../support/emulator';
import { LEAST } from './support';

test.each([
  ['1.13.0+ent.hsm', [3, 4, 8]],
  ['1.21.0+ent', [3, 4, 8]],
  ['2.0.0+ent', ['generate_random', 'sign', 'verify']],
])('a server of version %s returns the usages %j', async (serverVersion, usages) => {
  const { api } = await startTestEmulator({ serverVersion });
  for (const type of ['pkcs11', 'awskms'] as const) {
    await api.post(`sys/managed-keys/${type}/${type}`, { ...LEAST[type], usages: 'verify,sign,random' });
    const { data } = (await api.get(`sys/managed-keys/${type}/${type}`)).body;
    expect([...data.usages].sort()).toEqual(usages);
  }
});

test('a build without support for HSMs refuses pkcs11', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.21.0+ent.fips1403' });
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
});

test('the open-source server has no managed keys', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
  expect((await api.list('sys/managed-keys/awskms')).status).toBe(404);
  expect((await api.post('sys/managed-keys/awskms/k', LEAST.awskms)).status).toBe(404);
});

describe('the fields of version 2.0', () => {
  const keys = {
    pkcs11: { ...LEAST.pkcs11, mechanism: '0x0009', rsa_oaep_hash: 'sha384' },
    azurekeyvault: { ...LEAST.azurekeyvault, encryption_mode: 'raw' },
  };

  test('the fields are stored and returned', async () => {
    const { api } = await startTestEmulator({ serverVersion: '2.0.0+ent.hsm' });
    for (const [type, key] of Object.entries(keys)) {
      expect((await api.post(`sys/managed-keys/${type}/${type}`, key)).status).toBe(204);
      await api.post(`sys/managed-keys/${type}/${type}-least`, LEAST[type as keyof typeof keys]);
    }
    const shown = async (path: string) => (await api.get(`sys/managed-keys/${path}`)).body.data;
    expect(await shown('pkcs11/pkcs11')).toMatchObject({ rsa_oaep_hash: 'sha384' });
    expect(await shown('pkcs11/pkcs11-least')).toMatchObject({ rsa_oaep_hash: '' });
    expect(await shown('azurekeyvault/azurekeyvault')).toMatchObject({ encryption_mode: 'raw' });
    expect(await shown('azurekeyvault/azurekeyvault-least')).toMatchObject({ encryption_mode: 'envelope' });
    expect(
      await api.post('sys/managed-keys/pkcs11/other', { ...keys.pkcs11, mechanism: '0x0001' }),
    ).toMatchObject({
      status: 400,
      body: {
        errors: [
          'managed key "other": rsa_oaep_hash requires the mechanism CKM_RSA_PKCS_OAEP; received mechanism "0x0001"; ' +
            'allowed: mechanism "0x0009"; remove rsa_oaep_hash, or set mechanism to "0x0009"',
        ],
      },
    });
  });

  test('the fields are ignored by 1.21, with a warning', async () => {
    const { api } = await startTestEmulator({ serverVersion: '1.21.0+ent.hsm' });
    const names = { pkcs11: 'rsa_oaep_hash', azurekeyvault: 'encryption_mode' };
    for (const [type, key] of Object.entries(keys)) {
      const name = names[type as keyof typeof names];
      expect((await api.post(`sys/managed-keys/${type}/${type}`, key)).body.warnings).toEqual([
        `Endpoint ignored these unrecognized parameters: [${name}]`,
      ]);
      const { data } = (await api.get(`sys/managed-keys/${type}/${type}`)).body;
      expect(Object.keys(data)).not.toContain(name);
    }
  });
});
