import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startS3Server } from '../../../src/emulator';
import { type Answer, type Api, collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';
import { asOperator, joinedPair, useSet } from '../replication/support/set';
import { configs, filesIn, hour, loadLast, loads, localConfig, pass, statusOf, useFolder } from './support';

const day = 24 * hour;

const folder = useFolder();

/** Takes a snapshot of a cluster, and returns the file. */
async function snapshotOf({ emulator, api }: Pick<ReturnType<typeof use>, 'emulator' | 'api'>, file = 'now') {
  await api.post(`${configs}/${file}`, localConfig(folder(), { file_prefix: file }));
  await pass(emulator, hour);
  await api.delete(`${configs}/${file}`);
  const name = filesIn(folder()).find((each) => each.startsWith(file))!;
  return readFileSync(join(folder(), name));
}

const load = (api: Api, content: Buffer | string) => api.post(loads, content);

async function loaded({ emulator, api }: Pick<ReturnType<typeof use>, 'emulator' | 'api'>, content: Buffer) {
  const answer = await load(api, content);
  expect(answer.status).toBe(200);
  await pass(emulator, 1000);
  const id = answer.body.data.snapshot_id as string;
  expect((await api.get(`${loads}/${id}`)).body.data.status).toBe('ready');
  return id;
}

const recover = (api: Api, path: string, id: string, from?: string, verb = 'PUT'): Promise<Answer> =>
  api.send(verb, path, {
    headers: { 'X-Vault-Recover-Snapshot-Id': id, ...(from && { 'X-Vault-Recover-Source-Path': from }) },
  });

const refusal = (text: string) => ({ status: 400, body: { errors: [text] } });

const use = useEmulator();

beforeAll(async () => {
  const { emulator, api } = use();
  emulator.clock.freeze();
  await api.post('sys/mounts/kv', { type: 'kv' });
  await api.post('sys/mounts/kv2', { type: 'kv', options: { version: '2' } });
});
beforeEach(async () => {
  await use().api.post('kv/app/db', { password: 'before' });
  await use().api.delete('kv/copy');
});
afterEach(() => unloadAll(use().api));

async function unloadAll(api: Api): Promise<void> {
  for (const id of (await api.list(loads)).body.data?.keys ?? []) {
    expect((await api.delete(`${loads}/${id}?force=true`)).status).toBe(204);
  }
}

describe('a loaded snapshot', () => {
  it('the status is loading, then ready, until the snapshot expires after 72 hours', async () => {
    const { emulator, api } = use();
    const content = await snapshotOf(use());
    const now = emulator.clock.now();
    const at = (ms: number) => new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z');
    const { status, body } = await load(api, content);
    const id = body.data.snapshot_id as string;
    const described = {
      cluster_id: (await api.get('sys/health')).body.cluster_id as string,
      created_at: at(now),
      expires_at: at(now + 3 * day),
      snapshot_id: id,
    };
    expect({ status, data: body.data }).toEqual({ status: 200, data: { ...described, status: 'loading' } });
    expect((await api.list(loads)).body.data).toEqual({ keys: [id] });
    expect(await api.get(`kv/app/db?read_snapshot_id=${id}`)).toMatchObject(
      refusal(`snapshot ${id} is not ready: its status is loading`),
    );
    expect(await api.delete(`${loads}/${id}`)).toMatchObject(refusal(`snapshot ${id} is still being loaded`));
    expect(await load(api, content)).toMatchObject(refusal(`snapshot ${id} is already loaded`));

    await pass(emulator, 1000);
    expect((await api.get(`${loads}/${id}`)).body.data).toEqual({ ...described, status: 'ready' });
    await pass(emulator, 3 * day - 1001);
    expect((await api.get(`${loads}/${id}`)).status).toBe(200);
    await pass(emulator, 1);
    expect((await api.get(`${loads}/${id}`)).status).toBe(404);
    expect((await api.list(loads)).status).toBe(404);
    expect(await api.get(`kv/app/db?read_snapshot_id=${id}`)).toMatchObject(
      refusal(`no snapshot with the id ${id} is loaded`),
    );
  });

  it('objects in a loaded snapshot are read, listed and recovered, and only recovery changes the present data', async () => {
    const { api } = use();
    await api.post('cubbyhole/mine', { a: '1' });
    const id = await loaded(use(), await snapshotOf(use()));
    await api.post('kv/app/db', { password: 'after' });
    await api.post('kv/app/new', { a: '1' });
    await api.delete('cubbyhole/mine');

    const then = await api.get(`kv/app/db?read_snapshot_id=${id}`);
    expect(then.body).toMatchObject({ data: { password: 'before' }, warnings: null });
    expect((await api.get('kv/app/db')).body.data).toEqual({ password: 'after' });
    expect((await api.list(`kv/app?read_snapshot_id=${id}`)).body.data).toEqual({ keys: ['db'] });
    expect((await api.list('kv/app')).body.data).toEqual({ keys: ['db', 'new'] });
    expect((await api.get(`kv/app/new?read_snapshot_id=${id}`)).status).toBe(404);
    expect((await api.get(`cubbyhole/mine?read_snapshot_id=${id}`)).body.data).toEqual({ a: '1' });

    expect((await recover(api, 'kv/app/db', id)).status).toBe(204);
    expect((await api.get('kv/app/db')).body.data).toEqual({ password: 'before' });
    expect((await recover(api, 'kv/copy', id, 'kv/app/db')).status).toBe(204);
    expect((await api.get('kv/copy')).body.data).toEqual({ password: 'before' });
    await api.delete('kv/copy');
    expect((await recover(api, 'kv/copy', id, 'kv/app/db', 'RECOVER')).status).toBe(204);
    expect((await api.get('kv/copy')).body.data).toEqual({ password: 'before' });
    expect(await api.send('RECOVER', 'kv/copy')).toMatchObject(
      refusal('missing X-Vault-Recover-Snapshot-Id'),
    );
    // The id may also be in the query, from which the first versions with loaded snapshots read it.
    expect((await api.put(`cubbyhole/mine?recover_snapshot_id=${id}`)).status).toBe(204);
    expect((await api.get('cubbyhole/mine')).body.data).toEqual({ a: '1' });

    expect(await recover(api, 'kv/app/new', id)).toMatchObject(refusal(collected('no data in the snapshot')));
    expect(await recover(api, 'kv/copy', id, 'cubbyhole/mine')).toMatchObject(
      refusal('the source path is not in the mount kv/'),
    );
    for (const path of ['kv2/data/app', 'sys/policies/acl/default']) {
      expect((await recover(api, path, id)).status).toBe(405);
      expect((await api.get(`${path}?read_snapshot_id=${id}`)).status).toBe(405);
    }
    // A delete with the query parameter does not change the snapshot.
    expect((await api.delete(`kv/app/db?read_snapshot_id=${id}`)).status).toBe(204);
    expect((await api.get(`kv/app/db?read_snapshot_id=${id}`)).body.data).toEqual({ password: 'before' });
  });

  it('recovery requires the capability recover, also on the source', async () => {
    const { api } = use();
    const id = await loaded(use(), await snapshotOf(use()));
    const withPolicy = async (policy: string) => {
      await api.post('sys/policies/acl/here', { policy });
      const { body } = await api.post('auth/token/create', { policies: ['here'] });
      return api.as(body.auth.client_token as string);
    };
    const writer = await withPolicy('path "kv/*" { capabilities = ["create", "read", "update"] }');
    expect((await recover(writer, 'kv/app/db', id)).status).toBe(403);
    expect((await writer.get(`kv/app/db?read_snapshot_id=${id}`)).status).toBe(200);
    const recoverer = await withPolicy('path "kv/copy" { capabilities = ["recover"] }');
    expect((await recoverer.get(`kv/copy?read_snapshot_id=${id}`)).status).toBe(403);
    expect((await recover(recoverer, 'kv/copy', id, 'kv/app/db')).status).toBe(403);
    const both = await withPolicy('path "kv/*" { capabilities = ["recover"] }');
    expect((await recover(both, 'kv/copy', id, 'kv/app/db')).status).toBe(204);
    expect((await both.post('kv/copy', { a: 'b' })).status).toBe(403);
  });

  it('a mount that was created after the snapshot is empty in it', async () => {
    const { api } = use();
    await api.post('sys/mounts/again', { type: 'kv' });
    await api.post('again/a', { b: 'c' });
    const id = await loaded(use(), await snapshotOf(use()));
    await api.delete('sys/mounts/again');
    await api.post('sys/mounts/again', { type: 'kv' });
    expect((await api.get(`again/a?read_snapshot_id=${id}`)).status).toBe(404);
    expect(await recover(api, 'again/a', id)).toMatchObject(refusal(collected('no data in the snapshot')));
  });

  it.each([
    ['no archive', async () => Buffer.from('{"not": "a snapshot"}'), /^this is not a snapshot: /],
    [
      'another cluster',
      async () => {
        const other = await startTestEmulator();
        other.emulator.clock.freeze();
        const content = await snapshotOf(other, 'other');
        await other.emulator.close();
        return content;
      },
      /^the unseal key does not belong to the cluster of the snapshot$/,
    ],
  ])('a load of %s ends in the status "error", and can be unloaded', async (_title, content, error) => {
    const { emulator, api } = use();
    const { body } = await load(api, await content());
    await pass(emulator, 1000);
    const id = body.data.snapshot_id as string;
    expect((await api.get(`${loads}/${id}`)).body.data).toMatchObject({
      status: 'error',
      error: expect.stringMatching(error),
    });
    expect(await recover(api, 'kv/app/db', id)).toMatchObject(
      refusal(`snapshot ${id} is not ready: its status is error`),
    );
    expect((await api.delete(`${loads}/${id}`)).status).toBe(204);
    expect((await api.list(loads)).status).toBe(404);
  });

  it('a snapshot is loaded from the URL of its bucket, and the URL of a local file is refused', async () => {
    const { emulator, api } = use();
    const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' };
    const server = await startS3Server({ credentials, buckets: ['backups'] });
    await api.post(`${configs}/s3`, {
      interval: '1h',
      path_prefix: 'nightly',
      storage_type: 'aws-s3',
      aws_s3_bucket: 'backups',
      aws_s3_region: 'eu-west-1',
      aws_s3_endpoint: server.address,
      aws_s3_force_path_style: true,
      aws_access_key_id: credentials.accessKeyId,
      aws_secret_access_key: credentials.secretAccessKey,
    });
    await pass(emulator, hour);
    await loadLast(emulator, api, 's3');
    const { last_snapshot_url: url } = await statusOf(api, 's3');
    const from = (name: string, body: object) =>
      api.post(`sys/storage/raft/snapshot-auto/snapshot-load/${name}`, body);
    const { body } = await from('s3', { url });
    expect(body.data).toMatchObject({ status: 'loading', auto_config_name: 's3', url });
    await pass(emulator, 1000);
    const id = body.data.snapshot_id as string;
    expect((await api.get(`${loads}/${id}`)).body.data).toMatchObject({ status: 'ready', url });
    expect((await api.get(`kv/app/db?read_snapshot_id=${id}`)).body.data).toEqual({ password: 'before' });

    await api.post(`${configs}/here`, localConfig(folder()));
    expect(await from('here', { url: 'file:///x' })).toMatchObject(
      refusal('snapshots of the type local cannot be loaded by URL'),
    );
    const elsewhere = 's3://other/nightly/vault-snapshot-1.snap';
    expect(await from('s3', { url: elsewhere })).toMatchObject(
      refusal(`${elsewhere} is not in the storage of the configuration`),
    );
    expect(await from('s3', {})).toMatchObject(refusal('missing url'));
    expect((await from('none', { url })).status).toBe(404);
    await api.delete(`${configs}/s3`);
    await api.delete(`${configs}/here`);
    await server.close();
  });
});

it.each(['1.19.0+ent', '1.21.0'])('a server of version %s cannot load snapshots', async (serverVersion) => {
  const { api } = await startTestEmulator({ serverVersion });
  await api.post('sys/mounts/kv', { type: 'kv' });
  await api.post('kv/a', { b: 'c' });
  expect((await load(api, 'x')).status).toBe(404);
  expect((await api.send('RECOVER', 'kv/a')).status).toBe(405);
  // This version ignores the unknown query parameter.
  expect((await api.get('kv/a?read_snapshot_id=x')).body.data).toEqual({ b: 'c' });
});

describe('in a replication set', () => {
  const useClusters = useSet();

  it('a secondary reads its local mounts from a snapshot, and refuses shared mounts', async () => {
    const { emulator } = useClusters();
    const { secondary } = await joinedPair(useClusters());
    const api = await asOperator(useClusters().eu);
    await secondary.post('sys/mounts/own', { type: 'kv', local: true });
    await secondary.post('own/a', { b: 'c' });
    emulator.clock.freeze();
    const id = await loaded({ emulator, api }, await snapshotOf({ emulator, api }));
    expect((await api.get(`own/a?read_snapshot_id=${id}`)).body.data).toEqual({ b: 'c' });
    await api.post('sys/mounts/shared', { type: 'kv' });
    expect(await api.get(`shared/a?read_snapshot_id=${id}`)).toMatchObject(
      refusal('shared/ is not a local mount: use the primary'),
    );
    emulator.replication.crash('eu');
    expect((await api.get(`${loads}/${id}`)).body.data).toMatchObject({
      status: 'error',
      error: 'the active node of the cluster has changed',
    });
  });
});

describe('KV version 2 and a server from 2.1 on', () => {
  const use21 = useEmulator({ serverVersion: '2.1.0+ent' });
  const password = (value: string) => ({ data: { password: value } });
  afterEach(() => unloadAll(use21().api));

  it('the latest version in a snapshot is read, and recovered as a new version', async () => {
    const { emulator, api } = use21();
    emulator.clock.freeze();
    await api.post('sys/mounts/kv2', { type: 'kv', options: { version: '2' } });
    await api.post('kv2/data/app', password('first'));
    await api.post('kv2/data/app', password('before'));
    await api.post('kv2/data/deleted', password('gone'));
    await api.delete('kv2/data/deleted');
    const id = await loaded(use21(), await snapshotOf(use21()));
    await api.post('kv2/data/app', password('after'));
    await api.post('kv2/data/new', password('new'));

    const then = await api.get(`kv2/data/app?read_snapshot_id=${id}`);
    expect(then.body.data).toMatchObject({ ...password('before'), metadata: { version: 2 } });
    const { status, body } = await recover(api, 'kv2/data/app', id);
    expect([status, body.data.version, body.warnings]).toEqual([200, 4, null]);
    expect((await api.get('kv2/data/app')).body.data).toMatchObject(password('before'));
    expect((await recover(api, 'kv2/data/copy', id, 'kv2/data/app')).body.data.version).toBe(1);
    expect((await api.get('kv2/data/copy')).body.data).toMatchObject(password('before'));

    expect(await recover(api, 'kv2/data/deleted', id)).toMatchObject(refusal('no data provided'));
    expect(await recover(api, 'kv2/data/new', id)).toMatchObject(
      refusal(collected('no data in the snapshot')),
    );
    expect((await api.list(`kv2/metadata/?read_snapshot_id=${id}`)).status).toBe(405);
    expect((await recover(api, 'kv2/metadata/app', id)).status).toBe(405);
  });

  it('a secret with check-and-set is not recovered', async () => {
    const { api } = use21();
    await api.post('sys/mounts/strict', { type: 'kv', options: { version: '2' } });
    await api.post('strict/data/app', password('before'));
    await api.post('strict/metadata/app', { cas_required: true });
    const id = await loaded(use21(), await snapshotOf(use21(), 'strict'));
    const answer = await recover(api, 'strict/data/app', id);
    expect(answer).toMatchObject(refusal('check-and-set parameter required for this call'));
  });
});
