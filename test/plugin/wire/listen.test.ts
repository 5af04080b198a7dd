import { createServer } from 'node:net';
import { join } from 'node:path';
import { listen } from '../../../src/plugin/wire/listen';

const TOO_LONG = join('/tmp', 'x'.repeat(100));

test('without TLS a provider listens on a socket of its own or not at all', async () => {
  const server = createServer();
  await expect(listen(server, { socketFolder: TOO_LONG, socketOnly: true })).rejects.toThrow(
    /^the provider cannot listen on a Unix socket at .*: this system has none, or the path is longer than 103 bytes; without TLS it listens on nothing else; set TMPDIR to a shorter path$/,
  );
  expect(server.listening).toBe(false);
});

test('with TLS it listens on a port instead', async () => {
  const server = createServer();
  expect(await listen(server, { socketFolder: TOO_LONG })).toMatchObject({ network: 'tcp' });
  await new Promise((resolve) => server.close(resolve));
});
