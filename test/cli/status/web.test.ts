import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { servePage } from '../../../src/cli/status/web/serve-page';
import { BROWSER, BrowserPage, warnWithoutBrowser, widthOnPhone } from '../../support/browser';
import { startVaultAdmin, vaultAdmin } from '../support/cli';
import { startPair, type Pair } from '../support/pair';

const PIN = 'canary-pin-7f3a';
const AWS_SECRET = 'canary-aws-secret';

let pair: Pair;
let command: ChildProcess;
let address: URL;
/** The path of the data of the page, with the token. */
let STATE: string;

beforeAll(async () => {
  pair = await startPair();
  const { us } = pair;
  const mechanism = { library: 'hsm', slot: '0', key_label: 'a<b', mechanism: '0x0001', key_bits: 2048 };
  await us.post('sys/managed-keys/pkcs11/signing', { ...mechanism, pin: PIN });
  await us.post('sys/storage/raft/snapshot-auto/config/nightly', {
    interval: '24h',
    storage_type: 'aws-s3',
    path_prefix: 'nightly',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: AWS_SECRET,
  });
  const args = ['status', '--web', '--public', '--test-keys', '--watch', '0.2'];
  command = startVaultAdmin(args, { ...pair.env, VAULTADMIN_EU_TOKEN: '' });
  const [printed] = (await once(command.stdout!, 'data')) as [Buffer];
  address = new URL(/http:\S+/.exec(printed.toString())![0]);
  STATE = `state.json${address.search}`;
  await stateWhere((state) => state.time !== undefined);
});
afterAll(async () => {
  command.kill('SIGTERM');
  const [code] = (await once(command, 'close')) as [number];
  await pair.emulator.close();
  expect(code).toBe(0);
});

interface State {
  readonly time?: number;
  readonly problems: readonly { readonly cluster: string; readonly text: string }[];
  readonly keys: readonly object[];
  readonly snapshots: readonly object[];
  readonly distances: { readonly times: readonly number[]; readonly clusters: readonly object[] };
}

