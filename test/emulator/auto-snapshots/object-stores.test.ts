/** Snapshots in object stores of all types. The tests of S3 alone are in aws-s3.test.ts. */
import { readSnapshot, startS3Server } from '../../../src/emulator';
import type { SnapshotStorageTypeName } from '../../../src/model';
import { useEmulator } from '../support/emulator';
import { startBlobServer } from './stores/blob-server';
import { serviceAccount, startGcsServer } from './stores/gcs-server';
import { configs, hour, loadLast, pass, statusOf } from './support';

/** A server with the bucket `backups`. */
interface Store {
  readonly address: string;
  /** The fields of a configuration that writes to the bucket. */
  readonly fields: object;
  /** The contents of the bucket by their names. */
  readonly contents: () => ReadonlyMap<string, Buffer>;
  readonly clear: () => void;
  readonly close: () => Promise<void>;
}

interface StoreCase {
  readonly scheme: string;
  readonly start: () => Promise<Store>;
  /** Fields that make an attempt fail, and the reason in the status. */
  readonly failures: readonly (readonly [title: string, fields: object, reason: RegExp])[];
}

const S3_CREDENTIALS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' };
const ACCOUNT_KEY = Buffer.from('canary-account-key').toString('base64');

const STORES: Readonly<Record<Exclude<SnapshotStorageTypeName, 'local'>, StoreCase>> = {
  'aws-s3': {
    scheme: 's3',
    async start() {
      const server = await startS3Server({ credentials: S3_CREDENTIALS, buckets: ['backups'], pageSize: 2 });
      const bucket = server.buckets.get('backups')!;
      return {
        address: server.address,
        fields: {
          aws_s3_bucket: 'backups',
          aws_s3_region: 'eu-west-1',
          aws_s3_endpoint: server.address,
          aws_s3_force_path_style: true,
          aws_access_key_id: S3_CREDENTIALS.accessKeyId,
          aws_secret_access_key: S3_CREDENTIALS.secretAccessKey,
        },
        contents: () => new Map([...bucket].map(([name, { content }]) => [name, content])),
        clear: () => bucket.clear(),
        close: () => server.close(),
      };
    },
    failures: [
      [
        'a wrong secret',
        { aws_secret_access_key: 'canary-wrong' },
        /^SignatureDoesNotMatch: The request signature/,
      ],
      ['an unknown key id', { aws_access_key_id: 'AKIAOTHER' }, /^InvalidAccessKeyId: The AWS Access Key Id/],
      [
        'an unwanted session token',
        { aws_session_token: 'canary-session' },
        /^InvalidToken: The provided token/,
      ],
      [
        'a missing bucket',
        { aws_s3_bucket: 'missing' },
        /^NoSuchBucket: The specified bucket does not exist\n\tstatus code: 404, request id: \w+$/,
      ],
      [
        'an endpoint at which nobody listens',
        { aws_s3_endpoint: 'http://127.0.0.1:1' },
        /^cannot reach http:\/\/127.0.0.1:1: .*ECONNREFUSED 127.0.0.1:1$/,
      ],
      [
        'an endpoint that is not valid',
        { aws_s3_endpoint: 'not a host' },
        /^"not a host" is not a valid endpoint: use a URL, or a host with its port$/,
      ],
    ],
  },
  'azure-blob': {
    scheme: 'azblob',
    async start() {
      const server = await startBlobServer('account', ACCOUNT_KEY, ['backups']);
      const container = server.containers.get('backups')!;
      return {
        address: server.address,
        fields: {
          azure_container_name: 'backups',
          azure_endpoint: server.address,
          azure_account_name: 'account',
          azure_account_key: ACCOUNT_KEY,
        },
        contents: () => container,
        clear: () => container.clear(),
        close: () => server.close(),
      };
    },
    failures: [
      [
        'a wrong key',
        { azure_account_key: Buffer.from('canary-wrong').toString('base64') },
        /^RESPONSE 403: Server failed to authenticate the request\..*\nERROR CODE: AuthenticationFailed$/,
      ],
      [
        'a missing container',
        { azure_container_name: 'missing' },
        /^RESPONSE 404: The specified container does not exist\.\nERROR CODE: ContainerNotFound$/,
      ],
      ['no key', { azure_account_key: '' }, /^azure_account_name and azure_account_key are required$/],
      [
        'a managed identity',
        { azure_auth_mode: 'managed', azure_client_id: 'id' },
        /^azure_auth_mode "managed": the emulator does not connect to identity services$/,
      ],
      [
        'an endpoint at which nobody listens',
        { azure_endpoint: 'http://127.0.0.1:1' },
        /^cannot reach http:\/\/127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1$/,
      ],
    ],
  },
  'google-gcs': {
    scheme: 'gs',
    async start() {
      const server = await startGcsServer(['backups']);
      const bucket = server.buckets.get('backups')!;
      return {
        address: server.address,
        fields: {
          google_gcs_bucket: 'backups',
          google_endpoint: server.address.replace('http://', ''),
          google_disable_tls: true,
          google_service_account_key: server.serviceAccountKey,
        },
        contents: () => bucket,
        clear: () => bucket.clear(),
        close: () => server.close(),
      };
    },
    failures: [
      [
        'a key of another account',
        { google_service_account_key: serviceAccount('other@project.iam.gserviceaccount.com').key },
        /^googleapi: Error 401: Invalid Credentials, authError$/,
      ],
      [
        'a missing bucket',
        { google_gcs_bucket: 'missing' },
        /^googleapi: Error 404: The specified bucket does not exist\., notFound$/,
      ],
      [
        'a key without its fields',
        { google_service_account_key: '{}' },
        /^google: the service account key has no client_email or no private_key$/,
      ],
      [
        'a private key that cannot be read',
        { google_service_account_key: '{"client_email":"a@b","private_key":"canary"}' },
        /^google: the private_key of the service account key cannot be read$/,
      ],
      [
        'a key that is not JSON',
        { google_service_account_key: 'canary' },
        /^google: the service account key is not valid JSON$/,
      ],
      ['no key', { google_service_account_key: '' }, /^google: could not find default credentials$/],
      [
        'an endpoint at which nobody listens',
        { google_endpoint: '127.0.0.1:1' },
        /^cannot reach https?:\/\/127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1$/,
      ],
    ],
  },
};

