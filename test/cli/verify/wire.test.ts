import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NoAnswer, Wire } from '../../../src/cli/verify/wire';

let server: Server;
let hangs = true;
let received: IncomingHttpHeaders;
beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    received = headers;
    if (!hangs) response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('the full timeout is waited once for a server that hangs, and a short time until it answers again', async () => {
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    after(milliseconds: number, callback: () => void) {
      waits.push(milliseconds);
      const timer = hangs ? setImmediate(callback) : undefined;
      return () => clearImmediate(timer);
    },
  };
  const { port } = server.address() as AddressInfo;
  const wire = Wire.open({ address: `http://127.0.0.1:${port}`, token: 'root', clock });
  try {
    await expect(wire.get('a')).rejects.toThrow(NoAnswer);
    await expect(wire.below('team').get('b')).rejects.toThrow(NoAnswer);
    await expect(wire.get('c', { timeout: 5 })).rejects.toThrow(NoAnswer);
    hangs = false;
    await wire.get('d');
    await wire.get('e');
    expect(waits).toEqual([30_000, 1_000, 5, 1_000, 30_000]);
  } finally {
    await wire.close();
  }
});

test("a request has the headers of the cluster's settings, such as those for a proxy", async () => {
  hangs = false;
  const { port } = server.address() as AddressInfo;
  const options = { token: 'root', namespace: 'ü', headers: { 'X-Team': 'platform' } };
  const wire = Wire.open({ address: `http://127.0.0.1:${port}`, ...options });
  try {
    await wire.get('a', { headers: { 'x-other': '1' } });
    expect(received).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      'x-vault-request': 'true',
      'x-vault-token': 'root',
      'x-vault-namespace': Buffer.from('ü').toString('latin1'),
      'x-team': 'platform',
      'x-other': '1',
    });
  } finally {
    await wire.close();
  }
});
