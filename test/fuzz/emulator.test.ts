import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { startEmulator, type Emulator } from '../../src/emulator';
import { fuzz } from './support/fuzz';
import { hostileTexts } from './support/hostile';

const TOKEN = 'root';

let emulator: Emulator;
let address: string;
beforeAll(async () => {
  emulator = await startEmulator({ rootToken: TOKEN, unavailableMs: 0 });
  address = emulator.clusters.default!.address;
});
afterAll(() => emulator.close());

/**
 * Sends bytes on a connection of their own.
 *
 * @returns the received bytes, once the connection is silent or closed
 */
async function send(to: string, bytes: Buffer): Promise<string> {
  const { port } = new URL(to);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.end(bytes);
  await closed;
  return answer;
}

async function expectAlive(): Promise<void> {
  const health = await fetch(`${address}/v1/sys/health`);
  expect(health.status).toBe(200);
  await health.arrayBuffer();
}

const requests = fc
  .record({
    line: fc.oneof(
      fc.constantFrom(
        'GET /v1/sys/health HTTP/1.1',
        'LIST /v1/sys/policies/acl HTTP/1.1',
        'POST /v1/sys/policies/acl/a HTTP/1.1',
        'SCAN /v1/a HTTP/1.1',
        'GET http://evil.example/v1/a HTTP/1.1',
        'GET * HTTP/1.1',
        'CONNECT a:1 HTTP/1.1',
        'PRI * HTTP/2.0',
      ),
      fc
        .tuple(
          fc.constantFrom('GET', 'LIST', 'LIS', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
          fc.webPath(),
          fc.constantFrom('1.0', '1.1', '9.9'),
        )
        .map(([method, path, version]) => `${method} /v1${path} HTTP/${version}`),
      hostileTexts,
    ),
    headers: fc.array(
      fc.oneof(
        fc.constantFrom(
          'Host: 127.0.0.1',
          'X-Vault-Token: root',
          'Content-Length: 5',
          'Content-Length: -1',
          'Content-Length: 99999999999999',
          'Transfer-Encoding: chunked',
          'Expect: 100-continue',
          'Upgrade: websocket',
          'Connection: upgrade',
          'Content-Encoding: gzip',
          'X-Vault-Namespace: ../..',
          'X-Vault-Wrap-TTL: 1e99',
          'Host: [::1',
          'Origin: null',
        ),
        fc
          .tuple(
            fc.constantFrom('X-Vault-Token', 'X-Vault-Namespace', 'X-Vault-Wrap-TTL', 'Host', 'Content-Type'),
            hostileTexts,
          )
          .map(([name, value]) => `${name}: ${value}`),
      ),
      { maxLength: 4 },
    ),
    body: fc.oneof(
      fc.constantFrom('', '{}', '{"policy":', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffffffffff\r\n'),
      fc.json(),
      hostileTexts,
    ),
  })
  .map(({ line, headers, body }) => Buffer.from([line, ...headers, '', body].join('\r\n')));

fuzz('raw requests are answered as HTTP or refused, and the emulator keeps running', {
  inputs: fc.oneof(
    requests,
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  ),
  subject: send,
  planted: async (to: string, bytes: Buffer) =>
    /^(LIST|SCAN) /.test(bytes.toString('latin1'))
      ? 'HTTP/1.1 500 Internal Server Error\r\n'
      : send(to, bytes),
  check: async (exchange, bytes) => {
    const answer = await exchange(address, bytes);
    expect(answer === '' || /^HTTP\/1\.1 [1-5]\d\d /.test(answer)).toBe(true);
    expect(answer).not.toMatch(/^HTTP\/1\.1 500 /);
    await expectAlive();
  },
});

interface Control {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

const values = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('1h', '-1s', '1e99', 'before', 'POST', '*a*a*a*b', 1e300, -1, 2 ** 53, 599),
);
const control: fc.Arbitrary<Control> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
  path: fc.oneof(
    fc.constantFrom(
      'faults',
      'faults/1',
      'clock',
      'clock/advance',
      'clock/freeze',
      'clock/resume',
      'requests',
      'requests?method=%00&path=*a*a*b',
      'policy-failures',
      '%2e%2e/x',
      '__proto__',
    ),
    fc.webPath().map((path) => path.replace(/^\/+/, '')),
  ),
  body: fc.oneof(
    fc
      .dictionary(
        fc.constantFrom(
          'by',
          'method',
          'path',
          'skip',
          'count',
          'latency_ms',
          'status',
          'errors',
          'retry_after',
          'drop',
          'crash',
          'sealed',
          '__proto__',
        ),
        values,
        { maxKeys: 4 },
      )
      // Faults apply to the path "nowhere", so that they do not affect the requests of this test.
      .map((body) =>
        JSON.stringify({
          ...body,
          ...('status' in body ||
          'drop' in body ||
          'crash' in body ||
          'sealed' in body ||
          'latency_ms' in body
            ? { path: 'nowhere' }
            : {}),
        }),
      ),
    fc.json(),
    hostileTexts,
  ),
});

async function ask({ method, path, body }: Control): Promise<{ status: number; text: string }> {
  const response = await fetch(`${address}/emulator/v1/${path}`, {
    method,
    headers: { 'X-Vault-Token': TOKEN },
    ...(method !== 'GET' && { body }),
  });
  return { status: response.status, text: await response.text() };
}

fuzz('the control API answers or refuses each request, and its clock keeps running', {
  inputs: control,
  subject: ask,
  planted: async (request: Control) =>
    request.path === 'clock/advance' && /e99|e\+/.test(request.body)
      ? { status: 500, text: '' }
      : ask(request),
  check: async (exchange, request) => {
    const { status, text } = await exchange(request);
    expect({ status, text, isFault: status >= 500 }).toEqual({ status, text, isFault: false });
    const clock = await ask({ method: 'GET', path: 'clock', body: '' });
    expect(clock.status).toBe(200);
    emulator.faults.clear();
    await expectAlive();
  },
});
