import { allClusters, startStack, type Stack } from '../support';
import { BACKENDS, managedKey, without } from './support';

const address = 'vaultadmin_managed_key.it';
const { pkcs11, awskms } = BACKENDS;

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm', provider: allClusters });
});
afterEach(() => stack.close());

/** Makes a key by hand. */
async function make(type: 'pkcs11' | 'awskms', name: string, namespace = ''): Promise<void> {
  const { library, key_label, slot, mechanism, key_bits, pin_wo } = pkcs11;
  const { kms_key, key_type, curve } = awskms;
  const body =
    type === 'pkcs11'
      ? { library, key_label, slot, mechanism, key_bits, pin: pin_wo, usages: 'sign' }
      : { kms_key, key_type, curve };
  await stack.ask('POST', `sys/managed-keys/${type}/${name}`, body, { namespace });
}

const unsecured = without(
  awskms,
  'access_key_wo',
  'access_key_wo_version',
  'secret_key_wo',
  'secret_key_wo_version',
);

async function importKey(id: string) {
  return stack.workspace.run('import', '-input=false', '-no-color', address, id);
}

test(`version 1 of an imported secret keeps the server's secret, and another version writes the secret`, async () => {
  await make('pkcs11', 'signing');
  const key = (pin_wo: string, pin_wo_version: number) =>
    managedKey({ name: 'signing', usages: ['sign'], pkcs11: { ...pkcs11, pin_wo, pin_wo_version } });
  stack.resources(key('not looked at', 1));
  expect((await importKey('us//pkcs11/signing')).code).toBe(0);
  expect((await stack.workspace.state())[address]).toMatchObject({
    id: 'us//pkcs11/signing',
    type: 'pkcs11',
    usages: ['sign'],
    pkcs11: { library: 'softhsm', slot: pkcs11.slot, max_parallel: 1, pin: null, pin_wo_version: 1 },
  });
  const { planned, requests } = await stack.must('apply');
  expect({ planned, requests }).toEqual({ planned: {}, requests: ['GET sys/managed-keys/pkcs11/signing'] });

  stack.resources(key('4321', 2));
  expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a version without its secret leaves the secret on the server, and an update warns of it', async () => {
  await stack.ask('POST', 'sys/managed-keys/awskms/signing', {
    ...unsecured,
    access_key: 'AKIA',
    secret_key: 'secret',
  });
  const versions = { access_key_wo_version: 1, secret_key_wo_version: 1 };
  stack.resources(managedKey({ name: 'signing', awskms: { ...unsecured, ...versions } }));
  expect((await importKey('us//awskms/signing')).code).toBe(0);
  expect((await stack.must('plan')).planned).toEqual({});

  stack.resources(managedKey({ name: 'signing', any_mount: true, awskms: { ...unsecured, ...versions } }));
  const { code, errors, warnings } = await stack.run('apply');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect([...new Set(warnings.map(({ summary }) => summary))]).toEqual([
    'managed key "signing" on cluster "us": the update leaves out access_key and secret_key',
  ]);
  expect((await stack.ask('GET', 'sys/managed-keys/awskms/signing')).data).toMatchObject({
    any_mount: true,
    access_key: 'redacted',
    secret_key: 'redacted',
  });
});

test('an import of a key without secrets leads to a plan without changes', async () => {
  await make('awskms', 'signing');
  stack.resources(managedKey({ name: 'signing', awskms: unsecured }));
  expect((await importKey('us//awskms/signing')).code).toBe(0);
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an import block leads to a plan without changes', async () => {
  await make('awskms', 'signing');
  const block = `import {\n  to = ${address}\n  id = "us//awskms/signing"\n}\n`;
  stack.resources(block + managedKey({ name: 'signing', awskms: unsecured }));
  await stack.must('apply');
  expect(await stack.addresses()).toEqual([address]);
});

test('the configuration that Terraform writes for an imported key plans no change', async () => {
  await make('awskms', 'signing');
  stack.resources(`import {\n  to = ${address}\n  id = "us//awskms/signing"\n}\n`);
  await stack.workspace.must('plan', '-input=false', '-generate-config-out=generated.tf');
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
});

test.each([
  ['the full form', 'us/team//awskms/signing'],
  ['the full form without a type', 'us/team//signing'],
  ['the short form', 'us/team/awskms/signing'],
  ['the short form without a type', 'us/team/signing'],
  ['the short form without the only cluster', 'team/awskms/signing'],
])('an import finds a key by %s: %s', async (_name, id) => {
  await stack.ask('POST', 'sys/namespaces/team', {});
  await make('awskms', 'signing', 'team');
  stack.resources(managedKey({ name: 'signing', namespace: 'team', awskms: unsecured }));
  expect((await importKey(id)).code).toBe(0);
  expect((await stack.workspace.state())[address]).toMatchObject({
    id: 'us/team//awskms/signing',
    namespace: 'team',
    type: 'awskms',
  });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an import by the name alone finds the type of the key', async () => {
  await make('pkcs11', 'signing');
  stack.resources(managedKey({ name: 'signing', pkcs11 }));
  expect((await importKey('signing')).code).toBe(0);
  expect((await stack.workspace.state())[address]).toMatchObject({ id: 'us//pkcs11/signing' });
});

test.each([
  ['a key that does not exist', 'us//pkcs11/signing', 'managed key "signing" on cluster "us" does not exist'],
  [
    'a key that does not exist, without a type',
    'us//signing',
    'managed key "signing" on cluster "us" does not exist',
  ],
  [
    'an unknown type',
    'us//softhsm/signing',
    'import id "us//softhsm/signing" names an unknown type "softhsm"',
  ],
  ['a type without a name', 'us//pkcs11', 'To do: write "us//pkcs11/NAME", with the name of the key.'],
  [
    'a key that does not exist, with advice about the form of ids,',
    'us//signing',
    'To do: check the parts of the id, cluster/namespace//type/name, in which',
  ],
  ['a name in upper case', 'us//pkcs11/Signing', 'managed key "Signing": name must be lower case'],
])('an import of %s is refused', async (_name, id, text) => {
  stack.resources(managedKey({ name: 'signing', pkcs11 }));
  const { code, stderr } = await importKey(id);
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain(text);
  expect(await stack.addresses()).toEqual([]);
});

test('an import id that begins with a type, with several clusters, is refused with the id to write', async () => {
  const two = await startStack({ clusters: { us: 0, eu: 0 } });
  try {
    two.resources(managedKey({ name: 'signing', cluster: 'us', pkcs11 }));
    const { code, stderr } = await two.workspace.run(
      'import',
      '-input=false',
      '-no-color',
      address,
      'pkcs11/signing',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('import id "pkcs11/signing" does not contain a cluster name');
    expect(stderr).toContain('To do: write "eu//pkcs11/signing" for the key on that cluster.');
  } finally {
    await two.close();
  }
});
