import { type S3Server, startS3Server } from '../../../src/emulator';
import { useEmulator } from '../support/emulator';
import { configs, hour, loads, pass, statusOf } from './support';

const use = useEmulator();
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' };
const named = {
  aws_access_key_id: credentials.accessKeyId,
  aws_secret_access_key: credentials.secretAccessKey,
};
let server: S3Server;

beforeAll(async () => {
  use().emulator.clock.freeze();
  server = await startS3Server({ credentials, buckets: ['backups'], pageSize: 2 });
});
afterAll(() => server.close());
afterEach(() => server.buckets.get('backups')?.clear());

async function write(fields: object = {}, name = 'a') {
  const { api } = use();
  await api.delete(`${configs}/${name}`);
  const answer = await api.post(`${configs}/${name}`, {
    interval: '1h',
    path_prefix: 'vault/nightly',
    storage_type: 'aws-s3',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_s3_endpoint: server.address,
    aws_s3_force_path_style: true,
    ...named,
    ...fields,
  });
  expect(answer.status).toBe(204);
}

function keys(): string[] {
  return [...(server.buckets.get('backups')?.keys() ?? [])].sort();
}

describe('snapshots with autoload_enabled', () => {
  const minute = hour / 60;
  const loadedOf = async (name = 'a') => {
    const {
      loaded_snapshot_id: id,
      loaded_snapshot_status: status,
      loaded_snapshot_expires_at: expires,
      loading_error: error,
      last_snapshot_url: url,
    } = await statusOf(use().api, name);
    return { id, status, expires, error, url };
  };
  afterEach(async () => {
    const { api } = use();
    await api.delete(`${configs}/a`);
    for (const id of (await api.list(loads)).body.data?.keys ?? [])
      await api.delete(`${loads}/${id}?force=true`);
  });

  it('a new snapshot replaces the loaded one, at most once an hour', async () => {
    const { emulator, api } = use();
    await api.put('cubbyhole/mine', { a: '1' });
    await write({ autoload_enabled: true, interval: '30m' });
    await pass(emulator, 30 * minute);
    const first = await loadedOf();
    expect(first).toMatchObject({ status: 'loading', error: undefined });
    await pass(emulator, 1000);
    expect(await loadedOf()).toEqual({ ...first, status: 'ready' });
    expect((await api.get(`${loads}/${first.id}`)).body.data).toMatchObject({
      auto_config_name: 'a',
      url: first.url,
      expires_at: first.expires,
      status: 'ready',
    });
    await api.put('cubbyhole/mine', { a: '2' });
    const then = await api.get(`cubbyhole/mine?read_snapshot_id=${first.id}`);
    expect(then.body.data).toEqual({ a: '1' });

    await pass(emulator, 30 * minute);
    const second = await loadedOf();
    expect([second.id, second.url === first.url]).toEqual([first.id, false]);
    await pass(emulator, 30 * minute);
    const third = await loadedOf();
    expect(third.id).not.toBe(first.id);
    expect((await api.list(loads)).body.data.keys).toEqual([third.id]);
    await pass(emulator, 1000);
    expect((await api.get(`cubbyhole/mine?read_snapshot_id=${third.id}`)).body.data).toEqual({ a: '2' });
  });

  it('a snapshot that cannot be loaded has its error in the status; without the setting, nothing is loaded', async () => {
    const { emulator, api } = use();
    await write({ autoload_enabled: true });
    emulator.clock.advance(hour);
    await emulator.clock.settled();
    server.buckets.get('backups')?.clear();
    await pass(emulator, 1000);
    expect(await loadedOf()).toMatchObject({ status: 'error', error: expect.stringContaining('404') });

    await write({ autoload_enabled: false }, 'b');
    await pass(emulator, hour);
    expect(await loadedOf('b')).toMatchObject({ id: undefined, status: undefined });
    await api.delete(`${configs}/b`);
  });
});

describe('an S3 bucket', () => {
  it('a bucket keeps other objects, and only snapshots count towards the number in retain', async () => {
    const { emulator } = use();
    await write({ retain: 3 });
    server.buckets
      .get('backups')
      ?.set('vault/nightly/other', { content: Buffer.alloc(1), modified: new Date() });
    for (let hours = 1; hours <= 5; hours += 1) await pass(emulator, hour);
    expect(keys()).toEqual([
      'vault/nightly/other',
      ...Array.from({ length: 3 }, () =>
        expect.stringMatching(/^vault\/nightly\/vault-snapshot-\d{19}\.snap$/),
      ),
    ]);
  });

  it('the encryption settings are sent with each snapshot', async () => {
    const { emulator } = use();
    const encryption = async (fields: object) => {
      await write(fields);
      await pass(emulator, hour);
      const { encryption, kmsKey } = server.buckets.get('backups')?.get(keys().at(-1) ?? '') ?? {};
      return [encryption, kmsKey];
    };
    expect(await encryption({})).toEqual([undefined, undefined]);
    expect(await encryption({ aws_s3_server_side_encryption: true })).toEqual(['AES256', undefined]);
    expect(await encryption({ aws_s3_enable_kms: true })).toEqual(['aws:kms', undefined]);
    expect(await encryption({ aws_s3_enable_kms: true, aws_s3_kms_key: 'alias/backup' })).toEqual([
      'aws:kms',
      'alias/backup',
    ]);
  });

  it('the endpoint may have no scheme', async () => {
    const { emulator } = use();
    await write({ aws_s3_endpoint: server.address.replace('http://', ''), aws_s3_disable_tls: true });
    await pass(emulator, hour);
    expect(keys()).toHaveLength(1);
  });
});

describe('a failed attempt has the reason in the status', () => {
  it('a server without TLS at an https:// endpoint is reported', async () => {
    const { emulator, api } = use();
    const endpoint = server.address.replace('http:', 'https:');
    await write({ aws_s3_endpoint: endpoint });
    await pass(emulator, hour);
    expect((await statusOf(api, 'a')).last_snapshot_error).toBe(
      `cannot reach ${endpoint}: the server does not use TLS`,
    );
  });

  it('missing credentials in configuration and environment are reported', async () => {
    const { emulator, api } = use();
    await write({ aws_access_key_id: '', aws_secret_access_key: '' });
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    delete process.env.AWS_ACCESS_KEY_ID;
    await pass(emulator, hour);
    expect((await statusOf(api, 'a')).last_snapshot_error).toBe(
      'NoCredentialProviders: no valid providers in chain',
    );
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
    await pass(emulator, hour);
    expect((await statusOf(api, 'a')).last_snapshot_error).toBe('');
    Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    if (AWS_ACCESS_KEY_ID === undefined) delete process.env.AWS_ACCESS_KEY_ID;
    if (AWS_SECRET_ACCESS_KEY === undefined) delete process.env.AWS_SECRET_ACCESS_KEY;
  });
});
