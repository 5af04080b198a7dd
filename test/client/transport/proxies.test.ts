/** Requests through real proxies. */
import { ipAddress } from '../../../src/certificates';
import { clientOptionsFromEnvironment } from '../../../src/client';
import { makeAuthority, makeCertificate } from '../support/certificates';
import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';
import { startProxy } from '../../support/forward-proxy';
import { startSocksProxy } from '../../support/socks-proxy';

const FOUND = { json: envelope({ found: true }) };

test('HTTP_PROXY receives the whole URL, and the server receives the request unchanged', async () => {
  const server = await serve(FOUND);
  const proxy = await startProxy(server.address);
  const options = clientOptionsFromEnvironment({ HTTP_PROXY: proxy.address });
  const client = connect({ address: 'http://vault.example:8200' }, options);
  expect((await client.read('sys/policies/acl/ops'))?.data).toEqual({ found: true });
  await client.write('secret/data/x', { data: { a: 1 } });
  expect(proxy.asked).toEqual([
    'GET http://vault.example:8200/v1/sys/policies/acl/ops',
    'POST http://vault.example:8200/v1/secret/data/x',
  ]);
  expect(server.requests.map(({ url, body }) => [url, body])).toEqual([
    ['/v1/sys/policies/acl/ops', ''],
    ['/v1/secret/data/x', '{"data":{"a":1}}'],
  ]);
  expect(server.requests[0]!.headers).toMatchObject({
    'x-vault-token': 'hvs.test',
    host: 'vault.example:8200',
  });
});

test('TLS is tunnelled through the proxy to the server, whose certificate is checked', async () => {
  const authority = makeAuthority('Authority');
  const server = await serve(FOUND, makeCertificate(authority, [{ dns: 'vault.example' }]));
  const proxy = await startProxy(server.address);
  const options = clientOptionsFromEnvironment({ https_proxy: proxy.address });
  const client = connect(
    { address: 'https://vault.example:8200' },
    { ...options, tls: { caCertPem: authority.cert } },
  );
  expect((await client.read('x'))?.data).toEqual({ found: true });
  expect(proxy.asked).toEqual(['CONNECT vault.example:8200']);

  const elsewhere = connect(
    { address: 'https://other.example:8200' },
    { ...options, tls: { caCertPem: authority.cert }, maxRetries: 0 },
  );
  expect(await failureOf(elsewhere.read('x'))).toMatchObject({ code: 'tls_wrong_host' });
});

test.each(['http', 'https'])(
  'a proxy that is reached over TLS is trusted by the configured authority, for an %s server',
  async (scheme) => {
    const authority = makeAuthority('Authority');
    const ofServer = makeCertificate(authority, [{ dns: 'vault.example' }]);
    const ofProxy = makeCertificate(authority, [{ dns: 'localhost' }]);
    const server = await serve(FOUND, scheme === 'https' ? ofServer : undefined);
    const proxy = await startProxy(server.address, ofProxy);
    const address = `${scheme}://vault.example:8200`;
    const options = { proxy: proxy.address.replace('127.0.0.1', 'localhost'), maxRetries: 0 };
    const client = connect({ address }, { ...options, tls: { caCertPem: authority.cert } });
    expect((await client.read('x'))?.data).toEqual({ found: true });
    expect(proxy.asked).toEqual(['CONNECT vault.example:8200']);
    expect(await failureOf(connect({ address }, options).read('x'))).toMatchObject({
      code: 'tls_not_trusted',
    });
  },
);

