import { computingTime } from '../../support/computing-time';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { matchesGlob } from '../../../src/text/glob';
import { isNestedDeeper } from '../../../src/text';
import { temporaryFolder } from '../../support/temporary-folder';

let emulator: Emulator | undefined;
afterEach(async () => {
  await emulator?.close();
  emulator = undefined;
});

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + '1' + close.repeat(depth);

describe('JSON that is nested deeply, or has many entries', () => {
  let folder: string;
  beforeEach(() => (folder = temporaryFolder('emulator-data')));

  async function write(body: string): Promise<[status: number, text: string]> {
    emulator ??= await startEmulator({ rootToken: 'root', dataFolder: folder });
    const { address } = emulator.clusters.default!;
    const headers = { 'X-Vault-Token': 'root' };
    await fetch(`${address}/v1/sys/mounts/kv`, { method: 'POST', headers, body: '{"type":"kv"}' });
    const answer = await fetch(`${address}/v1/kv/a`, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  }

  test.each([
    ['lists', `{"a":${nested(8_000)}}`],
    ['objects', `{"a":${nested(8_000, '{"a":', '}')}}`],
    ['lists with a long number', `{"n":12345678901234567890,"a":${nested(8_000)}}`],
    ['one level too many', `{"a":${nested(300)}}`],
  ])('such JSON is refused: %s', async (_, body) => {
    expect(await write(body)).toEqual([
      400,
      '{"errors":["failed to parse JSON input: the body is nested deeper than 300 levels"]}\n',
    ]);
    expect((await write('{"a":"kept"}'))[0]).toBe(204);
    await emulator!.close();
    emulator = undefined;
    expect(readFileSync(join(folder, 'emulator.journal'), 'utf8')).toContain('kept');
  });

  test('the deepest JSON that the server accepts is stored', async () => {
    expect((await write(`{"a":${nested(299)}}`))[0]).toBe(204);
    await emulator!.close();
    emulator = await startEmulator({ rootToken: 'root', dataFolder: folder });
    const { address } = emulator.clusters.default!;
    const answer = await fetch(`${address}/v1/kv/a`, { headers: { 'X-Vault-Token': 'root' } });
    expect(await answer.text()).toContain(`"a":${nested(299)}`);
  });

  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

  test.each([
    ['an object of 10,001 entries', `{${numbered(10_001)}}`],
    ['an object of 2,000,000 entries', `{"a":{${numbered(2_000_000)}}}`],
    ['a list of 4,000,000 numbers', `{"a":[${'1,'.repeat(4_000_000)}1]}`],
  ])('such JSON is refused without being parsed: %s', async (_, body) => {
    await write('{}');
    const begin = process.cpuUsage();
    expect(await write(body)).toEqual([
      400,
      '{"errors":["failed to parse JSON input: an object or list of the body has more than 10000 entries"]}\n',
    ]);
    expect(process.cpuUsage(begin).user).toBeLessThan(5_000_000);
  });

  test('a number of more than a thousand characters is refused', async () => {
    expect((await write(`{"a":${'9'.repeat(1_000)}}`))[0]).toBe(204);
    for (const count of [1_001, 20_000_000]) {
      const begin = process.cpuUsage();
      expect((await write(`{"a":${'9'.repeat(count)}}`))[0]).toBe(400);
      expect(process.cpuUsage(begin).user).toBeLessThan(5_000_000);
    }
  });

  test('an object of 10,000 entries with lists is stored', async () => {
    expect((await write(`{${numbered(9_999)},"a":[${'1,'.repeat(9_999)}1]}`))[0]).toBe(204);
  });

  test('the length of texts is not limited', () => {
    const long = 'x'.repeat(20_000_000);
    expect(isNestedDeeper(JSON.stringify({ policy: `# ${long}` }), 1)).toBe(false);
    expect(isNestedDeeper(`["${long}`, 1)).toBe(false);
    expect(isNestedDeeper(`["${'\\\\'.repeat(1_000_000)}",[1]]`, 1)).toBe(true);
  });

  test('brackets within texts do not count as nesting', () => {
    expect(isNestedDeeper(JSON.stringify(['[[[[', '"[[[', '\\"[[']), 1)).toBe(false);
    expect(isNestedDeeper('[[1]]', 1)).toBe(true);
  });
});

test('a form of 200,000 fields is read quickly, also without a token', async () => {
  emulator = await startEmulator({ rootToken: 'root' });
  const url = `${emulator.clusters.default!.address}/v1/sys/mounts/kv`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = Array.from({ length: 200_000 }, (_, index) => `k${index}=1`).join('&');
  const took = await computingTime(async () => {
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(403);
  });
  expect(took).toBeLessThan(20_000);
});

test('a field that a form repeats becomes a list, also the field __proto__', async () => {
  emulator = await startEmulator({ rootToken: 'root' });
  const { address } = emulator.clusters.default!;
  const headers = { 'X-Vault-Token': 'root' };
  await fetch(`${address}/v1/sys/mounts/kv`, { method: 'POST', headers, body: '{"type":"kv"}' });
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  await fetch(`${address}/v1/kv/a`, { method: 'POST', headers: form, body: 'a=1&__proto__=x&a=2&a=3' });
  const answer = await fetch(`${address}/v1/kv/a`, { headers });
  expect(await answer.text()).toContain('"data":{"a":["1","2","3"],"__proto__":"x"}');
});

test('a policy of 10 MB is accepted', async () => {
  emulator = await startEmulator({ rootToken: 'root' });
  const url = `${emulator.clusters.default!.address}/v1/sys/policies/acl/big`;
  const policy = `# ${'x'.repeat(10_000_000)}\npath "a" { capabilities = ["read"] }`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'X-Vault-Token': 'root' },
    body: JSON.stringify({ policy }),
  });
  expect(answer.status).toBe(204);
});

