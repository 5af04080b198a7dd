import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { SYSTEM_CLOCK } from '../../../src/client/transport/clock';
import { ConnectionPool } from '../../../src/client/transport/connection-pool';
import { Exchange, type WireRequest } from '../../../src/client/transport/exchange';
import { deadEnd, serve, serveRaw } from '../support/server';

const pools: ConnectionPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.destroy();
});

function poolOf(origin: string): ConnectionPool {
  const pool = new ConnectionPool({ origin, socketPath: undefined, tls: undefined });
  pools.push(pool);
  return pool;
}

function exchange(signal?: AbortSignal): Exchange {
  return new Exchange({ clock: SYSTEM_CLOCK, timeout: Infinity, signal });
}

type Changes = Partial<Omit<WireRequest, 'origin'>>;

function send(pool: ConnectionPool, changes: Changes = {}, signal?: AbortSignal): Exchange['outcome'] {
  const sent = exchange(signal);
  pool.dispatch({ origin: '', method: 'GET', path: '/v1/x', headers: {}, ...changes }, sent);
  return sent.outcome;
}

/**
 * Starts a server that answers requests with the given texts in order, and then with the last one.
 * An empty text means no answer.
 */
async function answering(...answers: readonly string[]) {
  const seen: string[] = [];
  const sockets: Socket[] = [];
  const host = await serveRaw((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => {
      seen.push(bytes.toString('latin1'));
      const answer = answers[Math.min(seen.length, answers.length) - 1]!;
      if (answer !== '') socket.write(answer);
    });
  });
  return { host, seen, sockets, pool: poolOf(`http://${host}`) };
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const answered = { kind: 'answer', status: 200, headers: { 'content-length': '0' }, body: '' };

test('requests are written with host, headers as Latin-1, and the length of the body in bytes', async () => {
  const { host, seen, pool } = await answering(EMPTY);
  await send(pool, { headers: { 'x-vault-token': 't', 'X-Name': '\xc3\xa9' } });
  await send(pool, { method: 'POST', path: '/v1/y?a=b', body: '{"é":1}' });
  await send(pool, { method: 'PUT' });
  await send(pool, { method: 'DELETE', headers: { Host: 'vault.example' } });
  const last = `Host: ${host}\r\nConnection: keep-alive\r\n`;
  expect(seen).toEqual([
    `GET /v1/x HTTP/1.1\r\nx-vault-token: t\r\nX-Name: \xc3\xa9\r\n${last}\r\n`,
    `POST /v1/y?a=b HTTP/1.1\r\n${last}Content-Length: 8\r\n\r\n{"\xc3\xa9":1}`,
    `PUT /v1/x HTTP/1.1\r\n${last}Content-Length: 0\r\n\r\n`,
    'DELETE /v1/x HTTP/1.1\r\nHost: vault.example\r\nConnection: keep-alive\r\n\r\n',
  ]);
});

test.each<[what: string, request: Changes]>([
  ['a line break in a value', { headers: { 'x-vault-token': 'hvs.canary\r\nhost: evil' } }],
  ['a character beyond Latin-1 in a value', { headers: { 'x-vault-token': 'hvs.canary€' } }],
  ['a colon in a name', { headers: { 'a: b': 'canary' } }],
  ['an empty name', { headers: { '': 'canary' } }],
  ['a space in the path', { path: '/v1/canary x' }],
  ['a line break in the path', { path: '/v1/canary\r\nx' }],
])('%s is refused before anything is sent, without showing it', async (_, request) => {
  const { sockets, pool } = await answering(EMPTY);
  const attempt = () => void send(pool, request);
  expect(attempt).toThrow(/unescaped characters|Invalid character|valid HTTP token/);
  expect(attempt).not.toThrow('canary');
  expect(sockets).toEqual([]);
});

