import { handshakeLine, readGreeting, StartedByHandError } from '../../../src/plugin/wire/handshake';
import { GREETING } from '../support/process';

test("Terraform's variables are read", () => {
  expect(
    readGreeting(
      {
        ...GREETING,
        PLUGIN_CLIENT_CERT: 'pem',
        PLUGIN_UNIX_SOCKET_DIR: '/run',
        PLUGIN_MIN_PORT: '1',
        PLUGIN_MAX_PORT: '2',
        PLUGIN_MULTIPLEX_GRPC: 'true',
      },
      'acme',
    ),
  ).toEqual({
    clientCertificate: 'pem',
    socketFolder: '/run',
    ports: { least: 1, most: 2 },
    asksForMultiplexing: true,
  });
});

test('missing variables have defaults', () => {
  expect(readGreeting({ ...GREETING, PLUGIN_PROTOCOL_VERSIONS: '6' }, 'acme')).toEqual({
    clientCertificate: undefined,
    socketFolder: undefined,
    ports: { least: 10_000, most: 25_000 },
    asksForMultiplexing: false,
  });
});

test('a start by hand is an error', () => {
  expect(() => readGreeting({ ...GREETING, TF_PLUGIN_MAGIC_COOKIE: 'other' }, 'acme')).toThrow(
    StartedByHandError,
  );
  expect(() => readGreeting({ ...GREETING, PLUGIN_PROTOCOL_VERSIONS: '' }, 'acme')).toThrow(
    'this Terraform only an older one',
  );
});

test.each([
  ['unix', '/tmp/x', Buffer.from('ab'), false, '1|6|unix|/tmp/x|grpc|YWI\n'],
  ['tcp', '127.0.0.1:1', undefined, true, '1|6|tcp|127.0.0.1:1|grpc||false\n'],
] as const)(
  'the line has the expected fields',
  (network, address, certificate, asksForMultiplexing, line) => {
    const greeting = { ...readGreeting(GREETING, 'acme'), asksForMultiplexing };
    expect(handshakeLine(greeting, { network, address }, certificate)).toBe(line);
  },
);