test('a request of 32 MiB is read, and a longer one refused without being read', async () => {
  emulator = await startEmulator({ rootToken: 'root' });
  const { address } = emulator.clusters.default!;
  const post = async (body: Buffer | ReadableStream<Uint8Array>) => {
    const headers = { 'X-Vault-Token': 'root' };
    const options = { method: 'POST', headers, body, duplex: 'half' as const };
    const answer = await fetch(`${address}/v1/sys/policies/acl/big`, options);
    return [answer.status, await answer.text()];
  };
  const most = 32 * 1024 * 1024;
  const policy = Buffer.from(JSON.stringify({ policy: 'path "a" { capabilities = ["read"] }' }).padEnd(most));
  const refused = [413, '{"errors":["failed to parse JSON input: http: request body too large"]}\n'];
  expect(await post(policy)).toEqual([204, '']);
  expect(await post(Buffer.concat([policy, Buffer.from(' ')]))).toEqual(refused);
  // The request has no content length.
  const pieces = [policy, Buffer.from(' ')];
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new Uint8Array(piece));
    },
  });
  expect(await post(stream)).toEqual(refused);
});

test.each([
  ['*a*a*a*a*a*a*a*a*b', 'a'.repeat(100_000), false],
  ['*a*b', `${'a'.repeat(100_000)}b`, true],
  [`${'*a'.repeat(10_000)}*b`, 'a'.repeat(100_000), false],
  ['a*', 'abc', true],
  ['*', '', true],
  ['', '', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a--b--c', true],
  ['a*b*c', 'a--c--b', false],
  ['*ab*ab', 'ab', false],
  ['a.c', 'abc', false],
  ['a\n*', 'a\nb\nc', true],
])('the pattern %.20s is matched quickly', async (pattern, text, matches) => {
  const took = await computingTime(() => expect(matchesGlob(pattern, text)).toBe(matches));
  expect(took).toBeLessThan(10_000);
});

test.each(['LIS', 'LI', 'LIST /v1/sys/health HTTP/1.1\r\nHost'])(
  'an incomplete request, after %p, is closed at the timeout, and does not keep the emulator open',
  async (beginning) => {
    // As long as servers wait for the rest of a head, but shorter.
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its server below
    const { listen } = Server.prototype;
    const listening = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: Server,
      ...args
    ) {
      this.headersTimeout = 300;
      return Reflect.apply(listen, this, args) as Server;
    });
    emulator = await startEmulator({ rootToken: 'root' });
    listening.mockRestore();
    const { port } = new URL(emulator.clusters.default!.address);
    const open = async () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(beginning);
      return socket;
    };
    if (beginning === 'LIS') await closing(await open());
    const last = await open();
    const closed = closing(last);
    await emulator.close();
    emulator = undefined;
    await closed;
  },
);

function closing(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.resume().once('close', resolve));
}
