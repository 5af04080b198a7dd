import { clientOptionsFromEnvironment, VaultClient, VaultError, type Environment } from '../../../src/client';
import { failureOf } from '../support/client';

test('an empty environment has no options', () => {
  expect(clientOptionsFromEnvironment({})).toEqual({});
  expect(clientOptionsFromEnvironment({ VAULT_ADDR: '', VAULT_TOKEN: '', VAULT_SKIP_VERIFY: '' })).toEqual(
    {},
  );
});

test.each(['VAULT_', 'VAULTADMIN_US_'])('every variable with the prefix %s sets its option', (prefix) => {
  const values = {
    ADDR: 'https://vault.example.com:8200',
    TOKEN: 'hvs.x',
    NAMESPACE: 'team/a',
    CACERT: '/ca.pem',
    CACERT_BYTES: '-----BEGIN CERTIFICATE-----',
    CAPATH: '/cas',
    CLIENT_CERT: '/cert.pem',
    CLIENT_KEY: '/key.pem',
    SKIP_VERIFY: 'true',
    TLS_SERVER_NAME: 'vault.internal',
    CLIENT_TIMEOUT: '90',
    MAX_RETRIES: '5',
    DIALECT: 'neutral',
    HEADERS: '{"X-Team": "platform"}',
  };
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
  expect(clientOptionsFromEnvironment({ ...env, OTHER_ADDR: 'http://other' }, prefix)).toEqual({
    address: 'https://vault.example.com:8200',
    token: 'hvs.x',
    namespace: 'team/a',
    tls: {
      caCertFile: '/ca.pem',
      caCertPem: '-----BEGIN CERTIFICATE-----',
      caCertDir: '/cas',
      clientCertFile: '/cert.pem',
      clientKeyFile: '/key.pem',
      skipVerify: true,
      serverName: 'vault.internal',
    },
    timeout: 90,
    maxRetries: 5,
    dialect: 'neutral',
    headers: { 'X-Team': 'platform' },
  });
});

test.each([
  ['60', 60],
  ['60s', 60],
  ['1m30s', 90],
  ['0', 0],
])('the timeout %s is read', (text, seconds) => {
  expect(clientOptionsFromEnvironment({ VAULT_CLIENT_TIMEOUT: text })).toEqual({ timeout: seconds });
});

test.each([
  ['1', true],
  ['t', true],
  ['TRUE', true],
  ['0', false],
  ['f', false],
  ['False', false],
])('VAULT_SKIP_VERIFY=%s is read', (text, skipVerify) => {
  expect(clientOptionsFromEnvironment({ VAULT_SKIP_VERIFY: text })).toEqual({ tls: { skipVerify } });
});

