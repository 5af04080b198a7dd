import { startStack, type Stack } from '../support';
import { BACKENDS, managedKey, without } from './support';

const address = 'vaultadmin_managed_key.it';
const path = 'sys/managed-keys/pkcs11/signing';
const FOREIGN = { library: 'softhsm', key_label: 'x', slot: '1', mechanism: '0x0001', pin: '9' };

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
});
afterEach(() => stack.close());

const pkcs11 = BACKENDS.pkcs11;
const onServer = async (at = path) => (await stack.ask('GET', at)).data;

async function applyKey(values = managedKey({ name: 'signing', pkcs11 })): Promise<void> {
  stack.resources(values);
  await stack.must('apply');
}

describe('keys that others have created', () => {
  beforeEach(async () => {
    await stack.ask('POST', 'sys/managed-keys/pkcs11/theirs', FOREIGN);
    const { curve, key_type, kms_key } = BACKENDS.awskms;
    await stack.ask('POST', 'sys/managed-keys/awskms/theirs-too', { curve, key_type, kms_key });
  });

  test('keys that Terraform does not know are neither read nor changed nor deleted', async () => {
    const before = [
      await onServer('sys/managed-keys/pkcs11/theirs'),
      await onServer('sys/managed-keys/awskms/theirs-too'),
    ];
    stack.resources(managedKey({ name: 'signing', pkcs11 }));
    const { requests } = await stack.must('apply');
    stack.resources(managedKey({ name: 'signing', any_mount: true, pkcs11 }));
    const changed = await stack.must('apply');
    const destroyed = await stack.must('destroy');
    for (const request of [...requests, ...changed.requests, ...destroyed.requests])
      expect(request).toContain(path);
    expect(await onServer()).toBeUndefined();
    expect([
      await onServer('sys/managed-keys/pkcs11/theirs'),
      await onServer('sys/managed-keys/awskms/theirs-too'),
    ]).toEqual(before);
  });

  test('a create under the name of a foreign key is refused, and the error shows the import', async () => {
    stack.resources(managedKey({ name: 'theirs', pkcs11 }));
    const { errors } = await stack.run('apply');
    expect(errors[0]?.summary).toBe('managed key "theirs" on cluster "us" already exists');
    expect(errors[0]?.detail).toContain(`terraform import vaultadmin_managed_key.NAME 'us//pkcs11/theirs'`);
    expect(await onServer('sys/managed-keys/pkcs11/theirs')).toMatchObject({ key_label: 'x' });
  });

  test('a create under the name of a foreign key of another backend is refused by the server', async () => {
    stack.resources(managedKey({ name: 'theirs-too', pkcs11 }));
    const { errors } = await stack.run('apply');
    expect(errors[0]?.detail).toContain('names are unique across all types');
    expect(await stack.addresses()).toEqual([]);
  });
});

