import './without-google';
import { startTestEmulator, useEmulator } from '../support/emulator';
import { configs, hour, pass, statusOf } from './support';

const use = useEmulator();
const s3 = {
  interval: '1h',
  retain: 2,
  path_prefix: 'nightly',
  storage_type: 'aws-s3',
  aws_s3_bucket: 'backups',
  aws_s3_region: 'eu-west-1',
};

it('snapshots without an endpoint are only recorded, and the status shows that', async () => {
  const { emulator, api } = use();
  await api.post(`${configs}/cloud`, s3);
  for (let hours = 1; hours <= 3; hours += 1) await pass(emulator, hour);
  const { body } = await api.get('sys/storage/raft/snapshot-auto/status/cloud');
  expect(body.warnings).toEqual([
    'the emulator does not connect to clouds: without aws_s3_endpoint, snapshots are only recorded; see GET /emulator/v1/snapshots',
  ]);
  const { snapshots } = (await api.get('/emulator/v1/snapshots')).body;
  expect(snapshots).toEqual(
    Array.from({ length: 2 }, () => ({
      config: 'cloud',
      url: expect.stringMatching(/^s3:\/\/backups\/nightly\/vault-snapshot-\d{19}\.snap$/),
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })),
  );
  expect(body.data).toMatchObject({ consecutive_errors: 0, last_snapshot_url: snapshots[1].url });
});

it('the status uses the neutral dialect if the emulator does', async () => {
  const { emulator, api } = await startTestEmulator({ dialect: 'neutral' });
  await api.post(`${configs}/cloud`, {
    interval: '1h',
    path_prefix: 'nightly/',
    storage_type: 'provC-gcs',
    provC_gcs_bucket: 'backups',
  });
  await pass(emulator, hour);
  const { body } = await api.get('sys/storage/raft/snapshot-auto/status/cloud');
  expect(body.warnings).toEqual([
    expect.stringContaining('without provC_endpoint, snapshots are only recorded'),
  ]);
});

it('the status names a client library that is not installed', async () => {
  const { emulator, api } = use();
  await api.post(`${configs}/gcs`, {
    interval: '1h',
    path_prefix: 'a/',
    storage_type: 'google-gcs',
    google_gcs_bucket: 'b',
    google_endpoint: 'http://127.0.0.1:1',
    google_service_account_key: '{"client_email": "a", "private_key": "b"}',
  });
  await pass(emulator, hour);
  expect((await statusOf(api, 'gcs')).last_snapshot_error).toBe(
    'this target requires the package @google-cloud/storage: run npm install @google-cloud/storage',
  );
});
