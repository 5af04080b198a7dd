import { RateLimit } from '../../../src/client/transport/rate-limit';
import { parseRate } from '../../../src/model/clusters';
import { connect, envelope, failureOf } from '../support/client';
import { until } from '../../support/until';
import { FakeClock } from '../support/fake-clock';
import { serve } from '../support/server';

test('a burst is sent at once, and later requests at an even rate', () => {
  let now = 0;
  const limit = new RateLimit({ perSecond: 10, burst: 2 }, { now: () => now, after: () => () => {} });
  expect([1, 2, 3, 4].map(() => limit.take())).toEqual([0, 0, 100, 200]);
  now = 300;
  expect(limit.take()).toBe(0);
  expect(limit.take()).toBe(100);
  now = 60_000;
  expect([1, 2, 3].map(() => limit.take())).toEqual([0, 0, 100]);
});

test.each<[string, ReturnType<typeof parseRate>]>([
  ['100', { perSecond: 100, burst: 100 }],
  ['100:200', { perSecond: 100, burst: 200 }],
  ['0.5', { perSecond: 0.5, burst: 1 }],
  ['0', undefined],
  ['10:0', undefined],
  ['-1', undefined],
  ['fast', undefined],
  ['1:2:3', undefined],
])('the rate is parsed: %s', (text, rate) => expect(parseRate(text)).toEqual(rate));

test('a limited client waits before it sends, together with the clients derived from it', async () => {
  const clock = new FakeClock();
  const server = await serve({ json: envelope({}) });
  const client = connect(server, { clock, rateLimit: '1:1' });
  await client.read('first');
  expect(clock.waits).toEqual([]);
  await client.withNamespace('team').read('second');
  await client.withToken('other').read('third');
  expect(clock.waits).toEqual([1000, 1000]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/first', '/v1/second', '/v1/third']);
  expect(clock.running).toBe(0);
});

test('a request whose turn comes after the timeout is not sent', async () => {
  const server = await serve({ json: envelope({}) });
  const clock = new FakeClock(0, 0);
  const client = connect(server, { clock, rateLimit: '0.1:1', timeout: 3, maxRetries: 0 });
  await client.read('first');
  const second = failureOf(client.read('second'));
  await until(() => clock.running > 0);
  clock.advance(3000);
  expect(await second).toMatchObject({
    code: 'timeout',
    mayHaveTakenEffect: false,
  });
  expect(server.requests).toHaveLength(1);
});

test('a rate that is not valid is refused', async () => {
  const failure = await failureOf(() => connect({ address: 'http://vault' }, { rateLimit: 'fast' }));
  expect(failure.message).toBe(
    'rateLimit is not valid: received "fast"; allowed: a rate such as 100, or rate:burst such as 100:200',
  );
});