describe('fields that cannot be changed in place', () => {
  const before = 'managed key "signing": it will be deleted and created again';

  test('a changed backend replaces the key, and the plan gives the reason', async () => {
    await applyKey();
    const was = (await onServer())?.UUID;
    stack.resources(managedKey({ name: 'signing', awskms: BACKENDS.awskms }));
    const plan = await stack.workspace.plan();
    expect(plan.resource_changes?.[0]?.change).toMatchObject({
      actions: ['delete', 'create'],
      replace_paths: [['type']],
    });
    const { warnings, planned } = await stack.run('apply');
    expect(planned).toEqual({ [address]: 'replace' });
    expect(warnings).toMatchObject([{ summary: before }]);
    expect(warnings[0]?.detail).toContain('The new key has a new UUID.');
    expect(warnings[0]?.detail).toContain('create_before_destroy does not work');
    expect(await onServer()).toBeUndefined();
    expect((await onServer('sys/managed-keys/awskms/signing'))?.UUID).not.toBe(was);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test.each([
    ['name', 'other', ['name']],
    ['namespace', 'team', ['namespace']],
  ])('a changed %s replaces the key', async (attribute, value, replacePath) => {
    await stack.ask('POST', 'sys/namespaces/team', {});
    await applyKey();
    stack.resources(managedKey({ name: 'signing', [attribute]: value, pkcs11 }));
    const plan = await stack.workspace.plan();
    expect(plan.resource_changes?.[0]?.change.replace_paths).toEqual([replacePath]);
    expect((await stack.run('apply')).warnings).toMatchObject([{ summary: before }]);
    expect(await onServer()).toBeUndefined();
  });

  test('a change from the slot to the token label, or back, is made in place', async () => {
    await applyKey();
    const { UUID } = (await onServer())!;
    await applyKey(
      managedKey({ name: 'signing', pkcs11: { ...without(pkcs11, 'slot'), token_label: 'token' } }),
    );
    expect(await onServer()).toMatchObject({ UUID, token_label: 'token' });
    expect((await stack.must('plan')).planned).toEqual({});
    await applyKey();
    expect(await onServer()).toMatchObject({ UUID, token_label: '' });
    expect((await stack.must('plan')).planned).toEqual({});
  });
});

test('arguments in ignore_changes keep their values', async () => {
  await applyKey();
  await stack.ask('POST', path, { usages: 'encrypt', max_parallel: 4 });
  const ignoring = managedKey({ name: 'signing', allow_store_key: true, pkcs11 }).replace(
    /\}\n$/,
    '  lifecycle {\n    ignore_changes = [usages, pkcs11.max_parallel]\n  }\n}\n',
  );
  stack.resources(ignoring);
  await stack.must('apply');
  const { usages, max_parallel, allow_store_key } = (await onServer())!;
  expect({ usages, max_parallel, allow_store_key }).toEqual({
    usages: [1],
    max_parallel: 4,
    allow_store_key: true,
  });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a slot that was replaced with a token label is detected', async () => {
  await applyKey();
  await stack.ask('POST', path, { slot: '', token_label: 'token' });
  const plan = await stack.workspace.plan();
  expect(plan.resource_drift?.[0]?.change.after).toMatchObject({
    pkcs11: { slot: null, token_label: 'token' },
  });
  await stack.must('apply');
  expect(await onServer()).toMatchObject({ token_label: '' });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a slot beyond 2^53 keeps all its digits', async () => {
  await applyKey();
  const { address: server, rootToken } = stack.emulator.clusters.us!;
  const raw = await fetch(`${server}/v1/${path}`, { headers: { 'X-Vault-Token': rootToken } });
  expect(await raw.text()).toContain('"slot":2305843009213693953');
  expect((await stack.workspace.state())[address]).toMatchObject({ pkcs11: { slot: '2305843009213693953' } });
  await stack.ask('POST', path, { slot: '2305843009213693954' });
  const drifted = await stack.workspace.plan();
  expect(drifted.resource_drift?.[0]?.change.after).toMatchObject({
    pkcs11: { slot: '2305843009213693954' },
  });
});

test.each([
  ['mechanism', '0x1', '0x0001'],
  ['usages', ['verify', 'generate_random'], ['random', 'verify']],
])('a change of the spelling of %s is no change', async (field, one, other) => {
  const inBlock = field === 'mechanism';
  const written = (value: string | string[]) =>
    managedKey({
      name: 'signing',
      ...(!inBlock && { [field]: value }),
      pkcs11: { ...pkcs11, ...(inBlock && { [field]: value }) },
    });
  await applyKey(written(one));
  expect((await stack.must('plan')).planned).toEqual({});
  stack.resources(written(other));
  expect((await stack.must('plan')).planned).toEqual({});
});

test.each([
  ['awskms', { key_type: 'ecdsa' }],
  ['gcpckms', { algorithm: 'ec_sign_p256_sha256' }],
] as const)('a change of the case of a name is no change: %s', async (backend, lower) => {
  await applyKey(managedKey({ name: 'signing', [backend]: { ...BACKENDS[backend], ...lower } }));
  expect((await stack.must('plan')).planned).toEqual({});
  stack.resources(managedKey({ name: 'signing', [backend]: BACKENDS[backend] }));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an id that the server does not return keeps its configured value', async () => {
  const key = managedKey({ name: 'signing', pkcs11: { ...without(pkcs11, 'key_label'), key_id: '0x1f' } });
  await applyKey(key);
  expect(await onServer()).toMatchObject({ key_id: 'redacted' });
  expect((await stack.must('plan')).planned).toEqual({});
  await stack.workspace.must('state', 'rm', address);
  await stack.workspace.must('import', address, 'us//pkcs11/signing');
  expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a key that was created again by hand is noticed by its UUID, and gets its configuration again', async () => {
  await applyKey();
  const before = (await onServer())?.UUID;
  await stack.ask('DELETE', path);
  const { library, key_label, slot, mechanism, key_bits } = pkcs11;
  await stack.ask('POST', path, { library, key_label, slot, mechanism, key_bits, pin: 'of somebody else' });
  const now = (await onServer())?.UUID;

  const { planned, warnings } = await stack.run('plan');
  expect(planned).toEqual({ [address]: 'update' });
  expect(warnings).toMatchObject([
    { summary: 'managed key "signing" on cluster "us" was deleted and created again outside of Terraform' },
  ]);
  expect(warnings[0]?.detail).toContain(`UUID before: ${String(before)}.\nUUID now: ${String(now)}.`);
  const plan = await stack.workspace.plan();
  expect(plan.resource_drift?.[0]?.change).toMatchObject({ before: { uuid: before }, after: { uuid: now } });

  const { code, requests } = await stack.run('apply');
  expect({ code, requests }).toEqual({ code: 0, requests: [`GET ${path}`, `POST ${path}`] });
  expect((await stack.must('plan')).planned).toEqual({});
  expect((await stack.workspace.state())[address]).toMatchObject({ uuid: now });
});

describe('a key that a mount lists', () => {
  beforeEach(async () => {
    await applyKey();
    for (const mount of ['pki', 'other']) {
      const config = mount === 'pki' ? { allowed_managed_keys: ['signing'] } : {};
      await stack.ask('POST', `sys/mounts/${mount}`, { type: 'kv', config });
    }
  });

  test('a destroy of a key that mounts list is refused, and the error names the mounts', async () => {
    const { code, errors } = await stack.run('destroy');
    expect(code).toBe(1);
    expect(errors[0]?.summary).toBe('cannot delete managed key "signing" on cluster "us": mounts list it');
    expect(errors[0]?.detail).toContain('Mounts that list it in allowed_managed_keys: "pki/".');
    expect(errors[0]?.detail).toContain(
      'To do: remove the key from allowed_managed_keys of these mounts first.',
    );
    expect(await stack.addresses()).toEqual([address]);

    await stack.ask('POST', 'sys/mounts/pki/tune', { allowed_managed_keys: [] });
    await stack.must('destroy');
    expect(await onServer()).toBeUndefined();
  });

  test('a destroy of such a key is refused without the names of the mounts if the token may not read them', async () => {
    stack.emulator.faults.inject({ path: 'sys/mounts', status: 403, errors: ['permission denied'] });
    const { errors } = await stack.run('destroy');
    expect(errors[0]?.summary).toBe(
      'cannot delete managed key "signing" on cluster "us": the server refused the request',
    );
    expect(errors[0]?.detail).toContain('it is listed in allowed_managed_keys of the mounts pki/');
    expect(await stack.addresses()).toEqual([address]);
  });
});

test('a server without HSM support is an error that says so', async () => {
  await stack.close();
  stack = await startStack({ serverVersion: '1.21.0' });
  stack.resources(managedKey({ name: 'signing', pkcs11 }));
  const { errors } = await stack.run('apply');
  expect(errors[0]?.detail).toContain('which every managed key requires');
});
