import { inspect } from 'node:util';
import { Agent, MockAgent } from 'undici';
import { VaultClient } from '../../src/client';
import { connect, envelope, failureOf } from './support/client';
import { until } from '../support/until';
import { serve } from './support/server';

const FOUND = { json: envelope({ value: 1 }) };
const NOTHING = { status: 404, json: { errors: [] } };

describe('requests of a client', () => {
  test('a read sends the token, the namespace and the header of API clients', async () => {
    const server = await serve(FOUND);
    await connect(server, { namespace: '/team/a/' }).read('sys/policies/acl/ops');

    expect(server.requests).toHaveLength(1);
    const [{ method, url, headers, body }] = server.requests as [(typeof server.requests)[0]];
    expect({ method, url, body }).toEqual({ method: 'GET', url: '/v1/sys/policies/acl/ops', body: '' });
    expect(headers).toEqual({
      host: server.address.replace('http://', ''),
      connection: 'keep-alive',
      'x-vault-request': 'true',
      'x-vault-token': 'hvs.test',
      'x-vault-namespace': 'team/a',
    });
  });

  test('headers of the options are sent, and errors do not contain their values', async () => {
    const secret = 'access-canary-4711';
    const server = await serve([FOUND, { status: 400, json: { errors: [`refused ${secret}`] } }]);
    const client = connect(server, { headers: { 'CF-Access-Client-Secret': secret } });
    await client.withNamespace('team').read('sys/mounts');
    expect(server.requests[0]?.headers).toMatchObject({
      'cf-access-client-secret': secret,
      'x-vault-token': 'hvs.test',
      'x-vault-namespace': 'team',
    });
    const { message } = await failureOf(client.read('sys/mounts'));
    expect(message).toContain('refused (hidden)');
    expect(message).not.toContain(secret);
  });

  test('a client without a token and in the root namespace sends neither header', async () => {
    const server = await serve(FOUND);
    await connect(server, { token: '', namespace: '/' }).read('sys/mounts');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-vault-token');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-vault-namespace');
  });

  test('a namespace with characters beyond Latin-1 is sent in UTF-8', async () => {
    const server = await serve(FOUND);
    await connect(server, { namespace: 'équipe/東京' }).read('sys/mounts');
    const header = server.requests[0]?.headers['x-vault-namespace'] as string;
    expect(Buffer.from(header, 'latin1').toString()).toBe('équipe/東京');
  });

  test('a write sends its fields as JSON, and an integer beyond 2^53 keeps its digits', async () => {
    const server = await serve({ status: 204 });
    const response = await connect(server).write('secret/x', { slot: 2305843009213693953n, label: 'a"b' });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/secret/x' });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
    expect(server.requests[0]?.body).toBe('{"slot":2305843009213693953,"label":"a\\"b"}');
    expect(response).toEqual({ status: 204, requestId: '', data: {}, warnings: [] });
  });

  test('a write without fields has no body', async () => {
    const server = await serve({ status: 204 });
    await connect(server).write('sys/rotate');
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '' });
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test('a patch is a JSON merge patch', async () => {
    const server = await serve({ status: 204 });
    await connect(server).patch('secret/data/x', { data: { a: null } });
    expect(server.requests[0]).toMatchObject({ method: 'PATCH', body: '{"data":{"a":null}}' });
    expect(server.requests[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  test('a delete is sent without a body', async () => {
    const server = await serve({ status: 204 });
    await connect(server).delete('secret/x');
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: '/v1/secret/x', body: '' });
  });

  test('a list is a GET request with list=true, and keeps other parameters', async () => {
    const server = await serve({ json: envelope({ keys: ['a', 'b/'], key_info: { a: { x: 1 } } }) });
    const response = await connect(server).list('secret/metadata/', { query: { after: 'ä b' } });
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: '/v1/secret/metadata/?after=%C3%A4+b&list=true',
    });
    expect(response.data).toEqual({ keys: ['a', 'b/'], key_info: { a: { x: 1 } } });
  });

  test('a call can request wrapping, in seconds or as a duration', async () => {
    const server = await serve({ status: 204 });
    const client = connect(server);
    await client.write('a', undefined, { wrapTtl: 90 });
    await client.read('a', { wrapTtl: '5m' });
    expect(server.requests.map(({ headers }) => headers['x-vault-wrap-ttl'])).toEqual(['90', '5m']);
  });

  test('the path of the address comes before /v1/', async () => {
    const server = await serve(FOUND);
    const client = connect({ address: `${server.address}/vault/eu/` });
    await client.read('sys/mounts');
    expect(server.requests[0]?.url).toBe('/vault/eu/v1/sys/mounts');
    expect(client.address).toBe(`${server.address}/vault/eu`);
  });
});

