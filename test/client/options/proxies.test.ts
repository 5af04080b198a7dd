import { secretsSentAlong } from '../../../src/client/options/client-settings';
import { standardProxyFor, standardProxiesOf } from '../../../src/client/options/proxies';

const PROXY = 'http://proxy:3128';

test('the variables are read in upper case, then in lower case', () => {
  expect(standardProxiesOf({})).toEqual({});
  expect(standardProxiesOf({ NO_PROXY: '*' })).toEqual({});
  expect(standardProxiesOf({ HTTP_PROXY: 'a', http_proxy: 'b', https_proxy: 'c', no_proxy: 'd' })).toEqual({
    standardProxies: { http: 'a', https: 'c', none: 'd' },
  });
});

test('an address with TLS uses the proxy for TLS, and other addresses the proxy for HTTP', () => {
  expect(standardProxyFor('https://vault:8200', { https: PROXY })).toBe(PROXY);
  expect(standardProxyFor('https://vault:8200', { http: PROXY })).toBeUndefined();
  expect(standardProxyFor('http://vault:8200', { http: PROXY })).toBe(PROXY);
  expect(standardProxyFor('http://vault:8200', { https: PROXY })).toBeUndefined();
});

test('a proxy without a scheme uses HTTP', () => {
  expect(standardProxyFor('http://vault', { http: 'proxy:3128' })).toBe('http://proxy:3128');
});

test('the passwords of proxies are secrets, and so are the values of headers, with and without a scheme such as Bearer', () => {
  expect(
    secretsSentAlong({
      proxy: 'http://me:one%2Dtwo@proxy:3128',
      standardProxies: { http: 'me:three@proxy:3128', https: 'https://me:50%@proxy', none: undefined },
      headers: { Authorization: 'Bearer four five', 'X-Six': 'seven' },
    }),
  ).toEqual(['one%2Dtwo', 'one-two', 'three', '50%', 'Bearer four five', 'four five', 'seven']);
});

test.each(['http://localhost:8200', 'http://127.0.0.1:8200', 'http://127.9.9.9', 'http://[::1]:8200'])(
  'the address %s is this machine, and needs no proxy',
  (origin) => expect(standardProxyFor(origin, { http: PROXY })).toBeUndefined(),
);

test.each<[none: string, origin: string, isDirect: boolean]>([
  ['*', 'https://vault.example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://vault.example.com:8200', true],
  ['EXAMPLE.com', 'https://vault.Example.COM', true],
  ['example.com', 'https://notexample.com', false],
  ['.example.com', 'https://vault.example.com', true],
  ['.example.com', 'https://example.com', false],
  ['*.example.com', 'https://vault.example.com', true],
  ['a, example.com ,b', 'https://example.com', true],
  ['example.com:8200', 'https://example.com:8200', true],
  ['example.com:8200', 'https://example.com', false],
  ['example.com:443', 'https://example.com', true],
  ['10.1.2.3', 'https://10.1.2.3:8200', true],
  ['2.3', 'https://10.1.2.3:8200', false],
  ['10.0.0.0/8', 'https://10.1.2.3:8200', true],
  ['10.0.0.0/8', 'https://11.1.2.3:8200', false],
  ['10.0.0.0/33', 'https://10.1.2.3:8200', false],
  ['10.0.0.0/8', 'https://vault.example.com', false],
  ['fd00::/8', 'https://[fd00::7]:8200', true],
  ['fd00::/8', 'https://[fe80::7]:8200', false],
  ['[fd00::7]:8200', 'https://[fd00::7]:8200', true],
  ['[fd00::7]:8200', 'https://[fd00::7]', false],
  ['fd00::7', 'https://[fd00::7]:8200', true],
  ['FD00:0:0::07', 'https://[fd00::7]:8200', true],
  ['[fd00:0::7]:8200', 'https://[fd00::7]:8200', true],
  ['::7', 'https://[fd00::7]:8200', false],
  ['', 'https://vault.example.com', false],
])('with NO_PROXY=%s, whether the address %s is reached without a proxy is %s', (none, origin, isDirect) => {
  expect(standardProxyFor(origin, { https: PROXY, none })).toBe(isDirect ? undefined : PROXY);
});
