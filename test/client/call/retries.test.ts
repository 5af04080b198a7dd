import type { ClientOptions, VaultClient } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { FakeClock } from '../support/fake-clock';
import { deadEnd, serve, type Reply } from '../support/server';

const OK: Reply = { json: envelope({ ok: true }) };
const failing = (status: number, text = 'x', headers?: Record<string, string>): Reply => ({
  status,
  json: { errors: [text] },
  headers,
});

/** The outcome of a call: the number of requests, and the waits between them. */
async function tries(
  replies: readonly Reply[],
  call: (client: VaultClient) => Promise<unknown>,
  options: ClientOptions = {},
): Promise<{ requests: number; waits: readonly number[]; code?: string }> {
  const clock = new FakeClock();
  const server = await serve(replies);
  const client = connect(server, { clock, ...options });
  const code = await call(client).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  expect(clock.running).toBe(0);
  return { requests: server.requests.length, waits: clock.waits, code };
}

const read = (client: VaultClient) => client.read('a');
const write = (client: VaultClient) => client.write('a', {});

const SEALED = 'Vault is sealed';

describe('reads are retried', () => {
  test.each<[string, Reply]>([
    ['412', failing(412)],
    ['429', failing(429)],
    ['429 of a proxy', { status: 429, text: 'slow down' }],
    ['500', failing(500)],
    ['502', failing(502)],
    ['503', failing(503)],
    ['503, sealed', failing(503, SEALED)],
    ['504 of a proxy', { status: 504, text: '<html>' }],
    ['599', failing(599)],
    ['a lost connection', 'drop'],
  ])('a read is retried after %s', async (_, reply) => {
    expect(await tries([reply, OK], read)).toEqual({ requests: 2, waits: [500], code: undefined });
  });

  test.each([400, 403, 404, 405, 413, 423, 501])('the status %d is not retried', async (status) => {
    const { requests, waits } = await tries([failing(status), OK], read);
    expect({ requests, waits }).toEqual({ requests: 1, waits: [] });
  });

  test('an answer from another kind of server is not retried', async () => {
    const { requests, code } = await tries([{ status: 200, text: '<html>' }, OK], read);
    expect({ requests, code }).toEqual({ requests: 1, code: 'unexpected_answer' });
  });

  test('lists, deletes, and writes of policies are retried', async () => {
    const calls: ((client: VaultClient) => Promise<unknown>)[] = [
      (client) => client.list('a'),
      (client) => client.delete('a'),
      (client) => client.policies.acl.write('a', { policy: 'path "a" {}' }),
      (client) => client.policies.acl.delete('a'),
      (client) => client.write('a', {}, { repeatable: true }),
    ];
    for (const call of calls) {
      expect(await tries(['drop', failing(500), OK], call)).toEqual({
        requests: 3,
        waits: [500, 1000],
        code: undefined,
      });
    }
  });
});

describe('other writes are only retried if the first attempt certainly had no effect', () => {
  test.each<[string, Reply]>([
    ['412', failing(412)],
    ['429', failing(429)],
    ['503, sealed', failing(503, SEALED)],
    ['503, on standby', failing(503, 'node is not active')],
    ['503, without an active node', failing(503, 'no active Vault instance found')],
  ])('a write is retried after %s', async (_, reply) => {
    expect(await tries([reply, OK], write)).toEqual({ requests: 2, waits: [500], code: undefined });
  });

  test.each<[string, Reply, string]>([
    ['500', failing(500), 'server_error'],
    ['502', failing(502), 'server_error'],
    ['503 of something else', failing(503), 'unavailable'],
    ['504', failing(504), 'server_error'],
    ['a lost connection', 'drop', 'connection_lost'],
  ])('a write is not retried after %s', async (_, reply, code) => {
    expect(await tries([reply, OK], write)).toEqual({ requests: 1, waits: [], code });
  });

  test('a write is retried after a refused connection', async () => {
    const clock = new FakeClock();
    const error = await failureOf(
      connect({ address: `http://${await deadEnd()}` }, { clock }).write('a', {}),
    );
    expect(error).toMatchObject({ code: 'unreachable', attempts: 3 });
    expect(clock.waits).toEqual([500, 1000]);
  });

  test('logins, patches, revocations, unwrapping and calls with repeatable: false are not retried after a lost connection', async () => {
    const calls: ((client: VaultClient) => Promise<unknown>)[] = [
      (client) => client.auth.appRole({ roleId: 'a', secretId: 'b' }),
      (client) => client.patch('a', {}),
      (client) => client.token.revokeSelf(),
      (client) => client.wrapping.unwrap('hvs.w'),
      (client) => client.delete('a', { repeatable: false }),
    ];
    for (const call of calls) expect((await tries(['drop', OK], call)).requests).toBe(1);
  });
});

