import { startStack, type Stack } from '../support';
import { BACKENDS, managedKey, type BlockValues } from './support';

const address = 'vaultadmin_managed_key.it';
const path = 'sys/managed-keys/pkcs11/signing';
const NO_KEY =
  'there is no key "signing" in slot 2305843009213693953 of softhsm, and allow_generate_key is false';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
});
afterEach(() => stack.close());

function key(test_sign: BlockValues | undefined, more: BlockValues = {}, pkcs11: BlockValues = {}): string {
  return managedKey({
    name: 'signing',
    ...more,
    pkcs11: { ...BACKENDS.pkcs11, ...pkcs11 },
    ...(test_sign && { test_sign }),
  });
}

async function addToHsm(): Promise<void> {
  const { library, slot } = BACKENDS.pkcs11;
  await stack.emulator.keyStores.pkcs11.keys.add({ library, slot, key_label: 'signing', key_type: 'RSA' });
}

const uuid = async () => (await stack.ask('GET', path)).data?.UUID;
const passed = async () =>
  ((await stack.workspace.state())[address]?.test_sign as { passed: boolean }).passed;

test('the first test signature of a key is made after its creation, and generates the key if that is allowed', async () => {
  stack.resources(key({ hash_algorithm: 'sha3-512', use_pss: true }, { allow_generate_key: true }));
  expect((await stack.must('apply')).requests).toEqual([
    `GET ${path}`,
    `GET ${path}`,
    `POST ${path}`,
    `POST ${path}/test/sign`,
  ]);
  expect(stack.emulator.keyStores.pkcs11.keys.list()).toMatchObject([
    { key_label: 'signing', key_bits: 2048 },
  ]);
  expect(await passed()).toBe(true);
  expect(await stack.must('plan')).toMatchObject({ planned: {}, requests: [`GET ${path}`] });
});

test('the test signature is repeated whenever the key is changed', async () => {
  await addToHsm();
  stack.resources(key({}));
  await stack.must('apply');
  stack.resources(key({}, { any_mount: true }));
  expect((await stack.must('apply')).requests).toEqual([
    `GET ${path}`,
    `POST ${path}`,
    `POST ${path}/test/sign`,
  ]);
  expect(await stack.must('plan')).toMatchObject({ planned: {} });
});

test('a test_sign block that is added to a key causes only the request for the signature', async () => {
  await addToHsm();
  stack.resources(key(undefined));
  await stack.must('apply');
  stack.resources(key({}));
  expect(await stack.must('apply')).toMatchObject({
    planned: { [address]: 'update' },
    requests: [`GET ${path}`, `POST ${path}/test/sign`],
  });
  stack.resources(key(undefined));
  expect(await stack.must('apply')).toMatchObject({
    planned: { [address]: 'update' },
    requests: [`GET ${path}`],
  });
});

