import type { ManagedKeyTypeName } from '../../../src/model';
import { connect, envelope, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const MISSING: Reply = { status: 404, json: { errors: [] } };
const UNSUPPORTED: Reply = {
  status: 400,
  json: { errors: ['1 error occurred:\n\t* unsupported managed key type: pkcs11\n\n'] },
};
const UUID = '5f0d8a52-9d1c-4f0a-8c52-7b1f2c1f9a10';

/** A PKCS#11 key in the form of servers before 2.0. */
const PKCS11 = {
  UUID,
  name: 'signing',
  type: 'pkcs11',
  library: 'softhsm',
  key_label: 'signing',
  key_id: '',
  slot: 1288,
  token_label: '',
  mechanism: 4161,
  curve: 'P256',
  key_bits: 0,
  pin: 'redacted',
  force_rw_session: false,
  max_parallel: 1,
  allow_generate_key: true,
  allow_replace_key: false,
  allow_store_key: false,
  any_mount: false,
  usages: [3, 4],
};

describe('a read of a key', () => {
  test('the answers of different server versions are read into the same fields, without hidden values', async () => {
    const server = await serve({ json: envelope(PKCS11) });
    const response = await connect(server).managedKeys.read('pkcs11', 'signing');
    expect(response?.data).toEqual({
      uuid: UUID,
      type: 'pkcs11',
      name: 'signing',
      hidden: ['pin'],
      heldSecrets: ['pin'],
      fields: {
        library: 'softhsm',
        key_label: 'signing',
        slot: '1288',
        mechanism: '0x1041',
        curve: 'P256',
        key_bits: 0,
        force_rw_session: false,
        max_parallel: 1,
        allow_generate_key: true,
        allow_replace_key: false,
        allow_store_key: false,
        any_mount: false,
        usages: ['sign', 'verify'],
      },
    });
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/sys/managed-keys/pkcs11/signing' });
  });

  test('slots and mechanisms beyond 2^53 keep all their digits', async () => {
    const json = JSON.stringify(envelope({ ...PKCS11, slot: 0, mechanism: 1 }))
      .replace('"slot":0', '"slot":2305843009213693953')
      .replace('"mechanism":1', '"mechanism":9223372036854775809');
    const server = await serve({ text: json });
    const response = await connect(server).managedKeys.read('pkcs11', 'signing');
    expect(response?.data.fields).toMatchObject({
      slot: '2305843009213693953',
      mechanism: '0x8000000000000001',
    });
  });

  test.each([[[3, 4]], [['verify', 'sign']], ['sign,verify']])('usages are read from %j', async (usages) => {
    const server = await serve({ json: envelope({ ...PKCS11, usages }) });
    const response = await connect(server).managedKeys.read('pkcs11', 'signing');
    expect(response?.data.fields.usages).toEqual(['sign', 'verify']);
  });

  test('secrets that a server returns are left out', async () => {
    const server = await serve({ json: envelope({ ...PKCS11, pin: 'canary' }) });
    const response = await connect(server).managedKeys.read('pkcs11', 'signing');
    expect(JSON.stringify(response)).not.toContain('canary');
  });

  test('fields that older servers do not return are undefined', async () => {
    const { usages, max_parallel, ...older } = PKCS11;
    const server = await serve({ json: envelope({ ...older, token_label: '' }) });
    const response = await connect(server).managedKeys.read('pkcs11', 'signing');
    expect([...(response?.data.hidden ?? [])].sort()).toEqual(['max_parallel', 'pin', 'usages']);
    expect([usages, max_parallel]).toEqual([[3, 4], 1]);
  });

  test('a missing key is undefined', async () => {
    expect(await connect(await serve(MISSING)).managedKeys.read('pkcs11', 'signing')).toBeUndefined();
  });

  test('an answer that is not a managed key is an error', async () => {
    const server = await serve({ json: envelope({ keys: [] }) });
    const error = await failureOf(connect(server).managedKeys.read('pkcs11', 'signing'));
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toContain('the answer holds no managed key with a name');
  });
});

describe('a search for a key by its name', () => {
  const DENIED: Reply = { status: 403, json: { errors: ['permission denied'] } };
  const find = async (replies: Readonly<Partial<Record<ManagedKeyTypeName, Reply>>>, others: Reply) => {
    const server = await serve(({ url }) => replies[url.split('/')[4] as ManagedKeyTypeName] ?? others);
    return connect(server).managedKeys.find('a');
  };
  const AWS: Reply = { json: envelope({ name: 'a', type: 'awskms', kms_key: 'alias/a' }) };

  test('a key of any type is found, even if other types are not supported or may not be read', async () => {
    expect((await find({ pkcs11: UNSUPPORTED, awskms: AWS }, MISSING))?.data).toMatchObject({
      type: 'awskms',
      fields: { kms_key: 'alias/a' },
    });
    expect((await find({ awskms: AWS }, DENIED))?.data).toMatchObject({ type: 'awskms' });
  });

  test('a name without a key of any type is undefined', async () => {
    expect(await find({ pkcs11: UNSUPPORTED }, MISSING)).toBeUndefined();
  });

  test('a failure for one type is an error if no other type has the name', async () => {
    expect((await failureOf(find({ gcpckms: DENIED }, MISSING))).code).toBe('denied');
  });
});

describe('a write of a key', () => {
  test("fields are sent with the interface's names, without undefined ones", async () => {
    const server = await serve({ status: 204 });
    await connect(server).managedKeys.write('pkcs11', 'signing', {
      library: 'softhsm',
      key_label: 'signing',
      slot: '2305843009213693953',
      mechanism: '0x1',
      pin: '1234',
      key_bits: 2048,
      allow_generate_key: true,
      usages: ['verify', 'sign'],
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/sys/managed-keys/pkcs11/signing' });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({
      library: 'softhsm',
      key_label: 'signing',
      slot: '2305843009213693953',
      mechanism: '0x0001',
      pin: '1234',
      key_bits: 2048,
      allow_generate_key: 'true',
      usages: 'sign,verify',
    });
  });

  test('a refusal may contain sent values, except secrets', async () => {
    const errors = ['key_type "RSAA" of key with secret key "canary-secret" and access key "canary-access"'];
    const server = await serve({ status: 400, json: { errors } });
    const error = await failureOf(
      connect(server).managedKeys.write('awskms', 'a', {
        key_type: 'RSAA',
        secret_key: 'canary-secret',
        access_key: 'canary-access',
      }),
    );
    expect(error.errors).toEqual([
      'key_type "RSAA" of key with secret key "(hidden)" and access key "(hidden)"',
    ]);
    expect(JSON.stringify(error) + error.message).not.toContain('canary');
  });

  test.each([
    ['awskms', 'secret_key'],
    ['pkcs11', 'key_id'],
  ] as const)(
    'the placeholder that servers return in place of a secret is not written: %s, %s',
    async (type, field) => {
      const server = await serve({ status: 204 });
      const error = await failureOf(connect(server).managedKeys.write(type, 'a', { [field]: 'redacted' }));
      expect(error.code).toBe('invalid_request');
      expect(error.message).toBe(
        `managed key "a": ${field} must be the actual value, not the placeholder that servers return; ` +
          `received "redacted"; set ${field} to the actual value`,
      );
      expect(server.requests).toHaveLength(0);
    },
  );
});

test('a key is deleted at its path', async () => {
  const server = await serve({ status: 204 });
  await connect(server).managedKeys.delete('gcpckms', 'a');
  expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: '/v1/sys/managed-keys/gcpckms/a' });
});

