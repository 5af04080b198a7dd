import { clientOptionsFromEnvironment } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { ipAddress } from '../../../src/certificates';
import { makeAuthority, makeCertificate } from '../support/certificates';
import { FakeClock } from '../support/fake-clock';
import { deadEnd, serve, type Reply, type TestServer } from '../support/server';

const OK: Reply = { json: envelope({ active: true }) };
const to = (location: string, status = 307): Reply => ({ status, headers: { location } });

/** Returns the paths of the requests of a server, without those that look up its id. */
const paths = ({ requests }: TestServer) =>
  requests.map(({ url }) => url).filter((url) => !url.endsWith('sys/health'));
/** Serves a cluster with an id, or without one. */
const cluster = (id: string | undefined, reply: (url: string) => Reply) =>
  serve(({ url }) => (url === '/v1/sys/health' ? { status: 429, json: { cluster_id: id } } : reply(url)));

test.each([301, 302, 307])(
  'a call that is redirected with %d is sent unchanged to the active node',
  async (status) => {
    const active = await serve(OK);
    const standby = await serve(to(`${active.address}/v1/a%20b?x=1`, status));
    const client = connect(standby, { namespace: 'team' });
    const response = await client.write('a b', { password: 'p' }, { query: { x: '1' }, wrapTtl: 60 });

    expect(response.data).toEqual({ active: true });
    for (const server of [standby, active]) expect(paths(server)).toHaveLength(1);
    const { headers, ...request } = active.requests.at(-1)!;
    expect(request).toEqual({
      method: 'POST',
      url: '/v1/a%20b?x=1',
      body: '{"password":"p"}',
      connection: 1,
    });
    expect(headers).toMatchObject({
      host: active.address.replace('http://', ''),
      'x-vault-token': 'hvs.test',
      'x-vault-namespace': 'team',
      'x-vault-wrap-ttl': '60',
      'content-type': 'application/json',
    });
  },
);

test('every call is first sent to the address, because the active node can change', async () => {
  const active = await serve(OK);
  const standby = await serve(to(`${active.address}/v1/a`));
  const client = connect(standby);
  await client.read('a');
  await client.read('a');
  expect([standby, active].map(paths)).toEqual([
    ['/v1/a', '/v1/a'],
    ['/v1/a', '/v1/a'],
  ]);
});

test('the ids of both servers are looked up again after 10 seconds, and for another target', async () => {
  const [first, second] = await Promise.all([cluster('eu', () => OK), cluster('eu', () => OK)]);
  let active = first;
  const standby = await cluster('eu', (url) => to(`${active.address}${url}`));
  const servers = [standby, first, second];
  const clock = new FakeClock();
  const client = connect(standby, { clock });
  const lookUps = async () => {
    const count = () =>
      servers.map(({ requests }) => requests.filter(({ url }) => url === '/v1/sys/health').length);
    const before = count();
    await client.write('a');
    return count().map((after, index) => after - before[index]!);
  };
  expect(await lookUps()).toEqual([1, 1, 0]);
  await client.withNamespace('team').read('a');
  clock.advance(9_999);
  expect(await lookUps()).toEqual([0, 0, 0]);
  clock.advance(1);
  expect(await lookUps()).toEqual([1, 1, 0]);
  active = second;
  expect(await lookUps()).toEqual([1, 0, 1]);
});

test('the ids of servers are looked up for each call while one of them reports none', async () => {
  const active = await cluster(undefined, () => OK);
  const standby = await cluster('eu', (url) => to(`${active.address}${url}`));
  const client = connect(standby);
  for (const call of ['a', 'b']) await client.write(call);
  expect(active.requests.map(({ url }) => url)).toEqual([
    '/v1/sys/health',
    '/v1/a',
    '/v1/sys/health',
    '/v1/b',
  ]);
});

test('a redirect without a host leads to the same host', async () => {
  const server = await serve(({ url }) => (url === '/v1/a' ? to('/vault/v1/a') : OK));
  expect((await connect(server).read('a'))?.data).toEqual({ active: true });
  expect(paths(server)).toEqual(['/v1/a', '/vault/v1/a']);
});

test.each(['/', '/ui/', '/v1/b', '/v1/a/b', '/v1/a%20b/'])(
  'a redirect to the path %s, which is not that of the call, is not followed',
  async (path) => {
    const other = await serve({ status: 404, json: { errors: [] } });
    const server = await serve(to(`${other.address}${path}?x=1`));
    const error = await failureOf(connect(server).read('a b'));
    expect(error.code).toBe('redirect_refused');
    expect(error.message).toBe(
      `cannot read a b on ${server.address}: the server answered 307 with a redirect to another path, ${other.address}${path}. ` +
        'Correct the proxies in between, or set the address (VAULT_ADDR) to the active node.',
    );
    expect(other.requests).toHaveLength(0);
  },
);

test.each(['/v1/a:b/%C3%BC%2Bc%20d', '/v1/a%3ab/%c3%bc+c%20d'])(
  'a redirect to %s is followed, whichever characters of the path it encodes',
  async (path) => {
    const active = await serve(OK);
    const standby = await serve(to(`${active.address}${path}`));
    expect((await connect(standby).read('a:b/ü+c d'))?.data).toEqual({ active: true });
  },
);

