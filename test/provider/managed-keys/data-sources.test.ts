import { block, startStack, type Stack } from '../support';
import { BACKENDS } from './support';

const FROM_ONE = 'data.vaultadmin_managed_key.it';
const FROM_ALL = 'data.vaultadmin_managed_keys.it';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  const { library, key_label, slot, mechanism, pin_wo: pin } = BACKENDS.pkcs11;
  await stack.ask('POST', 'sys/managed-keys/pkcs11/hsm', { library, key_label, slot, mechanism, pin });
  const { kms_key, key_type, curve } = BACKENDS.awskms;
  await stack.ask('POST', 'sys/managed-keys/awskms/cloud', { kms_key, key_type, curve });
});
afterAll(() => stack.close());

async function read(type: string, attributes: object) {
  stack.resources(block('data', type, attributes));
  await stack.must('apply', '-refresh-only');
  return stack.workspace.state();
}

describe('the data source of a key', () => {
  test.each([{ name: 'hsm' }, { name: 'hsm', type: 'pkcs11' }])('%j returns the key', async (attributes) => {
    const { UUID } = (await stack.ask('GET', 'sys/managed-keys/pkcs11/hsm')).data!;
    expect((await read('vaultadmin_managed_key', attributes))[FROM_ONE]).toEqual({
      id: 'us//pkcs11/hsm',
      cluster: 'us',
      namespace: null,
      name: 'hsm',
      type: 'pkcs11',
      uuid: UUID,
      allow_generate_key: false,
      allow_replace_key: false,
      allow_store_key: false,
      any_mount: false,
      usages: ['sign', 'verify'],
      awskms: null,
      azurekeyvault: null,
      gcpckms: null,
      pkcs11: {
        library: 'softhsm',
        key_label: 'signing',
        key_id: null,
        mechanism: '0x0001',
        mechanism_name: 'CKM_RSA_PKCS',
        slot: '2305843009213693953',
        token_label: null,
        curve: '',
        key_bits: 0,
        force_rw_session: false,
        max_parallel: 1,
        rsa_oaep_hash: '',
      },
    });
  });

  test.each([
    [{ name: 'other' }, 'managed key "other" on cluster "us" does not exist'],
    [{ name: 'hsm', type: 'awskms' }, 'managed key "hsm" on cluster "us" does not exist'],
    [{ name: 'hsm', type: 'softhsm' }, 'Invalid type'],
  ])('the data source refuses %j', async (attributes, summary) => {
    stack.resources(block('data', 'vaultadmin_managed_key', attributes));
    const { code, errors } = await stack.run('plan');
    expect({ code, errors }).toMatchObject({ code: 1, errors: [{ summary }] });
  });
});

describe('the data source of the list', () => {
  test('the list contains all keys, with one request for each type', async () => {
    expect((await read('vaultadmin_managed_keys', {}))[FROM_ALL]).toEqual({
      cluster: 'us',
      namespace: null,
      type: null,
      names: ['cloud', 'hsm'],
      types: { cloud: 'awskms', hsm: 'pkcs11' },
    });
  });

  test.each([
    ['awskms', ['cloud'], { cloud: 'awskms' }],
    ['gcpckms', [], {}],
  ])('the list of type %s contains the keys of this type', async (type, names, types) => {
    expect((await read('vaultadmin_managed_keys', { type }))[FROM_ALL]).toMatchObject({ type, names, types });
  });

  test('the list of a server without HSM support is empty', async () => {
    await using other = await startStack({ serverVersion: '1.20.0+ent.fips1403' });
    other.resources(block('data', 'vaultadmin_managed_keys', {}));
    await other.must('apply', '-refresh-only');
    expect((await other.workspace.state())[FROM_ALL]).toMatchObject({ names: [], types: {} });
  });
});
