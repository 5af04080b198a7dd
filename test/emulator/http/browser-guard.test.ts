import { spawn, spawnSync } from 'node:child_process';
import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { temporaryFolder } from '../../support/temporary-folder';

let emulator: Emulator | undefined;
afterEach(async () => {
  await emulator?.close();
  emulator = undefined;
});

async function start(allowedHosts?: readonly string[]): Promise<URL> {
  emulator = await startEmulator({ rootToken: 'root', allowedHosts });
  return new URL(emulator.clusters.default!.address);
}

interface Seen {
  readonly status: number | undefined;
  readonly errors: readonly string[] | undefined;
}

/** Sends a request with the root token, and with headers that normal clients do not send. */
function send(
  address: URL,
  headers: Readonly<Record<string, string>>,
  path = '/v1/sys/mounts',
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: address.port,
      path,
      headers: { 'X-Vault-Token': 'root', ...headers },
    };
    httpRequest(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const { errors } = JSON.parse(text || '{}') as { errors?: string[] };
        resolve({ status: response.statusCode, errors });
      });
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  '127.0.0.1',
  '127.0.0.1:1',
  '127.1.2.3:80',
  'localhost',
  'LOCALHOST:8200',
  'localhost.',
  'localhost.:8200',
  '[::1]',
  '[::1]:8200',
])('a request is answered under the Host header %s', async (host) => {
  expect(await send(await start(), { Host: host })).toMatchObject({ status: 200 });
});

test.each([
  'evil.example',
  'evil.example:8200',
  'EVIL.example.',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io:8200',
  'evil.example#127.0.0.1',
  'evil.example@127.0.0.1',
  '127.0.0.1@evil.example',
  'localhost:80:evil.example',
  'foo.localhost',
  '10.0.0.1',
  '0.0.0.0',
  '[::]',
  '[::ffff:10.0.0.1]',
  '2130706433',
  '0x7f.0.0.1.evil.example',
])('a request is refused under the Host header %p', async (host) => {
  const address = await start();
  for (const path of ['/v1/sys/mounts', '/v1/sys/health', '/emulator/v1/requests', '/ui/']) {
    expect(await send(address, { Host: host }, path)).toMatchObject({ status: 403 });
  }
  expect(emulator!.requests.list().length).toBe(0);
});

test.each([
  ['localhost', 'evil.example'],
  ['evil.example', 'localhost'],
])('a request is refused under two names, %s and %s', async (...hosts) => {
  const { port } = await start();
  const socket = connect(Number(port), '127.0.0.1');
  const lines = ['GET /v1/sys/health HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), '', ''];
  socket.end(lines.join('\r\n'));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*several Host headers; send one/s);
});

test.each(['http://evil.example/v1/sys/mounts', 'http://localhost/v1/sys/mounts'])(
  'a request for %s, in the form for proxies, is refused',
  async (target) => {
    const headers = { Host: 'localhost' };
    expect(await send(await start(), headers, target)).toMatchObject({ status: 404 });
    expect(
      await send(new URL(emulator!.clusters.default!.address), { Host: 'evil.example' }, target),
    ).toMatchObject({
      status: 403,
    });
  },
);

test.each(['websocket', 'h2c'])('a page cannot upgrade to %s', async (protocol) => {
  const headers = { Connection: 'Upgrade', Upgrade: protocol };
  const address = await start();
  expect(await send(address, { ...headers, Origin: 'http://evil.example' })).toMatchObject({ status: 403 });
  expect(await send(address, { ...headers, Host: 'evil.example' })).toMatchObject({ status: 403 });
});

test('a refusal says how to allow the host', async () => {
  expect(await send(await start(), { Host: 'evil.example' })).toEqual({
    status: 403,
    errors: [
      'the host "evil.example" is not allowed; allowed: localhost, loopback addresses and names given by --allow-host; ' +
        'use one of these in the address, or start the emulator with --allow-host',
    ],
  });
});

