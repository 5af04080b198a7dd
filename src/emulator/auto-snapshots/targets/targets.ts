import type { SnapshotStorageTypeName } from '../../../model';
import type { ServerFlavour } from '../../core/backend';
import type { Storage } from '../../core/primitives/storage';
import type { SnapshotConfig } from '../store';
import { AWS_S3 } from './aws-s3';
import { AZURE_BLOB } from './azure-blob';
import { GOOGLE_GCS } from './google-gcs';
import { type Cloud, CloudTarget } from './cloud-target';
import { LocalTarget } from './local';
import { type SnapshotTarget, textOf } from './target';
import { recordOf } from '../records';

/** Records snapshots instead of writing them to a cloud. */
class RecordedTarget implements SnapshotTarget {
  readonly #cloud: SnapshotTarget;
  readonly #records: Storage;

  constructor(cloud: SnapshotTarget, records: Storage) {
    this.#cloud = cloud;
    this.#records = records;
  }

  url(name: string): string {
    return this.#cloud.url(name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    this.#records.put(name, recordOf(this.url(name), content));
  }

  read(): Promise<Buffer> {
    return Promise.reject(
      new Error('the snapshot was only recorded: the emulator did not connect to a cloud'),
    );
  }

  async list(): Promise<readonly string[]> {
    return this.#records.list('');
  }

  async delete(name: string): Promise<void> {
    this.#records.delete(name);
  }
}

const CLOUDS: Readonly<Record<Exclude<SnapshotStorageTypeName, 'local'>, Cloud>> = {
  'aws-s3': AWS_S3,
  'azure-blob': AZURE_BLOB,
  'google-gcs': GOOGLE_GCS,
};

/**
 * Returns the target of a configuration: a directory, a service at an endpoint, or, without an
 * endpoint, a record.
 */
export function openTarget(config: SnapshotConfig, records: Storage, server: ServerFlavour): SnapshotTarget {
  if (config.storage_type === 'local') return new LocalTarget(config, server);
  const target = new CloudTarget(CLOUDS[config.storage_type], config, server);
  return missingEndpoint(config) === undefined ? target : new RecordedTarget(target, records);
}

/**
 * Returns the field that a configuration lacks if its snapshots are recorded instead of written;
 * `undefined` if they are written.
 */
export function missingEndpoint(config: SnapshotConfig): string | undefined {
  if (config.storage_type === 'local') return undefined;
  const { endpoint } = CLOUDS[config.storage_type];
  return textOf(config, endpoint) === '' ? endpoint : undefined;
}
