import { Readable } from 'node:stream';
import { connect, envelope, failureOf } from '../support/client';
import { until } from '../../support/until';
import { FakeClock } from '../support/fake-clock';
import { serve } from '../support/server';

const LOADS = '/v1/sys/storage/raft/snapshot-load';
const LOADED = { snapshot_id: '2403d301', status: 'loading', expires_at: '2025-05-25T15:07:58Z', error: '' };

it('a file is uploaded unchanged', async () => {
  const server = await serve({ json: envelope(LOADED) });
  const content = Buffer.from([0x1f, 0x8b, 0x00, 0xff, 0xc3]);
  const { data } = await connect(server).loadedSnapshots.load(() => Readable.from([content]));
  expect(data).toEqual({ snapshot_id: '2403d301', status: 'loading', expires_at: '2025-05-25T15:07:58Z' });
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'POST', url: LOADS });
  expect(request!.headers['content-type']).toBe('application/octet-stream');
});

it('a file of the maximum size is uploaded, and a larger one refused', async () => {
  const server = await serve({ json: envelope(LOADED) });
  const { loadedSnapshots } = connect(server);
  const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1000));
  await loadedSnapshots.load(() => Readable.from(chunks), { largest: 100_000 });
  let read = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) yield chunks[read++ % 100];
    })(),
  );
  const error = await failureOf(loadedSnapshots.load(() => endless, { largest: 99_999 }));
  expect(error).toMatchObject({
    code: 'invalid_request',
    message: 'the snapshot has more than 99999 bytes: allowed are at most as many; set largest to upload it',
  });
  expect(endless.destroyed).toBe(true);
  expect(read).toBeLessThan(1000);
  expect(server.requests).toHaveLength(1);
});

it('an upload whose source fails has the error of the source', async () => {
  const server = await serve({ json: envelope(LOADED) });
  const broken = () =>
    new Readable({
      read() {
        this.destroy(new Error('EIO: input/output error'));
      },
    });
  const error = await failureOf(connect(server, { maxRetries: 0 }).loadedSnapshots.load(broken));
  expect(error.message).toContain('EIO: input/output error');
});

it.each([
  ['half an hour', undefined, 1800],
  ['the timeout of the call', 60, 60],
])('an upload that does not end fails after %s', async (_what, timeout, seconds) => {
  const server = await serve({ json: envelope(LOADED) });
  const clock = new FakeClock();
  const { loadedSnapshots } = connect(server, { clock, maxRetries: 0 });
  let isRead = false;
  const silent = new Readable({ read: () => (isRead = true) });
  const call = failureOf(loadedSnapshots.load(() => silent, { ...(timeout && { timeout }) }));
  await until(() => isRead);
  clock.advance(seconds * 1000 - 1);
  expect(clock.running).toBe(1);
  clock.advance(1);
  expect((await call).code).toBe('timeout');
  await until(() => silent.destroyed);
});

it('an upload opens the file again after an attempt that had no effect, and is not repeated after other failures', async () => {
  const server = await serve([
    { status: 429, json: { errors: ['later'] } },
    { status: 500, json: { errors: ['who knows'] } },
  ]);
  let opened = 0;
  const open = () => {
    opened += 1;
    return Readable.from(['snapshot']);
  };
  const error = await failureOf(connect(server).loadedSnapshots.load(open));
  expect(error.code).toBe('server_error');
  expect(opened).toBe(2);
});

it('the id of the snapshot is sent in the query and the header in which servers expect it', async () => {
  const server = await serve({ json: envelope({ password: 'then' }) });
  const { loadedSnapshots } = connect(server);
  expect((await loadedSnapshots.readSecret('a', 'kv/app'))?.data).toEqual({ password: 'then' });
  await loadedSnapshots.recover('a', 'kv/app', { sourcePath: 'kv/é' });
  await loadedSnapshots.unload('a');
  await loadedSnapshots.loadAutomated('nightly', 's3://b/c').catch(() => undefined);
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/kv/app?read_snapshot_id=a',
    'POST /v1/kv/app?recover_snapshot_id=a',
    `DELETE ${LOADS}/a?force=true`,
    'POST /v1/sys/storage/raft/snapshot-auto/snapshot-load/nightly',
  ]);
  expect(server.requests[1]!.headers).toMatchObject({
    'x-vault-recover-snapshot-id': 'a',
    'x-vault-recover-source-path': Buffer.from('kv/é').toString('latin1'),
  });
});

it.each([
  ['no id', { status: 'ready' }],
  ['no status', { snapshot_id: 'a' }],
])('an answer with %s is refused', async (_what, data) => {
  const server = await serve({ json: envelope(data) });
  expect(await failureOf(connect(server).loadedSnapshots.read('a'))).toMatchObject({
    code: 'unexpected_answer',
  });
});
