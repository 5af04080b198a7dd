import { startEmulator } from '../../src/emulator';
import { Api, type Answer } from '../emulator/support/api';
import { openServerBinary, openServerMissing, startOpenServer } from '../support/open-server';

/**
 * A real OpenBao or Vault. These tests send the same requests to it, if there is one, and to the
 * emulator.
 */
const binary = openServerBinary();
if (!binary) console.warn(openServerMissing());

interface Server {
  readonly api: Api;
  close(): Promise<void>;
}

const SERVERS: readonly [string, () => Promise<Server>][] = [
  [
    'the emulator',
    async () => {
      const emulator = await startEmulator({ rootToken: 'root' });
      return { api: new Api(emulator.clusters.default.address), close: () => emulator.close() };
    },
  ],
  ...(binary === undefined
    ? []
    : [
        [
          'a real server',
          async () => {
            const server = await startOpenServer(binary);
            return { api: new Api(server.address, server.rootToken), close: () => server.close() };
          },
        ] satisfies [string, () => Promise<Server>],
      ]),
];

describe.each(SERVERS)('the answers of %s', (_name, start) => {
  let server: Server;
  let api: Api;
  beforeAll(async () => {
    server = await start();
    api = server.api;
    await api.post('sys/mounts/kv2', { type: 'kv', options: { version: '2' } });
    await api.post('sys/mounts/kv1', { type: 'kv' });
    await api.post('sys/auth/userpass', { type: 'userpass' });
    await api.post('sys/auth/approle', { type: 'approle' });
  });
  afterAll(() => server?.close());

  const shown = ({ status, text }: Answer) => ({ status, text: text.trim() });
  const tokenOf = async (body: object) =>
    (await api.post('auth/token/create', { no_default_policy: true, ...body })).body.auth
      .client_token as string;

  test('accept a namespace in UTF-8 in the header', async () => {
    await api.post(`sys/namespaces/${encodeURIComponent('tëam')}`);
    // Clients in other languages send the bytes of the name.
    const headers = { 'X-Vault-Namespace': Buffer.from('tëam').toString('latin1') };
    expect((await api.get('sys/policies/acl/default', { headers })).status).toBe(200);
  });

  test.each(['a%0Ab', 'a%09b', 'a%7Fb', 'a%C2%A0b', 'a%E2%80%8Bb'])(
    'refuse the path %s before anything is read',
    async (name) => {
      for (const answer of [
        await api.put(`sys/policies/acl/${name}`, { policy: 'path "x" { capabilities = ["read"] }' }),
        await api.get(`sys/policies/acl/${name}`),
      ]) {
        expect(shown(answer)).toEqual({ status: 400, text: '' });
        expect(answer.headers['content-type']).toBeUndefined();
      }
    },
  );

  test('accept visible characters of any language in a path', async () => {
    const path = `kv1/${encodeURIComponent('clé été 鍵 ✓')}`;
    expect((await api.post(path, { a: 'b' })).status).toBe(204);
    expect((await api.get(path)).body.data).toEqual({ a: 'b' });
  });

  test('have no metadata in the alias of a user', async () => {
    await api.post('auth/userpass/users/ann', { password: 'pw' });
    await api.post('auth/userpass/login/ann', { password: 'pw' });
    const { key_info: aliases } = (await api.list('identity/entity-alias/id')).body.data;
    expect(Object.values(aliases)).toMatchObject([{ name: 'ann', metadata: null }]);
  });

  test('contain an error if an empty list is to be wrapped', async () => {
    const headers = { 'X-Vault-Wrap-TTL': '60' };
    for (const path of ['kv1/none', 'kv2/metadata/none', 'identity/group/name']) {
      expect(shown(await api.list(path, { headers }))).toEqual({
        status: 404,
        text: '{"errors":["unsupported path"]}',
      });
    }
    expect(shown(await api.list('kv2/metadata/none'))).toEqual({ status: 404, text: '{"errors":[]}' });
  });

  test('show that a renewal of a token by itself counts as a use', async () => {
    const token = await tokenOf({ no_default_policy: false, num_uses: 3, ttl: '1h' });
    expect((await api.as(token).post('auth/token/renew-self')).status).toBe(200);
    expect((await api.post('auth/token/lookup', { token })).body.data.num_uses).toBe(2);
  });

  test('contain the policy of wrapping tokens, which cannot be written or listed', async () => {
    const { data } = (await api.get('sys/policies/acl/response-wrapping')).body;
    expect(data).toMatchObject({
      name: 'response-wrapping',
      policy:
        '\npath "cubbyhole/response" {\n    capabilities = ["create", "read"]\n}\n\n' +
        'path "sys/wrapping/unwrap" {\n    capabilities = ["update"]\n}\n',
    });
    expect((await api.list('sys/policies/acl')).body.data.keys).not.toContain('response-wrapping');
    expect(shown(await api.delete('sys/policies/acl/response-wrapping'))).toEqual({
      status: 400,
      text: '{"errors":["cannot delete \\"response-wrapping\\" policy"]}',
    });
    expect((await api.get('sys/policies/acl/control-group')).status).toBe(404);
  });

  test('contain an error for an invalid override', async () => {
    const answer = await api.get('sys/policies/acl/default', {
      headers: { 'X-Vault-Policy-Override': 'maybe' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatch(/^failed to parse X-Vault-Policy-Override header: /);
  });

  test.each(['1.5', 1.5])('contain an error for the duration %j', async (ttl) => {
    expect(shown(await api.post('auth/token/create', { ttl }))).toEqual({
      status: 400,
      text: '{"errors":["time: missing unit in duration \\"1.5\\""]}',
    });
  });

  test('contain an error for unknown HTTP methods', async () => {
    expect(shown(await api.send('PURGE', 'sys/policies/acl/default'))).toEqual({
      status: 405,
      text: '{"errors":[]}',
    });
  });

  test('have a content type even without a body', async () => {
    const answer = await api.delete('sys/policies/acl/none');
    expect([answer.status, answer.headers['content-type']]).toEqual([204, 'application/json']);
  });

  test('report a patch of a missing secret, and a list in place of data', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await api.send('PATCH', 'kv2/data/none', { body: { data: { a: 1 } }, headers });
    expect(shown(patched)).toEqual({ status: 404, text: '' });
    expect((await api.post('kv2/data/list', { data: [] })).status).toBe(200);
    expect((await api.get('kv2/data/list')).body.data.data).toEqual({});
    expect((await api.post('kv2/data/list', { data: [1] })).status).toBe(400);
  });

  test('contain an error for invalid CIDR blocks of an AppRole', async () => {
    const answer = await api.post('auth/approle/role/r', { secret_id_bound_cidrs: 'nonsense' });
    expect(answer.status).toBe(500);
    expect(answer.body.errors[0]).toContain('failed to validate CIDR blocks: invalid CIDR address: nonsense');
  });

  test.each([
    ['path "" { capabilities = ["read"] }', []],
    ['path "kv*" { capabilities = ["deny"] }', ['kv1/', 'kv2/']],
    ['path "kv1/*" { capabilities = ["deny"] }', ['kv1/']],
    ['path "kv1/a/*" { capabilities = ["deny"] }', []],
    ['path "kv1/" { capabilities = ["deny"] }', []],
    ['path "kv1/*" { capabilities = ["deny"] }\npath "+/a" { capabilities = ["deny"] }', []],
    ['path "kv1/a" { capabilities = ["read"] }', ['kv1/']],
  ])('list the mounts that a token may see with the policy %s', async (policy, mounts) => {
    await api.put('sys/policies/acl/seeing', { policy });
    const seeing = api.as(await tokenOf({ policies: ['seeing'] }));
    const { data } = (await seeing.get('sys/internal/ui/mounts')).body;
    expect(Object.keys(data.secret).filter((path) => path.startsWith('kv'))).toEqual(mounts);
    expect((await seeing.get('sys/internal/ui/mounts/kv1')).status).toBe(mounts.includes('kv1/') ? 200 : 403);
  });

  test('list folders in the order of their names', async () => {
    for (const name of ['b/c', 'b', 'a', 'b-x', 'B']) await api.post(`kv2/data/order/${name}`, { data: {} });
    expect((await api.list('kv2/metadata/order')).body.data.keys).toEqual(['B', 'a', 'b', 'b-x', 'b/']);
  });

  test('contain the lockout configuration that was written', async () => {
    const tune = (user_lockout_config: object, mount = 'auth/userpass') =>
      api.post(`sys/${mount}/tune`, { user_lockout_config });
    expect((await tune({ lockout_threshold: '3', lockout_disable: true })).status).toBe(204);
    expect((await tune({ lockout_duration: '5m' })).status).toBe(204);
    const config = {
      user_lockout_counter_reset_duration: 0,
      user_lockout_disable: true,
      user_lockout_duration: 300,
      user_lockout_threshold: 3,
    };
    expect((await api.get('sys/auth/userpass/tune')).body.data).toMatchObject(config);
    expect((await api.get('sys/auth')).body.data['userpass/'].config.user_lockout_config).toEqual(config);
    expect(shown(await tune({ lockout_threshold: '3' }, 'mounts/kv1'))).toEqual({
      status: 400,
      text: '{"errors":["tuning of user lockout configuration for auth type \\"kv\\" not allowed"]}',
    });
  });
});
