import { inspect } from 'node:util';
import type { ClientOptions, VaultClient, VaultError } from '../../../src/client';
import { connect, failureOf } from '../support/client';
import { until } from '../../support/until';
import { FakeClock } from '../support/fake-clock';
import { deadEnd, serve, type Reply, type SeenRequest } from '../support/server';

const TOKEN = 'hvs.canary-token';
const BODY = 'canary-body\n"quoted"';
const LOGIN = 'canary-secret-id';
const WRAPPING = 'hvs.canary-wrapping';

/** Returns all texts in which a program may print an error. */
function forms(error: VaultError): string {
  return [
    error.message,
    error.stack,
    String(error),
    String(error.cause),
    JSON.stringify(error),
    JSON.stringify({ ...error }),
    JSON.stringify(error.cause),
    inspect(error, { depth: 9, showHidden: true }),
    inspect(error.cause, { depth: 9, showHidden: true }),
  ].join('\n');
}

/** A server, or a proxy, that returns the whole request in its answers. */
function parrot(status: number): (request: SeenRequest) => Reply {
  return ({ headers, body }) => ({
    status,
    json: { errors: [`got ${headers['x-vault-token'] as string} ${body}`, body] },
  });
}

const calls: [string, (client: VaultClient) => Promise<unknown>][] = [
  [
    'write',
    (client) => client.write('a', { password: BODY, nested: [{ deep: 'canary-deep', pin: 987654321 }] }),
  ],
  ['patch', (client) => client.patch('a', { password: BODY })],
  ['login', (client) => client.auth.login('auth/approle/login', { role_id: 'role', secret_id: LOGIN })],
  ['AppRole', (client) => client.auth.appRole({ roleId: 'role', secretId: LOGIN })],
  ['userpass', (client) => client.auth.userpass({ username: 'joe', password: LOGIN })],
  ['JWT', (client) => client.auth.jwt({ jwt: LOGIN })],
  ['unwrap', (client) => client.wrapping.unwrap(WRAPPING)],
  ['wrapping lookup', (client) => client.wrapping.lookup(WRAPPING)],
  ['read', (client) => client.read('a')],
  ['list', (client) => client.list('a')],
  ['delete', (client) => client.delete('a')],
  ['policy', (client) => client.policies.acl.read('a')],
];

describe.each(calls)('the call %s', (_, call) => {
  async function shown(server: { address: string }, options: ClientOptions = {}): Promise<string> {
    const text = forms(await failureOf(call(connect(server, { token: TOKEN, ...options }))));
    expect(text.length).toBeGreaterThan(0);
    return text;
  }

  test.each([400, 403, 404, 429, 500, 503])(
    'no error contains the secret if a server returns the request with %d',
    async (status) => {
      const text = await shown(await serve(parrot(status)));
      expect(text).toContain('(hidden)');
      expect(text).not.toContain('canary');
      expect(text).not.toContain('987654321');
    },
  );

  test('no error contains the secret if a proxy returns the request as text', async () => {
    const server = await serve(({ headers, body }) => ({
      status: 400,
      text: `<html>${headers['x-vault-token'] as string} ${body}</html>`,
    }));
    expect(await shown(server)).not.toContain('canary');
  });

  test('no error about an unreachable server or a lost connection contains the secret', async () => {
    expect(await shown({ address: `http://${await deadEnd()}` })).not.toContain('canary');
    expect(await shown(await serve('drop'))).not.toContain('canary');
  });

  test('no error about a timeout or an abort contains the secret', async () => {
    const clock = new FakeClock();
    const server = await serve('hang');
    const timeout = shown(server, { clock, maxRetries: 0 });
    await until(() => server.requests.length === 1);
    clock.advance(60_000);
    expect(await timeout).not.toContain('canary');
  });

  test('no error about a redirect that is not followed contains the secret', async () => {
    const server = await serve({
      status: 307,
      headers: { location: `http://canary:${TOKEN}@127.0.0.1/?canary` },
    });
    expect(await shown(server)).not.toContain('canary');
  });
});

test('the error shows texts that are not secret, such as a policy or a requested path', async () => {
  const server = await serve(({ body }) => ({ status: 400, json: { errors: [body] } }));
  const client = connect(server, { token: TOKEN });
  const policy = 'path "a" { capabilities = ["raed"] }';
  expect((await failureOf(client.policies.acl.write('ops', { policy }))).errors).toEqual([
    JSON.stringify({ policy }),
  ]);
  const lookup = await failureOf(client.system.capabilitiesSelf(['secret/data/a']));
  expect(lookup.errors).toEqual(['{"paths":["secret/data/a"]}']);
});

test('the token is hidden in the path as well', async () => {
  const server = await serve({ status: 403, json: { errors: [] } });
  const error = await failureOf(connect(server, { token: TOKEN }).write(`auth/token/lookup/${TOKEN}`));
  expect(error.path).toBe('auth/token/lookup/(hidden)');
  expect(forms(error)).not.toContain('canary');
});

test('the short token of a development server does not hide words', async () => {
  const server = await serve({ status: 400, json: { errors: ['cannot delete "root" policy'] } });
  const error = await failureOf(connect(server, { token: 'root' }).policies.acl.delete('root'));
  expect(error.message).toBe(
    `cannot delete sys/policies/acl/root on ${server.address}: ` +
      'the server answered 400 (cannot delete "root" policy). The server refused the input.',
  );
});

test.each([
  ['a host that is not found', `${TOKEN}.invalid`],
  ['the same in upper case', `${TOKEN.toUpperCase()}.INVALID`],
  ['in hexadecimal', `${Buffer.from(TOKEN).toString('hex')}.invalid`],
])('a token in the host of a redirect is hidden: %s', async (_, host) => {
  const server = await serve({ status: 307, headers: { location: `http://${host}/v1/a` } });
  const text = forms(await failureOf(connect(server, { token: TOKEN, maxRetries: 0 }).read('a')));
  expect(text).toContain('after a redirect to http://(hidden).invalid');
  expect(text).toMatch(/(?:ENOTFOUND|EAI_AGAIN) \(hidden\)\.invalid/);
  expect(text).not.toMatch(/canary|63616e617279/i);
});
