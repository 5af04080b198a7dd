import { readSnapshot } from '../../../src/emulator';
import { useEmulator } from '../support/emulator';
import { type GcsServer, serviceAccount, startGcsServer } from './stores/gcs-server';
import { configs, hour, loadLast, pass, statusOf } from './support';

const use = useEmulator();
let server: GcsServer;

beforeAll(async () => {
  use().emulator.clock.freeze();
  server = await startGcsServer(['backups']);
});
afterAll(() => server.close());
afterEach(() => server.buckets.get('backups')?.clear());

async function write(fields: object = {}) {
  const { api } = use();
  await api.delete(`${configs}/a`);
  const answer = await api.post(`${configs}/a`, {
    interval: '1h',
    path_prefix: 'vault/',
    storage_type: 'google-gcs',
    google_gcs_bucket: 'backups',
    google_endpoint: server.address.replace('http://', ''),
    google_disable_tls: true,
    google_service_account_key: server.serviceAccountKey,
    ...fields,
  });
  expect(answer.status).toBe(204);
}

function names(): string[] {
  return [...(server.buckets.get('backups')?.keys() ?? [])].sort();
}

it('snapshots in a bucket can be read back, and only the number in retain is kept', async () => {
  const { emulator, api } = use();
  await write({ retain: 2 });
  for (let hours = 1; hours <= 4; hours += 1) await pass(emulator, hour);
  expect(names()).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^vault\/vault-snapshot-\d{19}\.snap$/)),
  );
  const last = names().at(-1) ?? '';
  expect(await statusOf(api, 'a')).toMatchObject({
    last_snapshot_error: '',
    last_snapshot_url: `gs://backups/${last}`,
  });
  const content = server.buckets.get('backups')?.get(last) ?? Buffer.alloc(0);
  const { meta } = await readSnapshot(content, emulator.clusters.default?.unsealKey ?? '');
  expect(meta.ClusterName).toBe('default');
  await loadLast(emulator, api, 'a');
});

it.each([
  [
    "with another account's key",
    { google_service_account_key: serviceAccount('other@project.iam.gserviceaccount.com').key },
    /^googleapi: Error 401: Invalid Credentials, authError$/,
  ],
  [
    'without the bucket',
    { google_gcs_bucket: 'missing' },
    /^googleapi: Error 404: The specified bucket does not exist\., notFound$/,
  ],
  [
    'with a key of nobody',
    { google_service_account_key: '{}' },
    /^google: the service account key has no client_email or no private_key$/,
  ],
  [
    'with a private key that is none',
    { google_service_account_key: '{"client_email":"a@b","private_key":"canary"}' },
    /^google: the private_key of the service account key cannot be read$/,
  ],
  [
    'with a key that is none',
    { google_service_account_key: 'canary' },
    /^google: the service account key is not valid JSON$/,
  ],
  [
    'without a key anywhere',
    { google_service_account_key: '' },
    /^google: could not find default credentials$/,
  ],
  [
    'where nobody listens',
    { google_endpoint: '127.0.0.1:1' },
    /^cannot reach https?:\/\/127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1$/,
  ],
])('an attempt fails, and the status has the reason, %s', async (_, fields, message) => {
  const { emulator, api } = use();
  await write(fields);
  await pass(emulator, hour);
  const status = await statusOf(api, 'a');
  expect(status.last_snapshot_error).toMatch(message);
  expect(status.consecutive_errors).toBe(1);
  expect(JSON.stringify(status)).not.toMatch(/canary|PRIVATE KEY/);
  expect(names()).toEqual([]);
});
