import {
  AUTO_SNAPSHOT,
  autoSnapshotOf,
  fromProduct,
  SNAPSHOT_STATUS_PATH,
  SNAPSHOT_STORAGE_TYPES,
  AUTO_SNAPSHOT_BACKENDS,
  type Field,
  type SnapshotStorageTypeName,
} from '../../../src/model';

const common = ['name', 'interval', 'retain', 'path_prefix', 'file_prefix', 'storage_type'];

function fieldsWith(type: SnapshotStorageTypeName, test: (field: Field) => unknown): string[] {
  return Object.entries(AUTO_SNAPSHOT_BACKENDS[type].definition.fields)
    .filter(([, field]) => test(field))
    .map(([name]) => name);
}

test('the common definition has the fields of all configurations', () => {
  expect(AUTO_SNAPSHOT).toMatchObject({
    name: 'auto_snapshot',
    title: 'automated snapshot',
    path: 'sys/storage/raft/snapshot-auto/config',
    edition: 'enterprise',
    restricted: true,
  });
  expect(SNAPSHOT_STATUS_PATH).toBe('sys/storage/raft/snapshot-auto/status');
  expect(Object.keys(AUTO_SNAPSHOT.fields)).toEqual(common);
  expect(AUTO_SNAPSHOT.fields).toMatchObject({
    name: { identity: true, required: true },
    interval: { type: 'duration', required: true },
    retain: { type: 'integer', default: 1 },
    path_prefix: { type: 'string', required: true },
    file_prefix: { type: 'string', default: 'vault-snapshot' },
    storage_type: { required: true, allowed: ['local', 'aws-s3', 'azure-blob', 'google-gcs'] },
  });
});

/** The neutral names of each storage type and of its fields, and its required fields. */
const STORAGES: Readonly<
  Record<
    SnapshotStorageTypeName,
    readonly [neutral: string, names: readonly string[], required: readonly string[]]
  >
> = {
  local: ['local', ['local_max_space'], ['local_max_space']],
  'aws-s3': [
    'provA-s3',
    [
      'provA_s3_bucket',
      'provA_s3_region',
      'provA_access_key_id',
      'provA_secret_access_key',
      'provA_session_token',
      'provA_s3_endpoint',
      'provA_s3_disable_tls',
      'provA_s3_force_path_style',
      'provA_s3_enable_kms',
      'provA_s3_server_side_encryption',
      'provA_s3_kms_key',
      'autoload_enabled',
    ],
    ['aws_s3_bucket', 'aws_s3_region'],
  ],
  'azure-blob': [
    'provB-blob',
    [
      'provB_container_name',
      'provB_account_name',
      'provB_account_key',
      'provB_blob_environment',
      'provB_endpoint',
      'provB_auth_mode',
      'provB_client_id',
      'autoload_enabled',
    ],
    ['azure_container_name'],
  ],
  'google-gcs': [
    'provC-gcs',
    [
      'provC_gcs_bucket',
      'provC_service_account_key',
      'provC_endpoint',
      'provC_disable_tls',
      'autoload_enabled',
    ],
    ['google_gcs_bucket'],
  ],
};

test.each(SNAPSHOT_STORAGE_TYPES)("the definition of %s has the interface's fields", (type) => {
  const [neutral, names, required] = STORAGES[type];
  const { definition, fields } = AUTO_SNAPSHOT_BACKENDS[type];
  const toNeutral = fromProduct('neutral', AUTO_SNAPSHOT.name);
  expect(Object.keys(toNeutral.fields(fields))).toEqual(names);
  expect(toNeutral.type(type)).toBe(neutral);
  expect(Object.keys(definition.fields)).toEqual([...common, ...Object.keys(fields)]);
  expect(Object.keys(fields).filter((name) => fields[name]?.required)).toEqual(required);
});

test('the secret fields are marked', () => {
  const secrets = SNAPSHOT_STORAGE_TYPES.map((type) => fieldsWith(type, ({ sensitive }) => sensitive));
  expect(secrets).toEqual([
    [],
    ['aws_secret_access_key', 'aws_session_token'],
    ['azure_account_key'],
    ['google_service_account_key'],
  ]);
});

test('the fields of later servers have their first version', () => {
  const since = (version: string) =>
    SNAPSHOT_STORAGE_TYPES.map((type) => fieldsWith(type, (field) => field.since === version));
  expect(since('1.18')).toEqual([[], [], ['azure_auth_mode', 'azure_client_id'], []]);
  expect(since('1.21')).toEqual([[], ['autoload_enabled'], ['autoload_enabled'], ['autoload_enabled']]);
});

test.each(SNAPSHOT_STORAGE_TYPES)('the definition of %s has a title and descriptions', (type) => {
  const storage = AUTO_SNAPSHOT_BACKENDS[type];
  expect(storage.type).toBe(type);
  expect(storage.block).toBe(type.replace('-', '_'));
  expect(autoSnapshotOf(type)).toBe(storage.definition);
  for (const { doc } of Object.values(storage.definition.fields)) expect(doc).toMatch(/^[A-Z].*\.$/s);
});

test.each([[undefined], ['ftp'], [3]])('the unknown storage type %p has the common definition', (type) => {
  expect(autoSnapshotOf(type)).toBe(AUTO_SNAPSHOT);
});
