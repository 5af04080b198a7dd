import { ASSUMPTIONS } from '../../../src/emulator';
import { collected } from '../support/api';
import { useEmulator } from '../support/emulator';
import { LEAST } from './support';

const running = useEmulator();
const path = (type: string, name: string) => `sys/managed-keys/${type}/${name}`;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const GENERIC = {
  UUID: expect.stringMatching(UUID) as string,
  allow_generate_key: false,
  allow_replace_key: false,
  allow_store_key: false,
  any_mount: false,
  usages: [3, 4],
};

test.each([
  [
    'pkcs11',
    { ...LEAST.pkcs11, max_parallel: '2', force_rw_session: 'true', curve: 'P256' },
    {
      library: 'hsm',
      key_label: 'k',
      key_id: '',
      mechanism: 4161,
      pin: 'redacted',
      slot: 5,
      token_label: '',
      curve: 'P256',
      key_bits: 0,
      force_rw_session: true,
      max_parallel: 2,
    },
  ],
  [
    'awskms',
    { kms_key: 'alias/k', key_type: 'rsa', key_bits: '2048', access_key: 'canary', secret_key: 'canary' },
    {
      access_key: 'redacted',
      secret_key: 'redacted',
      region: 'us-east-1',
      endpoint: '',
      kms_key: 'alias/k',
      key_type: 'rsa',
      key_bits: 2048,
      curve: '',
    },
  ],
  [
    'azurekeyvault',
    { ...LEAST.azurekeyvault, client_id: 'c', client_secret: 'canary' },
    {
      tenant_id: 't',
      client_id: 'c',
      client_secret: 'redacted',
      environment: 'AZUREPUBLICCLOUD',
      vault_name: 'v',
      key_name: 'k',
      resource: 'vault.azure.net',
      key_bits: 0,
      key_type: 'RSA-HSM',
    },
  ],
  [
    'gcpckms',
    { ...LEAST.gcpckms, credentials: '/etc/canary.json', algorithm: 'ec_sign_p256_sha256' },
    {
      credentials: 'redacted',
      project: '',
      region: '',
      key_ring: 'r',
      crypto_key: 'k',
      crypto_key_version: '1',
      algorithm: 'ec_sign_p256_sha256',
    },
  ],
])('the fields of %s are returned typed and redacted', async (type, written, read) => {
  const { api } = running();
  const name = `typed-${type}`;
  expect(await api.post(path(type, name), written)).toMatchObject({ status: 204, text: '' });
  const answer = await api.get(path(type, name));
  expect(answer.body.data).toEqual({ ...GENERIC, name, type, ...read });
  expect(answer.body.mount_type).toBe('system');
  expect(answer.text).not.toContain('canary');
});

test('values can be sent as texts or as their types', async () => {
  const { api } = running();
  const text = { allow_generate_key: 'true', allow_store_key: 'false', any_mount: 'true', key_bits: '3072' };
  const typed = { allow_generate_key: true, allow_store_key: false, any_mount: true, key_bits: 3072 };
  const rest = { kms_key: 'alias/k', key_type: 'RSA' };
  await api.put(path('awskms', 'as-text'), { ...rest, ...text, usages: 'verify, random,Sign' });
  await api.put(path('awskms', 'as-is'), {
    ...rest,
    ...typed,
    usages: ['generate_random', 'sign', 'verify'],
  });
  for (const name of ['as-text', 'as-is']) {
    const { data } = (await api.get(path('awskms', name))).body;
    expect(data).toMatchObject({ ...typed, usages: [3, 4, 8] });
  }
});

test('a slot beyond the integers of JavaScript is kept', async () => {
  const { api } = running();
  await api.post(path('pkcs11', 'long-slot'), { ...LEAST.pkcs11, slot: '2305843009213693953' });
  expect((await api.get(path('pkcs11', 'long-slot'))).text).toContain('"slot":2305843009213693953,');
});

test.each(['0x1041', '0X1041', '4161', 4161])(
  'the mechanism %j is returned in hexadecimal',
  async (mechanism) => {
    const { api } = running();
    expect((await api.post(path('pkcs11', 'mechanism'), { ...LEAST.pkcs11, mechanism })).status).toBe(204);
    expect((await api.get(path('pkcs11', 'mechanism'))).body.data.mechanism).toBe(4161);
  },
);

test('a slot and a session limit that are not set are left out', async () => {
  const { api } = running();
  await api.post(path('pkcs11', 'token'), { ...LEAST.pkcs11, slot: '', token_label: 'prod', key_id: '0a' });
  const { data } = (await api.get(path('pkcs11', 'token'))).body;
  expect(data).toMatchObject({ token_label: 'prod', key_id: 'redacted' });
  expect(Object.keys(data)).not.toContain('slot');
  expect(Object.keys(data)).not.toContain('force_rw_session');
});

test('an update keeps the UUID and the fields that are left out, and clears a field with an empty text', async () => {
  const { api } = running();
  await api.post(path('pkcs11', 'updated'), LEAST.pkcs11);
  const before = (await api.get(path('pkcs11', 'updated'))).body.data;
  expect(
    (await api.put(path('pkcs11', 'updated'), { slot: '', token_label: 'prod', any_mount: true })).status,
  ).toBe(204);
  const after = (await api.get(path('pkcs11', 'updated'))).body.data;
  const { slot, ...rest } = before;
  expect(slot).toBe(5);
  expect(after).toEqual({ ...rest, token_label: 'prod', any_mount: true });
});

