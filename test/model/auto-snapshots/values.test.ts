import {
  autoSnapshotOf,
  decodeAutoSnapshot,
  decodeSnapshotStatus,
  differingFields,
  sameMeaning,
} from '../../../src/model';

const s3 = autoSnapshotOf('aws-s3');
const {
  interval,
  retain,
  aws_s3_endpoint: endpoint,
  aws_s3_enable_kms: kms,
} = s3.fields as Required<typeof s3.fields>;

describe('sameMeaning is true', () => {
  test.each([
    [interval, '24h', 86400],
    [interval, '86400', 86400],
    [interval, '1h30m', '90m'],
    [interval, '1.9s', 1],
    [retain, undefined, 1],
    [endpoint, undefined, ''],
    [endpoint, null, ''],
    [kms, undefined, false],
    [interval, 'rubbish', 'rubbish'],
  ])('in case %#, for %p: %p and %p', (field, one, other) => {
    expect(sameMeaning(field!, one, other)).toBe(true);
  });
});

describe('sameMeaning is false', () => {
  test.each([
    [interval, '24h', 3600],
    [interval, 'rubbish', 0],
    [retain, undefined, 2],
    [endpoint, 'a', ''],
    [kms, true, undefined],
  ])('in case %#, for %p: %p and %p', (field, one, other) => {
    expect(sameMeaning(field!, one, other)).toBe(false);
  });
});

test('differingFields returns the fields with different meanings', () => {
  const one = { name: 'a', interval: '24h', aws_s3_bucket: 'b', aws_s3_region: 'r', local_max_space: 1 };
  const other = {
    name: 'a',
    interval: 86400,
    aws_s3_bucket: 'c',
    aws_s3_region: 'r',
    retain: 1,
    file_prefix: 'x',
  };
  expect(differingFields(s3.fields, one, one)).toEqual([]);
  expect(differingFields(s3.fields, one, other)).toEqual(['file_prefix', 'aws_s3_bucket']);
});

test('a configuration that a server returned is decoded to the form in which it is written', () => {
  expect(
    decodeAutoSnapshot({
      storage_type: 'google-gcs',
      interval: 7200n,
      retain: 3,
      path_prefix: 'p/',
      file_prefix: 'vault-snapshot',
      google_gcs_bucket: 'b',
      google_endpoint: false,
      google_disable_tls: false,
      google_service_account_key: '',
      autoload_enabled: null,
      local_max_space: 0,
      added_later: 'x',
    }),
  ).toEqual({
    storage_type: 'google-gcs',
    interval: 7200,
    retain: 3,
    path_prefix: 'p/',
    file_prefix: 'vault-snapshot',
    google_gcs_bucket: 'b',
    google_disable_tls: false,
  });
  expect(decodeAutoSnapshot({ storage_type: 'local', local_max_space: 0 })).toEqual({
    storage_type: 'local',
    local_max_space: 0,
  });
});

test('the decoded status has no empty fields', () => {
  expect(decodeSnapshotStatus({})).toEqual({});
  expect(
    decodeSnapshotStatus({
      consecutive_errors: 0n,
      last_snapshot_start: '2026-11-21T10:00:00Z',
      last_snapshot_end: '2026-11-21T10:00:01.5Z',
      last_snapshot_error: '',
      next_snapshot_start: '0001-01-01T00:00:00Z',
      added_later: true,
    }),
  ).toEqual({
    consecutive_errors: 0,
    last_snapshot_start: '2026-11-21T10:00:00Z',
    last_snapshot_end: '2026-11-21T10:00:01.5Z',
  });
});
