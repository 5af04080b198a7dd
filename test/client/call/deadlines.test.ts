import type { CallOptions, ClientOptions, VaultClient } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { until } from '../../support/until';
import { FakeClock } from '../support/fake-clock';
import { serve, type Reply, type TestServer } from '../support/server';

const OK: Reply = { json: envelope({ ok: true }) };

async function hanging(
  options: ClientOptions = {},
  replies: Reply[] = ['hang'],
): Promise<{ client: VaultClient; server: TestServer; clock: FakeClock }> {
  const clock = new FakeClock();
  const server = await serve(replies);
  return { client: connect(server, { clock, ...options }), server, clock };
}

/** Advances the clock once the server has received the given number of requests. */
async function advance(
  { server, clock }: { server: TestServer; clock: FakeClock },
  requests: number,
  ms: number,
) {
  await until(() => server.requests.length === requests);
  clock.advance(ms);
}

test('a read without an answer is repeated after 30 s, within the 60 s of the call', async () => {
  const parts = await hanging({}, ['hang', OK]);
  const call = parts.client.read('a');
  await advance(parts, 1, 29_999);
  expect(parts.server.requests).toHaveLength(1);
  parts.clock.advance(1);
  expect((await call)?.data).toEqual({ ok: true });
  expect(parts.server.requests).toHaveLength(2);
  expect(parts.clock.running).toBe(0);
});

test('a read without an answer at every attempt ends after 60 s', async () => {
  const parts = await hanging();
  const begin = parts.clock.now();
  const failure = failureOf(parts.client.read('a'));
  await advance(parts, 1, 30_000);
  await advance(parts, 2, 29_500);
  const error = await failure;
  expect(error).toMatchObject({ code: 'timeout', attempts: 2 });
  expect(error.message).toBe(
    `cannot read a on ${parts.server.address}: no answer within 29.5 s, tried 2 times. ` +
      'The server hangs or needs more time: check its load, or raise the timeout (VAULT_CLIENT_TIMEOUT).',
  );
  expect(parts.clock.now() - begin).toBe(60_000);
  expect(parts.clock.running).toBe(0);
});

test('a write that must not be repeated may use the whole timeout for its only attempt', async () => {
  const parts = await hanging();
  const failure = failureOf(parts.client.write('a', {}));
  await advance(parts, 1, 59_999);
  parts.clock.advance(1);
  const error = await failure;
  expect(error).toMatchObject({ code: 'timeout', attempts: 1 });
  expect(error.message).toContain(': no answer within 60 s. ');
  expect(parts.server.requests).toHaveLength(1);
});

test.each<[string, ClientOptions, CallOptions]>([
  ['the client', { timeout: 25 }, {}],
  ['the call', { timeout: 50 }, { timeout: 25 }],
])('the timeout of %s is used', async (_, options, callOptions) => {
  const parts = await hanging(options);
  const failure = failureOf(parts.client.write('a', {}, callOptions));
  await advance(parts, 1, 25_000);
  expect((await failure).message).toContain('no answer within 25 s');
});

test('a timeout of 0 means no limit', async () => {
  const { client, server, clock } = await hanging({ timeout: 0, attemptTimeout: 0 });
  const controller = new AbortController();
  const failure = failureOf(client.read('a', { signal: controller.signal }));
  await until(() => server.requests.length === 1);
  expect(clock.running).toBe(0);
  controller.abort();
  expect((await failure).code).toBe('aborted');
});

test('waits between attempts count towards the timeout', async () => {
  const replies: Reply[] = [{ status: 429, headers: { 'retry-after': '15' }, json: { errors: [] } }, 'hang'];
  const parts = await hanging({ maxRetries: 1 }, replies);
  const failure = failureOf(parts.client.write('a', {}));
  await advance(parts, 2, 45_000);
  expect(await failure).toMatchObject({ code: 'timeout', attempts: 2 });
});

describe("the caller's signal", () => {
  test('an abort ends a running call, and frees its connection', async () => {
    const { client, server, clock } = await hanging({}, ['hang', OK]);
    const controller = new AbortController();
    const failure = failureOf(client.read('a', { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(new Error('enough'));
    const error = await failure;
    expect(error).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(error.message).toContain('the call was aborted. The caller canceled it.');
    expect(clock.running).toBe(0);
    expect((await client.read('a'))?.data).toEqual({ ok: true });
  });

  test('a signal that was aborted before the call ends it before any request', async () => {
    const { client, server } = await hanging();
    expect((await failureOf(client.read('a', { signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect(server.requests).toHaveLength(0);
  });

  test('an abort ends a wait between two attempts', async () => {
    const { client, server } = await hanging({}, [
      { status: 429, headers: { 'retry-after': '40' }, json: { errors: [] } },
    ]);
    const controller = new AbortController();
    const failure = failureOf(client.read('a', { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect((await failure).code).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });

  test('one signal can serve many concurrent calls, and keeps no listeners', async () => {
    const { client } = await hanging({}, [OK]);
    const warnings: Error[] = [];
    const collect = (warning: Error): void => void warnings.push(warning);
    process.on('warning', collect);
    const { signal } = new AbortController();
    const remove = jest.spyOn(signal, 'removeEventListener');
    const add = jest.spyOn(signal, 'addEventListener');
    await Promise.all(Array.from({ length: 50 }, () => client.read('a', { signal })));
    await new Promise(setImmediate);
    process.off('warning', collect);
    expect(warnings).toEqual([]);
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});