test('a stream is sent in chunks, and the connection is used again', async () => {
  const server = await serve({ json: {} });
  const pool = poolOf(server.address);
  const parts = ['a'.repeat(300_000), '', 'b'];
  const body = () => Readable.from(parts.map((part) => Buffer.from(part)));
  expect(await send(pool, { method: 'POST', body })).toMatchObject({ kind: 'answer', status: 200 });
  await send(pool);
  expect(server.requests.map(({ body: received, connection }) => [received, connection])).toEqual([
    [parts.join(''), 1],
    ['', 1],
  ]);
});

test('a request whose body stream fails has no answer, and counts as sent', async () => {
  const { pool } = await answering('');
  const body = () =>
    new Readable({
      read() {
        this.destroy(new Error('no such file'));
      },
    });
  const { kind, ...failure } = await send(pool, { method: 'POST', body });
  expect([kind, failure]).toEqual([
    'failure',
    { reason: 'network', sent: true, error: new Error('no such file') },
  ]);
});

test('an answer before the end of a stream ends the stream and the connection', async () => {
  const { sockets, pool } = await answering(EMPTY);
  const stream = new Readable({ read() {} });
  const closed = once(stream, 'close');
  stream.push('a');
  expect(await send(pool, { method: 'POST', body: () => stream })).toEqual(answered);
  await closed;
  await send(pool);
  expect(sockets).toHaveLength(2);
});

test.each([
  ['that asks to close it', EMPTY.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')],
  ['that keeps it for a second', EMPTY.replace('\r\n\r\n', '\r\nkeep-alive: timeout=1\r\n\r\n')],
])('a connection is not used again after an answer %s', async (_, answer) => {
  const { sockets, pool } = await answering(answer);
  for (let count = 1; count <= 2; count++) {
    expect(await send(pool)).toMatchObject({ kind: 'answer', status: 200 });
    expect(sockets).toHaveLength(count);
  }
});

test('an answer with more bytes than its length is refused, and its connection is not used again', async () => {
  const { sockets, pool } = await answering(`${EMPTY}x`, EMPTY);
  expect(await send(pool)).toMatchObject({ kind: 'failure', reason: 'network', sent: true });
  expect(await send(pool)).toEqual(answered);
  expect(sockets).toHaveLength(2);
});

test('a connection that the server closed in the meantime is replaced', async () => {
  const { sockets, pool } = await answering(EMPTY);
  await send(pool);
  const closed = closing(sockets[0]!);
  sockets[0]!.end();
  await closed;
  expect(await send(pool)).toEqual(answered);
  expect(sockets).toHaveLength(2);
});

test('each waiting request fails, and counts as not sent, if no connection can be established', async () => {
  const pool = poolOf(`http://${await deadEnd()}`);
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => send(pool)));
  expect(outcomes).toHaveLength(40);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ kind: 'failure', reason: 'network', sent: false });
});

test('a request that is aborted while it waits is not sent, and the others are sent', async () => {
  const { host, seen, pool } = await answering(EMPTY);
  const controller = new AbortController();
  const aborted = send(pool, { path: '/v1/a' }, controller.signal);
  const wanted = send(pool, { path: '/v1/b' });
  controller.abort();
  expect(await aborted).toEqual({ kind: 'failure', reason: 'aborted', sent: false });
  expect(await wanted).toEqual(answered);
  expect(seen).toEqual([`GET /v1/b HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n\r\n`]);
});

test('a request that is aborted while it is answered closes its connection', async () => {
  const { seen, sockets, pool } = await answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', EMPTY);
  const controller = new AbortController();
  const aborted = send(pool, {}, controller.signal);
  while (seen.length === 0) await new Promise(setImmediate);
  const closed = closing(sockets[0]!);
  controller.abort();
  expect(await aborted).toEqual({ kind: 'failure', reason: 'aborted', sent: true });
  await closed;
  expect(await send(pool)).toEqual(answered);
  expect(sockets).toHaveLength(2);
});
