import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Emulator, startEmulator } from '../../../src/emulator';
import { Api } from '../support/api';

const SNAPSHOT = '/v1/sys/storage/raft/snapshot';
/** A length above that of the part of a body that is always read. */
const LONG = 20_000;
const HUGE = 400 * 1024 * 1024;

let emulator: Emulator;
let api: Api;
beforeAll(async () => {
  emulator = await startEmulator({ rootToken: 'root', standbys: 1 });
  api = new Api(emulator.clusters.default!.address);
  await api.put('sys/policies/acl/reader', { policy: 'path "sys/*" { capabilities = ["read"] }' });
});
afterAll(() => emulator.close());

async function reader(): Promise<string> {
  const { body } = await api.post('auth/token/create', { policies: ['reader'] });
  return (body as { auth: { client_token: string } }).auth.client_token;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly string[];
  /** The beginning of the body, which is sent after the headers. */
  readonly body?: string;
  readonly address?: string;
}

/** Sends a request, and waits for the headers of the answer. The body is never sent completely. */
async function begun({ method = 'POST', path, headers = [], body = '', address = api.address }: Sent) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write([`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n') + body);
  return { socket, status: await firstStatus(socket) };
}

async function firstStatus(socket: Socket): Promise<number> {
  let received = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.toString('latin1');
    if (received.includes('\r\n\r\n')) break;
  }
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
}

const token = (value: string) => `X-Vault-Token: ${value}`;
const length = (bytes: number) => `Content-Length: ${bytes}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

describe('a long body is not waited for if it does not affect the answer', () => {
  test.each<[what: string, status: number, sent: () => Sent | Promise<Sent>]>([
    ['a snapshot, no token', 403, () => ({ path: SNAPSHOT, headers: [length(HUGE)] })],
    ['a snapshot, unknown token', 403, () => ({ path: SNAPSHOT, headers: [length(HUGE), token('other')] })],
    [
      'a snapshot, a token that may only read',
      403,
      async () => ({ path: SNAPSHOT, headers: [length(HUGE), token(await reader())] }),
    ],
    [
      'a snapshot in chunks, unknown token',
      403,
      () => ({ path: SNAPSHOT, headers: [CHUNKED, token('other')], body: chunk(LONG) }),
    ],
    [
      'a compressed snapshot, unknown token',
      403,
      () => ({ path: SNAPSHOT, headers: [length(HUGE), 'Content-Encoding: gzip', token('other')] }),
    ],
    [
      'a snapshot whose sender waits to be told to go on',
      403,
      () => ({ path: SNAPSHOT, headers: [length(HUGE), 'Expect: 100-continue', token('other')] }),
    ],
    [
      'a snapshot with an encoded path',
      403,
      () => ({ path: '/v1/sys/storage/raft/snapsho%74', headers: [length(HUGE)] }),
    ],
    [
      'a snapshot for a standby',
      307,
      () => ({
        path: SNAPSHOT,
        headers: [length(HUGE), token('root')],
        address: emulator.clusters.default!.nodes.all[1]!.address,
      }),
    ],
    ['a policy, unknown token', 403, () => ({ path: '/v1/sys/policies/acl/a', headers: [length(LONG)] })],
    [
      'a policy in chunks, a token that may only read',
      403,
      async () => ({
        method: 'PUT',
        path: '/v1/sys/policies/acl/a',
        headers: [CHUNKED, token(await reader())],
        body: chunk(LONG),
      }),
    ],
    [
      'a path without a mount',
      404,
      () => ({ path: '/v1/nowhere/a', headers: [length(HUGE), token('root')] }),
    ],
    [
      'a method without a body',
      200,
      () => ({ method: 'GET', path: '/v1/sys/health', headers: [length(HUGE)] }),
    ],
    ['the control API, no token', 403, () => ({ path: '/emulator/v1/faults', headers: [length(HUGE)] })],
    ['the page', 405, () => ({ path: '/emulator/', headers: [length(HUGE)] })],
    ['another site', 403, () => ({ path: SNAPSHOT, headers: [length(HUGE), 'Origin: http://evil.example'] })],
    [
      'a snapshot that is too large, root token',
      413,
      () => ({ path: SNAPSHOT, headers: [length(HUGE), token('root')] }),
    ],
    [
      'a policy that is too large, root token',
      413,
      () => ({ path: '/v1/sys/policies/acl/a', headers: [length(HUGE), token('root')] }),
    ],
  ])('the answer does not wait for the body: %s: %i', async (_what, status, sent) => {
    const answered = await begun(await sent());
    answered.socket.destroy();
    expect(answered.status).toBe(status);
  });

  test('a sealed cluster answers 503 without waiting for the body', async () => {
    const sealed = await startEmulator({ rootToken: 'root' });
    const { address } = sealed.clusters.default;
    await new Api(address).put('sys/seal');
    const answered = await begun({ path: SNAPSHOT, headers: [length(HUGE), token('root')], address });
    await sealed.close();
    expect(answered.status).toBe(503);
  });
});

test('a client that waits for status 100 receives it if its body is needed', async () => {
  const headers = [length(2), 'Expect: 100-continue', token('root')];
  const { socket, status } = await begun({ path: '/v1/sys/policies/acl/a', headers });
  expect(status).toBe(100);
  socket.write('{}');
  expect(await firstStatus(socket)).toBe(400);
  socket.destroy();
});

test('a connection can be used again after a refusal, when the rest of the body was sent', async () => {
  const { socket, status } = await begun({ path: SNAPSHOT, headers: [length(LONG)] });
  expect(status).toBe(403);
  socket.write('x'.repeat(LONG));
  socket.write('GET /v1/sys/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  // The body of the refusal arrives first.
  let received = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += piece.toString('latin1');
    if (received.includes('"cluster_id"')) break;
  }
  socket.destroy();
  expect(received).toContain('HTTP/1.1 200 OK');
});

test('a client that continues to send after a refusal is disconnected', async () => {
  const { socket, status } = await begun({ path: SNAPSHOT, headers: [length(HUGE)] });
  expect(status).toBe(403);
  socket.setMaxListeners(0);
  const piece = Buffer.alloc(1024 * 1024);
  let sent = 0;
  while (!socket.destroyed && sent < HUGE) {
    sent += piece.length;
    if (!socket.write(piece))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  }
  expect(sent).toBeLessThan(HUGE / 2);
});

test('requests are answered while other clients stop within their heads and bodies', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const socket = connect(Number(new URL(api.address).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`PUT /v1/sys/policies/acl/${index} HTTP/1.1\r\nHost: localhost\r\n${token('root')}\r\n`);
      if (index % 2 === 0) socket.write(`${length(1000)}\r\n\r\n{"policy":`);
      return socket;
    }),
  );
  expect((await api.get('sys/policies/acl/reader')).status).toBe(200);
  for (const socket of bodies) socket.destroy();
});

