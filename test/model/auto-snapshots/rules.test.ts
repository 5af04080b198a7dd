import { autoSnapshotOf, describeFinding, validateAutoSnapshot, type FieldValues } from '../../../src/model';

const local = { name: 'a', interval: '24h', path_prefix: '/snap', storage_type: 'local', local_max_space: 1 };
const s3 = {
  name: 'a',
  interval: 60,
  path_prefix: 'p',
  storage_type: 'aws-s3',
  aws_s3_bucket: 'b',
  aws_s3_region: 'r',
};
const blob = {
  name: 'a',
  interval: '1h30m',
  path_prefix: 'p/',
  storage_type: 'azure-blob',
  azure_container_name: 'c',
  azure_account_name: 'n',
  azure_account_key: 'k',
};
const gcs = {
  name: 'a',
  interval: '7d',
  path_prefix: 'p/',
  storage_type: 'google-gcs',
  google_gcs_bucket: 'b',
};

function lines(values: FieldValues): string[] {
  const definition = autoSnapshotOf(values.storage_type);
  return validateAutoSnapshot(values).map(
    (finding) => `${finding.severity}: ${describeFinding(definition, undefined, finding).line}`,
  );
}

test.each([
  ['local', local],
  ['local with a final slash', { ...local, path_prefix: '/snap/' }],
  ['an interval of one second', { ...local, interval: 1 }],
  ['an interval in digits', { ...local, interval: '3600' }],
  ['a name with dots', { ...local, name: 'nightly-2.eu_1' }],
  ['retain and file_prefix', { ...local, retain: 1, file_prefix: 'team.vault' }],
  ['S3', s3],
  ['S3 with a final slash', { ...s3, path_prefix: 'p/' }],
  [
    'S3 with credentials',
    { ...s3, aws_access_key_id: 'i', aws_secret_access_key: 's', aws_session_token: 't' },
  ],
  ['S3 with a KMS key', { ...s3, aws_s3_enable_kms: true, aws_s3_kms_key: 'k' }],
  ['S3 with AES256', { ...s3, aws_s3_server_side_encryption: true, aws_s3_enable_kms: false }],
  ['blob', blob],
  ['blob with the shared key', { ...blob, azure_auth_mode: 'shared' }],
  [
    'blob as a managed identity',
    { ...blob, azure_account_key: '', azure_auth_mode: 'managed', azure_client_id: 'i' },
  ],
  ['blob by the environment', { ...blob, azure_account_key: undefined, azure_auth_mode: 'environment' }],
  ['GCS', gcs],
  ['GCS with a key', { ...gcs, google_service_account_key: '{"type": "service_account"}' }],
])('a configuration without findings: %s', (_, values) => {
  expect(lines(values)).toEqual([]);
});

