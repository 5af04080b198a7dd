import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { VaultError, type Warning } from '../../../src/client';
import { computingTime } from '../../support/computing-time';
import { connect, failureOf } from '../support/client';
import { serve } from '../support/server';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * The limit for the computing time, in milliseconds. On these answers, quadratic work takes many
 * times as long, and linear work takes less even on a busy machine.
 */
const MOMENT = 20_000;

async function refusal(errors: unknown): Promise<VaultError> {
  const server = await serve({ status: 400, json: { errors } });
  return failureOf(connect(server, { token: 'hvs.canary-token', maxRetries: 0 }).write('a', {}));
}

test.each<[form: string, write: (secret: string) => string]>([
  ['trimmed', (secret) => secret.trim()],
  ['collapsed', (secret) => secret.replace(/\s+/g, ' ')],
  ['in a URL', encodeURIComponent],
  ['in a form', (secret) => new URLSearchParams({ secret }).toString()],
  ['in base64', base64],
  ['in base64, trimmed', (secret) => base64(secret.trim())],
  ['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify(secret))],
])('a secret that a server returns %s is hidden', async (_, write) => {
  const secret = 'canary pin\n\n  7"34+5\n';
  const text = `bad pin: ${write(secret)}`;
  const server = await serve({ status: 400, json: { errors: [text] } });
  const error = await failureOf(connect(server, { token: 'root' }).write('a', { pin: secret }));
  const shown = JSON.stringify(error) + String(error.stack);
  expect(error.errors[0]).toContain('(hidden)');
  for (const part of [write(secret), 'canary', '7%2234', '7\\"34', base64('canary pin').slice(0, -4)]) {
    expect(shown).not.toContain(part);
  }
});

test("a secret at which a proxy's text is cut off is hidden", async () => {
  for (const before of [100, 180, 190, 16_300, 16_370, 16_380]) {
    const server = await serve({ status: 400, text: `${'x'.repeat(before)} canary-${'y'.repeat(40)}` });
    const error = await failureOf(connect(server).write('a', { pin: `canary-${'y'.repeat(40)}` }));
    expect(JSON.stringify(error)).not.toContain('cana');
    const flooded = await serve({ status: 400, text: `${' '.repeat(before)} canary-${'y'.repeat(40)}` });
    const another = await failureOf(connect(flooded).write('a', { pin: `canary-${'y'.repeat(40)}` }));
    expect(JSON.stringify(another)).not.toContain('cana');
  }
});

test('a warning is reported without secrets and control characters', async () => {
  const warnings: Warning[] = [];
  const json = { data: {}, warnings: [`kept ${base64('canary-pin-1')} \u001b[2J`] };
  const client = connect(await serve({ json }), { onWarning: (warning) => warnings.push(warning) });
  await client.write('a', { pin: 'canary-pin-1' });
  expect(warnings.map(({ text }) => text)).toEqual(['kept (hidden) \\u001b[2J']);
});

test('the first hundred warnings of an answer are reported, each cut at 16 KiB', async () => {
  const warnings: string[] = [];
  const json = { data: {}, warnings: ['x'.repeat(16_385), ...Array<string>(100).fill('w')] };
  const client = connect(await serve({ json }), { onWarning: ({ text }) => warnings.push(text) });
  const answer = await client.write('a', {});
  expect(warnings).toEqual(['x'.repeat(16_384), ...Array<string>(99).fill('w')]);
  expect(answer.warnings).toEqual(warnings);
});

test('control characters are shown in escaped form', async () => {
  const { message, errors } = await refusal(['bad\u001b[2J\u001b]0;pwned\u0007\r\nall is well\u202e\u009b']);
  expect(errors).toEqual(['bad\\u001b[2J\\u001b]0;pwned\\u0007\\r\nall is well\\u202e\\u009b']);
  expect(message).toContain('(bad\\u001b[2J\\u001b]0;pwned\\u0007\\r all is well\\u202e\\u009b)');
  const server = await serve({ status: 502, text: '\u001b]8;;http://evil.example\u0007good' });
  const { message: proxy } = await failureOf(connect(server, { maxRetries: 0 }).write('a', {}));
  expect(proxy).toContain('\\u001b]8;;http://evil.example\\u0007good');
  const { message: path } = await failureOf(connect(server, { maxRetries: 0 }).write('a\u001b[2J\n', {}));
  expect(path).toContain('cannot write a\\u001b[2J\\n on ');
});

test.each([
  ['an object', [{ toString: 1 }], ['{"toString":1}']],
  ['an object with its own way to JSON', [{ toJSON: 1, message: 'no' }], ['{"toJSON":1,"message":"no"}']],
  ['nothing, numbers, lists', [null, 5, [1]], ['null', '5', '[1]']],
])('errors of an answer that are not texts are shown as JSON: %s', async (_, errors, shown) => {
  expect((await refusal(errors)).errors).toEqual(shown);
});

test('errors of an answer that are nested too deeply are not shown', async () => {
  const text = `{"errors":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`;
  const error = await failureOf(connect(await serve({ status: 400, text })).write('a', {}));
  expect(VaultError.is(error)).toBe(true);
  expect(error.status).toBe(400);
});

test.each([
  ['line breaks', `2 errors occurred:\n${'\n'.repeat(700_000)}* x`],
  ['line breaks and tabs', `2 errors occurred:\n${'\n\t'.repeat(350_000)}x`],
  ['bullets', `2 errors occurred:${'\n\t* x'.repeat(140_000)}`],
  ['spaces', `${' '.repeat(700_000)}x`],
  ['one word', 'x'.repeat(700_000)],
])('a refusal of 700 kB, of %s, is processed quickly', async (_, text) => {
  const server = await serve({ status: 400, json: { errors: [text] } });
  const client = connect(server, { token: 'hvs.canary-token' });
  let error!: VaultError;
  const took = await computingTime(async () => {
    error = await failureOf(client.write('a', { pin: 'canary-pin-1' }));
  });
  expect(took).toBeLessThan(MOMENT);
  expect(error.errors.length).toBeLessThanOrEqual(100);
  expect(error.message.length).toBeLessThan(20_000);
});

test('the first 16 KiB of all texts of an answer are shown', async () => {
  const [one, another] = (await refusal(['x'.repeat(10_000), 'y'.repeat(10_000), 'z'])).errors;
  expect([one, another]).toEqual(['x'.repeat(10_000), 'y'.repeat(6_384)]);
  expect((await refusal(['x'.repeat(16_384)])).errors).toEqual(['x'.repeat(16_384)]);
  expect((await refusal(['x'.repeat(16_385)])).errors).toEqual(['x'.repeat(16_384)]);
});

test('fifty refusals of 700 kB are processed quickly', async () => {
  const server = await serve({ status: 400, json: { errors: Array(50).fill('x y '.repeat(175_000)) } });
  const client = connect(server, { token: 'hvs.canary-token' });
  const took = await computingTime(async () => {
    expect((await failureOf(client.write('a', {}))).errors).toHaveLength(1);
  });
  expect(took).toBeLessThan(MOMENT);
});

test('the first hundred texts of an answer are shown', async () => {
  expect((await refusal(Array.from({ length: 5_000 }, (_, index) => `e${index}`))).errors).toHaveLength(100);
});

test('an answer of more than 64 MiB is not read to the end', async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const more = (): void => {
      while (sent < 640 && !response.destroyed) {
        sent++;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end('{}');
    };
    more();
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const client = connect({ address: `http://127.0.0.1:${port}` }, { maxRetries: 0 });
    const error = await failureOf(client.read('a'));
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toContain('the answer is longer than 64 MiB. No endpoint returns that much');
    expect(sent).toBeLessThan(200);
    await client.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an answer with deeper nesting than any stored value is refused', async () => {
  const nested = (depth: number) => `{"data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  const server = await serve([{ text: nested(998) }, { text: nested(999) }, { text: nested(5_000_000) }]);
  const client = connect(server, { maxRetries: 0 });
  expect(JSON.stringify((await client.read('a'))?.data)).toHaveLength('{"a":}'.length + 2 * 998);
  expect((await failureOf(client.read('a'))).code).toBe('unexpected_answer');
  expect((await failureOf(client.read('a'))).code).toBe('unexpected_answer');
});

test('a number of 20 MB is refused quickly', async () => {
  const server = await serve([{ text: `{"data":{"a":${'9'.repeat(20_000_000)}}}` }]);
  const client = connect(server, { maxRetries: 0 });
  let code: string | undefined;
  const took = await computingTime(async () => (code = (await failureOf(client.read('a'))).code));
  expect(code).toBe('unexpected_answer');
  expect(took).toBeLessThan(MOMENT);
});

test('a compressed answer is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
  const [address, close] = await listen((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  });
  const client = connect({ address }, { maxRetries: 0 });
  let code: string | undefined;
  const took = await computingTime(async () => (code = (await failureOf(client.read('a'))).code));
  expect(code).toBe('unexpected_answer');
  expect(took).toBeLessThan(MOMENT);
  await client.close();
  close();
});

/** Writes a text repeatedly, as long as the other side reads. */
function flood(socket: Socket, text: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}
const HINT = `HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(1_000)}\r\n\r\n`;

test.each<[string, (socket: Socket) => void, string, number?]>([
  [
    'a body of a byte at a time',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    },
    'timeout',
  ],
  [
    'headers of a byte at a time',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-A: ');
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    },
    'timeout',
  ],
  ['hints without end', (socket) => flood(socket, HINT), 'timeout'],
  [
    'headers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, 'X-A: b\r\n');
    },
    'connection_lost',
    60,
  ],
  [
    'trailers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n');
      flood(socket, 'X-A: b\r\n');
    },
    'connection_lost',
    60,
  ],
  [
    'an extension of a chunk without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;');
      flood(socket, 'x'.repeat(1_000));
    },
    'timeout',
  ],
  [
    'chunks of one byte without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, '1\r\n \r\n'.repeat(100));
    },
    'timeout',
  ],
  [
    'a size of a chunk without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, '0'.repeat(1_000));
    },
    'timeout',
  ],
  ['a status line without end', (socket) => flood(socket, 'HTTP/1.1 200 '.repeat(50)), 'timeout'],
])('the call ends with an error: %s', async (_, answer, code, timeout = 0.3) => {
  const [address, close] = await listen(answer);
  const client = connect({ address }, { maxRetries: 0, timeout });
  expect((await failureOf(client.read('a'))).code).toBe(code);
  await client.close();
  close();
});

/** Starts a server that answers the first request of each connection. */
async function listen(answer: (socket: Socket) => void): Promise<[address: string, close: () => void]> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, close];
}
