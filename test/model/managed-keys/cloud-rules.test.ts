import {
  GCP_ALGORITHMS,
  isAwsAlias,
  MANAGED_KEY_BACKENDS,
  type FieldValues,
  type ManagedKeyTypeName,
} from '../../../src/model';
import { linesOf } from './support';

test.each<[ManagedKeyTypeName, FieldValues]>([
  ['awskms', { key_type: 'rsa', key_bits: 4096 }],
  ['awskms', { key_type: 'ecdsa', key_bits: undefined, curve: 'P256' }],
  ['awskms', { key_type: 'ECDSA', curve: 'P521' }],
  ['awskms', { kms_key: 'arn:aws:kms:eu-west-1:1:key/abc' }],
  ['awskms', { allow_generate_key: true }],
  ['awskms', { allow_generate_key: true, kms_key: 'arn:aws:kms:eu-west-1:000000000000:alias/a' }],
  ['awskms', { access_key: 'a', secret_key: 's', endpoint: 'http://localhost', region: '' }],
  ['azurekeyvault', { client_id: 'c', client_secret: 's' }],
  ['azurekeyvault', { client_id: '', client_secret: '' }],
  ['azurekeyvault', { allow_generate_key: true, key_bits: 2048 }],
  ['azurekeyvault', { environment: 'AZUREUSGOVERNMENTCLOUD', resource: 'managedhsm.azure.net' }],
  ['azurekeyvault', { encryption_mode: 'raw' }],
  ['azurekeyvault', { encryption_mode: 'envelope' }],
  ['gcpckms', { algorithm: 'ec_sign_p256_sha256' }],
  [
    'gcpckms',
    { credentials: '/etc/vault/gcp.json', project: 'p', region: 'global', crypto_key_version: '2' },
  ],
  ['gcpckms', { allow_generate_key: true }],
])('a key of %s with %j has no findings', (type, changes) => {
  expect(linesOf(type, changes)).toEqual([]);
});

test.each(GCP_ALGORITHMS)('the algorithm %s is accepted', (algorithm) => {
  expect(linesOf('gcpckms', { algorithm })).toEqual([]);
});

test.each<[ManagedKeyTypeName, FieldValues, string]>([
  [
    'azurekeyvault',
    { encryption_mode: 'wrapped' },
    'encryption_mode must be one of the allowed values; received "wrapped"; allowed: "envelope", "raw"; use one of the allowed values',
  ],
  [
    'awskms',
    { key_bits: undefined },
    'key_bits is required if key_type is RSA; allowed: 2048, 3072, 4096; set key_bits to the size of the key',
  ],
  [
    'awskms',
    { key_type: 'ecdsa' },
    'curve is required if key_type is ECDSA; allowed: "P256", "P384", "P521"; set curve to the curve of the key',
  ],
  [
    'awskms',
    { key_type: 'DSA' },
    'key_type must be one of the allowed values; received "DSA"; allowed: "RSA", "ECDSA"; use one of the allowed values',
  ],
  [
    'awskms',
    { key_bits: 512 },
    'key_bits must be one of the allowed values; received 512; allowed: 2048, 3072, 4096; use one of the allowed values',
  ],
  [
    'awskms',
    { allow_generate_key: true, kms_key: 'arn:aws:kms:eu-west-1:1:key/abc' },
    'kms_key must be an alias if allow_generate_key is true; received "arn:aws:kms:eu-west-1:1:key/abc"; ' +
      'allowed: an alias such as "alias/signing"; a generated key gets it; set it to an alias, or set allow_generate_key to false',
  ],
  [
    'azurekeyvault',
    { key_type: 'RSA' },
    'key_type must be one of the allowed values; received "RSA"; allowed: "RSA-HSM"; write "RSA-HSM"',
  ],
  [
    'azurekeyvault',
    { client_id: 'c' },
    'client_id and client_secret belong together: client_secret is missing; ' +
      'allowed: both, or neither with a managed identity; set client_secret, or remove client_id',
  ],
  [
    'azurekeyvault',
    { client_secret: 'canary' },
    'client_id and client_secret belong together: client_id is missing; ' +
      'allowed: both, or neither with a managed identity; set client_id, or remove client_secret',
  ],
  [
    'azurekeyvault',
    { allow_generate_key: true },
    'key_bits is required if allow_generate_key is true; allowed: 2048, 3072, 4096; ' +
      'set key_bits, or set allow_generate_key to false',
  ],
])('a key of %s with %j is refused', (type, changes, text) => {
  expect(linesOf(type, changes)).toEqual([`error: managed key "k": ${text}`]);
});

test('an unknown algorithm is refused', () => {
  const [line] = linesOf('gcpckms', { algorithm: 'rsa_sign_pss_1024_sha256' });
  expect(line).toMatch(
    /^error: managed key "k": algorithm must be one of the allowed values; received "rsa_sign/,
  );
});

test('credentials in a path field are a warning, which does not show them', () => {
  expect(linesOf('gcpckms', { credentials: '{"private_key": "canary"}' })).toEqual([
    'warning: managed key "k": credentials seems to contain the credentials themselves, but the server expects the ' +
      "path of a file; allowed: the path of the credentials file on the server's machine; " +
      'put the file on the servers, and set this to its path',
  ]);
});

test.each([
  ['alias/a', true],
  ['alias/', false],
  ['my-key', false],
  ['arn:aws-cn:kms:cn-north-1:1:alias/a', true],
  ['arn:aws:s3:::alias/a', false],
])('the text %s is an alias: %s', (key, expected) => {
  expect(isAwsAlias(key)).toBe(expected);
});

test.each<[ManagedKeyTypeName, FieldValues, unknown]>([
  ['awskms', { key_type: 'rsa', key_bits: 3072 }, { family: 'RSA', bits: 3072 }],
  ['awskms', { key_type: 'ECDSA', curve: 'P384' }, { family: 'ECDSA', curve: 'P384' }],
  ['awskms', {}, undefined],
  ['azurekeyvault', {}, { family: 'RSA' }],
  ['azurekeyvault', { key_bits: 2048 }, { family: 'RSA', bits: 2048 }],
  [
    'gcpckms',
    { algorithm: 'ec_sign_p384_sha384' },
    { family: 'ECDSA', curve: 'P384', signature: { hash: 'sha2-384', pss: false } },
  ],
  [
    'gcpckms',
    { algorithm: 'RSA_SIGN_PSS_4096_SHA512' },
    { family: 'RSA', bits: 4096, signature: { hash: 'sha2-512', pss: true } },
  ],
  [
    'gcpckms',
    { algorithm: 'RSA_SIGN_PKCS1_2048_SHA256' },
    { family: 'RSA', bits: 2048, signature: { hash: 'sha2-256', pss: false } },
  ],
  ['gcpckms', { algorithm: 'none' }, undefined],
  ['gcpckms', {}, undefined],
])('the configuration of %s with %j describes the key %j', (type, fields, spec) => {
  expect(MANAGED_KEY_BACKENDS[type].keySpec(fields)).toEqual(spec);
});
