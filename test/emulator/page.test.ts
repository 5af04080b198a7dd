import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER, BrowserPage, warnWithoutBrowser, widthOnPhone } from '../support/browser';
import { startPair, type Pair } from '../cli/support/pair';
import { temporaryFolder } from '../support/temporary-folder';

const SECRET = 'canary-secret-51c9';
const PIN = 'canary-pin-0d2e';
const QUERY = 'canary-query-77ab';
const KEY = { library: 'hsm', slot: '0', key_label: 'a', mechanism: '0x0001', key_bits: 2048 };

let pair: Pair;
let folder: string;
beforeAll(async () => {
  pair = await startPair();
  folder = temporaryFolder('snapshots');
  const { us } = pair;
  await us.post('sys/mounts/secret', { type: 'kv' });
  await us.post(`secret/app?note=${QUERY}`, { password: SECRET });
  await us.post('sys/managed-keys/pkcs11/signing', { ...KEY, pin: PIN });
});
afterAll(() => pair.emulator.close());

test('the files are served without a token, with a policy that forbids other sources', async () => {
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
])('%s is answered with 403', async (_what, headers) => {
  for (const path of ['', 'v1/page'])
    expect((await pair.us.get(`/emulator/${path}`, { headers })).status).toBe(403);
});

test('the data of the page requires the root token, and contains no secret', async () => {
  expect((await pair.us.as('other').get('/emulator/v1/page')).status).toBe(403);
  expect((await pair.us.as(undefined).get('/emulator/v1/page')).status).toBe(403);
  // The root token of another cluster is refused as well.
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

test('keys are shown with their last test, and snapshots with their age and size', async () => {
  const { us, eu, emulator } = pair;
  const state = async () =>
    (await us.get('/emulator/v1/page')).body as {
      readonly keys: readonly object[];
      readonly snapshots: readonly object[];
      readonly problems: readonly object[];
    };
  const key = (cluster: string) => ({ cluster, name: 'pkcs11/signing' });
  expect((await state()).keys).toEqual([key('us'), key('eu')]);

  emulator.clock.freeze();
  const now = emulator.clock.now();
  // The test signature fails: the key store has no key, and the managed key may not generate one.
  expect((await us.post('sys/managed-keys/pkcs11/signing/test/sign', {})).status).toBe(400);
  const [failed] = (await state()).keys as { readonly error: string }[];
  expect(failed).toEqual({ ...key('us'), testedAt: now, error: expect.stringMatching(/signing/) });
  expect((await state()).problems).toEqual([
    { cluster: 'us', text: `managed key "pkcs11/signing" does not sign: ${failed!.error}` },
  ]);
  await us.post('sys/managed-keys/pkcs11/signing', { allow_generate_key: true, ...KEY, pin: PIN });
  emulator.clock.advance(60_000);
  expect((await us.post('sys/managed-keys/pkcs11/signing/test/sign', {})).status).toBe(204);
  expect(await state()).toMatchObject({
    keys: [{ ...key('us'), testedAt: now + 60_000 }, key('eu')],
    problems: [],
  });
  await eu.post('sys/namespaces/team');
  await us.post('sys/namespaces/team');
  await us.post('sys/managed-keys/pkcs11/signing', { ...KEY, pin: PIN }, { namespace: 'team' });
  expect((await state()).keys).toContainEqual({ cluster: 'us', name: 'team//pkcs11/signing' });

  const shown = { cluster: 'us', name: 'hourly' };
  await us.post('sys/storage/raft/snapshot-auto/config/hourly', {
    interval: '1h',
    storage_type: 'local',
    path_prefix: folder,
    local_max_space: 1_000_000_000,
  });
  expect((await state()).snapshots).toEqual([{ ...shown, state: 'waiting' }]);
  emulator.clock.advance(3_600_000);
  await emulator.clock.settled();
  expect((await state()).snapshots).toEqual([
    {
      ...shown,
      state: 'ok',
      lastAt: now + 3_660_000,
      url: expect.stringContaining(folder),
      bytes: statSync(join(folder, readdirSync(folder)[0]!)).size,
    },
  ]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  emulator.clock.advance(3_600_000);
  await emulator.clock.settled();
  expect(await state()).toMatchObject({
    snapshots: [{ ...shown, state: 'failing', lastAt: now + 7_260_000, bytes: expect.any(Number) }],
    problems: [{ cluster: 'us', text: expect.stringMatching(/^automated snapshot "hourly": /) }],
  });
  await us.delete('sys/storage/raft/snapshot-auto/config/hourly');
  expect((await state()).snapshots).toEqual([]);
  emulator.clock.resume();
});

test('calls apply to the cluster in the query', async () => {
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

warnWithoutBrowser("the emulator's page");

(BROWSER ? test : test.skip)(
  'a browser asks for the token, shows the clusters, and cuts the network between them',
  async () => {
    const { address, rootToken } = pair.emulator.clusters.us!;
    const page = await BrowserPage.open(`${address}/emulator/`);
    try {
      const asked = "!document.getElementById('ask').hidden";
      await page.until(`${asked} && document.querySelector('main').hidden`);
      // The page ignores a fragment that is not a token.
      for (const wrong of ['%', '%E0%A4%A', 'other']) {
        await page.value(`location.hash = '${wrong}'`);
        await page.until(`location.hash === '' && ${asked}`);
      }
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

      expect(await page.value("document.querySelector('#keys table').innerText")).toMatch(
        /us\s+pkcs11\/signing\s+signs, tested \d+ \w+ ago/,
      );
      expect(await page.value('document.title')).toBe('Emulated Vault clusters');
      expect(await widthOnPhone(page)).toBe(390);
      // The browser logs the requests with refused tokens.
      expect(page.complaints.filter((text) => !text.includes('a status of 403'))).toEqual([]);
      const sent = page.requested.filter((url) => !url.startsWith('data:'));
      expect([...new Set(sent.map((url) => new URL(url).origin))]).toEqual([address]);
      expect(sent.filter((url) => url.includes(rootToken))).toEqual([]);
    } finally {
      await page.close();
    }
  },
);