describe('answers to a client', () => {
  test("a read returns payload, warnings and the envelope's fields", async () => {
    const server = await serve({
      json: envelope({ a: 1 }, { warnings: ['w'], lease_id: 'x/1', lease_duration: 60, renewable: true }),
    });
    expect(await connect(server).read('x')).toEqual({
      status: 200,
      requestId: '0c3f4a7e-2f1b-49c8-8b7d-11d90b1d7a10',
      data: { a: 1 },
      warnings: ['w'],
      lease: { id: 'x/1', duration: 60, renewable: true },
    });
  });

  test('integers beyond 2^53 keep their digits', async () => {
    const server = await serve({ text: '{"request_id":"","data":{"slot":2305843009213693953,"size":7}}' });
    expect((await connect(server).read('x'))?.data).toEqual({ slot: 2305843009213693953n, size: 7 });
  });

  test('a missing object is undefined, and its list has no keys', async () => {
    const client = connect(await serve(NOTHING));
    expect(await client.read('x')).toBeUndefined();
    expect((await client.list('x')).data).toEqual({ keys: [] });
  });

  test.each([
    ['data', envelope({ data: null, metadata: { deletion_time: 'now' } })],
    ['warnings', envelope(null, { warnings: ['deleted'] })],
    ['warnings and no errors', { errors: [], warnings: ['deleted'] }],
  ])('a 404 that contains %s is an answer, not an error', async (_, json) => {
    const response = await connect(await serve({ status: 404, json })).read('secret/data/x');
    expect(response?.status).toBe(404);
  });

  test('every warning is reported to onWarning, with its call', async () => {
    const server = await serve({ json: envelope(null, { warnings: ['one', 'two'] }) });
    const onWarning = jest.fn();
    await connect(server, { onWarning, namespace: 'team' }).write('a/b', {});
    const call = { method: 'POST', path: 'a/b', namespace: 'team' };
    expect(onWarning.mock.calls).toEqual([[{ text: 'one', ...call }], [{ text: 'two', ...call }]]);
  });

  test('a large body is read completely', async () => {
    const text = 'x'.repeat(3_000_000);
    const server = await serve({ json: envelope({ text }) });
    expect((await connect(server).read('x'))?.data.text).toBe(text);
  });

  test('texts that are split over packets within a character are read completely', async () => {
    const text = '€'.repeat(200_000);
    expect((await connect(await serve({ json: envelope({ text }) })).read('x'))?.data.text).toBe(text);
  });
});

describe('clients and their connections', () => {
  test('another token or namespace is another client on the same connections', async () => {
    const server = await serve(FOUND);
    const client = connect(server, { namespace: 'a' });
    const other = client.withNamespace('b/').withToken('hvs.other');
    await client.read('x');
    await new Promise(setImmediate);
    await other.read('x');
    expect([client.namespace, other.namespace, client.withNamespace('').namespace]).toEqual(['a', 'b', '']);
    expect(client.withNamespace('/a/')).toBe(client);
    expect(
      server.requests.map(({ headers }) => [headers['x-vault-namespace'], headers['x-vault-token']]),
    ).toEqual([
      ['a', 'hvs.test'],
      ['b', 'hvs.other'],
    ]);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  test('sequential calls share a connection; concurrent calls have up to 32', async () => {
    const server = await serve(FOUND);
    const client = connect(server);
    for (let i = 0; i < 5; i++) await client.read('x');
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1]);
    await Promise.all(Array.from({ length: 100 }, () => client.read('x')));
    expect(Math.max(...server.requests.map(({ connection }) => connection))).toBe(32);
    expect(server.requests).toHaveLength(105);
  });

  test('closing aborts running calls, also of derived clients', async () => {
    const server = await serve('hang');
    const client = connect(server);
    const call = failureOf(client.withNamespace('a').read('x'));
    await until(() => server.requests.length === 1);
    await client.close();
    expect((await call).code).toBe('closed');
    expect((await failureOf(client.read('x'))).code).toBe('closed');
    expect(server.requests).toHaveLength(1);
  });

  test('closing ends a wait for the next attempt', async () => {
    const server = await serve({
      status: 503,
      json: { errors: ['Vault is sealed'] },
      headers: { 'retry-after': '30' },
    });
    const client = connect(server);
    const call = failureOf(client.read('x'));
    await until(() => server.requests.length === 1);
    await new Promise(setImmediate);
    await client.close();
    expect((await call).code).toBe('closed');
  });

  test('neither a client nor its parts show the token when printed', async () => {
    const client = new VaultClient({ token: 'hvs.canary' });
    const shown = inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client);
    expect(shown).not.toContain('hvs.canary');
    await client.close();
  });

  test('a dispatcher in the options sends the requests, and is not closed with the client', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent
      .get('https://vault.example.com:8200')
      .intercept({ path: '/v1/x', headers: { 'x-vault-token': 'hvs.test' } })
      .reply(200, envelope({ mocked: true }));
    const client = connect({ address: 'https://vault.example.com:8200' }, { dispatcher: agent });
    expect((await client.read('x'))?.data).toEqual({ mocked: true });
    const endings = [jest.spyOn(agent, 'close'), jest.spyOn(agent, 'destroy')];
    await client.close();
    for (const ending of endings) expect(ending).not.toHaveBeenCalled();
    await agent.close();
  });

  test('an error that a dispatcher throws is reported like other failures', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const error = await failureOf(
      connect({ address: 'https://vault.example.com' }, { dispatcher: agent }).read('x'),
    );
    expect(error).toMatchObject({ code: 'unreachable', attempts: 3 });
    await agent.close();
  });

  test('a dispatcher is responsible for TLS', async () => {
    const dispatcher = new Agent();
    const error = await failureOf(() => new VaultClient({ dispatcher, tls: { skipVerify: true } }));
    expect(error.code).toBe('invalid_options');
    expect(error.message).toBe(
      'tls and dispatcher are given: a dispatcher does TLS by its own settings; leave one of them out',
    );
    await dispatcher.close();
  });
});
