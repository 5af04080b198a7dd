import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { startEmulator } from '../../../src/emulator';
import { BrowserGuard } from '../../../src/emulator/http/browser-guard';
import { hostFor } from '../../../src/emulator/http/server';
import { isThisMachine } from '../../../src/model/clusters';
import { Api } from '../support/api';

test.each([
  ['127.0.0.1', true, '127.0.0.1'],
  ['127.0.0.2', true, '127.0.0.2'],
  ['::1', true, '[::1]'],
  ['0.0.0.0', false, '127.0.0.1'],
  ['::', false, '[::1]'],
  ['192.0.2.7', false, '192.0.2.7'],
  ['2001:db8::7', false, '[2001:db8::7]'],
])('the address to listen on is parsed: %s', (bind, loopback, host) => {
  expect({ loopback: isThisMachine(bind), host: hostFor(bind) }).toEqual({ loopback, host });
});

test.each([
  ['192.0.2.7:8200', 200],
  ['[2001:db8::7]:8200', 200],
  ['localhost:8200', 200],
  ['vault.test:8200', 200],
  ['evil.example:8200', 403],
  ['192.0.2.7.evil.example', 403],
])('a server for other machines answers a request to %s with %d', (host, status) => {
  const refusal = new BrowserGuard(['vault.test'], true).refusalOf({
    headers: { host },
    headersDistinct: {},
  });
  expect(refusal?.status ?? 200).toBe(status);
});

test('a server on the loopback interface refuses the address of another machine', () => {
  const headers = { host: '192.0.2.7:8200' };
  expect(new BrowserGuard().refusalOf({ headers, headersDistinct: {} })?.status).toBe(403);
});

test('a server listens only on 127.0.0.1 by default', async () => {
  await using emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, rootToken: 'root' });
  for (const { address } of Object.values(emulator.clusters)) {
    const { hostname, port } = new URL(address);
    expect(hostname).toBe('127.0.0.1');
    await expect(new Api(`http://127.0.0.2:${port}`, 'root').get('sys/mounts')).rejects.toThrow();
  }
});

test('a server can listen on every address of the machine', async () => {
  await using emulator = await startEmulator({ rootToken: 'root', bind: '0.0.0.0' });
  const { address } = emulator.clusters.default;
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(address);
  const headers = { Host: `192.0.2.7:${port}` };
  expect((await new Api(`http://127.0.0.2:${port}`, 'root').get('sys/mounts', { headers })).status).toBe(200);
});

test('the certificate is for the bound address and the allowed hosts', async () => {
  await using emulator = await startEmulator({ tls: true, bind: '127.0.0.2', allowedHosts: ['vault.test'] });
  const { hostname: host, port } = new URL(emulator.clusters.default.address);
  const socket: TLSSocket = connect({ host, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = new X509Certificate(socket.getPeerCertificate(true).raw);
  socket.destroy();
  expect([certificate.checkIP('127.0.0.2'), certificate.checkHost('vault.test')]).toEqual([
    '127.0.0.2',
    'vault.test',
  ]);
});