async function stateWhere(holds: (state: State) => boolean): Promise<State> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const { body } = await send(STATE);
    const state = JSON.parse(body) as State;
    if (holds(state)) return state;
    if (Date.now() > deadline) throw new Error(body);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function send(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const sent = request(new URL(path, address), { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test('the status page sends all that it needs, with a policy that forbids other sources', async () => {
  for (const [path, type] of [
    ['', 'text/html; charset=utf-8'],
    ['page.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['uplot.js', 'text/javascript; charset=utf-8'],
    ['uplot.css', 'text/css; charset=utf-8'],
    [STATE, 'application/json'],
  ] as const) {
    const { status, headers, body } = await send(path);
    expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type });
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(body.length).toBeGreaterThan(100);
  }
  expect(address.hostname).toBe('127.0.0.1');
  for (const path of ['other', '..%2f..%2fpackage.json', '__proto__', 'toString', 'static/page.js']) {
    expect((await send(`/${path}`)).status).toBe(404);
  }
});

test.each<[what: string, status: number, headers: Readonly<Record<string, string>>, method: string]>([
  ['a name of another site', 403, { Host: 'evil.example' }, 'GET'],
  ['a name that begins like this machine', 403, { Host: '127.0.0.1.evil.example' }, 'GET'],
  ['a page of another origin', 403, { Origin: 'http://evil.example' }, 'GET'],
  ['a page of another port', 403, { Origin: 'http://127.0.0.1:1' }, 'GET'],
  ['a page of another site', 403, { 'Sec-Fetch-Site': 'cross-site' }, 'GET'],
  ['POST', 405, {}, 'POST'],
  ['DELETE', 405, {}, 'DELETE'],
  ['this machine by name', 200, { Host: 'localhost' }, 'GET'],
  ['this machine by its full name', 200, { Host: 'LocalHost.:8080' }, 'GET'],
])('a request with %s is answered with %i', async (_what, status, headers, method) => {
  for (const path of ['', STATE]) expect((await send(path, headers, method)).status).toBe(status);
});

describe('the data of the page requires its token, and is refused with 403 for', () => {
  const token = () => address.searchParams.get('token')!;
  test.each<[what: string, query: () => string, headers?: () => Readonly<Record<string, string>>]>([
    ['no token', () => ''],
    ['an empty token', () => '?token='],
    ['another token', () => `?token=${'0'.repeat(48)}`],
    ['the beginning of the token', () => `?token=${token().slice(0, -1)}`],
    ['the token with a further character', () => `?token=${token()}0`],
    ['the token in capitals', () => `?token=${token().toUpperCase()}X`],
    ['a list with the token', () => `?token[]=${token()}`],
    ['the token under another name', () => `?Token=${token()}`],
    ['the token after a # in the query', () => `?a=b#token=${token()}`],
    ['the token after another token', () => `?token=x&token=${token()}`],
    [
      'the token in a cookie or header',
      () => '',
      () => ({ Cookie: `token=${token()}`, Authorization: token() }),
    ],
    [
      'the token, from a page of another origin',
      () => `?token=${token()}`,
      () => ({ Origin: 'http://localhost:1' }),
    ],
    [
      'the token, under the host name of another site',
      () => `?token=${token()}`,
      () => ({ Host: 'evil.example' }),
    ],
  ])('%s', async (_what, query, headers = () => ({})) => {
    const { status, body } = await send(`state.json${query()}`, headers());
    expect({ status, shows: body.includes('time') }).toEqual({ status: 403, shows: false });
  });

  test('a new page has a new one', async () => {
    const other = await servePage(0, () => ({}));
    try {
      expect(new URL(other.address).searchParams.get('token')).not.toBe(token());
      expect(token()).toMatch(/^[0-9a-f]{48}$/);
    } finally {
      await other.close();
    }
  });
});

test('the status page shows problems, keys, snapshots and distances, without a secret', async () => {
  const state = await stateWhere(({ distances }) => distances.times.length > 1);
  expect(state.problems).toEqual([
    { cluster: 'us', text: expect.stringMatching(/^managed key "pkcs11\/signing" does not sign: /) },
  ]);
  expect(state.keys).toEqual([
    { cluster: 'us', name: 'pkcs11/signing', testedAt: expect.any(Number), error: expect.any(String) },
  ]);
  expect(state.snapshots).toEqual([{ cluster: 'us', name: 'nightly', state: 'waiting' }]);
  expect(state.distances.clusters).toEqual([{ name: 'eu', behind: state.distances.times.map(() => 0) }]);
  const everything = await Promise.all(
    ['', 'page.js', 'page.css', STATE].map(async (path) => (await send(path)).body),
  );
  const { us, eu } = pair.emulator.clusters as Record<string, { rootToken: string; unsealKey: string }>;
  const secrets = [PIN, AWS_SECRET, us!.rootToken, eu!.rootToken, us!.unsealKey];
  expect(secrets.filter((secret) => everything.join().includes(secret))).toEqual([]);
});

test('keys are tested once an hour, and not each time the clusters are read', async () => {
  const count = () => pair.emulator.requests.list({ path: 'sys/managed-keys/*/test/sign' }).length;
  const before = await stateWhere(() => true);
  await stateWhere(({ distances }) => distances.times.length > before.distances.times.length + 2);
  expect(count()).toBe(1);
});

test('the status page refuses a port that is in use, a port without a page, and the formats for programs', async () => {
  const used = await vaultAdmin(['status', '--web', '--public', '--port', address.port], pair.env);
  expect(used).toMatchObject({ code: 2, stdout: '' });
  expect(used.stderr).toContain('EADDRINUSE');
  const noPage = await vaultAdmin(['status', '--public', '--port', '0'], pair.env);
  expect(noPage).toMatchObject({ code: 2, stdout: '' });
  expect(noPage.stderr).toContain('--port is for the status page\nTo do: add --web, or leave out --port.');
  const json = await vaultAdmin(['status', '--web', '--json'], pair.env);
  expect(json).toMatchObject({ code: 2, stdout: '' });
});

warnWithoutBrowser('the status page');

(BROWSER ? test : test.skip)('a browser shows it, and what happens next', async () => {
  const page = await BrowserPage.open(address.href);
  try {
    const boxes = "[...document.querySelectorAll('#picture .wide text')].map((each) => each.textContent)";
    const drawn = await page.until<string[]>(`${boxes}.length > 0 && ${boxes}`);
    expect(drawn).toEqual(expect.arrayContaining(['us', 'eu', 'deny us-only/']));
    await page.until("document.querySelector('#plot canvas') && true");
    expect(await page.value("document.querySelector('#keys table').innerText")).toMatch(
      /^Cluster\s+Key\s+Last test\s+us\s+pkcs11\/signing\s+does not sign, tested \d+ seconds? ago: /,
    );
    expect(await page.value("document.querySelector('#snapshots table').innerText")).toMatch(
      /us\s+nightly\s+waiting\s+none yet/,
    );

    const verdict = "document.getElementById('verdict').innerText";
    pair.emulator.replication.partition('us', 'eu');
    await page.until(`${verdict}.includes('us: secondary "eu" is not connected') && true`);
    expect(await page.value(`${verdict}.startsWith('! eu: is not streaming: ')`)).toBe(true);

    expect(await widthOnPhone(page)).toBe(390);
    const color = (scheme: string) =>
      page
        .call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
        .then(() => page.value<string>('getComputedStyle(document.body).backgroundColor'));
    expect(await color('light')).toBe('rgb(255, 255, 255)');
    expect(await color('dark')).toBe('rgb(13, 17, 23)');

    expect(page.complaints).toEqual([]);
    const origins = page.requested
      .filter((url) => !url.startsWith('data:'))
      .map((url) => new URL(url).origin);
    expect([...new Set(origins)]).toEqual([address.origin]);
  } finally {
    await page.close();
    pair.emulator.replication.heal('us', 'eu');
  }
});
