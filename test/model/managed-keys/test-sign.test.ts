import {
  describeFinding,
  HASH_ALGORITHMS,
  TEST_SIGN,
  validateTestSign,
  type KeySpec,
} from '../../../src/model';

const rsa: KeySpec = { family: 'RSA', bits: 2048 };
const ecdsa: KeySpec = { family: 'ECDSA', curve: 'P256' };
const pss256: KeySpec = { family: 'RSA', bits: 2048, signature: { hash: 'sha2-256', pss: true } };
const ec384: KeySpec = { family: 'ECDSA', curve: 'P384', signature: { hash: 'sha2-384', pss: false } };

const linesOf = (...parameters: Parameters<typeof validateTestSign>) =>
  validateTestSign(...parameters).map((finding) => describeFinding(TEST_SIGN, 'k', finding).line);

test('a test signature without fields has no findings', () => {
  for (const key of [undefined, rsa, ecdsa, pss256, ec384]) expect(linesOf({}, key)).toEqual([]);
});

test.each(HASH_ALGORITHMS)('a test signature may use the hash %s', (hash_algorithm) => {
  expect(linesOf({ hash_algorithm }, rsa)).toEqual([]);
  expect(linesOf({ hash_algorithm, use_pss: true }, undefined)).toEqual([]);
});

test.each([
  [{ use_pss: true }, rsa],
  [{ use_pss: false }, ecdsa],
  [{ use_pss: true, hash_algorithm: 'sha2-256' }, pss256],
  [{ hash_algorithm: null, use_pss: null }, ec384],
])('a test signature with %j is accepted for %j', (values, key) => {
  expect(linesOf(values, key)).toEqual([]);
});

test.each([
  [
    { hash_algorithm: 'sha256' },
    rsa,
    'hash_algorithm must be one of the allowed values; received "sha256"; allowed: ' +
      '"sha1", "sha2-224", "sha2-256", "sha2-384", "sha2-512", "sha3-224", "sha3-256", "sha3-384", "sha3-512"; ' +
      'write "sha2-256"',
  ],
  [
    { use_pss: true },
    ecdsa,
    'use_pss is only for RSA keys, but the key is an ECDSA key; received true; allowed: false; remove use_pss',
  ],
  [
    { use_pss: true },
    ec384,
    'use_pss is only for RSA keys, but the key is an ECDSA key; received true; allowed: false; remove use_pss',
  ],
  [
    { use_pss: false },
    pss256,
    "use_pss does not match the key's algorithm; received false; allowed: true; remove use_pss: it is then determined by the algorithm",
  ],
  [
    { hash_algorithm: 'sha2-256' },
    ec384,
    'hash_algorithm does not match the key\'s algorithm; received "sha2-256"; allowed: "sha2-384"; ' +
      'remove hash_algorithm: it is then determined by the algorithm',
  ],
])('a test signature with %j is refused for %j', (values, key, text) => {
  expect(linesOf(values, key)).toEqual([`test/sign of managed key "k": ${text}`]);
});

test('a rule about an unknown value is not checked', () => {
  expect(linesOf({ hash_algorithm: 'x' }, rsa, new Set(['hash_algorithm']))).toEqual([]);
});
