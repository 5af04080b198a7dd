import { temporaryFolder } from '../../support/temporary-folder';
import { Api } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';
import { LEAST, refusal, rsaPrivateKey } from './support';

const control = '/emulator/v1';

describe('the control API for key stores', () => {
  const running = useEmulator();

  afterEach(() => running().api.delete(`${control}/key-stores`));

  test('all collections are empty at first', async () => {
    expect((await running().api.get(`${control}/key-stores`)).body).toEqual({
      pkcs11: { tokens: [], keys: [] },
      awskms: { credentials: [], keys: [] },
      azurekeyvault: { credentials: [], keys: [] },
      gcpckms: { credentials: [], 'key-rings': [], keys: [] },
    });
  });

  test('keys are added, shown with their public keys, and removed', async () => {
    const { api } = running();
    const added = await api.post(`${control}/key-stores/awskms/keys`, { alias: 'alias/a', curve: 'P384' });
    expect(added).toMatchObject({
      status: 200,
      body: {
        region: 'us-east-1',
        alias: 'alias/a',
        arn: `arn:aws:kms:us-east-1:000000000000:key/${added.body.key_id}`,
        key_usage: 'SIGN_VERIFY',
        key_type: 'ECDSA',
        key_bits: 0,
        curve: 'P384',
        public_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      },
    });
    expect((await api.get(`${control}/key-stores/awskms/keys`)).body).toEqual({ keys: [added.body] });
    expect((await api.delete(`${control}/key-stores/awskms/keys/${added.body.id}`)).status).toBe(204);
    expect((await api.get(`${control}/key-stores/awskms/keys`)).body).toEqual({ keys: [] });
    expect((await api.delete(`${control}/key-stores/awskms/keys/${added.body.id}`)).status).toBe(404);
  });

  test('secrets are never shown', async () => {
    const { api } = running();
    const secret = 'canary';
    for (const [collection, body] of [
      ['pkcs11/tokens', { library: 'hsm', slot: '1', pin: secret }],
      ['pkcs11/keys', { library: 'hsm', slot: '1', key_label: 'k', private_key: rsaPrivateKey() }],
      ['awskms/credentials', { access_key: 'a', secret_key: secret }],
      ['azurekeyvault/credentials', { tenant_id: 't', client_id: 'c', client_secret: secret }],
      ['gcpckms/credentials', { path: '/etc/gcp.json' }],
      ['gcpckms/key-rings', { project: 'p', region: 'r', key_ring: 'k' }],
    ] as const) {
      const added = await api.post(`${control}/key-stores/${collection}`, body);
      expect(added.status).toBe(200);
      expect(added.text).not.toContain(secret);
    }
    const all = await api.get(`${control}/key-stores`);
    expect(all.text).not.toContain(secret);
    expect(all.text).not.toContain('PRIVATE');
    expect(all.body.pkcs11.keys).toMatchObject([
      { slot: '1', key_label: 'k', key_type: 'RSA', key_bits: 2048 },
    ]);
  });

  test('the keys of a token are removed with it', async () => {
    const { api } = running();
    await api.post(`${control}/key-stores/pkcs11/keys`, {
      library: 'hsm',
      slot: '1',
      key_label: 'k',
      curve: 'P256',
    });
    const [token] = (await api.get(`${control}/key-stores/pkcs11/tokens`)).body.tokens;
    await api.delete(`${control}/key-stores/pkcs11/tokens/${token.id}`);
    expect((await api.get(`${control}/key-stores`)).body.pkcs11).toEqual({ tokens: [], keys: [] });
  });

  test.each([
    ['pkcs11/tokens', { slot: '1' }, 'library: missing'],
    ['pkcs11/tokens', { library: 'hsm' }, 'token_label: missing'],
    ['pkcs11/keys', { library: 'hsm', slot: '1' }, 'key_label: missing'],
    ['awskms/keys', { key_type: 'DSA' }, 'key_type: "DSA" is unknown; allowed are RSA and ECDSA'],
    [
      'awskms/keys',
      { key_bits: 512 },
      'key_bits: 512 is not a valid RSA key size; allowed are 2048, 3072 and 4096',
    ],
    [
      'awskms/keys',
      { curve: 'P192' },
      'curve: P192 is not a valid ECDSA curve; allowed are P256, P384 and P521',
    ],
    ['awskms/keys', { private_key: 'canary' }, 'private_key: is not a private key in PEM'],
    [
      'awskms/keys',
      { pin: '1' },
      'unknown field "pin": allowed are region, alias, key_id, key_usage, key_type, key_bits, curve, private_key',
    ],
    ['gcpckms/keys', { project: 'p', region: 'r' }, 'key_ring: missing'],
  ])('a request to add to %s is refused: %j', async (collection, body, text) => {
    const { api } = running();
    expect(refusal(await api.post(`${control}/key-stores/${collection}`, body))).toEqual({
      status: 400,
      text,
    });
  });

  test.each(['softhsm/keys', 'awskms/tokens', 'awskms'])(
    'an unknown collection answers 404: %s',
    async (collection) => {
      expect((await running().api.get(`${control}/key-stores/${collection}`)).status).toBe(404);
    },
  );
});