const use = useEmulator();
beforeAll(() => {
  use().emulator.clock.freeze();
});

describe.each(Object.entries(STORES))('a store of the type %s', (type, { scheme, start, failures }) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.close());
  afterEach(() => store.clear());

  const names = () => [...store.contents().keys()].sort();
  async function write(fields: object = {}): Promise<void> {
    const { api } = use();
    await api.delete(`${configs}/a`);
    const common = { interval: '1h', path_prefix: 'vault/', storage_type: type };
    const answer = await api.post(`${configs}/a`, { ...common, ...store.fields, ...fields });
    expect(answer.status).toBe(204);
  }

  it('snapshots can be read back and loaded, and only the number in retain is kept', async () => {
    const { emulator, api } = use();
    await write({ retain: 2 });
    for (let hours = 1; hours <= 4; hours += 1) await pass(emulator, hour);
    expect(names()).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^vault\/vault-snapshot-\d{19}\.snap$/)),
    );
    const last = names().at(-1) ?? '';
    expect(await statusOf(api, 'a')).toMatchObject({
      consecutive_errors: 0,
      last_snapshot_error: '',
      last_snapshot_url: `${scheme}://backups/${last}`,
    });
    const { meta } = await readSnapshot(
      store.contents().get(last)!,
      emulator.clusters.default?.unsealKey ?? '',
    );
    expect(meta.ClusterName).toBe('default');
    await loadLast(emulator, api, 'a');
  });

  it.each(failures)('an attempt fails, and the status has the reason: %s', async (_, fields, reason) => {
    const { emulator, api } = use();
    await write(fields);
    await pass(emulator, hour);
    const status = await statusOf(api, 'a');
    expect(status).toMatchObject({ consecutive_errors: 1, last_snapshot_url: '' });
    expect(status.last_snapshot_error).toMatch(reason);
    expect(JSON.stringify(status)).not.toMatch(new RegExp(`canary|PRIVATE KEY|${ACCOUNT_KEY}`));
    expect(names()).toEqual([]);
  });
});

it('a path_prefix without a final slash becomes the beginning of the names of blobs', async () => {
  const { emulator, api } = use();
  const server = await startBlobServer('account', ACCOUNT_KEY, ['backups']);
  await api.delete(`${configs}/a`);
  await api.post(`${configs}/a`, {
    interval: '1h',
    path_prefix: 'vault',
    storage_type: 'azure-blob',
    azure_container_name: 'backups',
    azure_endpoint: server.address,
    azure_account_name: 'account',
    azure_account_key: ACCOUNT_KEY,
  });
  await pass(emulator, hour);
  expect([...server.containers.get('backups')!.keys()]).toEqual([
    expect.stringMatching(/^vaultvault-snapshot-\d{19}\.snap$/),
  ]);
  await server.close();
});
