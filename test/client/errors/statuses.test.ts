import type { VaultClient, VaultError } from '../../../src/client';
import { connect, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const DENIED = '1 error occurred:\n\t* permission denied\n\n';
const BAD_TOKEN = '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n';

async function failure(
  reply: Reply,
  call: (client: VaultClient) => Promise<unknown> = (client) => client.write('a/b', { x: 1 }),
  options: { namespace?: string; token?: string } = {},
): Promise<VaultError & { server: string }> {
  const server = await serve(reply);
  const error = await failureOf(call(connect(server, { maxRetries: 0, ...options })));
  return Object.assign(error, { server: server.address });
}

const errors = (...texts: string[]): object => ({ errors: texts });

describe('the code and the advice of an error by status', () => {
  test.each<[number, string[], string, string]>([
    [400, ['missing "x"'], 'invalid_request', 'The server refused the input.'],
    [
      403,
      [DENIED],
      'denied',
      'No policy of the token allows it to write this path, or the token is not valid there (older servers return the same answer for both).',
    ],
    [
      403,
      ['1 error occurred:\n\t* egp standard policy "root/hours" evaluation resulted in denial.\n\n'],
      'denied',
      'EGP "root/hours" refuses it, whatever other policies allow: change EGP "root/hours" with a root token, to which it does not apply.',
    ],
    [
      403,
      [BAD_TOKEN],
      'invalid_token',
      'The server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace. ' +
        'A cluster that joins a replication set revokes its tokens: use a login there.',
    ],
    [
      400,
      ['missing client token'],
      'invalid_token',
      'The server received no token: a proxy may have removed it.',
    ],
    [404, [], 'not_found', 'The object does not exist.'],
    [404, ['no value found'], 'not_found', 'The object does not exist.'],
    [
      404,
      ['1 error occurred:\n\t* unsupported path\n\n'],
      'unsupported_path',
      'This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.',
    ],
    [
      404,
      ['enterprise-only feature'],
      'unsupported_path',
      'This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.',
    ],
    [
      404,
      ['no handler for route "a/b". route entry not found.'],
      'unsupported_path',
      'This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.',
    ],
    [
      400,
      ['operation unavailable in namespaces'],
      'unsupported_path',
      'This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.',
    ],
    [
      405,
      ['1 error occurred:\n\t* unsupported operation\n\n'],
      'unsupported_operation',
      'The endpoint does not support this operation.',
    ],
    [
      412,
      ['required index state not present'],
      'state_not_present',
      'The node has not caught up with an earlier write: try again, or use the active node.',
    ],
    [
      413,
      ['request body too large'],
      'too_large',
      'The server limits the size of requests (32 MiB by default).',
    ],
    [415, ['PATCH needs another type'], 'invalid_request', 'The server refused the request.'],
    [423, ['locked'], 'locked', 'The user or the namespace is locked: wait, or unlock it.'],
    [
      429,
      ['quota exceeded'],
      'rate_limited',
      'A rate limit or a lease count quota is exceeded: reduce the parallelism, or raise the quota.',
    ],
    [
      500,
      ['local node not active but active cluster node not found'],
      'no_active_node',
      'The cluster is electing an active node, or has none: check its health.',
    ],
    [503, ['namespace is sealed'], 'sealed', 'Unseal the server, then try again.'],
    [500, ['internal error'], 'server_error', "See the server's log for details."],
    [
      501,
      ['not initialized'],
      'not_implemented',
      'The server is not initialized, or does not know the operation.',
    ],
    [502, ['upstream'], 'server_error', "See the server's log for details."],
    [503, ['Vault is sealed'], 'sealed', 'Unseal the server, then try again.'],
    [
      503,
      ['node is not active'],
      'no_active_node',
      'The cluster is electing an active node, or has none: check its health.',
    ],
    [
      503,
      ['no active Vault instance found'],
      'no_active_node',
      'The cluster is electing an active node, or has none: check its health.',
    ],
    [
      503,
      ['down for maintenance'],
      'unavailable',
      'The server is starting, down for maintenance or catching up: try again later.',
    ],
  ])('the answer %d %j has the code %s', async (status, texts, code, cure) => {
    const error = await failure({ status, json: errors(...texts) });
    expect({ code: error.code, status: error.status, attempts: error.attempts }).toEqual({
      code,
      status,
      attempts: 1,
    });
    expect(error.message.endsWith(`. ${cure}`)).toBe(true);
  });

  test.each([404, 403, 400])('the answer %d of a server that is not Vault is recognized', async (status) => {
    const reply = { status, text: '<html>\n <h1>Not here</h1></html>' };
    for (const call of [
      (c: VaultClient) => c.read('a'),
      (c: VaultClient) => c.list('a'),
      (c: VaultClient) => c.delete('a'),
    ]) {
      const error = await failure(reply, call);
      expect(error.code).toBe('unexpected_answer');
      expect(error.message).toContain(
        `the server answered ${status} (<html> <h1>Not here</h1></html>). This is not an answer from a Vault server`,
      );
    }
  });

  test('the error about a success that is not a JSON object shows no part of the answer', async () => {
    for (const text of ['<html>secret</html>', '"secret"', '["secret"]', '{"secret"']) {
      const error = await failure({ status: 200, text }, (client) => client.read('a'));
      expect(error.code).toBe('unexpected_answer');
      expect(error.message).not.toContain('secret');
    }
  });

  test('the error about a failure with the body of a success shows no part of it', async () => {
    const body = '{"auth":{"client_token":"hvs.secret"}}';
    for (const text of [body, `<p>Error</p> ${body}`, body.slice(0, -1), `[${body}]`]) {
      for (const status of [404, 500, 502]) {
        const error = await failure({ status, text }, (client) => client.write('a', {}));
        expect(error.message).toContain(`the server answered ${status}`);
        expect(error.message).not.toContain('secret');
      }
    }
  });

  test('the error about a failure with the JSON of a gateway shows what it says', async () => {
    const reply = { status: 502, json: { message: 'no route', title: 'Bad Gateway', code: 7 } };
    expect((await failure(reply)).errors).toEqual(['no route; Bad Gateway']);
  });

  test('the answer 502 of a proxy without a text has advice', async () => {
    const error = await failure({ status: 502, text: `<html>${'x'.repeat(500)}</html>` });
    expect(error.code).toBe('server_error');
    expect(error.errors).toEqual([`<html>${'x'.repeat(194)}`]);
  });

  test('plain HTTP at a TLS listener has advice', async () => {
    const reply = { status: 400, text: 'Client sent an HTTP request to an HTTPS server.\n' };
    expect((await failure(reply)).code).toBe('wrong_scheme');
  });
});

describe('messages that depend on the call', () => {
  test('the message says that no token was sent', async () => {
    for (const [status, text] of [
      [403, DENIED],
      [400, 'missing client token'],
    ] as const) {
      const error = await failure({ status, json: errors(text) }, undefined, { token: '' });
      expect(error.code).toBe('invalid_token');
      expect(error.message).toContain(
        'No token was sent: set the token (VAULT_TOKEN), or configure a login.',
      );
    }
  });

  test('the message about a refused login has advice on the login', async () => {
    for (const [status, text] of [
      [403, DENIED],
      [400, 'invalid role or secret ID'],
    ] as const) {
      const logIn = (client: VaultClient) => client.auth.login('auth/x/login', {});
      const error = await failure({ status, json: errors(text) }, logIn);
      expect(error.code).toBe('login_refused');
      expect(error.message).toContain("). Check the login's path, parameters and namespace.");
    }
  });

  test('the message says that the server has no namespaces', async () => {
    const reply = { status: 403, json: errors('namespaces feature not enabled') };
    const error = await failure(reply, undefined, { namespace: 'team' });
    expect(error.code).toBe('namespaces_unsupported');
    expect(error.message).toContain('This server has no namespaces: leave out the namespace "team".');
  });

  test('the message says that the path is not available in a namespace', async () => {
    const error = await failure(
      { status: 404, json: errors('unsupported path') },
      (client) => client.read('sys/policies/rgp/x'),
      { namespace: 'team/a' },
    );
    expect(error.namespace).toBe('team/a');
    expect(error.message).toBe(
      `cannot read sys/policies/rgp/x on ${error.server} in namespace "team/a": the server answered 404 (unsupported path). ` +
        'This server has no such endpoint in namespace "team/a": the path is wrong, it requires Vault Enterprise, or it can only ' +
        'be called from the root or the administrative namespace.',
    );
  });

  test.each(['namespace not found', 'no handler for route "b/a/b". route entry not found.'])(
    'the message names the missing namespace: %s',
    async (text) => {
      const error = await failure({ status: 404, json: errors(text) }, undefined, { namespace: 'a/b' });
      expect(error.code).toBe('namespace_missing');
      expect(error.message).toContain(
        '). Namespace "a/b" does not exist: create it first, or correct its name.',
      );
    },
  );

  test('the message names the missing path if the namespace exists', async () => {
    const reply = { status: 404, json: errors('no handler for route "a/b". route entry not found.') };
    const error = await failure(reply, undefined, { namespace: 'team' });
    expect(error.message).toContain('This server has no such endpoint in namespace "team": ');
  });

  test.each<[string, (client: VaultClient) => Promise<unknown>]>([
    ['read', (client) => client.read('a')],
    ['list', (client) => client.list('a')],
    ['write', (client) => client.write('a', {})],
    ['patch', (client) => client.patch('a', {})],
    ['delete', (client) => client.delete('a')],
    ['log in at', (client) => client.auth.login('a', {})],
    ['look up', (client) => client.system.sealStatus()],
  ])('the message begins with the action: cannot %s', async (verb, call) => {
    expect((await failure({ status: 400, json: errors('no') }, call)).message).toMatch(`cannot ${verb} `);
  });

  test('a 404 for an unsupported path is an error also for reads and lists, and a 404 without a text has the code not_found', async () => {
    const reply = { status: 404, json: errors('1 error occurred:\n\t* unsupported path\n\n') };
    expect((await failure(reply, (client) => client.read('a'))).code).toBe('unsupported_path');
    expect((await failure(reply, (client) => client.list('a'))).code).toBe('unsupported_path');
    expect((await failure({ status: 404, json: errors() }, (client) => client.delete('a'))).code).toBe(
      'not_found',
    );
  });
});

describe('texts of the server in errors', () => {
  test('the bullets of a text become separate errors', async () => {
    const error = await failure({ status: 403, json: errors(BAD_TOKEN) });
    expect(error.errors).toEqual(['permission denied', 'invalid token']);
    expect(error.message).toBe(
      `cannot write a/b on ${error.server}: the server answered 403 (permission denied; invalid token). ` +
        'The server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace. ' +
        'A cluster that joins a replication set revokes its tokens: use a login there.',
    );
  });

  test('other texts are kept, except for line breaks in the message', async () => {
    const error = await failure({ status: 400, json: errors('first\n  line', 'second') });
    expect(error.errors).toEqual(['first\n  line', 'second']);
    expect(error.message).toContain('the server answered 400 (first line; second). ');
  });

  test('an error is converted to JSON without secrets', async () => {
    const error = await failure({ status: 400, json: errors('no') }, undefined, { namespace: 'n' });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'VaultError',
      code: 'invalid_request',
      message: `cannot write a/b on ${error.server} in namespace "n": the server answered 400 (no). The server refused the input.`,
      status: 400,
      errors: ['no'],
      method: 'POST',
      path: 'a/b',
      namespace: 'n',
      address: error.server,
      attempts: 1,
    });
  });
});
