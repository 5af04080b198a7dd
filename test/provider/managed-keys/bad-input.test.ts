import { startStack, type Message, type Report, type Stack } from '../support';
import { BACKENDS, Expression, managedKey, without, type BlockValues, type Value } from './support';

type Values = Readonly<Record<string, Value | BlockValues>>;

const unlabeled = without(BACKENDS.pkcs11, 'key_label');
const unslotted = without(BACKENDS.pkcs11, 'slot');
const withoutPin = without(BACKENDS.pkcs11, 'pin_wo', 'pin_wo_version');
const identity = without(BACKENDS.azurekeyvault, 'client_id', 'client_secret_wo', 'client_secret_wo_version');
const uncurved = without(BACKENDS.awskms, 'curve');
/** The line that Terraform shows for a resource. */
const RESOURCE = /^resource/;
const generated = { allow_generate_key: true };
const pkcs11 = (values: BlockValues) => ({ pkcs11: { ...BACKENDS.pkcs11, ...values } });
const awskms = (values: BlockValues) => ({ awskms: { ...BACKENDS.awskms, ...values } });
const azure = (values: BlockValues) => ({ azurekeyvault: { ...BACKENDS.azurekeyvault, ...values } });
const gcpckms = (values: BlockValues) => ({ gcpckms: { ...BACKENDS.gcpckms, ...values } });
const RSA = { ...uncurved, key_type: 'RSA', key_bits: 2048 };

/**
 * By a name for the bad key: the problem, the line, and the texts about received and allowed
 * values.
 */
const bad: Readonly<
  Record<string, [values: Values, problem: string, line: string | RegExp, detail: string]>