describe('the number of retries and the waits', () => {
  test('a call is retried twice by default, and fails with the last error', async () => {
    const replies = [failing(500), failing(500), failing(429)];
    expect(await tries(replies, read)).toEqual({ requests: 3, waits: [500, 1000], code: 'rate_limited' });
    expect((await tries([failing(500)], read, { maxRetries: 0 })).requests).toBe(1);
    expect(await tries([failing(500)], read, { maxRetries: 7 })).toEqual({
      requests: 8,
      waits: [500, 1000, 2000, 4000, 8000, 8000, 8000],
      code: 'server_error',
    });
  });

  test('the error contains the number of attempts', async () => {
    const error = await failureOf(connect(await serve(failing(500))).read('a'));
    expect(error.attempts).toBe(3);
    expect(error.message).toContain(': the server answered 500 (x), tried 3 times. ');
  });

  test('the random part is at most half of the wait', async () => {
    const random = (): number => 0.5;
    expect((await tries([failing(500), failing(500), OK], read, { random })).waits).toEqual([625, 1250]);
  });

  test('Retry-After in seconds, or as a date, is used if it is longer', async () => {
    const after = (value: string): Reply => failing(429, 'x', { 'retry-after': value });
    const waits = async (...replies: Reply[]) => (await tries([...replies, OK], read)).waits;
    expect(await waits(after('7'))).toEqual([7000]);
    expect(await waits(failing(503, 'x', { 'retry-after': '3' }), after('2'))).toEqual([3000, 2000]);
    // The clock of the tests stands at 10:00:00.
    expect(await waits(after('Sat, 21 Nov 2026 10:00:09 GMT'))).toEqual([9000]);
    expect(await waits(after('Sat, 21 Nov 2026 09:00:00 GMT'))).toEqual([500]);
    expect(await waits(after('0'))).toEqual([500]);
    expect(await waits(after('soon'))).toEqual([500]);
  });

  test('a wait that would exceed the timeout is not started', async () => {
    const clock = new FakeClock();
    const server = await serve(failing(429, 'quota', { 'retry-after': '60' }));
    const error = await failureOf(connect(server, { clock }).read('a'));
    expect(clock.waits).toEqual([]);
    expect(server.requests).toHaveLength(1);
    expect(error.code).toBe('rate_limited');
    expect(error.message).toContain(
      ': the server answered 429 (quota); the next try, 60 s later, would come after the timeout. ',
    );
  });
});

describe('the error of a write that fails', () => {
  test.each<[string, readonly Reply[], boolean]>([
    ['refused', [failing(403)], false],
    ['too many requests', [failing(429)], false],
    ['sealed', [failing(503, SEALED)], false],
    ['the server failed', [failing(500)], true],
    ['no answer', ['drop'], true],
    ['no answer to the first attempt', ['drop', failing(403)], true],
  ])('the error of a write says whether it may have taken effect: %s', async (_, replies, expected) => {
    const call = connect(await serve(replies)).write('a', {}, { repeatable: true });
    expect((await failureOf(call)).mayHaveTakenEffect).toBe(expected);
  });

  test.each([
    ['is no JSON', { status: 200, body: '<html>' }],
    ['is of another form', { json: {} }],
  ])('an initialization whose successful answer %s may have taken effect', async (_, reply) => {
    const { system } = connect(await serve([reply]));
    const error = await failureOf(system.initialize({ shares: 1, threshold: 1, recovery: false }));
    expect(error).toMatchObject({ code: 'unexpected_answer', mayHaveTakenEffect: true });
  });

  test('the error of a write that was not sent says that it had no effect', async () => {
    const error = await failureOf(connect({ address: `http://${await deadEnd()}` }).write('a'));
    expect(error.mayHaveTakenEffect).toBe(false);
  });
});