test.each<[string, FieldValues, string[]]>([
  [
    'a name that is not a segment of a path',
    { ...local, name: 'a/b' },
    [
      'error: automated snapshot: name is not valid as part of a path; received "a/b"; allowed: letters, digits and "_", ' +
        'between them also "-" and "."; choose another name',
    ],
  ],
  [
    'no interval',
    { ...local, interval: undefined },
    ['error: automated snapshot: interval is required; set interval'],
  ],
  [
    'an interval of zero',
    { ...local, interval: '500ms' },
    [
      'error: automated snapshot: interval must be at least one second; received "500ms"; ' +
        'allowed: whole seconds, at least one: 3600, "90m" or "24h"; set it to the time between two snapshots',
    ],
  ],
  [
    'a negative interval',
    { ...local, interval: -5 },
    [
      'error: automated snapshot: interval must be at least one second; received -5; ' +
        'allowed: whole seconds, at least one: 3600, "90m" or "24h"; set it to the time between two snapshots',
    ],
  ],
  [
    'an interval that is not a duration',
    { ...local, interval: 'daily' },
    [
      'error: automated snapshot: interval is not a valid duration; received "daily"; ' +
        'allowed: whole seconds, at least one: 3600, "90m" or "24h"; set it to the time between two snapshots',
    ],
  ],
  [
    'an interval longer than servers can count',
    { ...local, interval: '10000000h' },
    [
      'error: automated snapshot: interval must be at most 292 years, the maximum of a server; received "10000000h"; ' +
        'allowed: whole seconds, at least one: 3600, "90m" or "24h"; set it to the time between two snapshots',
    ],
  ],
  [
    'a retain of zero',
    { ...local, retain: 0 },
    [
      'error: automated snapshot: retain must be at least 1; received 0; allowed: the number of snapshots to keep, 1 or ' +
        'more; set it to 1 or more, or remove it for the default of 1',
    ],
  ],
  [
    'an empty path_prefix',
    { ...local, path_prefix: ' ' },
    [
      'error: automated snapshot: path_prefix must not be empty; received " "; set it to the directory, or the prefix within ' +
        'the bucket',
    ],
  ],
  [
    'an empty file_prefix',
    { ...local, file_prefix: '' },
    [
      'error: automated snapshot: file_prefix must not be empty; received ""; set it to a prefix, or remove it for the default',
    ],
  ],
  [
    'a file_prefix with a folder',
    { ...local, file_prefix: 'team/vault' },
    [
      'error: automated snapshot: file_prefix must not contain a slash; received "team/vault"; ' +
        'allowed: the beginning of a file name within path_prefix; write "vault", and the rest in path_prefix',
    ],
  ],
  [
    'an unknown storage_type',
    { ...local, storage_type: 'ftp' },
    [
      'error: automated snapshot: storage_type must be one of the allowed values; received "ftp"; ' +
        'allowed: "local", "aws-s3", "azure-blob", "google-gcs"; use one of the allowed values',
    ],
  ],
  [
    'local with a maximum space of zero',
    { ...local, local_max_space: 0 },
    [
      'error: automated snapshot: local_max_space must be positive; received 0; allowed: the maximum number of bytes that all ' +
        'snapshots may take; set it to the number of bytes that all snapshots may take',
    ],
  ],
  [
    'local without local_max_space',
    { ...local, local_max_space: undefined },
    ['error: automated snapshot: local_max_space is required; set local_max_space'],
  ],
  [
    'S3 without bucket and region',
    { ...s3, aws_s3_bucket: undefined, aws_s3_region: '' },
    [
      'error: automated snapshot: aws_s3_bucket is required; set aws_s3_bucket',
      'error: automated snapshot: aws_s3_region must not be empty; received ""; set it to the region of the bucket',
    ],
  ],
  [
    'S3 encrypted twice',
    { ...s3, aws_s3_enable_kms: true, aws_s3_server_side_encryption: true },
    [
      'error: automated snapshot: aws_s3_server_side_encryption cannot be used with aws_s3_enable_kms; received true ' +
        'for both; allowed: one of the two: encryption with AES256, or with a KMS key; remove one of them',
    ],
  ],
  [
    'a KMS key without KMS',
    { ...s3, aws_s3_kms_key: 'alias/backup' },
    [
      'error: automated snapshot: aws_s3_kms_key is used only when aws_s3_enable_kms is true; received "alias/backup"; ' +
        'set aws_s3_enable_kms to true, or remove aws_s3_kms_key',
    ],
  ],
  [
    'half of the credentials',
    { ...s3, aws_access_key_id: 'AKIA' },
    [
      'warning: automated snapshot: aws_access_key_id requires the other credentials: ' +
        'aws_secret_access_key is missing; allowed: access key and secret key, or neither for the default AWS ' +
        'credentials of the server; set aws_secret_access_key, or remove aws_access_key_id',
    ],
  ],
  [
    'the other half of the credentials',
    { ...s3, aws_secret_access_key: 'secret' },
    [
      'warning: automated snapshot: aws_secret_access_key requires the other credentials: ' +
        'aws_access_key_id is missing; allowed: access key and secret key, or neither for the default AWS ' +
        'credentials of the server; set aws_access_key_id, or remove aws_secret_access_key',
    ],
  ],
  [
    'a session token alone',
    { ...s3, aws_session_token: 'token' },
    [
      'warning: automated snapshot: aws_session_token requires the other credentials: ' +
        'aws_access_key_id and aws_secret_access_key are missing; allowed: access key and secret key, or neither ' +
        'for the default AWS credentials of the server; set aws_access_key_id and aws_secret_access_key, or ' +
        'remove aws_session_token',
    ],
  ],
  [
    'blob and GCS without the final slash',
    { ...blob, path_prefix: 'p' },
    [
      'error: automated snapshot: path_prefix must end with a slash for this storage type; received "p"; write "p/"',
    ],
  ],
  [
    'GCS without the final slash',
    { ...gcs, path_prefix: 'a/b' },
    [
      'error: automated snapshot: path_prefix must end with a slash for this storage type; received "a/b"; write "a/b/"',
    ],
  ],
  [
    'blob with an unknown mode',
    { ...blob, azure_auth_mode: 'magic' },
    [
      'error: automated snapshot: azure_auth_mode must be one of the allowed values; received "magic"; ' +
        'allowed: "shared", "managed", "environment"; use one of the allowed values',
    ],
  ],
  [
    'blob in shared mode without its key',
    { ...blob, azure_account_key: undefined, azure_auth_mode: 'shared' },
    [
      'error: automated snapshot: azure_account_key is required when azure_auth_mode is shared; ' +
        'set azure_account_key, or another azure_auth_mode',
    ],
  ],
  [
    'blob in managed mode without its client',
    { ...blob, azure_auth_mode: 'managed' },
    [
      'error: automated snapshot: azure_client_id is required when azure_auth_mode is managed; ' +
        'set azure_client_id, or another azure_auth_mode',
    ],
  ],
  [
    'blob without key and mode',
    { ...blob, azure_account_key: undefined },
    [
      'warning: automated snapshot: azure_account_key and azure_auth_mode are not set: snapshots fail because there are no ' +
        'credentials; allowed: an account key, or an azure_auth_mode that does not require one; ' +
        'set azure_account_key, or azure_auth_mode to "managed" or "environment"',
    ],
  ],
  [
    'GCS with a key that is not JSON, and that is not shown',
    { ...gcs, google_service_account_key: 'canary' },
    [
      'error: automated snapshot: google_service_account_key must be the JSON text of a service account key; ' +
        'use the whole key file from Google; newlines and quotes may have to be escaped',
    ],
  ],
  [
    'a container and a bucket without a name',
    { ...blob, azure_container_name: '' },
    [
      'error: automated snapshot: azure_container_name must not be empty; received ""; set it to the name of the container',
    ],
  ],
  [
    'a GCS bucket without a name',
    { ...gcs, google_gcs_bucket: '' },
    [
      'error: automated snapshot: google_gcs_bucket must not be empty; received ""; set it to the name of the bucket',
    ],
  ],
])('a finding on %s', (_, values, texts) => {
  expect(lines(values)).toEqual(texts);
});

test('a rule about several fields is not checked until all are known', () => {
  const values = { ...s3, aws_s3_server_side_encryption: true, aws_s3_kms_key: 'k' };
  expect(validateAutoSnapshot(values, new Set(['aws_s3_enable_kms']))).toEqual([]);
});

test('the rules that servers do not enforce are marked', () => {
  const accepted = (values: FieldValues) =>
    autoSnapshotOf(values.storage_type)
      .rules.filter(({ serverAccepts }) => serverAccepts)
      .map(({ id }) => id);
  expect([local, s3, blob, gcs].map(accepted)).toEqual([
    ['local-max-space-positive'],
    ['kms-key-is-used'],
    ['path-prefix-ends-with-slash'],
    ['path-prefix-ends-with-slash', 'service-account-key-is-json'],
  ]);
});
