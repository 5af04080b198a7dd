import {
  MANAGED_KEY,
  managedKeyBackendOf,
  MANAGED_KEY_BACKENDS,
  MANAGED_KEY_TYPES,
  type Field,
  type ManagedKeyTypeName,
} from '../../../src/model';
import { LEAST, linesOf } from './support';

const GENERIC = ['name', 'allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount', 'usages'];

test.each<[ManagedKeyTypeName, readonly string[], readonly string[], readonly string[], object]>([
  [
    'pkcs11',
    [
      'library',
      'key_label',
      'key_id',
      'mechanism',
      'pin',
      'slot',
      'token_label',
      'curve',
      'key_bits',
      'force_rw_session',
      'max_parallel',
      'rsa_oaep_hash',
    ],
    ['library', 'mechanism', 'pin'],
    ['pin'],
    { curve: '', key_bits: 0, force_rw_session: false, max_parallel: 1, rsa_oaep_hash: '' },
  ],
  [
    'awskms',
    ['access_key', 'secret_key', 'region', 'endpoint', 'kms_key', 'key_type', 'key_bits', 'curve'],
    ['kms_key', 'key_type'],
    ['access_key', 'secret_key'],
    { region: 'us-east-1', key_bits: 0, curve: '' },
  ],
  [
    'azurekeyvault',
    [
      'tenant_id',
      'client_id',
      'client_secret',
      'environment',
      'vault_name',
      'key_name',
      'resource',
      'key_bits',
      'key_type',
      'encryption_mode',
    ],
    ['tenant_id', 'vault_name', 'key_name', 'key_type'],
    ['client_secret'],
    {
      environment: 'AZUREPUBLICCLOUD',
      resource: 'vault.azure.net',
      key_bits: 0,
      encryption_mode: 'envelope',
    },
  ],
  [
    'gcpckms',
    ['credentials', 'project', 'region', 'key_ring', 'crypto_key', 'crypto_key_version', 'algorithm'],
    ['key_ring', 'crypto_key', 'algorithm'],
    ['credentials'],
    { crypto_key_version: '1' },
  ],
])(
  "the definition of %s has the interface's fields, required ones, secrets and defaults",
  (type, names, required, secrets, defaults) => {
    const { fields, definition } = MANAGED_KEY_BACKENDS[type];
    const where = (fits: (field: Field) => unknown) =>
      Object.entries(fields)
        .filter(([, field]) => fits(field))
        .map(([name]) => name);
    expect(Object.keys(fields)).toEqual(names);
    expect(where((field) => field.required)).toEqual(required);
    expect(where((field) => field.sensitive)).toEqual(secrets);
    expect(
      Object.fromEntries(
        where((field) => field.default !== undefined).map((name) => [name, fields[name]?.default]),
      ),
    ).toEqual(defaults);
    expect(Object.keys(definition.fields)).toEqual([...GENERIC, ...names]);
    expect(definition).toMatchObject({
      name: 'managed_key',
      title: 'managed key',
      path: `sys/managed-keys/${type}`,
      edition: 'enterprise',
      restricted: true,
    });
  },
);

test('the definition of the common fields is the same for all backends', () => {
  expect(Object.keys(MANAGED_KEY.fields)).toEqual(GENERIC);
  expect(
    Object.fromEntries(Object.entries(MANAGED_KEY.fields).map(([name, field]) => [name, field.default])),
  ).toEqual({
    name: undefined,
    allow_generate_key: false,
    allow_replace_key: false,
    allow_store_key: false,
    any_mount: false,
    usages: ['sign', 'verify'],
  });
  expect(MANAGED_KEY.path).toBe('sys/managed-keys');
});

test('managedKeyBackendOf returns the backend of a name', () => {
  expect(Object.keys(MANAGED_KEY_BACKENDS)).toEqual([...MANAGED_KEY_TYPES]);
  expect(managedKeyBackendOf('awskms')).toBe(MANAGED_KEY_BACKENDS.awskms);
  expect(managedKeyBackendOf('provAkms')).toBeUndefined();
});

test.each(MANAGED_KEY_TYPES)(
  'every field of %s has its doc, and the smallest configuration has no findings',
  (type) => {
    for (const field of Object.values(MANAGED_KEY_BACKENDS[type].definition.fields)) {
      expect(field.doc).toMatch(/^[A-Z].*\.$/s);
    }
    expect(linesOf(type, {})).toEqual([]);
  },
);

test.each(
  MANAGED_KEY_TYPES.flatMap((type) =>
    Object.keys(LEAST[type])
      .filter((name) => MANAGED_KEY_BACKENDS[type].definition.fields[name]?.required)
      .map((name) => [type, name] as const),
  ),
)('a key of %s requires %s', (type, name) => {
  expect(linesOf(type, { [name]: undefined })).toContain(
    `error: managed key "k": ${name} is required; set ${name}`,
  );
});

test.each(
  MANAGED_KEY_TYPES.flatMap((type) =>
    Object.entries(MANAGED_KEY_BACKENDS[type].fields)
      .filter(([, { required, allowed }]) => required && !allowed)
      .map(([name]) => [type, name] as const),
  ),
)('a key of %s refuses a blank %s', (type, name) => {
  expect(linesOf(type, { [name]: ' ' })).toContain(
    `error: managed key "k": ${name} must not be empty; received " "; set ${name}`,
  );
});