> = {
  UPPER: [pkcs11({}), 'name must be lower case', 'name', 'To do: write "upper".'],
  'no-backend': [
    {},
    'type must come from one block',
    RESOURCE,
    'Received: none.\nAllowed: one of the blocks pkcs11',
  ],
  'two-backends': [
    { ...pkcs11({}), ...awskms({}) },
    'type must come from one block',
    RESOURCE,
    'Received: pkcs11, awskms.',
  ],
  'unknown-usage': [
    { ...pkcs11({}), usages: ['sign', 'count'] },
    'usages contains a usage that does not exist',
    'usages',
    'Received: "count".\nAllowed: "encrypt", "decrypt", "sign"',
  ],
  'no-usages': [
    { ...pkcs11({}), usages: [] },
    'usages must name at least one usage',
    'usages',
    'Received: []',
  ],

  'neither-label-nor-id': [
    { pkcs11: unlabeled },
    'key_label or key_id is required',
    'pkcs11',
    'set key_label',
  ],
  'neither-slot-nor-label': [{ pkcs11: unslotted }, 'slot or token_label is required', 'pkcs11', 'set slot'],
  'slot-and-label': [
    pkcs11({ token_label: 't' }),
    'slot conflicts with token_label',
    'slot',
    'with token_label "t"',
  ],
  'hexadecimal-slot': [
    pkcs11({ slot: '0x10' }),
    'slot must be a decimal number',
    'slot',
    'To do: write "16".',
  ],
  'named-mechanism': [
    pkcs11({ mechanism: 'CKM_ECDSA' }),
    'mechanism must be a hexadecimal number',
    'mechanism',
    'To do: write "0x1041".',
  ],
  'no-pin': [
    { pkcs11: withoutPin },
    'pin is required',
    'pkcs11',
    'To do: set pin.\npin is stored in the state',
  ],
  'pin-as-shown': [
    pkcs11({ pin_wo: 'redacted' }),
    'pin must be the actual value, not the placeholder that servers return',
    'pin_wo',
    'To do: set pin to the actual value.',
  ],
  'id-as-shown': [
    pkcs11({ key_id: 'redacted' }),
    'key_id must be the actual value',
    'key_id',
    'To do: set key_id to the actual value.',
  ],
  'empty-library': [pkcs11({ library: '' }), 'library must not be empty', 'library', 'Received: "".'],
  'odd-curve': [
    pkcs11({ curve: 'P224' }),
    'curve must be one of the allowed values',
    'curve',
    'Received: "P224".\nAllowed: "P256", "P384", "P521".',
  ],
  'odd-bits': [
    pkcs11({ key_bits: 1024 }),
    'key_bits must be one of the allowed values',
    'key_bits',
    'Received: 1024.\nAllowed: 2048, 3072, 4096.',
  ],
  'none-parallel': [
    pkcs11({ max_parallel: 0 }),
    'max_parallel must be at least 1',
    'max_parallel',
    'Received: 0.',
  ],
  'generated-by-id': [
    { ...generated, pkcs11: { ...unlabeled, key_id: '0x1' } },
    'key_label is required if allow_generate_key is true',
    'pkcs11',
    'the HSM assigns ids',
  ],
  'generated-by-odd-mechanism': [
    { ...generated, ...pkcs11({ mechanism: '0x1042' }) },
    'mechanism is a mechanism for which the server cannot generate keys',
    'mechanism',
    'Allowed: 0x0001 (CKM_RSA_PKCS)',
  ],
  'generated-without-curve': [
    { ...generated, ...pkcs11({ mechanism: '0x1041' }) },
    'curve is required if allow_generate_key is true and the mechanism is CKM_ECDSA',
    'pkcs11',
    'Allowed: "P256"',
  ],
  'generated-without-bits': [
    { ...generated, pkcs11: without(BACKENDS.pkcs11, 'key_bits') },
    'key_bits is required if allow_generate_key is true and the mechanism is CKM_RSA_PKCS or',
    'pkcs11',
    'Allowed: 2048, 3072, 4096.',
  ],

  'odd-aws-type': [
    awskms({ key_type: 'EC' }),
    'key_type must be one of the allowed values',
    'key_type',
    'Received: "EC".\nAllowed: "RSA", "ECDSA".',
  ],
  'rsa-without-bits': [
    { awskms: { ...uncurved, key_type: 'RSA' } },
    'key_bits is required if key_type is RSA',
    'awskms',
    'Allowed: 2048, 3072, 4096.',
  ],
  'ecdsa-without-curve': [
    { awskms: uncurved },
    'curve is required if key_type is ECDSA',
    'awskms',
    'Allowed: "P256", "P384", "P521".',
  ],
  'generated-by-arn': [
    { ...generated, ...awskms({ kms_key: 'arn:aws:kms:us-east-1:1:key/2' }) },
    'kms_key must be an alias if allow_generate_key is true',
    'kms_key',
    'Allowed: an alias such as "alias/signing"',
  ],
  'odd-azure-type': [
    azure({ key_type: 'RSA' }),
    'key_type must be one of the allowed values',
    'key_type',
    'Received: "RSA".\nAllowed: "RSA-HSM".',
  ],
  'half-azure-credentials': [
    { azurekeyvault: { ...identity, client_id: 'client' } },
    'client_id and client_secret belong together: client_secret is missing',
    'client_id',
    'with a managed identity',
  ],
  'generated-azure-without-bits': [
    { ...generated, azurekeyvault: without(BACKENDS.azurekeyvault, 'key_bits') },
    'key_bits is required if allow_generate_key is true',
    'azurekeyvault',
    'Allowed: 2048, 3072, 4096.',
  ],
  'odd-algorithm': [
    gcpckms({ algorithm: 'RSA_SIGN_PSS_1024_SHA1' }),
    'algorithm must be one of the allowed values',
    'algorithm',
    'Received: "RSA_SIGN_PSS_1024_SHA1".\nAllowed: "EC_SIGN_P256_SHA256"',
  ],

  'two-pins': [pkcs11({ pin: '1' }), 'pin and pin_wo cannot be used together', 'pin', 'To do: leave out pin'],
  'pin-without-version': [
    { pkcs11: { ...withoutPin, pin_wo: '1234' } },
    'pin_wo requires pin_wo_version',
    'pin_wo',
    'To do: set pin_wo_version = 1',
  ],

  'odd-hash': [
    { ...pkcs11({}), test_sign: { hash_algorithm: 'md5' } },
    'test_sign.hash_algorithm must be one of the allowed values',
    'hash_algorithm',
    'Received: "md5".\nAllowed: "sha1", "sha2-224"',
  ],
  'pss-for-ecdsa': [
    { ...awskms({}), test_sign: { use_pss: true } },
    'test_sign.use_pss is only for RSA keys, but the key is an ECDSA key',
    'use_pss',
    'Received: true.',
  ],
  'hash-unlike-algorithm': [
    { ...gcpckms({}), test_sign: { hash_algorithm: 'sha2-512' } },
    "test_sign.hash_algorithm does not match the key's algorithm",
    'hash_algorithm',
    'Received: "sha2-512".\nAllowed: "sha2-256".',
  ],
};

