import { isStreaming, type WaitProgress } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { FakeClock } from '../support/fake-clock';
import { serve, type Reply } from '../support/server';

/** Returns a clock on which pauses between two reads end at once, and timeouts of a read do not. */
const patientClock = () => new FakeClock(undefined, 1_000);

const ok = (data: object): Reply => ({ json: envelope(data) });
const failing = (status: number, text = ''): Reply => ({
  status,
  json: { errors: text === '' ? [] : [text] },
});

const SECONDARY = {
  mode: 'secondary',
  cluster_id: 'id',
  state: 'merkle-sync',
  connection_state: 'ready',
  secondary_id: 'eu',
  last_remote_wal: 3,
};

test('a wait for a change of mode continues after all failures that the change causes', async () => {
  const server = await serve([
    ok({ mode: 'disabled' }),
    failing(503, 'Vault is sealed'),
    failing(503, 'node is not active'),
    failing(500, 'internal error'),
    { status: 502, text: 'bad gateway' },
    'drop',
    failing(412, 'required index state not present'),
    { status: 472, text: '' },
    { status: 473, text: '' },
    failing(429, 'rate limited'),
    ok({ mode: 'bootstrapping' }),
    ok({ mode: 'primary', cluster_id: 'id', state: 'running', last_performance_wal: 12 }),
  ]);
  const progress: WaitProgress[] = [];
  const clock = patientClock();
  const status = await connect(server, { clock }).replication.performance.waitForMode('primary', {
    onProgress: (step) => progress.push(step),
  });

  expect(status).toMatchObject({ mode: 'primary', last_performance_wal: 12 });
  expect(server.requests).toHaveLength(12);
  expect(progress.map(({ status, failure }) => status?.mode ?? failure?.status ?? failure?.code)).toEqual([
    'disabled',
    503,
    503,
    500,
    502,
    'connection_lost',
    412,
    472,
    473,
    429,
    'bootstrapping',
  ]);
  expect(progress[0]).toMatchObject({ text: 'disabled', waited: 0 });
  expect(clock.running).toBe(0);
});

test('progress is reported once for each change', async () => {
  const server = await serve([
    ok(SECONDARY),
    ok(SECONDARY),
    ok({ ...SECONDARY, last_remote_wal: 9 }),
    ok({ ...SECONDARY, state: 'stream-wals' }),
  ]);
  const progress: string[] = [];
  await connect(server, { clock: patientClock() }).replication.performance.waitUntil(isStreaming, 'stream', {
    onProgress: ({ text }) => progress.push(text),
  });
  expect(progress).toEqual([
    'secondary "eu", merkle-sync, connection ready, WAL 3',
    'secondary "eu", merkle-sync, connection ready, WAL 9',
  ]);
});

test('the error at the deadline contains the last status', async () => {
  const server = await serve(ok(SECONDARY));
  const clock = patientClock();
  const error = await failureOf(
    connect(server, { clock }).replication.performance.waitUntil(isStreaming, 'stream', { timeout: 10 }),
  );
  expect(error.code).toBe('timeout');
  expect(error.message).toBe(
    `the cluster at ${server.address} did not stream within 10 s; ` +
      'its last status: secondary "eu", merkle-sync, connection ready, WAL 3. ' +
      'See its log and that of its primary. It may still get there: wait longer, or read the status again.',
  );
  // The first pauses are short, and later ones take one second.
  expect(server.requests.length).toBeLessThan(15);
  expect(clock.running).toBe(0);
});

test('the error at the deadline contains the failure of a cluster that does not answer', async () => {
  const server = await serve(failing(503, 'Vault is sealed'));
  const error = await failureOf(
    connect(server, { clock: patientClock() }).replication.performance.waitForMode('primary', { timeout: 2 }),
  );
  expect(error.code).toBe('timeout');
  expect(error.message).toContain('did not reach mode "primary" within 2 s');
  expect(error.message).toContain('Vault is sealed');
  expect(error.cause).toMatchObject({ code: 'sealed' });
});

test.each<[string, Reply]>([
  ['unsupported_path', failing(404, '1 error occurred:\n\t* unsupported path\n\n')],
  ['unexpected_answer', { status: 200, text: '<html>' }],
  ['invalid_request', failing(400, 'bad request')],
])('a failure that is not temporary ends the wait: %s', async (code, reply) => {
  const server = await serve(reply);
  const error = await failureOf(
    connect(server, { clock: patientClock() }).replication.performance.waitForMode('primary'),
  );
  expect(error.code).toBe(code);
  expect(server.requests).toHaveLength(1);
});

test("the caller's signal aborts the wait", async () => {
  const server = await serve(ok({ mode: 'disabled' }));
  const controller = new AbortController();
  const error = await failureOf(
    connect(server, { clock: patientClock() }).replication.performance.waitForMode('primary', {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    }),
  );
  expect(error.code).toBe('aborted');
  expect(error.message).toContain('its last status: disabled');
});

test('closing the client ends the wait', async () => {
  const server = await serve(ok({ mode: 'disabled' }));
  const client = connect(server, { clock: patientClock() });
  const error = await failureOf(
    client.replication.performance.waitForMode('primary', { onProgress: () => void client.close() }),
  );
  expect(error.code).toBe('closed');
});

test('closing the client ends a pause between two reads', async () => {
  const server = await serve(ok({ mode: 'disabled' }));
  const client = connect(server, { clock: new FakeClock(undefined, 0) });
  const onProgress = () => void setImmediate(() => void client.close());
  const error = await failureOf(client.replication.performance.waitForMode('primary', { onProgress }));
  expect(error.code).toBe('closed');
});