test.each([
  ['a header of 100,000 bytes', [`X-Long: ${'x'.repeat(100_000)}`]],
  ['10,000 headers', Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`)],
  ['a path of 100,000 bytes', []],
])('%s is answered with 431', async (what, headers) => {
  const path = what.startsWith('a path') ? `/v1/${'x'.repeat(100_000)}` : '/v1/sys/health';
  const answered = await begun({ method: 'GET', path, headers });
  answered.socket.destroy();
  expect(answered.status).toBe(431);
  expect((await api.get('sys/health')).status).toBe(200);
});

test('a key that JSON repeats is checked and stored with the same value', async () => {
  const allowed = '{ "policy" = ["path \\"a\\" {}"] }';
  const policy = `path "sys/policies/acl/limited" { capabilities = ["create", "update"] allowed_parameters = ${allowed} }`;
  await api.put('sys/policies/acl/writer', { policy });
  const { body } = await api.post('auth/token/create', { policies: ['writer'] });
  const limited = api.as((body as { auth: { client_token: string } }).auth.client_token);
  const [good, evil] = ['path \\"a\\" {}', 'path \\"*\\" { capabilities = [\\"sudo\\"] }'];
  const put = (text: string) => limited.put('sys/policies/acl/limited', text);
  expect((await put(`{"policy":"${good}","policy":"${evil}"}`)).status).toBe(403);
  expect((await put(`{"policy":"${good}","\\u0070olicy":"${evil}"}`)).status).toBe(403);
  expect((await put(`{"policy":"${evil}","policy":"${good}"}`)).status).toBe(204);
  expect((await api.get('sys/policies/acl/limited')).body.data.policy).toBe('path "a" {}');
});

test('a snapshot that expands to more than the maximum is refused', async () => {
  const zeros = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  const { status, body } = await api.post('sys/storage/raft/snapshot', zeros);
  expect([status, body]).toEqual([
    400,
    { errors: ['the snapshot is too large: uncompressed, it has more than 268435456 bytes'] },
  ]);
  const twice = await api.post('sys/storage/raft/snapshot', gzipSync(gzipSync('a')));
  expect(twice.body).toEqual({ errors: ['this is not a snapshot: it is compressed twice'] });
});