describe('a test signature that fails after a create', () => {
  let created: unknown;
  beforeEach(async () => {
    stack.resources(key({}));
    const { code, errors } = await stack.run('apply');
    expect(code).toBe(1);
    expect(errors).toEqual([
      {
        summary:
          'cannot make a test signature with managed key "signing" on cluster "us": the server refused the request',
        detail: expect.stringContaining(NO_KEY) as string,
        line: 'test_sign {',
      },
    ]);
    expect(errors[0]?.detail).toContain(
      'The key exists and is kept: the next apply tests it again and does not replace it',
    );
    created = await uuid();
    expect((await stack.workspace.state())[address]).toMatchObject({
      uuid: created,
      test_sign: { passed: false },
    });
  });

  test('the next apply repeats the test signature with the same key', async () => {
    await addToHsm();
    const { code, planned, requests, warnings } = await stack.run('apply');
    expect(code).toBe(0);
    expect(planned).toEqual({ [address]: 'replace' });
    expect(warnings.map(({ summary }) => summary)).toEqual([
      'managed key "signing" on cluster "us": its last test signature failed',
      'managed key "signing" on cluster "us" is not deleted, but tested again',
    ]);
    expect(requests).not.toContain(`DELETE ${path}`);
    expect(await uuid()).toBe(created);
    expect(await passed()).toBe(true);
    expect((await stack.must('plan')).planned).toEqual({});
    // The key is destroyed like any other key.
    expect((await stack.must('destroy')).requests).toContain(`DELETE ${path}`);
    expect((await stack.ask('GET', path)).status).toBe(404);
  });

  test('the test signature fails in each apply that repeats it, and the key stays', async () => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, errors } = await stack.run('apply');
      expect(code).toBe(1);
      expect(errors[0]?.detail).toContain(NO_KEY);
      expect(await uuid()).toBe(created);
    }
    await addToHsm();
    expect((await stack.run('apply')).code).toBe(0);
    expect(await uuid()).toBe(created);
  });

  test.each([
    ['GET', 1],
    ['POST', 0],
  ])('the test signature is repeated after a failure of the %s before it', async (method, skip) => {
    await addToHsm();
    stack.emulator.faults.inject({
      method,
      path,
      skip,
      status: 403,
      errors: ['permission denied'],
      count: 1,
    });
    expect((await stack.run('apply')).code).toBe(1);
    expect((await stack.workspace.state())[address]).toMatchObject({ uuid: created });
    expect((await stack.run('apply')).code).toBe(0);
    expect(await uuid()).toBe(created);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('the next apply repeats the test signature with the corrected configuration', async () => {
    stack.resources(key({}, { allow_generate_key: true }));
    expect((await stack.run('apply')).code).toBe(0);
    expect((await stack.ask('GET', path)).data).toMatchObject({ UUID: created, allow_generate_key: true });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('the next apply makes no test signature if its block was removed, and the key stays', async () => {
    stack.resources(key(undefined));
    expect((await stack.run('apply')).code).toBe(0);
    expect(await uuid()).toBe(created);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('the key can be deleted', async () => {
    expect((await stack.run('destroy')).code).toBe(0);
    expect((await stack.ask('GET', path)).status).toBe(404);
    expect(await stack.addresses()).toEqual([]);
  });

  test('the key can be replaced', async () => {
    await stack.emulator.keyStores.pkcs11.keys.add({
      library: 'softhsm',
      slot: BACKENDS.pkcs11.slot,
      key_label: 'other',
      key_type: 'RSA',
    });
    stack.resources(
      managedKey({ name: 'other', pkcs11: { ...BACKENDS.pkcs11, key_label: 'other' }, test_sign: {} }),
    );
    expect((await stack.run('apply')).code).toBe(0);
    expect((await stack.ask('GET', path)).status).toBe(404);
    expect((await stack.ask('GET', 'sys/managed-keys/pkcs11/other')).status).toBe(200);
  });

  test('a key that someone else created in the place of the key is not taken over', async () => {
    await stack.ask('DELETE', path);
    const body = { library: 'softhsm', key_label: 'x', slot: '1', mechanism: '0x0001', pin: '9' };
    await stack.ask('POST', path, body);
    // Without a refresh, the apply does not know that the key is another one.
    const { errors } = await stack.run('apply', '-refresh=false');
    expect(errors).toMatchObject([{ summary: 'managed key "signing" on cluster "us" already exists' }]);
    expect((await stack.ask('GET', path)).data).toMatchObject({ key_label: 'x' });
  });
});

describe('a test signature that fails after an update', () => {
  beforeEach(async () => {
    await addToHsm();
    stack.resources(key({}));
    await stack.must('apply');
    stack.resources(key({}, {}, { key_label: 'other' }));
    const { code, errors } = await stack.run('apply');
    expect(code).toBe(1);
    expect(errors[0]?.detail).toContain('there is no key "other" in slot 2305843009213693953 of softhsm');
    expect(errors[0]?.detail).toContain('The key was changed before. The next apply tests it again.');
    expect(await passed()).toBe(false);
  });

  test('the test signature is the only change of the next apply', async () => {
    await stack.emulator.keyStores.pkcs11.keys.add({
      library: 'softhsm',
      slot: BACKENDS.pkcs11.slot,
      key_label: 'other',
      key_type: 'RSA',
    });
    const { code, planned, requests } = await stack.run('apply');
    expect({ code, planned, requests }).toEqual({
      code: 0,
      planned: { [address]: 'update' },
      requests: [`GET ${path}`, `POST ${path}/test/sign`],
    });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('the key can be replaced', async () => {
    const before = await uuid();
    const { requests } = await stack.run('apply', `-replace=${address}`);
    expect(requests).toContain(`DELETE ${path}`);
    expect(await uuid()).not.toBe(before);
  });
});

describe('a test signature with on_refresh', () => {
  beforeEach(async () => {
    await addToHsm();
    stack.resources(key({ on_refresh: true }));
    await stack.must('apply');
  });

  test('the test signature is made whenever the key is read', async () => {
    expect(await stack.must('plan')).toMatchObject({
      planned: {},
      requests: [`GET ${path}`, `POST ${path}/test/sign`],
    });
  });

  test('a failed test signature is an error, and the state keeps the key', async () => {
    for (const { id } of stack.emulator.keyStores.pkcs11.keys.list())
      stack.emulator.keyStores.pkcs11.keys.remove(id);
    const { code, errors } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors[0]?.detail).toContain(NO_KEY);
    expect(errors[0]?.detail).toContain('plan with -refresh=false');
    expect(await stack.addresses()).toEqual([address]);
    stack.resources(key({ on_refresh: true }, { allow_generate_key: true }));
    await stack.must('apply', '-refresh=false');
    expect((await stack.must('plan')).planned).toEqual({});
  });
});

test('a failed test signature is repeated from a saved plan, in another process', async () => {
  await stack.close();
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm', executable: true });
  stack.resources(key({}));
  expect((await stack.run('apply')).code).toBe(1);
  const created = await uuid();
  await addToHsm();
  await stack.workspace.plan();
  expect((await stack.workspace.run('apply', '-input=false', 'tfplan')).code).toBe(0);
  expect(await uuid()).toBe(created);
  expect(await passed()).toBe(true);
});

test('a test signature without an answer is repeated', async () => {
  await addToHsm();
  stack.resources(key({}));
  stack.emulator.faults.inject({ path: `${path}/test/sign`, status: 500, count: 3 });
  expect((await stack.run('apply')).code).toBe(1);
  const created = await uuid();
  expect((await stack.run('apply')).code).toBe(0);
  expect(await uuid()).toBe(created);
});
