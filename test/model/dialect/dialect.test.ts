import { fromProduct, toProduct } from '../../../src/model';

const TYPES = {
  managed_key: [
    ['provAkms', 'awskms'],
    ['provBkeyvault', 'azurekeyvault'],
    ['provCckms', 'gcpckms'],
  ],
  auto_snapshot: [
    ['provA-s3', 'aws-s3'],
    ['provB-blob', 'azure-blob'],
    ['provC-gcs', 'google-gcs'],
  ],
} as const;

const SNAPSHOT_FIELDS = [
  ['provA_s3_bucket', 'aws_s3_bucket'],
  ['provA_s3_region', 'aws_s3_region'],
  ['provA_access_key_id', 'aws_access_key_id'],
  ['provA_secret_access_key', 'aws_secret_access_key'],
  ['provA_session_token', 'aws_session_token'],
  ['provA_s3_endpoint', 'aws_s3_endpoint'],
  ['provA_s3_disable_tls', 'aws_s3_disable_tls'],
  ['provA_s3_force_path_style', 'aws_s3_force_path_style'],
  ['provA_s3_enable_kms', 'aws_s3_enable_kms'],
  ['provA_s3_server_side_encryption', 'aws_s3_server_side_encryption'],
  ['provA_s3_kms_key', 'aws_s3_kms_key'],
  ['provC_gcs_bucket', 'google_gcs_bucket'],
  ['provC_service_account_key', 'google_service_account_key'],
  ['provC_endpoint', 'google_endpoint'],
  ['provC_disable_tls', 'google_disable_tls'],
  ['provB_container_name', 'azure_container_name'],
  ['provB_account_name', 'azure_account_name'],
  ['provB_account_key', 'azure_account_key'],
  ['provB_blob_environment', 'azure_blob_environment'],
  ['provB_endpoint', 'azure_endpoint'],
] as const;

describe.each(Object.entries(TYPES) as [string, readonly (readonly [string, string])[]][])(
  'types of %s',
  (kind, pairs) => {
    test.each(pairs)("the neutral type %s is the product's %s", (neutral, product) => {
      expect(toProduct('neutral', kind).type(neutral)).toBe(product);
      expect(fromProduct('neutral', kind).type(product)).toBe(neutral);
    });

    test.each([['pkcs11'], ['local'], ['provAkms2'], ['xprovA-s3']])(
      'the type %s is the same in both dialects',
      (type) => {
        expect(toProduct('neutral', kind).type(type)).toBe(type);
        expect(fromProduct('neutral', kind).type(type)).toBe(type);
      },
    );
  },
);

describe('the fields of a snapshot configuration', () => {
  test.each(SNAPSHOT_FIELDS)('the field has two names: %s and %s', (neutral, product) => {
    expect(toProduct('neutral', 'auto_snapshot').fields({ [neutral]: 1 })).toEqual({ [product]: 1 });
    expect(fromProduct('neutral', 'auto_snapshot').fields({ [product]: 1 })).toEqual({ [neutral]: 1 });
  });

  test('the values of the fields are translated', () => {
    const neutral = {
      storage_type: 'provC-gcs',
      provC_gcs_bucket: 'provC-gcs',
      retain: 3,
      path_prefix: 'a/',
    };
    const product = {
      storage_type: 'google-gcs',
      google_gcs_bucket: 'provC-gcs',
      retain: 3,
      path_prefix: 'a/',
    };
    expect(toProduct('neutral', 'auto_snapshot').fields(neutral)).toEqual(product);
    expect(fromProduct('neutral', 'auto_snapshot').fields(product)).toEqual(neutral);
  });

  test('the fields of a managed key keep their names, but not all values', () => {
    const neutral = { type: 'provBkeyvault', environment: 'PROVBPUBLICCLOUD', key_name: 'PROVBPUBLICCLOUD' };
    const product = { type: 'azurekeyvault', environment: 'AZUREPUBLICCLOUD', key_name: 'PROVBPUBLICCLOUD' };
    expect(toProduct('neutral', 'managed_key').fields(neutral)).toEqual(product);
    expect(fromProduct('neutral', 'managed_key').fields(product)).toEqual(neutral);
  });
});

test('the dialect vault translates nothing', () => {
  const fields = { storage_type: 'provA-s3', provA_s3_bucket: 'b' };
  expect(toProduct('vault', 'auto_snapshot').fields(fields)).toBe(fields);
  expect(toProduct('vault', 'managed_key').type('provAkms')).toBe('provAkms');
});

test('policies have no vendor names to translate', () => {
  const fields = { policy: 'provAkms', provA_x: 1 };
  expect(toProduct('neutral', 'acl_policy').fields(fields)).toBe(fields);
  expect(fromProduct('neutral', 'acl_policy').fields(fields)).toBe(fields);
});
