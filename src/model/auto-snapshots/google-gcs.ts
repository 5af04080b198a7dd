import type { Fields, Rule } from '../definition/field';
import { notEmptyRule, textRule } from '../definition/rules';
import { PATH_PREFIX_ENDS_WITH_SLASH } from './common-rules';
import { AUTOLOAD_FIELD } from './fields';
import { autoSnapshotBackend } from './auto-snapshot-backend';
import { isRecord } from '../../text';

const KEY_IS_JSON: Rule = {
  ...textRule('google_service_account_key', 'service-account-key-is-json', (key) =>
    key === '' || isJsonObject(key)
      ? undefined
      : {
          problem: 'must be the JSON text of a service account key',
          cure: 'use the whole key file from Google; newlines and quotes may have to be escaped',
        },
  ),
  serverAccepts: true,
};

export const GOOGLE_GCS_FIELDS = {
  google_gcs_bucket: { type: 'string', required: true, doc: 'Bucket to write to.' },
  google_service_account_key: {
    type: 'string',
    sensitive: true,
    doc:
      'Service account key as JSON. Without it, the server uses the default Google credentials of its ' +
      'machine.',
  },
  google_endpoint: { type: 'string', doc: 'Endpoint of the service, if it is not Google Cloud.' },
  google_disable_tls: {
    type: 'boolean',
    doc: 'Disables TLS for the endpoint. Only for testing, usually with `google_endpoint`.',
  },
  autoload_enabled: AUTOLOAD_FIELD,
} as const satisfies Fields;

/** A bucket of Google Cloud Storage, or of a compatible service. */
export const GOOGLE_GCS = autoSnapshotBackend({
  type: 'google-gcs',
  title: 'Google Cloud Storage',
  block: 'google_gcs',
  doc: 'Writes snapshots to a bucket of Google Cloud Storage, or of a compatible service.',
  fields: GOOGLE_GCS_FIELDS,
  rules: [
    notEmptyRule('google_gcs_bucket', 'set it to the name of the bucket'),
    PATH_PREFIX_ENDS_WITH_SLASH,
    KEY_IS_JSON,
  ],
});

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
