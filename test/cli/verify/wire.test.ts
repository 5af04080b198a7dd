import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NoAnswer, Wire } from '../../../src/cli/verify/wire';

let server: Server;
let hangs = true;
beforeAll(async () => {
  server = createServer((_request, response) => {
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
