import { useEmulator } from '../support/emulator';
import { LEAST, refusal } from './support';

const running = useEmulator();

// One condition of each kind: the tests of the model have all.
test.each([
  ['pkcs11', { library: undefined }, 'library is required; set library'],
  [
    'pkcs11',
    { token_label: 'prod' },
    'slot conflicts with token_label; received "5", with token_label "prod"; allowed: one of the two; remove slot or token_label',
  ],
  [
    'awskms',
    { kms_key: '123', allow_generate_key: 1 },
    'kms_key must be an alias if allow_generate_key is true; received "123"; allowed: an alias such as "alias/signing"; a generated key gets it; set it to an alias, or set allow_generate_key to false',
  ],
  [
    'azurekeyvault',
    { client_id: 'c' },
    'client_id and client_secret belong together: client_secret is missing; allowed: both, or neither with a managed identity; set client_secret, or remove client_id',
  ],
  ['gcpckms', { crypto_key: '' }, 'crypto_key must not be empty; received ""; set crypto_key'],
  [
    'gcpckms',
    { usages: 'sign,seal' },
    'usages contains a usage that does not exist; received "seal"; allowed: "encrypt", "decrypt", "sign", "verify", "wrap", "unwrap", "mac", "random"; list the intended usages',
  ],
] as const)('%s: %j is refused, and nothing is stored', async (type, changes, text) => {
  const { api } = running();
  const target = `sys/managed-keys/${type}/refused`;
  expect(refusal(await api.post(target, { ...LEAST[type], ...changes }))).toEqual({
    status: 400,
    text: `managed key "refused": ${text}`,
  });
  expect((await api.get(target)).status).toBe(404);
});

test('an unknown signature algorithm is refused', async () => {
  const { api } = running();
  const { status, text } = refusal(
    await api.post('sys/managed-keys/gcpckms/refused', { ...LEAST.gcpckms, algorithm: 'invalid_algorithm' }),
  );
  expect(status).toBe(400);
  expect(text).toMatch(
    /^invalid signature algorithm: managed key "refused": algorithm must be .* "invalid_algorithm"/,
  );
});

test('a value of the wrong type is refused', async () => {
  const { api } = running();
  const { status, text } = refusal(
    await api.post('sys/managed-keys/awskms/refused', { ...LEAST.awskms, any_mount: 'perhaps' }),
  );
  expect(status).toBe(400);
  expect(text).toContain('error converting input for field "any_mount"');
});

test('an update that would make a key invalid changes nothing', async () => {
  const { api } = running();
  await api.post('sys/managed-keys/awskms/kept', LEAST.awskms);
  const before = await api.get('sys/managed-keys/awskms/kept');
  expect((await api.post('sys/managed-keys/awskms/kept', { curve: '' })).status).toBe(400);
  expect((await api.get('sys/managed-keys/awskms/kept')).body.data).toEqual(before.body.data);
});

test('unusual values that servers accept are accepted', async () => {
  const { api } = running();
  expect((await api.post('sys/managed-keys/pkcs11/taken', { ...LEAST.pkcs11, max_parallel: 0 })).status).toBe(
    204,
  );
  const credentials = '{"private_key": "canary"}';
  expect(
    (await api.post('sys/managed-keys/gcpckms/taken-too', { ...LEAST.gcpckms, credentials })).status,
  ).toBe(204);
});
