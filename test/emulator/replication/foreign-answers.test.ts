import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { calls, enablePrimary, issueToken, status, useSet } from './support/set';

const use = useSet();

let server: Server | undefined;
afterEach(() => {
  jest.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Enables a secondary with a token that contains the address of the given server. */
async function joinBy(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const addr = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = Buffer.from(JSON.stringify({ addr, jti: 'hvs.x' })).toString('base64url');
  const { eu } = use();
  const answer = await eu.post(`${calls}/secondary/enable`, { token: `e30.${claims}.x` });
  expect((await status(eu)).mode).toBe('disabled');
  return { status: answer.status, error: (answer.body as { errors: string[] }).errors[0] };
}

test('an endless answer is not read to the end', async () => {
  let sent = 0;
  const { status, error } = await joinBy((_request, response) => {
    const piece = Buffer.alloc(64 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && sent < 300 * 1024 * 1024) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  expect({ status, error }).toEqual({
    status: 500,
    error: expect.stringMatching(/^error unwrapping secondary token: Post ".*": the answer is too long$/),
  });
  expect(sent).toBeLessThan(100 * 1024 * 1024);
});

test('an answer that arrives byte by byte ends at the usual timeout', async () => {
  const patience = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  const { status, error } = await joinBy((_request, response) => {
    response.write('{');
    setImmediate(() => {
      response.write('"data"');
      patience.abort(new DOMException('', 'TimeoutError'));
    });
  });
  expect({ status, error }).toEqual({ status: 500, error: expect.stringMatching(/: i\/o timeout$/) });
});

test('a redirect is not followed', async () => {
  const { status, error } = await joinBy((request, response) => {
    expect(request.url).toBe('/v1/sys/wrapping/unwrap');
    response.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect({ status, error }).toMatchObject({
    status: 500,
    error: expect.stringContaining('status code is 307'),
  });
});

const KEY = { type: 'p521', x: 1, y: 1, d: 1 };
const CONTENT = {
  id: 'eu',
  cluster_id: 'c',
  primary_cluster_addr: 'https://127.0.0.1:1',
  client_key: KEY,
  encrypted_client_key: null,
  nonce: null,
  primary_public_key: null,
  expires: 1,
};

test.each<[what: string, data: unknown]>([
  ['nothing', undefined],
  ['a list', []],
  ['an id that is no text', { ...CONTENT, id: ['eu'] }],
  ['an id of 10,000 characters', { ...CONTENT, id: 'x'.repeat(10_000) }],
  ['no address', { ...CONTENT, primary_cluster_addr: undefined }],
  ['an address that is an object', { ...CONTENT, primary_cluster_addr: { replace: 1 } }],
  ['no key', { ...CONTENT, client_key: undefined }],
  ['a key that is a text', { ...CONTENT, client_key: 'key' }],
  ['a key with texts', { ...CONTENT, client_key: { ...KEY, d: '1' } }],
  ['a key with a fraction', { ...CONTENT, client_key: { ...KEY, x: 1.5 } }],
  ['a negative key', { ...CONTENT, client_key: { ...KEY, y: -1 } }],
  ['a key of zero', { ...CONTENT, client_key: { ...KEY, d: 0 } }],
  ['an expiration time that is a text', { ...CONTENT, expires: 'tomorrow' }],
  ['an expiration time that is too large', { ...CONTENT, expires: 1e300 }],
])('an activation token with %s is refused', async (_what, data) => {
  const { status } = await joinBy((_request, response) => void response.end(JSON.stringify({ data })));
  expect(status).toBe(400);
});

test('JSON that is nested 100,000 times is refused', async () => {
  const text = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect((await joinBy((_request, response) => void response.end(text))).status).toBe(400);
});

test('a CA file in a request must be a file of limited size, not a pipe or a device', async () => {
  const { us, eu } = use();
  await enablePrimary(us);
  const folder = temporaryFolder('ca');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 2 ** 40);
  for (const contact of [
    { ca_file: pipe },
    { ca_file: '/dev/zero' },
    { ca_file: large },
    { ca_path: folder },
  ]) {
    const token = await issueToken(
      us,
      `eu-${JSON.stringify(contact).length}-${Math.random()}`.replace('.', ''),
    );
    const answer = await eu.post(`${calls}/secondary/enable`, { token, ...contact });
    expect([answer.status, (await status(eu)).mode]).toEqual([400, 'disabled']);
  }
});