/** The good key that belongs to each bad key. */
const good: Readonly<Record<string, Values>> = {
  lower: pkcs11({}),
  'other-spelling-of-usage': { ...pkcs11({}), usages: ['sign', 'generate_random'] },
  'known-by-id': { pkcs11: { ...unlabeled, key_id: '0x1' } },
  'slot-by-label': { pkcs11: { ...unslotted, token_label: 't' } },
  'odd-mechanism': pkcs11({ mechanism: '0x80000001' }),
  'long-mechanism': pkcs11({ mechanism: '0x8000000000000001' }),
  'generated-rsa': { ...generated, ...pkcs11({}) },
  'generated-ecdsa': { ...generated, ...pkcs11({ mechanism: '0x1041', curve: 'P521' }) },
  parallel: pkcs11({ max_parallel: 8 }),
  'aws-rsa': { awskms: { ...RSA, key_type: 'rsa' } },
  'aws-ecdsa': awskms({ key_type: 'ecdsa' }),
  'aws-of-the-server': {
    awskms: { kms_key: 'arn:aws:kms:us-east-1:1:key/2', key_type: 'ECDSA', curve: 'P256' },
  },
  'generated-by-alias': { ...generated, ...awskms({ kms_key: 'alias/new' }) },
  'generated-by-alias-arn': { ...generated, ...awskms({ kms_key: 'arn:aws:kms:us-east-1:1:alias/new' }) },
  'azure-by-identity': { azurekeyvault: identity },
  'generated-azure': { ...generated, ...azure({}) },
  'lower-algorithm': gcpckms({ algorithm: 'ec_sign_p256_sha256' }),
  'gcp-of-the-server': {
    gcpckms: { key_ring: 'r', crypto_key: 'k', algorithm: 'RSA_SIGN_PKCS1_4096_SHA512' },
  },
  'pss-for-rsa': { awskms: RSA, test_sign: { use_pss: true, hash_algorithm: 'sha3-256' } },
  'as-the-algorithm': { ...gcpckms({}), test_sign: { hash_algorithm: 'sha2-256' } },
};

let stack: Stack;
let report: Report;
beforeAll(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  const all = [
    ...Object.entries(bad).map(([name, [values]]) => [name, values] as const),
    ...Object.entries(good),
  ];
  stack.resources(all.map(([name, values]) => managedKey({ name, ...values }, name)).join('\n'));
  report = await stack.run('plan');
});
afterAll(() => stack.close());

function said(of: readonly Message[], name: string): readonly Message[] {
  return of.filter(({ summary }) => summary.startsWith(`managed key "${name}":`));
}

test.each(Object.entries(bad))('a key is refused: %s', (name, [, problem, line, detail]) => {
  const [error, another] = said(report.errors, name);
  expect(another).toBeUndefined();
  expect(error?.summary).toContain(`managed key "${name}": ${problem}`);
  expect(error?.line?.split(/ [={]/)[0]).toMatch(typeof line === 'string' ? new RegExp(`^${line}$`) : line);
  expect(error?.detail).toContain(detail);
});

test.each(Object.keys(good))('the corrected key is planned: %s', (name) => {
  expect(said(report.errors, name)).toEqual([]);
  expect(said(report.warnings, name)).toEqual([]);
});

test('plans of bad keys send no request', () => {
  expect(report.code).toBe(1);
  expect(report.errors).toHaveLength(Object.keys(bad).length);
  expect(report.requests).toEqual([]);
});

describe('values that are unknown in the plan', () => {
  const LATE = `resource "terraform_data" "late" {
    input = { mechanism = "0x1", slot = "7", pin = "1234", name = "signing", hash = "sha2-256", generate = true }
  }\n`;
  const late = (name: string) => new Expression(`terraform_data.late.output.${name}`);
  afterEach(async () => {
    await stack.run('destroy');
  });

  test('unknown values cause no errors, and are checked once they are known', async () => {
    const key = managedKey({
      name: late('name'),
      allow_generate_key: late('generate'),
      pkcs11: { ...pkcs11({}).pkcs11, mechanism: late('mechanism'), slot: late('slot'), pin_wo: late('pin') },
      test_sign: { hash_algorithm: late('hash') },
    });
    stack.resources(LATE + key);
    await stack.must('apply');
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a block that is unknown may be the only block of the key', async () => {
    const dynamic = `dynamic "pkcs11" {
      for_each = terraform_data.late.output.generate ? [1] : []
      content {
        library = "softhsm"
        key_label = "signing"
        slot = "7"
        mechanism = "0x1"
        pin_wo = "1234"
        pin_wo_version = 1
      }
    }\n`;
    stack.resources(LATE + managedKey({ name: 'dynamic' }).replace(/\}\n$/, `${dynamic}}\n`));
    await stack.must('apply');
    expect((await stack.workspace.state())['vaultadmin_managed_key.it']).toMatchObject({ type: 'pkcs11' });
    expect((await stack.must('plan')).planned).toEqual({});
  });
});
