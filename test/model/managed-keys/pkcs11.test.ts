import { KEY_CURVES, MANAGED_KEY_BACKENDS, RSA_KEY_BITS, type FieldValues } from '../../../src/model';
import { linesOf } from './support';

const supported =
  'allowed: 0x0001 (CKM_RSA_PKCS), 0x0009 (CKM_RSA_PKCS_OAEP), 0x000D (CKM_RSA_PKCS_PSS), 0x1041 (CKM_ECDSA)';

test.each<FieldValues>([
  { key_label: undefined, key_id: '0a1b' },
  { key_id: '0a1b' },
  { key_label: '', key_id: '0a1b' },
  { slot: undefined, token_label: 'prod' },
  { slot: '', token_label: 'prod' },
  { slot: '5', token_label: '' },
  { slot: '2305843009213693953' },
  { mechanism: '0x80000000000000001' },
  { mechanism: '0x000d' },
  { curve: '', key_bits: 0 },
  { max_parallel: 8 },
  { force_rw_session: true },
  { allow_generate_key: true, key_bits: 2048 },
  { allow_generate_key: true, mechanism: '0x9', key_bits: 4096 },
  { allow_generate_key: true, mechanism: '0x000D', key_bits: 3072 },
  { allow_generate_key: true, mechanism: '0x1041', curve: 'P256' },
  { rsa_oaep_hash: '', mechanism: '0x0001' },
  ...['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((rsa_oaep_hash) => ({
    rsa_oaep_hash,
    mechanism: '0x9',
  })),
])('a key with %j has no findings', (changes) => {
  expect(linesOf('pkcs11', changes)).toEqual([]);
});

test.each([
  ['0x1', 'CKM_RSA_PKCS'],
  ['0x000d', 'CKM_RSA_PKCS_PSS'],
  ['0x1087', 'CKM_AES_GCM'],
  ['0x80000001', undefined],
  ['CKM_ECDSA', undefined],
  [undefined, undefined],
])('the mechanism %s has the name %s', (mechanism, name) => {
  expect(MANAGED_KEY_BACKENDS.pkcs11.fields.mechanism?.valueName?.(mechanism)).toBe(name);
});

