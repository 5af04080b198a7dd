import { MANAGED_KEY_TYPES, type ManagedKeyTypeName } from '../../../src/model';
import { linesOf } from './support';

describe.each(MANAGED_KEY_TYPES)('a key of %s', (type) => {
  test.each([['k'], ['app-1'], ['a.b_c'], ['0'], ['_x']])('accepts the name %j', (name) => {
    expect(linesOf(type, { name })).toEqual([]);
  });

  test.each([
    [
      '',
      'is not valid as part of a path; received ""; allowed: letters, digits and "_", between them also "-" and "."; choose another name',
    ],
    [
      'a/b',
      'is not valid as part of a path; received "a/b"; allowed: letters, digits and "_", between them also "-" and "."; choose another name',
    ],
    [
      '-a',
      'is not valid as part of a path; received "-a"; allowed: letters, digits and "_", between them also "-" and "."; choose another name',
    ],
    [
      'Key',
      'must be lower case; received "Key"; allowed: lower-case letters, since the server converts names to lower case; write "key"',
    ],
  ])('refuses the name %j', (name, text) => {
    expect(linesOf(type, { name })).toEqual([`error: managed key "k": name ${text}`]);
  });

  test.each([
    [['sign']],
    [['encrypt', 'decrypt', 'sign', 'verify', 'wrap', 'unwrap', 'mac', 'random']],
    [['generate_random']],
    ['verify, sign'],
    ['Sign'],
  ])('accepts the usages %j', (usages) => {
    expect(linesOf(type, { usages })).toEqual([]);
  });

  test('refuses unknown usages, and none', () => {
    const allowed =
      'allowed: "encrypt", "decrypt", "sign", "verify", "wrap", "unwrap", "mac", "random"; ' +
      'list the intended usages';
    expect(linesOf(type, { usages: ['sign', 'seal', '3'] })).toEqual([
      `error: managed key "k": usages contains a usage that does not exist; received "seal"; ${allowed}`,
      `error: managed key "k": usages contains a usage that does not exist; received "3"; ${allowed}`,
    ]);
    expect(linesOf(type, { usages: [] })).toEqual([
      'error: managed key "k": usages must name at least one usage; received []; ' +
        'list the intended usages, or remove it for the default of sign and verify',
    ]);
  });

  test('refuses a text for a boolean', () => {
    expect(linesOf(type, { any_mount: 'true' })).toEqual([
      'error: managed key "k": any_mount must be true or false; received "true"; write true or false',
    ]);
  });
});

const KEPT_BACK: Readonly<Record<ManagedKeyTypeName, readonly string[]>> = {
  pkcs11: ['key_id', 'pin'],
  awskms: ['access_key', 'secret_key'],
  azurekeyvault: ['client_secret'],
  gcpckms: ['credentials'],
};

test.each(MANAGED_KEY_TYPES.flatMap((type) => KEPT_BACK[type].map((field) => [type, field] as const)))(
  "a key of %s cannot be written with the server's placeholder for %s",
  (type, field) => {
    const values = { client_id: 'c', client_secret: 's' };
    expect(linesOf(type, { ...values, [field]: 'redacted-but-real' })).toEqual([]);
    expect(linesOf(type, { ...values, [field]: 'redacted' })).toEqual([
      `error: managed key "k": ${field} must be the actual value, not the placeholder that servers return; ` +
        `received "redacted"; set ${field} to the actual value`,
    ]);
  },
);