test.each(['vault.test', 'VAULT.test.', 'vault.test:8200'])(
  'an allowed host is answered: %s',
  async (host) => {
    const address = await start(['Vault.Test']);
    expect(await send(address, { Host: host })).toMatchObject({ status: 200 });
    expect(await send(address, { Host: `x${host}` })).toMatchObject({ status: 403 });
  },
);

test.each([
  ['another site', { Origin: 'http://evil.example' }],
  ['another port', { Origin: 'http://127.0.0.1:1' }],
  ['nowhere', { Origin: 'null' }],
  ['an empty origin', { Origin: '' }],
  ['a part of the address', { Origin: 'http://127.0.0.1' }],
  ['another site, without an origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another port, without an origin', { 'Sec-Fetch-Site': 'same-site' }],
])('a request from a page of %s is refused', async (_, headers) => {
  expect(await send(await start(), headers)).toMatchObject({ status: 403 });
});

test("the emulator's own page, and an address that the user opens, are allowed", async () => {
  const address = await start();
  const own = { Host: address.host, Origin: address.origin, 'Sec-Fetch-Site': 'same-origin' };
  expect(await send(address, own)).toMatchObject({ status: 200 });
  expect(await send(address, { 'Sec-Fetch-Site': 'none' })).toMatchObject({ status: 200 });
});

const BROWSER = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
if (!BROWSER) {
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: a real browser. Install chromium to have a page attack the emulator.\n${line}`,
  );
}

(BROWSER ? test : test.skip)('a page in a real browser gets nowhere, under any name', async () => {
  const address = await start();
  const { port } = address;
  const attack = `<pre id="seen">nothing</pre><script>
    const seen = [];
    const attempt = async (name, url, options) => {
      try {
        const answer = await fetch(url, options);
        seen.push(name + ' ' + answer.type + ' ' + answer.status + ' ' + (await answer.text()));
      } catch (error) { seen.push(name + ' failed'); }
    };
    (async () => {
      const token = { 'X-Vault-Token': 'root' };
      for (const host of ['127.0.0.1', 'localhost', 'evil.example', '[::1]', 'evil.example.']) {
        const base = 'http://' + host + ':${port}';
        await attempt('read', base + '/v1/sys/mounts', { headers: token });
        await attempt('write', base + '/v1/sys/mounts/pwned', { method: 'POST', headers: token, body: '{"type":"kv"}' });
        await attempt('blind', base + '/v1/sys/init', { method: 'POST', mode: 'no-cors', body: '{}' });
        await attempt('control', base + '/emulator/v1/faults', { method: 'POST', mode: 'no-cors', headers: token, body: '{}' });
      }
      document.getElementById('seen').textContent = seen.join('\\n');
    })();
  </script>`;
  const page = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(attack);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => page.once('listening', resolve));
  try {
    const elsewhere = `http://evil.example:${(page.address() as AddressInfo).port}/`;
    const seen = await browse(elsewhere);
    expect(seen).toContain('read failed');
    expect(seen).not.toContain('cubbyhole');
    // The name leads to the emulator itself, so that the browser considers it the same origin.
    const rebound = await browse(`http://evil.example:${port}/v1/sys/health`);
    expect(rebound).toContain('is not allowed');
    expect(rebound).not.toContain('initialized');
    expect(await browse(`${address.origin}/v1/sys/health`)).toContain('initialized');
  } finally {
    page.closeAllConnections();
    page.close();
  }
  expect(emulator!.requests.list().length).toBe(1);
  expect(emulator!.faults.list()).toEqual([]);
});

/** Returns the text of a page in a browser that resolves the foreign name to this machine. */
async function browse(url: string): Promise<string> {
  const profile = temporaryFolder('browser');
  const child = spawn(
    BROWSER!,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP evil.example 127.0.0.1, MAP evil.example. 127.0.0.1',
      '--virtual-time-budget=20000',
      '--dump-dom',
      url,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}