describe('the operations of secrets engines', () => {
  const running = useEmulator();
  const path = 'managed-keys/awskms';

  /** Writes a managed key with only the given flags. Each call uses a different key. */
  async function write(name: string, flags: object): Promise<void> {
    const off = { allow_generate_key: false, allow_replace_key: false, allow_store_key: false };
    const fields = { ...LEAST.awskms, kms_key: `alias/${name}`, ...off, ...flags };
    expect((await running().api.post(`sys/${path}/${name}`, fields)).status).toBe(204);
  }
  const perform = (name: string, operation: string, body?: object) =>
    running().api.post(`${control}/${path}/${name}/${operation}`, body);
  const publicKeys = (name: string) =>
    running()
      .emulator.keyStores.awskms.keys.list()
      .filter(({ alias }) => alias === `alias/${name}`)
      .map(({ public_key }) => public_key);

  test('generate requires allow_generate_key, and also allow_replace_key if the key exists', async () => {
    await write('made', {});
    expect(refusal(await perform('made', 'generate'))).toEqual({
      status: 400,
      text: 'managed key "made": there is no key alias/made in us-east-1, and allow_generate_key is false',
    });
    await write('made', { allow_generate_key: true });
    expect((await perform('made', 'generate')).status).toBe(204);
    const first = publicKeys('made');
    expect(first).toHaveLength(1);
    expect(refusal(await perform('made', 'generate'))).toEqual({
      status: 400,
      text: 'managed key "made": allow_replace_key is false, and there is a key alias/made in us-east-1',
    });
    expect(publicKeys('made')).toEqual(first);

    await write('made', { allow_replace_key: true });
    expect((await perform('made', 'generate')).status).toBe(400);
    await write('made', { allow_generate_key: true, allow_replace_key: true });
    expect((await perform('made', 'generate')).status).toBe(204);
    expect(publicKeys('made')).toHaveLength(1);
    expect(publicKeys('made')).not.toEqual(first);
  });

  test('store requires allow_store_key, and also allow_replace_key if the key exists', async () => {
    const key = { private_key: rsaPrivateKey() };
    await write('kept', { allow_generate_key: true, allow_replace_key: true });
    expect(refusal(await perform('kept', 'store', key))).toEqual({
      status: 400,
      text: 'managed key "kept": allow_store_key is false: no key may be stored as alias/kept in us-east-1',
    });
    await write('kept', { allow_store_key: true });
    expect((await perform('kept', 'store', key)).status).toBe(204);
    expect(publicKeys('kept')).toHaveLength(1);
    expect(refusal(await perform('kept', 'store', key))).toEqual({
      status: 400,
      text: 'managed key "kept": allow_replace_key is false, and there is a key alias/kept in us-east-1',
    });
    await write('kept', { allow_store_key: true, allow_replace_key: true });
    expect((await perform('kept', 'store', key)).status).toBe(204);
    expect(refusal(await perform('kept', 'store'))).toEqual({
      status: 400,
      text: 'private_key: missing; allowed is a private key in PEM',
    });
  });

  test('the namespace is selected by the query', async () => {
    const { api } = running();
    await api.post('sys/namespaces/team');
    const fields = { ...LEAST.awskms, kms_key: 'alias/team', allow_generate_key: true };
    await api.post(`sys/${path}/team`, fields, { namespace: 'team' });
    expect((await perform('team', 'generate')).status).toBe(404);
    expect((await perform('team', 'generate?namespace=team')).status).toBe(204);
    expect(publicKeys('team')).toHaveLength(1);
  });

  test('a missing key or operation answers 404', async () => {
    await write('there', {});
    expect((await perform('absent', 'generate')).status).toBe(404);
    expect((await perform('there', 'forget')).status).toBe(404);
  });
});

test('all clusters share the key stores, and have their own managed keys', async () => {
  const { emulator } = await startTestEmulator({ clusters: { us: 0, eu: 0 } });
  const [us, eu] = ['us', 'eu'].map((name) => new Api(emulator.clusters[name]?.address ?? ''));
  await us?.post('sys/managed-keys/awskms/k', { ...LEAST.awskms, allow_generate_key: true });
  expect((await eu?.get('sys/managed-keys/awskms/k'))?.status).toBe(404);
  await eu?.post('sys/managed-keys/awskms/k', LEAST.awskms);
  expect((await eu?.post('sys/managed-keys/awskms/k/test/sign'))?.status).toBe(400);
  expect((await us?.post('sys/managed-keys/awskms/k/test/sign'))?.status).toBe(204);
  expect((await eu?.post('sys/managed-keys/awskms/k/test/sign'))?.status).toBe(204);
});

test('a data folder keeps managed keys and key stores', async () => {
  const dataFolder = temporaryFolder('key-stores');
  const first = await startTestEmulator({ dataFolder });
  await first.api.post('sys/managed-keys/awskms/k', { ...LEAST.awskms, allow_generate_key: true });
  await first.api.post('sys/managed-keys/awskms/k/test/sign');
  const before = (await first.api.get('sys/managed-keys/awskms/k')).body.data;
  const keys = first.emulator.keyStores.awskms.keys.list();
  await first.emulator.close();

  const second = await startTestEmulator({ dataFolder });
  expect((await second.api.get('sys/managed-keys/awskms/k')).body.data).toEqual(before);
  expect(second.emulator.keyStores.awskms.keys.list()).toEqual(keys);
  expect((await second.api.post('sys/managed-keys/awskms/k/test/sign')).status).toBe(204);
  await second.emulator.close();
});
