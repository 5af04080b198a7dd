import { setTimeout as pause } from 'node:timers/promises';
import { startS3Server } from '../../../../src/emulator';
import type { Api } from '../../../emulator/support/api';

const CONFIG = 'sys/storage/raft/snapshot-auto/config/nightly';
const STATUS = 'sys/storage/raft/snapshot-auto/status/nightly';
const PATIENCE_MS = 120_000;

/** A bucket, and the configuration of snapshots that the example expects. */
export interface NightlySnapshots {
  /**
   * Takes a snapshot at once. It does not advance the clock, because identity tokens would expire.
   */
  take(): Promise<void>;
  close(): Promise<void>;
}

export async function startNightlySnapshots(api: Api): Promise<NightlySnapshots> {
  const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-bucket-key' };
  const bucket = await startS3Server({ credentials, buckets: ['backups'] });
  const configure = (interval: string) =>
    api.post(CONFIG, {
      interval,
      retain: 100,
      path_prefix: 'nightly',
      storage_type: 'aws-s3',
      aws_s3_bucket: 'backups',
      aws_s3_region: 'eu-west-1',
      aws_s3_endpoint: bucket.address,
      aws_s3_force_path_style: true,
      aws_access_key_id: credentials.accessKeyId,
      aws_secret_access_key: credentials.secretAccessKey,
    });
  const lastUrl = async () => (await api.get(STATUS)).body?.data?.last_snapshot_url as string | undefined;
  return {
    async take() {
      const before = await lastUrl();
      await configure('1s');
      const deadline = Date.now() + PATIENCE_MS;
      while ((await lastUrl()) === before) {
        if (Date.now() > deadline) throw new Error('no snapshot was taken');
        await pause(50);
      }
      await configure('24h');
    },
    close: () => bucket.close(),
  };
}
