import type { SnapshotStorageTypeName } from '../../../model';
import type { ServerFlavour } from '../../core/backend';
import type { Storage } from '../../core/primitives/storage';
import type { SnapshotConfig } from '../store';
import { AwsS3Target } from './aws-s3';
import { AzureBlobTarget } from './azure-blob';
import { GoogleGcsTarget } from './google-gcs';
import { LocalTarget } from './local';
import { RecordedTarget } from './recorded';
import { type SnapshotTarget, textOf } from './target';

type CloudType = Exclude<SnapshotStorageTypeName, 'local'>;

const CLOUDS: Readonly<
  Record<
    CloudType,
    { endpoint: string; target: new (config: SnapshotConfig, server: ServerFlavour) => SnapshotTarget }
  >
> = {
  'aws-s3': { endpoint: 'aws_s3_endpoint', target: AwsS3Target },
  'azure-blob': { endpoint: 'azure_endpoint', target: AzureBlobTarget },
  'google-gcs': { endpoint: 'google_endpoint', target: GoogleGcsTarget },
};

/**
 * Returns the target of a configuration: a directory, a service at an endpoint, or, without an
 * endpoint, a record.
 */
export function openTarget(config: SnapshotConfig, records: Storage, server: ServerFlavour): SnapshotTarget {
  if (config.storage_type === 'local') return new LocalTarget(config, server);
  const target = new CLOUDS[config.storage_type].target(config, server);
  return missingEndpoint(config) === undefined ? target : new RecordedTarget(target, records);
}

/**
 * Returns the field that has to be set for snapshots to be written instead of recorded; `undefined`
 * if they are written.
 */
export function missingEndpoint(config: SnapshotConfig): string | undefined {
  if (config.storage_type === 'local') return undefined;
  const { endpoint } = CLOUDS[config.storage_type];
  return textOf(config, endpoint) === '' ? endpoint : undefined;
}