describe('a list of keys', () => {
  test('the keys of one type are listed', async () => {
    const server = await serve({ json: envelope({ keys: ['a', 'b'] }) });
    expect((await connect(server).managedKeys.list('awskms')).data.keys).toEqual(['a', 'b']);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/sys/managed-keys/awskms?list=true' });
    expect((await connect(await serve(MISSING)).managedKeys.list('awskms')).data.keys).toEqual([]);
  });

  test('a type that the server does not support is an error', async () => {
    const error = await failureOf(connect(await serve(UNSUPPORTED)).managedKeys.list('pkcs11'));
    expect(error.errors).toEqual(['unsupported managed key type: pkcs11']);
  });

  test('all types are listed, even if one is not supported and one is empty', async () => {
    const server = await serve(({ url }) => {
      if (url.includes('pkcs11')) return UNSUPPORTED;
      if (url.includes('azure')) return MISSING;
      return { json: envelope({ keys: [url.includes('aws') ? 'a' : 'g'] }, { warnings: [url] }) };
    });
    const response = await connect(server).managedKeys.listAll();
    expect(response.data).toEqual({ pkcs11: [], awskms: ['a'], azurekeyvault: [], gcpckms: ['g'] });
    expect(response.warnings).toHaveLength(2);
  });

  test('a list of all types is an error if one type is denied', async () => {
    const server = await serve(({ url }) =>
      url.includes('gcp') ? { status: 403, json: { errors: ['permission denied'] } } : MISSING,
    );
    expect((await failureOf(connect(server).managedKeys.listAll())).code).toBe('denied');
  });
});

