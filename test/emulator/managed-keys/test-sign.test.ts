import { HASH_ALGORITHMS } from '../../../src/model';
import type { Answer } from '../support/api';
import { useEmulator } from '../support/emulator';
import { LEAST, refusal, rsaPrivateKey } from './support';

const running = useEmulator();
const RSA = { ...LEAST.pkcs11, key_label: 'rsa', mechanism: '0x000D' };

beforeAll(async () => {
  const { emulator, api } = running();
  const private_key = rsaPrivateKey();
  const { pkcs11, awskms, azurekeyvault, gcpckms } = emulator.keyStores;
  await pkcs11.keys.add({ library: 'hsm', slot: '5', key_label: 'rsa', private_key });
  await pkcs11.keys.add({ library: 'hsm', slot: '5', key_label: 'ec', key_id: '0A1B', curve: 'P256' });
  await awskms.keys.add({ alias: 'alias/rsa', private_key });
  await azurekeyvault.keys.add({ vault_name: 'v', key_name: 'rsa', private_key });
  await gcpckms.keys.add({ project: 'p', region: 'global', key_ring: 'r', crypto_key: 'rsa', private_key });
  await api.post('sys/managed-keys/pkcs11/rsa', RSA);
  await api.post('sys/managed-keys/pkcs11/ec', { ...LEAST.pkcs11, key_label: 'ec' });
});

/** Writes a managed key and signs with it. */
async function signWith(type: string, fields: object, request?: object): Promise<Answer> {
  const { api } = running();
  expect((await api.post(`sys/managed-keys/${type}/tried-${type}`, fields)).status).toBe(204);
  const answer = await api.post(`sys/managed-keys/${type}/tried-${type}/test/sign`, request);
  await api.delete(`sys/managed-keys/${type}/tried-${type}`);
  return answer;
}

const good = { status: 204, text: '' };

describe.each(HASH_ALGORITHMS)('test signatures with the hash %s', (hash_algorithm) => {
  test.each([
    ['rsa', false],
    ['rsa', true],
    ['ec', false],
  ])('a signature with the %s key is valid, PSS: %s', async (name, use_pss) => {
    const { api } = running();
    const answer = await api.post(`sys/managed-keys/pkcs11/${name}/test/sign`, { hash_algorithm, use_pss });
    expect(answer).toMatchObject(good);
  });
});

test.each([['P256'], ['P384'], ['P521']])('a key is generated on %s', async (curve) => {
  const { emulator } = running();
  const fields = { ...LEAST.awskms, curve, kms_key: `alias/${curve}`, allow_generate_key: true };
  expect(await signWith('awskms', fields)).toMatchObject(good);
  expect(await signWith('awskms', { ...fields, allow_generate_key: false })).toMatchObject(good);
  const made = emulator.keyStores.awskms.keys.list().filter(({ alias }) => alias === `alias/${curve}`);
  expect(made).toMatchObject([{ key_type: 'ECDSA', curve, region: 'us-east-1', key_usage: 'SIGN_VERIFY' }]);
});

test('an RSA key is generated with the requested size', async () => {
  const { emulator } = running();
  const fields = { ...LEAST.azurekeyvault, key_name: 'made', key_bits: '2048', allow_generate_key: 'true' };
  expect(await signWith('azurekeyvault', fields, { use_pss: true })).toMatchObject(good);
  expect(emulator.keyStores.azurekeyvault.keys.list()).toContainEqual(
    expect.objectContaining({ vault_name: 'v', key_name: 'made', key_type: 'RSA', key_bits: 2048 }),
  );
});

test('a key is generated once for several concurrent requests', async () => {
  const { emulator, api } = running();
  const fields = {
    ...LEAST.gcpckms,
    crypto_key: 'once',
    project: 'p',
    region: 'global',
    allow_generate_key: true,
  };
  await api.post('sys/managed-keys/gcpckms/once', fields);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => api.post('sys/managed-keys/gcpckms/once/test/sign')),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(204));
  const made = emulator.keyStores.gcpckms.keys.list().filter(({ crypto_key }) => crypto_key === 'once');
  expect(made).toMatchObject([{ crypto_key_version: '1', curve: 'P256' }]);
});

test.each([
  ['pkcs11', { ...LEAST.pkcs11, key_label: '', key_id: '0x0a1b' }],
  ['pkcs11', { ...LEAST.pkcs11, key_label: 'rsa', mechanism: '0x0251' }],
  ['awskms', { kms_key: 'alias/rsa', key_type: 'RSA', key_bits: 2048 }],
  ['azurekeyvault', { ...LEAST.azurekeyvault, key_name: 'rsa' }],
  [
    'gcpckms',
    {
      ...LEAST.gcpckms,
      crypto_key: 'rsa',
      project: 'p',
      region: 'global',
      algorithm: 'rsa_sign_pss_2048_sha256',
    },
  ],
])('an existing key signs: %s %j', async (type, fields) => {
  expect(await signWith(type, fields)).toMatchObject(good);
});

test('an AWS key can also be identified by its id or its ARN', async () => {
  const { emulator } = running();
  const [key] = emulator.keyStores.awskms.keys.list().filter(({ alias }) => alias === 'alias/rsa');
  for (const kms_key of [key?.key_id, key?.arn]) {
    expect(await signWith('awskms', { kms_key, key_type: 'RSA', key_bits: 2048 })).toMatchObject(good);
  }
});

