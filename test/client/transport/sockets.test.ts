import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { connect, envelope, failureOf } from '../support/client';

test('unix:// connects to a server at a socket', async () => {
  const folder = temporaryFolder('socket');
  const socketPath = join(folder, 'vault.sock');
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.end(JSON.stringify(envelope({ found: true })));
  });
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    const client = connect({ address: `unix://${socketPath}` }, { proxy: 'http://127.0.0.1:1' });
    expect(client.address).toBe(`unix://${socketPath}`);
    expect((await client.read('x'))?.data).toEqual({ found: true });
    expect(seen).toEqual(['GET localhost /v1/x']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the error about a missing socket contains its path', async () => {
  const failure = await failureOf(
    connect({ address: 'unix:///nowhere/vault.sock' }, { maxRetries: 0 }).read('x'),
  );
  expect(failure.message).toContain('cannot read x on unix:///nowhere/vault.sock');
  expect(failure.message).toContain('ENOENT');
});

test.each(['unix://relative', 'unix://', 'unix:/path', 'unix:///a?b'])(
  '%s is refused as an address',
  (address) => {
    expect(() => connect({ address })).toThrow('allowed: a socket such as unix:///run/vault.sock');
  },
);
