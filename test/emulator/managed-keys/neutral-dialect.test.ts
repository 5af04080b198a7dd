import { useNewEmulators } from '../support/emulator';
import { LEAST } from './support';

const running = useNewEmulators({ dialect: 'neutral' });

test.each([
  ['pkcs11', LEAST.pkcs11],
  ['provAkms', LEAST.awskms],
  ['provBkeyvault', LEAST.azurekeyvault],
  ['provCckms', LEAST.gcpckms],
])('%s is written, listed, read and deleted', async (type, fields) => {
  const { api } = running();
  const path = `sys/managed-keys/${type}/n-${type.toLowerCase()}`;
  expect((await api.post(path, { ...fields, type })).status).toBe(204);
  expect((await api.list(`sys/managed-keys/${type}`)).body.data.keys).toEqual([`n-${type.toLowerCase()}`]);
  expect((await api.get(path)).body.data.type).toBe(type);
  expect((await api.delete(path)).status).toBe(204);
});

test('the field environment has its neutral name', async () => {
  const { api } = running();
  const path = 'sys/managed-keys/provBkeyvault/environment';
  await api.post(path, LEAST.azurekeyvault);
  expect((await api.get(path)).body.data.environment).toBe('PROVBPUBLICCLOUD');
  await api.post(path, { environment: 'OTHERCLOUD' });
  expect((await api.get(path)).body.data.environment).toBe('OTHERCLOUD');
  await api.post(path, { environment: 'PROVBPUBLICCLOUD' });
  expect((await api.get(path)).body.data.environment).toBe('PROVBPUBLICCLOUD');
});

test('keys are generated and sign', async () => {
  const { api } = running();
  const path = 'sys/managed-keys/provAkms/signs';
  await api.post(path, { ...LEAST.awskms, allow_generate_key: 'true' });
  expect(await api.post(`${path}/test/sign`, { hash_algorithm: 'sha2-384' })).toMatchObject({
    status: 204,
    text: '',
  });
});

test('an error about an unknown backend shows the name in the request', async () => {
  expect(await running().api.list('sys/managed-keys/provDkms')).toMatchObject({
    status: 400,
    body: { errors: ['unsupported managed key type "provDkms"'] },
  });
});