test.each([
  ['pkcs11', LEAST.pkcs11, {}, 'there is no key "k" in slot 5 of hsm, and allow_generate_key is false'],
  ['pkcs11', { ...LEAST.pkcs11, key_label: '', key_id: '99' }, {}, 'key_id: there is no key "99" in slot 5'],
  [
    'pkcs11',
    { ...LEAST.pkcs11, key_id: '99', curve: 'P256', allow_generate_key: true },
    {},
    'key_id: there is no key "99" in slot 5',
  ],
  ['pkcs11', { ...RSA, mechanism: '0x1041' }, {}, 'the key is an RSA key, not ECDSA: "rsa" in slot 5 of hsm'],
  ['pkcs11', { ...RSA, key_bits: 4096 }, {}, 'the key has 2048 bits, not 4096: "rsa" in slot 5 of hsm'],
  [
    'pkcs11',
    { ...LEAST.pkcs11, key_label: 'ec', curve: 'P384' },
    {},
    'the key is on the curve P256, not P384: "ec" in slot 5 of hsm',
  ],
  ['pkcs11', { ...RSA, usages: 'verify,wrap' }, {}, 'usages: ["verify","wrap"] do not include "sign"'],
  ['awskms', LEAST.awskms, {}, 'there is no key alias/k in us-east-1, and allow_generate_key is false'],
  [
    'awskms',
    { kms_key: 'alias/rsa', key_type: 'RSA', key_bits: 2048, region: 'eu-west-1' },
    {},
    'there is no key alias/rsa in eu-west-1, and allow_generate_key is false',
  ],
  [
    'awskms',
    { ...LEAST.awskms, access_key: 'a' },
    {},
    'secret_key: missing; static credentials are both access_key and secret_key',
  ],
  [
    'azurekeyvault',
    LEAST.azurekeyvault,
    {},
    'there is no key k in the Key Vault v, and allow_generate_key is false',
  ],
  [
    'gcpckms',
    LEAST.gcpckms,
    {},
    'there is no key projects/emulator/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1, and ' +
      'allow_generate_key is false',
  ],
  [
    'gcpckms',
    { ...LEAST.gcpckms, credentials: '/nowhere/gcp.json' },
    {},
    'error initializing GCP CKMS wrapper client: failed to create KMS client: open /nowhere/gcp.json: ' +
      'no such file or directory',
  ],
  [
    'gcpckms',
    { ...LEAST.gcpckms, credentials: '{"private_key": "canary"}' },
    {},
    'error initializing GCP CKMS wrapper client: failed to create KMS client: open the text in credentials: ' +
      'no such file or directory',
  ],
  [
    'gcpckms',
    { ...LEAST.gcpckms, crypto_key_version: '2', allow_generate_key: true },
    {},
    'crypto_key_version: there is no version "2" of the key, and a new key begins with "1"',
  ],
])('a signature fails with the reason: %s %j', async (type, fields, request, text) => {
  expect(refusal(await signWith(type, fields, request))).toEqual({
    status: 400,
    text: `managed key "tried-${type}": ${text}`,
  });
});

test.each([
  [
    'pkcs11',
    { ...LEAST.pkcs11, key_label: 'ec' },
    { use_pss: true },
    'use_pss is only for RSA keys, but the key is an ECDSA key; received true; allowed: false; remove use_pss',
  ],
  [
    'pkcs11',
    { ...LEAST.pkcs11, key_label: 'ec', mechanism: '0x0251' },
    { use_pss: 'true' },
    'use_pss is only for RSA keys, but the key is an ECDSA key; received true; allowed: false; remove use_pss',
  ],
  [
    'gcpckms',
    LEAST.gcpckms,
    { hash_algorithm: 'sha2-512' },
    'hash_algorithm does not match the key\'s algorithm; received "sha2-512"; allowed: "sha2-256"; ' +
      'remove hash_algorithm: it is then determined by the algorithm',
  ],
])('a request is refused: %s %j with %j', async (type, fields, request, text) => {
  expect(refusal(await signWith(type, fields, request))).toEqual({
    status: 400,
    text: `test/sign of managed key "tried-${type}": ${text}`,
  });
});

test('an unknown hash algorithm is refused', async () => {
  const { status, text } = refusal(await signWith('pkcs11', RSA, { hash_algorithm: 'md5' }));
  expect(status).toBe(400);
  expect(text).toMatch(/hash_algorithm must be one of the allowed values; received "md5"; allowed: "sha1", /);
});

test('an AWS key that is not for signatures is refused', async () => {
  const { emulator } = running();
  await emulator.keyStores.awskms.keys.add({
    alias: 'alias/seal',
    key_usage: 'ENCRYPT_DECRYPT',
    curve: 'P256',
  });
  expect(refusal(await signWith('awskms', { ...LEAST.awskms, kms_key: 'alias/seal' }))).toEqual({
    status: 400,
    text: 'managed key "tried-awskms": kms_key: the key has the key usage ENCRYPT_DECRYPT; allowed is SIGN_VERIFY (InvalidKeyUsageException)',
  });
});

test('a write never contacts the backend', async () => {
  const { api } = running();
  const fields = { ...LEAST.pkcs11, key_label: '', key_id: '99', pin: 'wrong' };
  expect((await api.post('sys/managed-keys/pkcs11/unasked', fields)).status).toBe(204);
});
