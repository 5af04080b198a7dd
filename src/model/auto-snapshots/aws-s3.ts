import { isGiven } from '../definition/coerce';
import type { Fields, Rule } from '../definition/field';
import { fieldsRule, notEmptyRule } from '../definition/rules';
import { AUTOLOAD_FIELD } from './fields';
import { autoSnapshotBackend } from './auto-snapshot-backend';
import { either, field, joined, phrase, remove, set, literal } from '../messages';

const ENCRYPTED_ONCE: Rule = fieldsRule(
  ['aws_s3_server_side_encryption', 'aws_s3_enable_kms'],
  'encrypted-once',
  (values) =>
    values.aws_s3_server_side_encryption === true && values.aws_s3_enable_kms === true
      ? {
          problem: phrase`cannot be used with ${field('aws_s3_enable_kms')}`,
          received: phrase`${literal(true)} for both`,
          allowed: 'one of the two: encryption with AES256, or with a KMS key',
          cure: 'remove one of them',
        }
      : undefined,
);

const KMS_KEY_IS_USED: Rule = {
  ...fieldsRule(['aws_s3_kms_key', 'aws_s3_enable_kms'], 'kms-key-is-used', (values) =>
    isGiven(values, 'aws_s3_kms_key') && values.aws_s3_enable_kms !== true
      ? {
          problem: phrase`is used only when ${field('aws_s3_enable_kms')} is ${literal(true)}`,
          received: literal(values.aws_s3_kms_key),
          cure: either(set('aws_s3_enable_kms', true), remove('aws_s3_kms_key')),
        }
      : undefined,
  ),
  serverAccepts: true,
};

/**
 * The credentials. A session token requires both others, so it is a finding if it is given without
 * one of them.
 */
const CREDENTIALS = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'] as const;

const CREDENTIALS_ARE_WHOLE: Rule = {
  id: 'credentials-are-whole',
  reads: CREDENTIALS,
  check(values) {
    const given = CREDENTIALS.filter((name) => isGiven(values, name));
    const missing = CREDENTIALS.slice(0, 2).filter((name) => !isGiven(values, name));
    const [first] = given;
    if (first === undefined || missing.length === 0) return [];
    const both = (names: readonly string[]) =>
      joined(
        names.map((name) => field(name)),
        ' and ',
      );
    return [
      {
        severity: 'warning',
        rule: 'credentials-are-whole',
        field: first,
        problem: phrase`requires the other credentials: ${both(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`,
        allowed: 'access key and secret key, or neither for the default AWS credentials of the server',
        cure: phrase`set ${both(missing)}, or remove ${both(given)}`,
      },
    ];
  },
};

export const AWS_S3_FIELDS = {
  aws_s3_bucket: { type: 'string', required: true, doc: 'Bucket to write to.' },
  aws_s3_region: { type: 'string', required: true, doc: 'Region of the bucket.' },
  aws_access_key_id: {
    type: 'string',
    doc: 'Access key id. Without credentials, the server uses the default AWS credentials of its machine.',
  },
  aws_secret_access_key: { type: 'string', sensitive: true, doc: 'Secret access key.' },
  aws_session_token: { type: 'string', sensitive: true, doc: 'Session token.' },
  aws_s3_endpoint: { type: 'string', doc: 'Endpoint of the service, if it is not AWS.' },
  aws_s3_disable_tls: {
    type: 'boolean',
    doc: 'Disables TLS for the endpoint. Only for testing, usually with `aws_s3_endpoint`.',
  },
  aws_s3_force_path_style: {
    type: 'boolean',
    doc: 'Uses URLs of the form endpoint/bucket instead of bucket.endpoint, as some services require.',
  },
  aws_s3_enable_kms: { type: 'boolean', doc: 'Encrypts the snapshots with KMS.' },
  aws_s3_server_side_encryption: {
    type: 'boolean',
    doc: 'Encrypts the snapshots with AES256. Cannot be used with `aws_s3_enable_kms`.',
  },
  aws_s3_kms_key: { type: 'string', doc: 'Name of the KMS key to use when `aws_s3_enable_kms` is true.' },
  autoload_enabled: AUTOLOAD_FIELD,
} as const satisfies Fields;

/** A bucket of AWS S3, or of a compatible service. */
export const AWS_S3 = autoSnapshotBackend({
  type: 'aws-s3',
  title: 'AWS S3',
  block: 'aws_s3',
  doc: 'Writes snapshots to a bucket of AWS S3, or of a compatible service.',
  fields: AWS_S3_FIELDS,
  rules: [
    notEmptyRule('aws_s3_bucket', 'set it to the name of the bucket'),
    notEmptyRule('aws_s3_region', 'set it to the region of the bucket'),
    ENCRYPTED_ONCE,
    KMS_KEY_IS_USED,
    CREDENTIALS_ARE_WHOLE,
  ],
});