test('a key that was deleted and created again has another UUID', async () => {
  const { api } = running();
  const uuids = [];
  for (let round = 0; round < 2; round++) {
    await api.post(path('awskms', 'again'), LEAST.awskms);
    uuids.push((await api.get(path('awskms', 'again'))).body.data.UUID);
    expect((await api.delete(path('awskms', 'again'))).status).toBe(204);
  }
  expect(new Set(uuids).size).toBe(2);
});

test('a missing key is a 404 for read and test, and can be deleted', async () => {
  const { api } = running();
  expect(await api.get(path('awskms', 'absent'))).toMatchObject({ status: 404, body: { errors: [] } });
  expect(await api.delete(path('awskms', 'absent'))).toMatchObject({ status: 204 });
  expect(await api.post(`${path('awskms', 'absent')}/test/sign`)).toMatchObject({
    status: 404,
    body: { errors: ['no managed key named "absent" of this type'] },
  });
});

test('keys are listed by backend, and an empty list is a 404', async () => {
  const { api } = running();
  await api.post('sys/namespaces/lists');
  const ask = { namespace: 'lists' };
  expect(await api.list('sys/managed-keys/awskms', ask)).toMatchObject({ status: 404, body: { errors: [] } });
  for (const name of ['b', 'a']) await api.post(path('awskms', name), LEAST.awskms, ask);
  await api.post(path('gcpckms', 'c'), LEAST.gcpckms, ask);
  expect((await api.list('sys/managed-keys/awskms', ask)).body.data).toEqual({ keys: ['a', 'b'] });
  expect((await api.get('sys/managed-keys/gcpckms?list=true', ask)).body.data).toEqual({ keys: ['c'] });
});

test('names are converted to lower case, with a warning', async () => {
  const { api } = running();
  const answer = await api.post(path('awskms', 'Folded'), LEAST.awskms);
  expect(answer).toMatchObject({
    status: 200,
    body: { data: null, warnings: ['managed key name was converted to folded'] },
  });
  expect((await api.get(path('awskms', 'FOLDED'))).body.data.name).toBe('folded');
  expect((await api.delete(path('awskms', 'FolDed'))).status).toBe(204);
  expect((await api.get(path('awskms', 'folded'))).status).toBe(404);
});

test('names are unique across the backends of a namespace', async () => {
  const { api } = running();
  await api.post(path('awskms', 'unique'), LEAST.awskms);
  expect(await api.post(path('gcpckms', 'unique'), LEAST.gcpckms)).toMatchObject({
    status: 400,
    body: { errors: [ASSUMPTIONS.managedKeyNameTaken.alternatives.explained.text('unique', 'awskms')] },
  });
  expect((await api.get(path('gcpckms', 'unique'))).status).toBe(404);
  await api.post('sys/namespaces/unique');
  expect((await api.post(path('gcpckms', 'unique'), LEAST.gcpckms, { namespace: 'unique' })).status).toBe(
    204,
  );
});

test('parameters that the backend does not have cause a warning', async () => {
  const { api } = running();
  const answer = await api.post(path('awskms', 'warned'), { ...LEAST.awskms, library: 'hsm', bogus: 1 });
  expect(answer).toMatchObject({
    status: 200,
    body: { warnings: ['Endpoint ignored these unrecognized parameters: [bogus library]'] },
  });
  const quiet = await api.post(path('awskms', 'warned'), { ...LEAST.awskms, name: 'other', type: 'pkcs11' });
  expect(quiet.status).toBe(204);
});

test.each(['LIST', 'GET', 'POST', 'DELETE'])('an unknown backend refuses %s', async (method) => {
  const target = method === 'LIST' ? 'sys/managed-keys/softhsm' : path('softhsm', 'k');
  expect(await running().api.send(method, target)).toMatchObject({
    status: 400,
    body: { errors: ['unsupported managed key type "softhsm"'] },
  });
});

test('each namespace has its own keys, which are deleted with it', async () => {
  const { api } = running();
  await api.post('sys/namespaces/own');
  await api.post(path('awskms', 'own'), LEAST.awskms, { namespace: 'own' });
  expect((await api.get(path('awskms', 'own'))).status).toBe(404);
  expect((await api.get(`own/${path('awskms', 'own')}`)).status).toBe(200);
  await api.delete('sys/namespaces/own');
  await api.post('sys/namespaces/own');
  expect((await api.get(path('awskms', 'own'), { namespace: 'own' })).status).toBe(404);
});

test('the ACL distinguishes create and update', async () => {
  const { api } = running();
  const token = async (capability: string) => {
    await api.post(`sys/policies/acl/keys-${capability}`, {
      policy: `path "sys/managed-keys/*" { capabilities = ["${capability}"] }`,
    });
    const created = await api.post('auth/token/create', { policies: [`keys-${capability}`] });
    return api.as(created.body.auth.client_token);
  };
  const [creator, updater] = [await token('create'), await token('update')];
  const denied = { status: 403, body: { errors: [collected('permission denied')] } };
  expect(await updater.post(path('awskms', 'acl'), LEAST.awskms)).toMatchObject(denied);
  expect((await creator.post(path('awskms', 'acl'), LEAST.awskms)).status).toBe(204);
  expect(await creator.post(path('awskms', 'acl'), LEAST.awskms)).toMatchObject(denied);
  expect((await updater.post(path('awskms', 'acl'), LEAST.awskms)).status).toBe(204);
  expect(await creator.post(`${path('awskms', 'acl')}/test/sign`)).toMatchObject(denied);
  expect(await updater.get(path('awskms', 'acl'))).toMatchObject(denied);
  expect(await creator.post(path('softhsm', 'acl-2'))).toMatchObject({ status: 400 });
  expect(await api.as('none').post(path('softhsm', 'acl-2'))).toMatchObject({ status: 403 });
});
