import { Cluster } from '../../../src/provider/clusters/cluster';

test.each([
  ['hvs.canary-token', ['hvs.canary-token']],
  ['root', []],
  [undefined, []],
])('the token %s is hidden before a request without it is made', async (token, masked) => {
  const seen: string[] = [];
  const options = { address: 'http://127.0.0.1:1', token };
  const cluster = new Cluster(
    { name: 'us', options, login: undefined, usualTokenFile: false, unknown: [] },
    { env: {}, mask: (secret) => seen.push(secret) },
  );
  expect(seen).toEqual([]);
  cluster.anonymous();
  cluster.anonymous();
  expect(seen).toEqual(masked);
  await cluster.close();
});
