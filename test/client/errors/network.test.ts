import { inspect } from 'node:util';
import { MockAgent } from 'undici';
import { VaultError } from '../../../src/client';
import { connect, failureOf } from '../support/client';
import { deadEnd, serve, serveRaw } from '../support/server';

test('the error about an address without a server names the address', async () => {
  const host = await deadEnd();
  const error = await failureOf(connect({ address: `http://${host}` }).write('a/b', { password: 'canary' }));
  expect(error).toMatchObject({ code: 'unreachable', status: undefined, errors: [], attempts: 3 });
  expect(error.message).toBe(
    `cannot write a/b on http://${host}: no connection could be made (connect ECONNREFUSED ${host}), tried 3 times. ` +
      'Check the address (VAULT_ADDR), that the server is running and listens there, and the network in between.',
  );
  expect(error.cause).toMatchObject({ message: `connect ECONNREFUSED ${host}`, code: 'ECONNREFUSED' });
});

test('the error about a host name that cannot be resolved names the host', async () => {
  const error = await failureOf(connect({ address: 'http://vault.invalid:8200' }).read('x'));
  expect(error.code).toBe('unreachable');
  expect(error.message).toMatch(
    /: the host name cannot be resolved \(getaddrinfo (ENOTFOUND|EAI_AGAIN) vault.invalid\)/,
  );
});

test('a connection that the server closes is a lost connection', async () => {
  const server = await serve('drop');
  const error = await failureOf(connect(server).read('x'));
  expect(error).toMatchObject({ code: 'connection_lost', attempts: 3 });
  expect(error.message).toContain(
    ': the connection was closed before the answer was complete (socket hang up), tried 3 times. ',
  );
});

test('a connection that the server resets is a lost connection', async () => {
  const host = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const error = await failureOf(connect({ address: `http://${host}` }).read('x'));
  expect(error).toMatchObject({ code: 'connection_lost', attempts: 3 });
  expect(error.message).toContain('(read ECONNRESET)');
});

test('the error about a connection that breaks within the answer shows no part of the answer', async () => {
  const host = await serveRaw((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":{"password":"canary"');
      setImmediate(() => socket.destroy());
    }),
  );
  const error = await failureOf(connect({ address: `http://${host}` }).read('x'));
  expect(error).toMatchObject({ code: 'connection_lost', attempts: 3 });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
});

test('the error about an answer that is not HTTP shows no part of the answer', async () => {
  const host = await serveRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-canary\r\n')));
  const error = await failureOf(connect({ address: `http://${host}` }).read('x'));
  expect(error).toMatchObject({ code: 'wrong_scheme', attempts: 1 });
  expect(error.message).toContain(': the server does not use plain HTTP (');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
});

test('a connection that is not established in time is an error', async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const timeout = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  const address = 'https://vault.example.com';
  agent.get(address).intercept({ path: '/v1/x' }).replyWithError(timeout).persist();
  const error = await failureOf(connect({ address }, { dispatcher: agent }).read('x'));
  expect(error).toMatchObject({ code: 'unreachable', attempts: 3 });
  expect(error.message).toContain('(Connect Timeout Error)');
  await agent.close();
});

test('a VaultError of another copy of the package is recognized', () => {
  let Other!: typeof VaultError;
  jest.isolateModules(() => ({ VaultError: Other } = jest.requireActual('../../../src/client')));
  const error = new Other({ code: 'denied', message: 'no' });
  expect(error).not.toBeInstanceOf(VaultError);
  expect(VaultError.is(error)).toBe(true);
  for (const other of [new Error('no'), { code: 'denied' }, null, 'denied'])
    expect(VaultError.is(other)).toBe(false);
});