test.each<[FieldValues, string]>([
  [
    { key_label: undefined },
    'key_label or key_id is required; allowed: the label of the key, or its id; set key_label or key_id',
  ],
  [
    { slot: undefined },
    'slot or token_label is required; allowed: the number of the slot, or the label of its token; set slot or token_label',
  ],
  [
    { token_label: 'prod' },
    'slot conflicts with token_label; received "5", with token_label "prod"; allowed: one of the two; remove slot or token_label',
  ],
  [
    { slot: '0x2000000000000001' },
    'slot must be a decimal number; received "0x2000000000000001"; ' +
      'allowed: decimal digits; convert hexadecimal numbers; write "2305843009213693953"',
  ],
  [
    { slot: 'first' },
    'slot must be a decimal number; received "first"; ' +
      'allowed: decimal digits; convert hexadecimal numbers; write the number of the slot',
  ],
  [
    { mechanism: 'CKM_AES_GCM' },
    `mechanism must be a hexadecimal number; received "CKM_AES_GCM"; ${supported.replace('allowed: ', 'allowed: "0x" and 1 to 100 hexadecimal digits, such as ')}; write "0x1087"`,
  ],
  [
    { mechanism: 'CKM_ECDSA' },
    `mechanism must be a hexadecimal number; received "CKM_ECDSA"; ${supported.replace('allowed: ', 'allowed: "0x" and 1 to 100 hexadecimal digits, such as ')}; write "0x1041"`,
  ],
  [
    { mechanism: '1' },
    `mechanism must be a hexadecimal number; received "1"; ${supported.replace('allowed: ', 'allowed: "0x" and 1 to 100 hexadecimal digits, such as ')}; write the mechanism's number`,
  ],
  [
    { max_parallel: 0 },
    'max_parallel must be at least 1; received 0; ' +
      'allowed: the maximum number of concurrent requests to the HSM, 1 or more; set it to 1 or more, or remove it for the default of 1',
  ],
  [
    { curve: 'P-256' },
    'curve must be one of the allowed values; received "P-256"; allowed: "P256", "P384", "P521"; write "P256"',
  ],
  [
    { key_bits: 1024 },
    'key_bits must be one of the allowed values; received 1024; allowed: 2048, 3072, 4096; use one of the allowed values',
  ],
  [
    { allow_generate_key: true, key_bits: 2048, key_label: undefined, key_id: '01' },
    'key_label is required if allow_generate_key is true; ' +
      'allowed: the label of the generated key; the HSM assigns ids; set key_label, or set allow_generate_key to false',
  ],
  [
    { allow_generate_key: true, mechanism: '0x0251' },
    `mechanism is a mechanism for which the server cannot generate keys; received "0x0251"; ${supported}; ` +
      'use one of these, or create the key in the HSM and set allow_generate_key to false',
  ],
  [
    { allow_generate_key: true },
    'key_bits is required if allow_generate_key is true and the mechanism is ' +
      'CKM_RSA_PKCS or CKM_RSA_PKCS_OAEP or CKM_RSA_PKCS_PSS; allowed: 2048, 3072, 4096; set key_bits, or set allow_generate_key to false',
  ],
  [
    { allow_generate_key: true, mechanism: '0x1041', key_bits: 2048 },
    'curve is required if allow_generate_key is true and the mechanism is CKM_ECDSA; ' +
      'allowed: "P256", "P384", "P521"; set curve, or set allow_generate_key to false',
  ],
  [
    { rsa_oaep_hash: 'sha256', mechanism: '0x000D' },
    'rsa_oaep_hash requires the mechanism CKM_RSA_PKCS_OAEP; received mechanism "0x000D"; ' +
      'allowed: mechanism "0x0009"; remove rsa_oaep_hash, or set mechanism to "0x0009"',
  ],
  [
    { rsa_oaep_hash: 'sha2-256', mechanism: '0x0009' },
    'rsa_oaep_hash must be one of the allowed values; received "sha2-256"; ' +
      'allowed: "sha1", "sha224", "sha256", "sha384", "sha512"; write "sha256"',
  ],
])('a key with %j is refused', (changes, text) => {
  expect(linesOf('pkcs11', changes)).toEqual([`error: managed key "k": ${text}`]);
});

test('a key without a label, id or slot has findings on both', () => {
  expect(linesOf('pkcs11', { key_label: '', slot: '' })).toHaveLength(2);
});

test('a PIN is never shown', () => {
  expect(JSON.stringify(linesOf('pkcs11', { pin: 4711 }))).toMatch(/pin must be text; write text/);
});

test.each(KEY_CURVES)('the curve %s is accepted', (curve) => {
  expect(linesOf('pkcs11', { mechanism: '0x1041', curve })).toEqual([]);
});

test.each(RSA_KEY_BITS)('a key of %d bits is accepted', (key_bits) => {
  expect(linesOf('pkcs11', { key_bits })).toEqual([]);
});

test.each([
  [
    { mechanism: '0x0001', key_bits: 2048 },
    { family: 'RSA', bits: 2048 },
  ],
  [{ mechanism: '0x0009', key_bits: 0 }, { family: 'RSA' }],
  [
    { mechanism: '0x1041', curve: 'P384' },
    { family: 'ECDSA', curve: 'P384' },
  ],
  [{ mechanism: '0x1041', curve: '' }, { family: 'ECDSA' }],
  [{ mechanism: '0x0251' }, undefined],
  [{}, undefined],
])('the configuration %j describes the key %j', (fields, spec) => {
  expect(MANAGED_KEY_BACKENDS.pkcs11.keySpec(fields)).toEqual(spec);
});
