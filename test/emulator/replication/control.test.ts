import { calls, enablePrimary, join, joinedPair, status, useSet } from './support/set';

const use = useSet();
const control = '/emulator/v1/replication';

it('the control API of each cluster controls the network between all clusters', async () => {
  const { us, eu } = use();
  const none = { partitions: [], lags: {}, load_balancers: {}, crashes: {} };
  expect((await us.get(control)).body).toEqual(none);
  await joinedPair(use());
  expect((await eu.post(`${control}/partition`, { from: 'us' })).body).toEqual({
    ...none,
    partitions: [['eu', 'us']],
  });
  expect(await status(eu)).toMatchObject({ connection_state: 'transient_failure' });
  expect((await us.post(`${control}/heal`, { from: 'eu' })).body).toEqual(none);
  expect((await us.post(`${control}/heal`)).body).toEqual(none);
  expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
  expect((await eu.post(`${control}/delay`, { by: '5s' })).body).toEqual({ ...none, lags: { eu: 5000 } });
  expect((await eu.post(`${control}/pause`)).body).toEqual({ ...none, lags: { eu: 'paused' } });
  expect((await eu.post(`${control}/resume`)).body).toEqual(none);
  expect((await us.post(`${control}/crash`, { at: 'token-issued' })).body).toEqual({
    ...none,
    crashes: { us: 'token-issued' },
  });
});

it('a load balancer for a cluster can be added', async () => {
  const { us, eu } = use();
  await enablePrimary(us, { primary_cluster_addr: 'https://lb.example.com:8201' });
  await join(us, eu, 'eu');
  expect(await status(eu)).toMatchObject({ connection_state: 'connecting' });
  const answer = await us.post(`${control}/load-balancer`, { address: 'https://lb.example.com:8201' });
  expect(answer.body.load_balancers).toEqual({ 'lb.example.com:8201': 'us' });
  expect(await status(eu)).toMatchObject({
    connection_state: 'ready',
    primary_cluster_addr: 'https://lb.example.com:8201',
    known_primary_cluster_addrs: [expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string],
  });
});

it('a call that makes its own cluster crash is answered', async () => {
  const { us } = use();
  await enablePrimary(us);
  expect((await us.post(`${control}/crash`)).status).toBe(200);
  expect(await status(us)).toMatchObject({ mode: 'primary' });
});

it.each([
  ['partition', {}, 'from: missing, or not a string'],
  ['partition', { from: 'asia' }, 'cluster "asia" is unknown; there are us, eu, ap'],
  ['partition', { from: 'us' }, 'cluster "us" cannot be partitioned from itself'],
  ['delay', {}, 'by: missing; allowed are seconds, or a duration such as "5s"'],
  ['delay', { by: 'soon' }, 'by: time: invalid duration "soon"'],
  ['delay', { by: -1 }, 'delay -1000 is not valid; allowed are milliseconds from 0'],
])('the call %s with %j is refused', async (path, body, text) => {
  const answer = await use().us.post(`${control}/${path}`, body);
  expect([answer.status, answer.body.errors]).toEqual([400, [text]]);
});

it("a secondary's control API requires the root token that the cluster was created with", async () => {
  const { us, eu } = use();
  await enablePrimary(us);
  await join(us, eu, 'eu');
  expect((await eu.get(`${calls}/secondary/dynamic-filter/eu`)).status).toBe(403);
  expect((await eu.get(control)).status).toBe(200);
  expect((await eu.as('other').get(control)).status).toBe(403);
});
