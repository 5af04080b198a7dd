import {
  decodeManagedKey,
  differingManagedKeyFields,
  encodeManagedKey,
  findMechanism,
  MANAGED_KEY_BACKENDS,
  mechanismNumber,
  mechanismText,
  normalizeKeyUsages,
  normalizeManagedKey,
  parseKeyUsage,
  sameMeaning,
  showManagedKey,
} from '../../../src/model';

const { pkcs11, awskms, gcpckms, azurekeyvault } = MANAGED_KEY_BACKENDS;

describe('the usages of a key', () => {
  test.each([['verify,sign'], [' Sign , verify,'], [['verify', 'sign', 'sign']], [[4, 3]], [[3n, 4n]]])(
    'the usages sign and verify are read from %p',
    (usages) => {
      expect(normalizeKeyUsages(usages)).toEqual(['sign', 'verify']);
    },
  );

  test('a usage has up to two spellings and a number', () => {
    expect(['random', 'generate_random', 'GENERATE_RANDOM', 8].map(parseKeyUsage)).toEqual(
      Array(4).fill('random'),
    );
  });

  test('unknown words stay in the usages', () => {
    expect(normalizeKeyUsages(['seal', 9, 'sign'])).toEqual(['9', 'seal', 'sign']);
    expect(normalizeKeyUsages('')).toEqual([]);
    expect(normalizeKeyUsages(3)).toBeUndefined();
  });
});

test.each([
  ['0x0001', 1n, '0x0001'],
  ['0xd', 13n, '0x000D'],
  ['0x1041', 4161n, '0x1041'],
  ['0x80000000000000001', 0x80000000000000001n, '0x80000000000000001'],
])('the mechanism %s is parsed and written', (written, number, text) => {
  expect(mechanismNumber(written)).toBe(number);
  expect(mechanismText(number)).toBe(text);
});

test('mechanisms are found by name and by number', () => {
  expect(mechanismNumber('CKM_ECDSA')).toBeUndefined();
  expect(findMechanism('CKM_ECDSA')?.text).toBe('0x1041');
  expect(findMechanism('0x1')?.name).toBe('CKM_RSA_PKCS');
  expect(findMechanism('0x2')).toBeUndefined();
});