describe('refused variables', () => {
  const URLS = 'a URL such as https://vault.example.com:8200, without user name, query and fragment';

  test.each<[Environment, string]>([
    [{ VAULT_ADDR: 'vault:8200' }, `VAULT_ADDR is not valid: received "vault:8200"; allowed: ${URLS}`],
    [{ VAULT_ADDR: 'ftp://vault' }, `VAULT_ADDR is not valid: received "ftp://vault"; allowed: ${URLS}`],
    [
      { VAULT_ADDR: 'https://v/?a=canary' },
      `VAULT_ADDR is not valid: received "https://v/?(hidden)"; allowed: ${URLS}`,
    ],
    [
      { VAULT_ADDR: 'https://v/#canary' },
      `VAULT_ADDR is not valid: received "https://v/#(hidden)"; allowed: ${URLS}`,
    ],
    [{ VAULT_ADDR: 'https://v/?' }, `VAULT_ADDR is not valid: received "https://v/?"; allowed: ${URLS}`],
    [
      { VAULT_ADDR: 'https://joe:canary?canary#canary@vault:port' },
      `VAULT_ADDR is not valid: received "https://(hidden)@vault:port"; allowed: ${URLS}`,
    ],
    [
      { VAULT_ADDR: 'joe:canary\ncanary@vault' },
      `VAULT_ADDR is not valid: received "(hidden)@vault"; allowed: ${URLS}`,
    ],
    [
      { VAULT_ADDR: 'hvs.canaryCanaryCanary-1' },
      `VAULT_ADDR is not valid: received "(hidden)"; allowed: ${URLS}`,
    ],
    [
      { VAULT_ADDR: 'unix://run/vault' },
      `VAULT_ADDR is not valid: received "unix://run/vault"; allowed: a socket such as unix:///run/vault.sock`,
    ],
    [
      { VAULT_PROXY_ADDR: 'joe:canary@proxy' },
      `VAULT_PROXY_ADDR is not valid: received "(hidden)@proxy"; allowed: a URL such as http://proxy.example.com:3128`,
    ],
    [
      { VAULT_HEADERS: 'X-Team: canary' },
      'VAULT_HEADERS is not an object of texts; allowed: names with texts, such as {"CF-Access-Client-Id": "…"}; ' +
        'correct it (it is not shown)',
    ],
    [
      { VAULT_HEADERS: '{"X-Team": ["canary"]}' },
      'VAULT_HEADERS is not an object of texts; allowed: names with texts, such as {"CF-Access-Client-Id": "…"}; ' +
        'correct it (it is not shown)',
    ],
    [
      { VAULT_HEADERS: '{"x-vault-token": "canary"}' },
      'VAULT_HEADERS has the header "x-vault-token", which only the client sets; allowed: headers other than X-Vault-…, ' +
        'Host, Content-Type and those of the connection; rename or remove the header',
    ],
    [
      { VAULT_HEADERS: '{"X Team": "canary"}' },
      'VAULT_HEADERS has the header "X Team", which is not a valid name; allowed: letters, digits and "-"; ' +
        'rename or remove the header',
    ],
    [
      { VAULT_HEADERS: '{"X-Team": "canary", "x-team": "canary"}' },
      'VAULT_HEADERS has the header "x-team" twice, in upper and lower case; allowed: each name once; ' +
        'rename or remove the header',
    ],
    [
      { VAULT_HEADERS: '{"X-Team": "canary\\n"}' },
      'VAULT_HEADERS has the header "X-Team", which contains characters that cannot be sent, such as a line break; ' +
        'allowed: printable ASCII; check how the value was read (it is not shown)',
    ],
    [
      { VAULT_RATE_LIMIT: '0' },
      `VAULT_RATE_LIMIT is not valid: received "0"; allowed: a rate such as 100, or rate:burst such as 100:200`,
    ],
    [
      { VAULT_ADDR: 'https://joe:canary@vault:8200' },
      `VAULT_ADDR is not valid: received "https://(hidden)@vault:8200"; allowed: ${URLS}`,
    ],
    [
      { VAULT_TOKEN: 'canary\n' },
      'VAULT_TOKEN contains characters that cannot be sent, such as a line break; allowed: printable ASCII; ' +
        'check how the value was read (it is not shown)',
    ],
    [
      { VAULT_NAMESPACE: 'a\nb' },
      'VAULT_NAMESPACE cannot be the path of a namespace: received "a\\nb"; allowed: names separated by slashes, ' +
        'without white space, "+" or "*", other than ., .., root, sys, audit, auth, cubbyhole, identity; ' +
        'write a path such as "team/project", or leave it out',
    ],
    [{ VAULT_SKIP_VERIFY: 'yes' }, 'VAULT_SKIP_VERIFY is not valid: received "yes"; allowed: true or false'],
    [
      { VAULT_CLIENT_TIMEOUT: 'soon' },
      'VAULT_CLIENT_TIMEOUT is not valid: received "soon"; allowed: seconds, or a duration such as 90s or 2m; 0 for no limit',
    ],
    [
      { VAULT_CLIENT_TIMEOUT: '-5' },
      'VAULT_CLIENT_TIMEOUT is not valid: received "-5"; allowed: seconds, or a duration such as 90s or 2m; 0 for no limit',
    ],
    [
      { VAULT_MAX_RETRIES: '-1' },
      'VAULT_MAX_RETRIES is not valid: received "-1"; allowed: a whole number from 0 on',
    ],
    [
      { VAULT_MAX_RETRIES: '1.5' },
      'VAULT_MAX_RETRIES is not valid: received "1.5"; allowed: a whole number from 0 on',
    ],
    [
      { VAULT_DIALECT: 'french' },
      'VAULT_DIALECT is not valid: received "french"; allowed: "vault" or "neutral"',
    ],
    [
      { VAULT_CLIENT_CERT: '/c' },
      'VAULT_CLIENT_CERT is given without VAULT_CLIENT_KEY: a client certificate requires both; set VAULT_CLIENT_KEY as well',
    ],
    [
      { VAULT_CLIENT_KEY: '/k' },
      'VAULT_CLIENT_KEY is given without VAULT_CLIENT_CERT: a client certificate requires both; set VAULT_CLIENT_CERT as well',
    ],
  ])('the variables %j are refused', async (env, message) => {
    const error = await failureOf(() => clientOptionsFromEnvironment(env));
    expect(error).toBeInstanceOf(VaultError);
    expect(error.code).toBe('invalid_options');
    expect(error.message).toBe(message);
    expect(JSON.stringify(error)).not.toContain('canary');
  });

  test('the error names the variable with its prefix', async () => {
    const env = { VAULTADMIN_US_MAX_RETRIES: 'x' };
    const error = await failureOf(() => clientOptionsFromEnvironment(env, 'VAULTADMIN_US_'));
    expect(error.message).toMatch(/^VAULTADMIN_US_MAX_RETRIES is not valid: /);
  });
});

describe('refused options', () => {
  test.each<[ConstructorParameters<typeof VaultClient>[0], RegExp]>([
    [{ address: 'nope' }, /^address is not valid: received "nope"; /],
    [{ token: 'canary\u0007' }, /^token contains characters that cannot be sent/],
    [{ token: 'canary–' }, /^token contains characters that cannot be sent/],
    [{ namespace: 'a\u0000' }, /^namespace cannot be the path of a namespace: received "a\\u0000"; /],
    [{ timeout: -1 }, /^timeout is not valid: received -1; /],
    [{ timeout: NaN }, /^timeout is not valid: received null; /],
    [{ attemptTimeout: Infinity }, /^attemptTimeout is not valid: /],
    [{ maxRetries: 0.5 }, /^maxRetries is not valid: received 0.5; allowed: a whole number from 0 on$/],
    [{ tls: { clientCertFile: '/c' } }, /^clientCertFile is given without clientKeyFile: /],
  ])('the options %j are refused', async (options, message) => {
    const error = await failureOf(() => new VaultClient(options));
    expect(error.code).toBe('invalid_options');
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('canary');
  });
});

test('a client without options uses the default address and the root namespace', () => {
  const client = new VaultClient();
  expect([client.address, client.namespace]).toEqual(['https://127.0.0.1:8200', '']);
});
