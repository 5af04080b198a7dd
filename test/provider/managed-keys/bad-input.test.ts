import { startStack, type Message, type Report, type Stack } from '../support';
import { BACKENDS, Expression, managedKey, without, type BlockValues, type Value } from './support';

type Values = Readonly<Record<string, Value | BlockValues>>;

const unlabeled = without(BACKENDS.pkcs11, 'key_label');
const withoutPin = without(BACKENDS.pkcs11, 'pin_wo', 'pin_wo_version');
const identity = without(BACKENDS.azurekeyvault, 'client_id', 'client_secret_wo', 'client_secret_wo_version');
const generated = { allow_generate_key: true };
const pkcs11 = (values: BlockValues) => ({ pkcs11: { ...BACKENDS.pkcs11, ...values } });
const awskms = (values: BlockValues) => ({ awskms: { ...BACKENDS.awskms, ...values } });
const gcpckms = (values: BlockValues) => ({ gcpckms: { ...BACKENDS.gcpckms, ...values } });
const RSA = { ...without(BACKENDS.awskms, 'curve'), key_type: 'RSA', key_bits: 2048 };

/**
 * Bad keys by name: their values, the problem, its line, and a part of the details. There is one
 * for each kind of place in the configuration; the tests of the model have all conditions.
 */
const bad: Readonly<Record<string, [values: Values, problem: string, line: string, detail: string]>> = {
  UPPER: [pkcs11({}), 'name must be lower case', 'name', 'To do: write "upper".'],
  'unknown-usage': [
    { ...pkcs11({}), usages: ['sign', 'count'] },
    'usages contains a usage that does not exist',
    'usages',
    'Received: "count".\nAllowed: "encrypt", "decrypt", "sign"',
  ],
  'neither-label-nor-id': [
    { pkcs11: unlabeled },
    'key_label or key_id is required',
    'pkcs11',
    'set key_label',
  ],
  'hexadecimal-slot': [
    pkcs11({ slot: '0x10' }),
    'slot must be a decimal number',
    'slot',
    'To do: write "16".',
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
  'generated-by-id': [
    { ...generated, pkcs11: { ...unlabeled, key_id: '0x1' } },
    'key_label is required if allow_generate_key is true',
    'pkcs11',
    'the HSM assigns ids',
  ],
  'half-azure-credentials': [
    { azurekeyvault: { ...identity, client_id: 'client' } },
    'client_id and client_secret belong together: client_secret is missing',
    'client_id',
    'with a managed identity',
  ],
  'odd-algorithm': [
    gcpckms({ algorithm: 'RSA_SIGN_PSS_1024_SHA1' }),
    'algorithm must be one of the allowed values',
    'algorithm',
    'Received: "RSA_SIGN_PSS_1024_SHA1".\nAllowed: "EC_SIGN_P256_SHA256"',
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
};

/** The bad keys after correction. */
const good: Readonly<Record<string, Values>> = {
  lower: pkcs11({}),
  'other-spelling-of-usage': { ...pkcs11({}), usages: ['sign', 'generate_random'] },
  'known-by-id': { pkcs11: { ...unlabeled, key_id: '0x1' } },
  'generated-by-alias': { ...generated, ...awskms({ kms_key: 'alias/new' }) },
  'azure-by-identity': { azurekeyvault: identity },
  'lower-algorithm': gcpckms({ algorithm: 'ec_sign_p256_sha256' }),
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

test.each(Object.entries(bad))(
  'a key is refused, and the error has the problem and its line: %s',
  (name, [, problem, line, detail]) => {
    const [error, another] = said(report.errors, name);
    expect(another).toBeUndefined();
    expect(error?.summary).toContain(`managed key "${name}": ${problem}`);
    expect(error?.line?.split(/ [={]/)[0]).toBe(line);
    expect(error?.detail).toContain(detail);
  },
);

test.each(Object.keys(good))('a corrected key is planned: %s', (name) => {
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
