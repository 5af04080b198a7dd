/** Mistakes that people make with the client, also in plain JavaScript, and their texts. */
import { VaultClient } from '../../src/client';
import { startEmulator, type Emulator } from '../../src/emulator';

let emulator: Emulator;
beforeAll(async () => (emulator = await startEmulator({ clusters: { us: 0 }, rootToken: 'root' })));
afterAll(() => emulator.close());

/** Options without types, as in plain JavaScript. */
type Untyped = Readonly<Record<string, unknown>>;

test.each<[mistake: string, options: Untyped, call: (client: VaultClient) => Promise<unknown>, text: string]>(
  [
    [
      'an address without a scheme',
      { address: 'vault.example:8200' },
      (client) => client.system.health(),
      'address is not valid: received "vault.example:8200"; allowed: a URL such as https://vault.example.com:8200, ' +
        'without user name, query and fragment',
    ],
    [
      'an address that ends with /v1',
      { address: 'https://vault.example/v1' },
      (client) => client.system.health(),
      'address is not valid: received "https://vault.example/v1"; allowed: a URL such as ' +
        'https://vault.example.com:8200, without user name, query and fragment; remove /v1 from its end, which is added ' +
        'to each request',
    ],
    [
      'an address at which nothing listens',
      { address: 'http://127.0.0.1:1' },
      (client) => client.system.health(),
      'cannot look up sys/health on http://127.0.0.1:1: no connection could be made (connect ECONNREFUSED ' +
        '127.0.0.1:1). Check the address (VAULT_ADDR), that the server is running and listens there, and the network in ' +
        'between.',
    ],
    [
      'a CA file that does not exist',
      { address: 'https://127.0.0.1:1', tls: { caCertFile: 'none.pem' } },
      (client) => client.system.health(),
      'cannot use none.pem for TLS: it does not exist; check caCertFile (ca_cert_file, VAULT_CACERT)',
    ],
    [
      'a client certificate without its key',
      { tls: { clientCertFile: 'client.pem' } },
      (client) => client.system.health(),
      'clientCertFile is given without clientKeyFile: a client certificate requires both; set clientKeyFile as well',
    ],
    [
      'a timeout that is a text',
      { timeout: 'soon' },
      (client) => client.system.health(),
      'timeout is not valid: received "soon"; allowed: seconds, or a duration such as 90s or 2m; 0 for no limit',
    ],
    [
      'a token with a line break',
      { token: 'root\n' },
      (client) => client.system.health(),
      'token contains characters that cannot be sent, such as a line break; allowed: printable ASCII; check how the ' +
        'value was read (it is not shown)',
    ],
    [
      'a token that is not valid',
      { token: 'rot' },
      (client) => client.policies.acl.list(),
      'cannot list sys/policies/acl on ADDRESS: the server answered 403 (permission denied; invalid token). The server ' +
        'does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace. A cluster ' +
        'that joins a replication set revokes its tokens: use a login there.',
    ],
    [
      'no token',
      { token: '' },
      (client) => client.policies.acl.list(),
      'cannot list sys/policies/acl on ADDRESS: the server answered 403 (permission denied). No token was sent: set ' +
        'the token (VAULT_TOKEN), or configure a login.',
    ],
    [
      'a namespace that does not exist',
      { namespace: 'taem' },
      (client) => client.policies.acl.list(),
      'cannot list sys/policies/acl on ADDRESS in namespace "taem": the server answered 404 (no handler for route ' +
        '"taem/sys/policies/acl/". route entry not found.). Namespace "taem" does not exist: create it first, or correct ' +
        'its name.',
    ],
    [
      'a namespace that cannot exist',
      { namespace: 'sys' },
      (client) => client.policies.acl.list(),
      'namespace cannot be the path of a namespace: received "sys"; allowed: names separated by slashes, without white ' +
        'space, "+" or "*", other than ., .., root, sys, audit, auth, cubbyhole, identity; write a path such as ' +
        '"team/project", or leave it out',
    ],
    [
      'an endpoint that does not exist',
      {},
      (client) => client.read('secrets/data/app'),
      'cannot read secrets/data/app on ADDRESS: the server answered 404 (no handler for route "secrets/data/app". ' +
        'route entry not found.). This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or ' +
        'it can only be called from the root or the administrative namespace.',
    ],
    [
      'a policy that does not parse',
      {},
      (client) => client.policies.acl.write('ops', { policy: 'path "a" {' }),
      'cannot write sys/policies/acl/ops on ADDRESS: the server answered 400 (failed to parse policy: At 1:12: object ' +
        'expected closing RBRACE got: EOF). The server refused the input.',
    ],
    [
      'a client that was closed',
      {},
      async (client) => {
        await client.close();
        return client.policies.acl.list();
      },
      'cannot list sys/policies/acl on ADDRESS: the client was closed. Make calls before closing it.',
    ],
  ],
)('%s', async (_, options, call, text) => {
  const { address } = emulator.clusters.us!;
  const received = await Promise.resolve()
    .then(async () => {
      const client = new VaultClient({ address, token: 'root', maxRetries: 0, ...options });
      await call(client);
      await client.close();
      return 'no error';
    })
    .catch((error: unknown) => (error as Error).message.replaceAll(address, 'ADDRESS'));
  expect(received).toBe(text);
});