describe('a test signature', () => {
  test("a test signature has the server's defaults", async () => {
    const server = await serve({ status: 204 });
    await connect(server).managedKeys.testSign('pkcs11', 'a');
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/sys/managed-keys/pkcs11/a/test/sign',
      body: '{}',
    });
  });

  test('a test signature is made with all options', async () => {
    const server = await serve({ status: 204 });
    await connect(server).managedKeys.testSign('pkcs11', 'a', { hashAlgorithm: 'sha3-512', usePss: true });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({ hash_algorithm: 'sha3-512', use_pss: true });
  });

  test("a failed test has the server's reason", async () => {
    const errors = ['1 error occurred:\n\t* no key "sha3-512"\n\n'];
    const server = await serve({ status: 400, json: { errors } });
    const error = await failureOf(
      connect(server).managedKeys.testSign('pkcs11', 'a', { hashAlgorithm: 'sha3-512' }),
    );
    expect(error.errors).toEqual(['no key "sha3-512"']);
  });
});

describe('managed keys in the neutral dialect', () => {
  test.each<[ManagedKeyTypeName, string]>([
    ['pkcs11', 'pkcs11'],
    ['awskms', 'provAkms'],
    ['azurekeyvault', 'provBkeyvault'],
    ['gcpckms', 'provCckms'],
  ])('the backend %s is %s in paths', async (type, neutral) => {
    const server = await serve({ status: 204 });
    const { managedKeys } = connect(server, { dialect: 'neutral' });
    await managedKeys.delete(type, 'a');
    await managedKeys.testSign(type, 'a');
    expect(server.requests.map(({ url }) => url)).toEqual([
      `/v1/sys/managed-keys/${neutral}/a`,
      `/v1/sys/managed-keys/${neutral}/a/test/sign`,
    ]);
  });

  test('values that are names are converted', async () => {
    const server = await serve((request) =>
      request.method === 'GET'
        ? { json: envelope({ name: 'a', type: 'provBkeyvault', environment: 'PROVBPUBLICCLOUD' }) }
        : { status: 204 },
    );
    const { managedKeys } = connect(server, { dialect: 'neutral' });
    await managedKeys.write('azurekeyvault', 'a', { environment: 'AZUREPUBLICCLOUD' });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({ environment: 'PROVBPUBLICCLOUD' });
    expect((await managedKeys.read('azurekeyvault', 'a'))?.data).toMatchObject({
      type: 'azurekeyvault',
      name: 'a',
      fields: { environment: 'AZUREPUBLICCLOUD' },
    });
  });
});

test.each(['', 'a/b'])('the name %j is refused', async (name) => {
  const server = await serve({ status: 204 });
  const { managedKeys } = connect(server);
  for (const call of [
    managedKeys.read('pkcs11', name),
    managedKeys.write('pkcs11', name, {}),
    managedKeys.delete('pkcs11', name),
    managedKeys.testSign('pkcs11', name),
  ]) {
    expect((await failureOf(call)).message).toBe(
      `${JSON.stringify(name)} cannot be the name of a managed key: it is empty or holds a slash`,
    );
  }
  expect(server.requests).toHaveLength(0);
});