test('a second redirect is not followed, and its target receives no token', async () => {
  const last = await serve(OK);
  const second = await serve(to(`${last.address}/v1/a`));
  const first = await serve(to(`${second.address}/v1/a`));
  const error = await failureOf(connect(first).read('a'));
  expect(error).toMatchObject({ code: 'redirect_refused', status: 307, attempts: 1 });
  expect([first, second].map(paths)).toEqual([['/v1/a'], ['/v1/a']]);
  expect(last.requests).toHaveLength(0);
  expect(error.message).toBe(
    `cannot read a on ${first.address}: the server answered 307 with another redirect, after a redirect to ${second.address}. ` +
      "Only one is followed: check each server's api_addr, or set the address (VAULT_ADDR) to the active node.",
  );
});

test.each([300, 303, 304, 305, 308])(
  'the status %d, which no node sends, is not followed',
  async (status) => {
    const active = await serve(OK);
    const standby = await serve(to(`${active.address}/v1/a`, status));
    expect((await failureOf(connect(standby).read('a'))).status).toBe(status);
    expect(active.requests).toHaveLength(0);
  },
);

test('a call that is redirected to another cluster is not sent there', async () => {
  const other = await cluster('ap', () => OK);
  const standby = await cluster('eu', (url) => to(`${other.address}${url}`));
  for (const call of [
    () => connect(standby).read('a'),
    () => connect(standby).write('a'),
    () => connect(standby).delete('a'),
    () => connect(standby).auth.login('auth/approle/login', { role_id: 'r' }),
  ]) {
    const error = await failureOf(call);
    expect(error).toMatchObject({ code: 'redirect_refused', mayHaveTakenEffect: false });
    expect(error.message).toContain(
      `the server answered 307 with a redirect to another cluster, ${other.address} (cluster_id in sys/health). ` +
        "Correct the api_addr of the cluster's nodes.",
    );
  }
  expect(other.requests.map(({ url }) => url)).toEqual(Array(4).fill('/v1/sys/health'));
  expect(other.requests[0]!.headers).not.toHaveProperty('x-vault-token');
});

test('redirects are not followed if they are disabled', async () => {
  const active = await serve(OK);
  const standby = await serve(to(`${active.address}/v1/a`));
  const options = clientOptionsFromEnvironment({ VAULT_DISABLE_REDIRECTS: 'true' });
  const error = await failureOf(connect(standby, options).read('a'));
  expect(error).toMatchObject({ code: 'redirect_refused', status: 307, attempts: 1 });
  expect(active.requests).toHaveLength(0);
  expect(error.message).toBe(
    `cannot read a on ${standby.address}: the server answered 307 with a redirect, and disableRedirects (VAULT_DISABLE_REDIRECTS) forbids to follow it. ` +
      'Set the address (VAULT_ADDR) to the active node.',
  );
});

test('a redirect from TLS to plain HTTP is not followed', async () => {
  const plain = await serve(OK);
  const authority = makeAuthority('Authority');
  const pair = makeCertificate(authority, [{ ip: ipAddress('127.0.0.1') }]);
  const secure = await serve(to(`${plain.address}/v1/a?x=1`), pair);
  const error = await failureOf(connect(secure, { tls: { caCertPem: authority.cert } }).read('a'));
  expect(error).toMatchObject({ code: 'redirect_refused', status: 307, attempts: 1 });
  expect(error.message).toBe(
    `cannot read a on ${secure.address}: the server answered 307 with a redirect from TLS to plain HTTP, ${plain.address}/v1/a. ` +
      "Correct the server's api_addr.",
  );
  expect(plain.requests).toHaveLength(0);
});

test("a redirect from plain HTTP to TLS is followed with the client's own authorities", async () => {
  const authority = makeAuthority('Authority');
  const secure = await serve(OK, makeCertificate(authority, [{ ip: ipAddress('127.0.0.1') }]));
  const plain = await serve(to(`${secure.address}/v1/a`));
  const client = connect(plain, { tls: { caCertPem: authority.cert } });
  expect((await client.read('a'))?.data).toEqual({ active: true });
  expect((await failureOf(connect(plain).read('a'))).code).toBe('tls_not_trusted');
});

test('an error of the active node contains its address', async () => {
  const active = await serve({ status: 400, json: { errors: ['no'] } });
  const standby = await serve(to(`${active.address}/v1/a`));
  expect((await failureOf(connect(standby).read('a'))).message).toBe(
    `cannot read a on ${standby.address}: the server answered 400 (no), after a redirect to ${active.address}. ` +
      'The server refused the input.',
  );
  const nowhere = `http://${await deadEnd()}`;
  const error = await failureOf(connect(await serve(to(`${nowhere}/v1/a`)), { maxRetries: 0 }).write('a'));
  expect(error.code).toBe('unreachable');
  expect(error.message).toContain(`), after a redirect to ${nowhere}. `);
});

test.each([
  ['', 'a redirect to nowhere'],
  ['http://', 'a redirect to nowhere'],
  ['ftp://127.0.0.1/v1/a', 'a redirect to an address that is not valid'],
  ['http://user:password@127.0.0.1/v1/a', 'a redirect to an address that is not valid'],
])('a redirect to %j is not followed', async (location, what) => {
  const error = await failureOf(connect(await serve(to(location))).read('a'));
  expect(error.code).toBe('redirect_refused');
  expect(error.message).toContain(`: the server answered 307 with ${what}. `);
});

test('a call whose active node fails is repeated, starting at the address', async () => {
  let active: Reply = { status: 500, json: { errors: [] } };
  const server = await serve(({ url }) => {
    if (url === '/v1/a') return to('/active/v1/a');
    if (url !== '/active/v1/a') return OK;
    const reply = active;
    active = OK;
    return reply;
  });
  expect((await connect(server).read('a'))?.data).toEqual({ active: true });
  expect(paths(server)).toEqual(['/v1/a', '/active/v1/a', '/v1/a', '/active/v1/a']);
});