describe('a PKCS#11 key', () => {
  const uuid = '5f0d8a52-9d1c-4f0a-8c52-7b1f2c1f9a10';
  const fields = {
    name: 'k',
    library: 'hsm',
    key_label: 'k',
    mechanism: '0x1041',
    pin: 'canary',
    slot: '2305843009213693953',
    curve: 'P256',
    allow_generate_key: true,
    usages: ['mac', 'random', 'sign'],
  };
  const answer = {
    UUID: uuid,
    type: 'pkcs11',
    name: 'k',
    allow_generate_key: true,
    allow_replace_key: false,
    allow_store_key: false,
    any_mount: false,
    usages: [3, 7, 8],
    library: 'hsm',
    key_label: 'k',
    key_id: '',
    mechanism: 4161,
    pin: 'redacted',
    slot: 2305843009213693953n,
    token_label: '',
    curve: 'P256',
    key_bits: 0,
    max_parallel: 1,
    rsa_oaep_hash: '',
  };

  test('the key has the form in which a server returns it', () => {
    expect(showManagedKey(pkcs11, fields, uuid, 'numbers')).toEqual(answer);
    expect(showManagedKey(pkcs11, fields, uuid, 'names').usages).toEqual(['mac', 'generate_random', 'sign']);
  });

  test('the key has its RSA-OAEP hash on a server before 2.0, which returns it', () => {
    const { rsa_oaep_hash: none, ...older } = answer;
    expect(none).toBe('');
    expect(decodeManagedKey(pkcs11, older)).toEqual(decodeManagedKey(pkcs11, answer));
  });

  test('the key has no empty, hidden or missing fields after a read', () => {
    expect(decodeManagedKey(pkcs11, { ...answer, key_id: 'redacted' })).toEqual({
      uuid,
      fields: {
        name: 'k',
        allow_generate_key: true,
        allow_replace_key: false,
        allow_store_key: false,
        any_mount: false,
        usages: ['mac', 'random', 'sign'],
        library: 'hsm',
        key_label: 'k',
        mechanism: '0x1041',
        slot: '2305843009213693953',
        curve: 'P256',
        key_bits: 0,
        max_parallel: 1,
      },
      hidden: ['key_id', 'pin'],
      heldSecrets: ['pin'],
    });
  });

  test('the key has no slot if the server returns the slot 0 with a token label', () => {
    const read = (data: object) => decodeManagedKey(pkcs11, { ...data }).fields.slot;
    expect(read({ slot: 0, token_label: 'prod' })).toBeUndefined();
    expect(read({ slot: 0, token_label: '' })).toBe('0');
    expect(read({ slot: 7 })).toBe('7');
  });

  test('a written key has the fields and types of a request', () => {
    expect(
      encodeManagedKey(pkcs11, { ...fields, key_bits: null, token_label: '', curve: undefined }),
    ).toEqual({
      library: 'hsm',
      key_label: 'k',
      mechanism: '0x1041',
      pin: 'canary',
      slot: '2305843009213693953',
      token_label: '',
      allow_generate_key: 'true',
      usages: 'mac,random,sign',
    });
  });

  test('the key does not differ from a configuration with other spellings', () => {
    const stored = decodeManagedKey(pkcs11, answer);
    expect(
      differingManagedKeyFields(
        pkcs11,
        {
          ...fields,
          mechanism: '0x01041',
          usages: 'sign, generate_random,mac',
          slot: '02305843009213693953',
        },
        stored,
      ),
    ).toEqual([]);
    expect(
      differingManagedKeyFields(
        pkcs11,
        {
          ...fields,
          slot: '2305843009213693952',
          curve: undefined,
          max_parallel: 2,
          any_mount: 'true',
          usages: [],
        },
        stored,
      ),
    ).toEqual(['any_mount', 'usages', 'slot', 'curve', 'max_parallel']);
  });

  test('the key does not differ in hidden fields', () => {
    const stored = decodeManagedKey(pkcs11, { ...answer, key_id: 'redacted' });
    expect(differingManagedKeyFields(pkcs11, { ...fields, key_id: '01', pin: 'other' }, stored)).toEqual([]);
  });
});

test('normalizeManagedKey converts spellings of users to the form of requests', () => {
  expect(
    normalizeManagedKey(awskms, {
      name: 'k',
      key_bits: '2048',
      any_mount: 'false',
      allow_store_key: 'maybe',
      usages: '3',
      region: null,
      bogus: 1,
    }),
  ).toEqual({ name: 'k', key_bits: 2048, any_mount: false, allow_store_key: 'maybe', usages: ['3'] });
});

test.each(['redacted', 'in clear', undefined])(
  'a client secret that is %s is never read',
  (client_secret) => {
    const { fields, hidden } = decodeManagedKey(azurekeyvault, { client_id: 'c', client_secret });
    expect(fields).toEqual({ client_id: 'c' });
    expect(hidden).toContain('client_secret');
  },
);

test.each([
  [awskms, 'key_type', 'rsa', 'RSA', true],
  [awskms, 'key_bits', '2048', 2048, true],
  [awskms, 'key_bits', undefined, 0, true],
  [awskms, 'region', undefined, 'us-east-1', true],
  [awskms, 'region', '', 'us-east-1', true],
  [awskms, 'region', undefined, 'eu-west-1', false],
  [awskms, 'kms_key', 'alias/a', 'alias/A', false],
  [awskms, 'usages', undefined, [4, 3], true],
  [awskms, 'any_mount', undefined, false, true],
  [awskms, 'any_mount', 'true', false, false],
  [gcpckms, 'algorithm', 'EC_SIGN_P256_SHA256', 'ec_sign_p256_sha256', true],
  [gcpckms, 'crypto_key_version', null, '1', true],
  [pkcs11, 'slot', undefined, '0', false],
  [pkcs11, 'mechanism', '0x0d', 13, true],
] as const)('the values of case %# have the same meaning: %s', (type, name, one, other, expected) => {
  const field = type.definition.fields[name];
  expect(field && sameMeaning(field, one, other)).toBe(expected);
});
