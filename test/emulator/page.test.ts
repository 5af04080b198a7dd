import { BROWSER, BrowserPage, sayIfThereIsNone, widthOnPhone } from '../support/browser';
import { startPair, type Pair } from '../cli/support/pair';

const SECRET = 'canary-secret-51c9';
const PIN = 'canary-pin-0d2e';
const QUERY = 'canary-query-77ab';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
  const { us } = pair;
  await us.post('sys/mounts/secret', { type: 'kv' });
  await us.post(`secret/app?note=${QUERY}`, { password: SECRET });
  const mechanism = { library: 'hsm', slot: '0', key_label: 'a', mechanism: '0x0001', key_bits: 2048 };
  await us.post('sys/managed-keys/pkcs11/signing', { ...mechanism, pin: PIN });
});
afterAll(() => pair.emulator.close());

test('serves its files without a token, with a policy that forbids anything else', async () => {
  const anybody = pair.us.as(undefined);
  for (const [path, type] of [
    ['', 'text/html; charset=utf-8'],
    ['emulator.js', 'text/javascript; charset=utf-8'],
    ['show.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['uplot.js', 'text/javascript; charset=utf-8'],
    ['uplot.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { status, headers, text } = await anybody.get(`/emulator/${path}`);
    expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type });
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text.length).toBeGreaterThan(100);
  }
  expect(await anybody.get('/emulator')).toMatchObject({ status: 307, headers: { location: '/emulator/' } });
  for (const path of ['page.js', '..%2fpackage.json', '__proto__', 'toString'])
    expect((await anybody.get(`/emulator/${path}`)).status).toBe(404);
  expect((await anybody.post('/emulator/', {})).status).toBe(405);
});

test.each<[what: string, headers: Readonly<Record<string, string>>]>([
  ['a name of another site', { Host: 'evil.example' }],
  ['a page of another origin', { Origin: 'http://evil.example' }],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
])('%s: 403', async (_what, headers) => {
  for (const path of ['', 'v1/page'])
    expect((await pair.us.get(`/emulator/${path}`, { headers })).status).toBe(403);
});

test('what it shows requires the root token, and contains no secret', async () => {
  expect((await pair.us.as('other').get('/emulator/v1/page')).status).toBe(403);
  expect((await pair.us.as(undefined).get('/emulator/v1/page')).status).toBe(403);
  // The token of one cluster is none of another.
  const { us, eu } = pair.emulator.clusters as Record<string, { rootToken: string; unsealKey: string }>;
  expect((await pair.us.as(eu!.rootToken).get('/emulator/v1/page')).status).toBe(403);

  const { status, body, text } = await pair.us.get('/emulator/v1/page');
  expect(status).toBe(200);
  expect(body.clusters).toMatchObject([
    { name: 'us', mode: 'primary', sealed: false, faults: [] },
    { name: 'eu', mode: 'secondary', sealed: false, faults: [] },
  ]);
  expect(body.problems).toEqual([]);
  expect(body.pictures.wide).toContain('deny us-only/');
  const { requests } = body as { requests: readonly { path: string; duration: number }[] };
  const written = requests.find(({ path }) => path === 'secret/app');
  expect(written).toEqual({
    time: expect.any(Number),
    cluster: 'us',
    method: 'POST',
    path: 'secret/app',
    namespace: '',
    status: 204,
    duration: expect.any(Number),
  });
  expect(written!.duration).toBeGreaterThan(0);
  const secrets = [SECRET, PIN, QUERY, us!.rootToken, eu!.rootToken, us!.unsealKey];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('calls act on the cluster that the query names', async () => {
  const { us } = pair;
  const sealed = async () => {
    const { clusters } = (await us.get('/emulator/v1/page')).body as {
      clusters: readonly { sealed: boolean }[];
    };
    return clusters.map((each) => each.sealed);
  };
  expect((await us.post('/emulator/v1/seal?cluster=eu')).status).toBe(204);
  expect(await sealed()).toEqual([false, true]);
  expect((await pair.eu.get('sys/health')).status).toBe(503);
  expect((await us.post('/emulator/v1/unseal?cluster=eu')).status).toBe(204);
  expect(await sealed()).toEqual([false, false]);
  const unknown = await us.post('/emulator/v1/seal?cluster=ap');
  expect(unknown).toMatchObject({
    status: 400,
    body: { errors: ['cluster: "ap" is unknown; there are us, eu'] },
  });
  expect(await sealed()).toEqual([false, false]);
});

sayIfThereIsNone("the emulator's page");

(BROWSER ? test : test.skip)(
  'a browser asks for the token, shows the clusters, and cuts the network between them',
  async () => {
    const { address, rootToken } = pair.emulator.clusters.us!;
    const page = await BrowserPage.open(`${address}/emulator/`);
    try {
      const asked = "!document.getElementById('ask').hidden";
      await page.until(`${asked} && document.querySelector('main').hidden`);
      await page.value(`location.hash = '${rootToken}'`);
      const verdict = "document.getElementById('verdict').innerText";
      await page.until(`${verdict} === 'all is well'`);
      expect(await page.value('location.href')).toBe(`${address}/emulator/`);
      expect(await page.value(asked)).toBe(false);

      const button = (label: string) => `document.querySelector('button[aria-label="${label}"]')`;
      const press = (label: string) => page.until(`${button(label)} && (${button(label)}.click(), true)`);
      await press('us and eu: Partition');
      await page.until(`${verdict}.includes('us: secondary "eu" is not connected')`);
      expect(pair.emulator.replication.state().partitions).toHaveLength(1);
      await press('us and eu: Heal');
      await page.until(`${verdict} === 'all is well'`);
      expect(pair.emulator.replication.state().partitions).toEqual([]);

      await press('eu: Answer 429');
      await page.until(button('eu: Clear faults') + ' && true');
      expect((await pair.eu.get('sys/health')).status).toBe(429);
      expect((await pair.us.get('sys/health')).status).toBe(200);
      await page.until("/GET sys.health\\s+429/.test(document.querySelector('#requests table').innerText)");
      await press('eu: Clear faults');
      await page.until(button('eu: Answer 429') + ' && true');

      expect(await widthOnPhone(page)).toBe(390);
      expect(page.complaints).toEqual([]);
      const sent = page.requested.filter((url) => !url.startsWith('data:'));
      expect([...new Set(sent.map((url) => new URL(url).origin))]).toEqual([address]);
      expect(sent.filter((url) => url.includes(rootToken))).toEqual([]);
    } finally {
      await page.close();
    }
  },
  120_000,
);