test.each([
  ['localhost', ['localhost']],
  // TLS has no server names that are IP addresses, and the runtime of the executables refuses them.
  ['127.0.0.1', []],
])('a proxy that is reached over TLS at %s receives the server names %j', async (host, names) => {
  const authority = makeAuthority('Authority');
  const server = await serve(FOUND);
  const certificate = makeCertificate(authority, [{ dns: 'localhost' }, { ip: ipAddress('127.0.0.1') }]);
  const received: string[] = [];
  const proxy = await startProxy(server.address, {
    ...certificate,
    SNICallback: (name, callback) => {
      received.push(name);
      callback(null);
    },
  });
  const client = connect(
    { address: 'http://vault.example:8200' },
    { proxy: proxy.address.replace('127.0.0.1', host), tls: { caCertPem: authority.cert } },
  );
  expect((await client.read('x'))?.data).toEqual({ found: true });
  expect(received).toEqual(names);
});

test('a SOCKS proxy connects to the server by its name, with TLS and without', async () => {
  const authority = makeAuthority('Authority');
  const plain = await serve(FOUND);
  const secure = await serve(FOUND, makeCertificate(authority, [{ dns: 'vault.example' }]));
  const [first, second] = [await startSocksProxy(plain.address), await startSocksProxy(secure.address)];
  const http = connect({ address: 'http://vault.example:8200' }, { proxy: first.address });
  const https = connect(
    { address: 'https://vault.example:8200' },
    { proxy: second.address, tls: { caCertPem: authority.cert } },
  );
  for (const client of [http, https]) expect((await client.read('x'))?.data).toEqual({ found: true });
  expect([first.asked, second.asked]).toEqual([['vault.example:8200'], ['vault.example:8200']]);
  expect(plain.requests.map(({ url, headers }) => [url, headers.host])).toEqual([
    ['/v1/x', 'vault.example:8200'],
  ]);
});

test('VAULT_PROXY_ADDR takes precedence over VAULT_HTTP_PROXY, for all hosts; its password is sent, and not shown', async () => {
  const server = await serve({ status: 500, json: { errors: ['proxy of anna, hunter22 of hers'] } });
  const proxy = await startProxy(server.address);
  const url = new URL(proxy.address);
  url.username = 'anna';
  url.password = 'hunter22';
  const options = clientOptionsFromEnvironment({
    VAULT_PROXY_ADDR: url.href,
    VAULT_HTTP_PROXY: 'http://127.0.0.1:1',
    NO_PROXY: '*',
  });
  const failure = await failureOf(connect(server, { ...options, maxRetries: 0 }).read('x'));
  expect(proxy.asked).toEqual([`GET ${server.address}/v1/x`]);
  expect(proxy.headers.map((headers) => headers['proxy-authorization'])).toEqual([
    `Basic ${Buffer.from('anna:hunter22').toString('base64')}`,
  ]);
  expect(failure.message).toContain('proxy of anna');
  expect(failure.message).not.toContain('hunter22');
});

test('NO_PROXY connects to the server directly', async () => {
  const server = await serve(FOUND);
  const client = connect(server, { standardProxies: { http: 'http://127.0.0.1:1', none: '' } });
  expect((await client.read('x'))?.data).toEqual({ found: true });
});

test('the error about a proxy that does not answer names the variables, without its password', async () => {
  const failure = await failureOf(
    connect(
      { address: 'https://vault.example:8200' },
      { proxy: 'http://anna:hunter22@127.0.0.1:1', maxRetries: 0 },
    ).read('x'),
  );
  expect(failure.message).toContain('through the proxy http://127.0.0.1:1');
  expect(failure.message).toContain('proxy (VAULT_PROXY_ADDR), HTTPS_PROXY, HTTP_PROXY or NO_PROXY');
  expect(failure.message).not.toContain('hunter22');
});

test.each(['proxy:3128', 'ftp://proxy', 'http://', 'http://anna:hunter22@'])(
  '%s is refused as a proxy',
  (proxy) => {
    expect(() => connect({ address: 'http://vault' }, { proxy })).toThrow(
      /^proxy is not valid: received .*; allowed: a URL such as http:\/\/proxy.example.com:3128$/,
    );
    expect(() => connect({ address: 'http://vault' }, { proxy })).not.toThrow(/hunter22/);
  },
);
