import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();
const policy = 'path "a" { capabilities = ["read"] }';

describe('HTTP methods', () => {
  it('POST and PUT are equivalent', async () => {
    const { api } = use();
    expect((await api.post('sys/policies/acl/posted', { policy })).status).toBe(204);
    expect((await api.put('sys/policies/acl/put', { policy })).status).toBe(204);
  });

  it('LIST and ?list= with any true boolean list', async () => {
    const { api } = use();
    const keys = (await api.list('sys/policies/acl')).body.data.keys;
    expect(keys).toContain('default');
    for (const value of ['true', '1', 't', 'T', 'TRUE', 'True']) {
      expect((await api.get(`sys/policies/acl?list=${value}`)).body.data.keys).toEqual(keys);
    }
  });

  it('the value of ?list= has to be a boolean, and the refusal has no text', async () => {
    const answer = await use().api.get('sys/policies/acl?list=yes');
    expect([answer.status, answer.body]).toEqual([400, { errors: [] }]);
  });

  it.each(['false', '0', 'f', ''])('a request with ?list=%s is a read', async (value) => {
    const answer = await use().api.get(`sys/policies/acl/default?list=${value}`);
    expect(answer.body.data.name).toBe('default');
  });

  it('HEAD is answered like GET, without a body', async () => {
    const answer = await use().api.send('HEAD', 'sys/policies/acl/default');
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('other methods are refused with an empty list of errors', async () => {
    const answer = await use().api.send('OPTIONS', 'sys/policies/acl');
    expect([answer.status, answer.body]).toEqual([405, { errors: [] }]);
  });

  it('an operation that the route does not have is refused', async () => {
    const answer = await use().api.delete('sys/policies/acl');
    expect([answer.status, answer.body]).toEqual([405, { errors: [collected('unsupported operation')] }]);
  });

  it('PATCH requires the merge type', async () => {
    const { api } = use();
    await api.put('sys/namespaces/patched');
    const patch = (type?: string) =>
      api.send('PATCH', 'sys/namespaces/patched', {
        body: { custom_metadata: { a: 'b' } },
        headers: type === undefined ? {} : { 'Content-Type': type },
      });
    const refused = await patch('application/json');
    expect([refused.status, refused.body]).toEqual([
      415,
      { errors: ['PATCH requires Content-Type of application/merge-patch+json, provided application/json'] },
    ]);
    expect((await patch()).status).toBe(400);
    expect((await patch('application/merge-patch+json; charset=utf-8')).body.data.custom_metadata).toEqual({
      a: 'b',
    });
  });
});

/** Sends texts one after the other over one connection, and returns the statuses of the answers. */
async function exchange(socket: Duplex, pieces: readonly string[], answers: number): Promise<string[]> {
  let received = '';
  const statuses = () => [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status as string);
  const done = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (statuses().length >= answers) resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }
  await done;
  socket.destroy();
  return statuses();
}

const head = 'Host: localhost\r\nX-Vault-Token: root\r\n';
const list = `LIST /v1/sys/policies/acl HTTP/1.1\r\n${head}\r\n`;
const get = `GET /v1/sys/policies/acl/default HTTP/1.1\r\n${head}\r\n`;
const missing = `GET /v1/sys/policies/acl/missing HTTP/1.1\r\n${head}\r\n`;
const body = JSON.stringify({ policy });
const put = `PUT /v1/sys/policies/acl/x HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;

const exchanges: readonly [string, readonly string[], readonly string[]][] = [
  ['alone', [list], ['200']],
  ['again on the same connection', [list, list, get, list], ['200', '200', '200', '200']],
  ['after another request in the same packet', [get + list], ['200', '200']],
  [
    'pipelined, and the answers have the order of the requests',
    [get + list + missing + list + put + list],
    ['200', '200', '404', '200', '204', '200'],
  ],
  ['split after the first letter', ['L', list.slice(1)], ['200']],
  ['split after the second letter', ['LI', list.slice(2)], ['200']],
  ['split after the third letter', ['LIS', list.slice(3)], ['200']],
  ['split after the word', ['LIST', list.slice(4)], ['200']],
  ['letter by letter', [...list], ['200']],
  ['split in the headers', [list.slice(0, 50), list.slice(50)], ['200']],
  ['split behind another request', [get + list.slice(0, 2), list.slice(2) + get], ['200', '200', '200']],
  [
    'after a body that begins like the verb',
    [put.replace(body, `LIST${body.slice(4)}`) + list],
    ['400', '200'],
  ],
];

/** Each request has its own connection, because an invalid one ends the connection. */
const nonsense: readonly [string, readonly string[]][] = [
  ['a verb that begins like LIST', ['LISP /v1/sys/policies/acl HTTP/1.1\r\n\r\n']],
  ['a split verb that begins like LIST', ['LIS', 'X /v1/ HTTP/1.1\r\n\r\n']],
  ['an unknown verb', ['NOPE /v1/ HTTP/1.1\r\n\r\n']],
];

describe('the LIST verb on one connection', () => {
  it.each(exchanges)('requests are answered: %s', async (_, pieces, expected) => {
    const { port } = new URL(use().api.address);
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
    expect(await exchange(socket, pieces, expected.length)).toEqual(expected);
  });

  it.each(nonsense)('an invalid request is refused: %s', async (_, pieces) => {
    const { port } = new URL(use().api.address);
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
    expect(await exchange(socket, pieces, 1)).toEqual(['400']);
  });
});

describe('the LIST verb over TLS', () => {
  it.each(exchanges)('requests are answered: %s', async (_, pieces, expected) => {
    const { emulator, api } = await startTestEmulator({ tls: true });
    const ca = readFileSync(emulator.clusters.default?.caCertFile ?? '');
    const socket = connectTls({ port: Number(new URL(api.address).port), host: '127.0.0.1', ca });
    socket.setNoDelay(true);
    expect(await exchange(socket, pieces, expected.length)).toEqual(expected);
  });
});

it('an emulator can be closed while connections that were used for LIST are open', async () => {
  const { emulator, api } = await startTestEmulator();
  const socket = connect({ port: Number(new URL(api.address).port), host: '127.0.0.1' });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(list);
  await new Promise((resolve) => socket.once('data', resolve));
  await emulator.close();
  await closed;
});
