import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listen } from '../../../src/plugin/wire/listen';
import { opening } from '../../../src/plugin/wire/opening';
import { temporaryFolder } from '../../support/temporary-folder';

const TOO_LONG = join('/tmp', 'x'.repeat(100));

test('a provider without TLS fails if its socket is not possible, and listens on nothing else', async () => {
  const server = createServer();
  await expect(listen(opening(server), { socketFolder: TOO_LONG, socketOnly: true })).rejects.toThrow(
    /^the provider cannot listen on a Unix socket at .*: this system has none, or the path is longer than 103 bytes; without TLS it listens on nothing else; set TMPDIR to a shorter path$/,
  );
  expect(server.listening).toBe(false);
});

test.each([
  ['any port', undefined],
  ['a port that Terraform allows', { least: 20_000, most: 25_000 }],
])('a provider with TLS listens on loopback if its socket is not possible: %s', async (_which, ports) => {
  const server = createServer();
  expect(await listen(opening(server), { socketFolder: TOO_LONG, ...(ports && { ports }) })).toMatchObject({
    network: 'tcp',
  });
  expect(server.address()).toMatchObject({ address: '127.0.0.1' });
  await new Promise((resolve) => server.close(resolve));
});

test('other users of the machine cannot open the socket', async () => {
  const socketFolder = temporaryFolder('listen');
  const server = createServer();
  try {
    const { address } = await listen(opening(server), { socketFolder });
    expect(statSync(address).isSocket()).toBe(true);
    expect(statSync(address).mode & 0o077).toBe(0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
