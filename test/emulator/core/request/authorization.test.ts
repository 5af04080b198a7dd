import { type Answer, type Api, collected } from '../../support/api';
import { startTestEmulator, useEmulator } from '../../support/emulator';

const use = useEmulator();
const denied = { errors: [collected('permission denied')] };

/** Returns a client whose token has one policy with this text. */
async function holder(name: string, policy: string): Promise<Api> {
  const { api } = use();
  expect((await api.put(`sys/policies/acl/${name}`, { policy })).status).toBe(204);
  const { body } = await api.post('auth/token/create', { policies: [name] });
  return api.as(body.auth.client_token as string);
}

const outcome = ({ status, body }: Answer): unknown => (status === 403 ? body : status);

describe('the authorization of requests', () => {
  it('a request needs a capability on its path', async () => {
    const api = await holder('reader', 'path "sys/policies/acl/*" { capabilities = ["read"] }');
    expect(outcome(await api.get('sys/policies/acl/default'))).toBe(200);
    expect(outcome(await api.get('sys/policies/acl/missing'))).toBe(404);
    expect(outcome(await api.put('sys/policies/acl/x', { policy: 'path "a" {}' }))).toEqual(denied);
    expect(outcome(await api.delete('sys/policies/acl/x'))).toEqual(denied);
    expect(outcome(await api.list('sys/policies/acl'))).toEqual(denied);
    expect(outcome(await api.get('sys/mounts'))).toEqual(denied);
    expect(outcome(await api.get('no/such/mount'))).toEqual(denied);
  });

  it('tokens may use the paths that `default` grants', async () => {
    const api = await holder('nothing', '# grants nothing');
    expect(outcome(await api.get('auth/token/lookup-self'))).toBe(200);
    expect(outcome(await api.post('sys/capabilities-self', { paths: ['a'] }))).toBe(200);
    expect(outcome(await api.put('cubbyhole/mine', { a: 1 }))).toBe(204);
    expect(outcome(await api.post('auth/token/revoke-self'))).toBe(204);
    expect((await api.get('auth/token/lookup-self')).status).toBe(403);
  });

  it('a list needs `list` on the folder', async () => {
    const api = await holder('lister', 'path "sys/policies/acl" { capabilities = ["list"] }');
    expect(outcome(await api.list('sys/policies/acl'))).toBe(200);
    expect(outcome(await api.get('sys/policies/acl?list=true'))).toBe(200);
    expect(outcome(await api.get('sys/policies/acl/default'))).toEqual(denied);
  });

  it('root-protected paths require sudo', async () => {
    const policy = (capabilities: string) =>
      `path "auth/token/accessors" { capabilities = [${capabilities}] } path "sys/auth/x" { capabilities = [${capabilities}] }`;
    const without = await holder('without-sudo', policy('"list", "update", "create"'));
    const withSudo = await holder('with-sudo', policy('"list", "update", "create", "sudo"'));
    expect(outcome(await without.list('auth/token/accessors'))).toEqual(denied);
    expect(outcome(await withSudo.list('auth/token/accessors'))).toBe(200);
    expect(outcome(await without.post('sys/auth/x', { type: 'userpass' }))).toEqual(denied);
    expect(outcome(await withSudo.post('sys/auth/x', { type: 'userpass' }))).toBe(204);
  });

  it('a policy can restrict the parameters of a request', async () => {
    const api = await holder(
      'picky',
      'path "auth/token/create" { capabilities = ["update"] allowed_parameters = { "ttl" = ["1h"], "policies" = [] } }',
    );
    expect(outcome(await api.post('auth/token/create', { ttl: '1h', policies: ['picky'] }))).toBe(200);
    expect(outcome(await api.post('auth/token/create', { ttl: '2h' }))).toEqual(denied);
    expect(outcome(await api.post('auth/token/create', { meta: { a: 'b' } }))).toEqual(denied);
  });

  it('a policy can require wrapping', async () => {
    const api = await holder(
      'wrapped',
      'path "sys/policies/acl/*" { capabilities = ["read"] min_wrapping_ttl = "1m" }',
    );
    expect(outcome(await api.get('sys/policies/acl/default'))).toEqual(denied);
    const headers = { 'X-Vault-Wrap-TTL': '2m' };
    expect(outcome(await api.get('sys/policies/acl/default', { headers }))).toBe(200);
  });
});

describe('a policy', () => {
  it('a write, change or deletion takes effect immediately', async () => {
    const { api } = use();
    const client = await holder('changing', 'path "sys/mounts" { capabilities = ["read"] }');
    expect(outcome(await client.get('sys/mounts'))).toBe(200);
    await api.put('sys/policies/acl/changing', { policy: 'path "sys/auth" { capabilities = ["read"] }' });
    expect(outcome(await client.get('sys/mounts'))).toEqual(denied);
    expect(outcome(await client.get('sys/auth'))).toBe(200);
    await api.delete('sys/policies/acl/changing');
    expect(outcome(await client.get('sys/auth'))).toEqual(denied);
    expect((await client.get('auth/token/lookup-self')).body.data.policies).toEqual(['changing', 'default']);
  });

  it('several policies of a token are merged, and deny takes precedence', async () => {
    const { api } = use();
    await api.put('sys/policies/acl/grant', { policy: 'path "sys/mounts" { capabilities = ["read"] }' });
    await api.put('sys/policies/acl/deny', { policy: 'path "sys/mounts" { capabilities = ["deny"] }' });
    const { body } = await api.post('auth/token/create', { policies: ['grant', 'deny'] });
    expect(outcome(await api.as(body.auth.client_token as string).get('sys/mounts'))).toEqual(denied);
  });

  it('a policy of a namespace does not apply outside of it', async () => {
    const { api } = use();
    await api.put('sys/namespaces/acl-ns');
    const namespace = 'acl-ns';
    const policy = 'path "sys/policies/acl/*" { capabilities = ["read"] }';
    await api.put('sys/policies/acl/inner', { policy }, { namespace });
    const { auth } = (await api.post('auth/token/create', { policies: ['inner'] }, { namespace })).body;
    expect(auth.client_token).toMatch(/^hvs\.\w{24}\.\w{5}$/);
    const client = api.as(auth.client_token as string);
    expect(outcome(await client.get('sys/policies/acl/inner', { namespace }))).toBe(200);
    expect(outcome(await client.get('acl-ns/sys/policies/acl/inner'))).toBe(200);
    expect(outcome(await client.get('sys/policies/acl/default'))).toEqual(denied);
  });

  it('a policy of the root namespace can name child namespaces in its paths', async () => {
    const { api } = use();
    await api.put('sys/namespaces/below');
    const client = await holder('outer', 'path "below/sys/mounts" { capabilities = ["read"] }');
    expect(outcome(await client.get('sys/mounts', { namespace: 'below' }))).toBe(200);
    expect(outcome(await client.get('sys/mounts'))).toEqual(denied);
  });
});

describe('the capabilities endpoints', () => {
  const CAPS = 'path "secret/*" { capabilities = ["update", "read"] }';

  it('the capabilities for one path and for several are returned', async () => {
    const client = await holder('caps', CAPS);
    const one = await client.post('sys/capabilities-self', { paths: ['secret/a'] });
    expect(one.body.data).toEqual({ 'secret/a': ['read', 'update'], capabilities: ['read', 'update'] });
    expect(one.body).toMatchObject(one.body.data);
    const several = await client.post('sys/capabilities-self', { paths: 'secret/a,other' });
    expect(several.body.data).toEqual({ 'secret/a': ['read', 'update'], other: ['deny'] });
    const none = await client.post('sys/capabilities-self', {});
    expect([none.status, none.body]).toEqual([400, { errors: ['paths must be supplied'] }]);
  });

  it('the root token has the capability root', async () => {
    const { api } = use();
    expect((await api.post('sys/capabilities-self', { path: 'a' })).body.data).toEqual({
      a: ['root'],
      capabilities: ['root'],
    });
  });

  it('the capabilities of other tokens are returned by token and by accessor', async () => {
    const { api } = use();
    await api.put('sys/policies/acl/caps', { policy: CAPS });
    const { auth } = (await api.post('auth/token/create', { policies: ['caps'] })).body;
    const expected = { 'secret/a': ['read', 'update'], capabilities: ['read', 'update'] };
    const paths = ['secret/a'];
    expect((await api.post('sys/capabilities', { token: auth.client_token, paths })).body.data).toEqual(
      expected,
    );
    expect(
      (await api.post('sys/capabilities-accessor', { accessor: auth.accessor, paths })).body.data,
    ).toEqual(expected);
    const unknown = await api.post('sys/capabilities', { token: 'x', paths });
    expect([unknown.status, unknown.body]).toEqual([400, { errors: [collected('invalid token')] }]);
  });
});

it("a list in a parameter is compared with allowed_parameters in the way of the server's version", async () => {
  const policy =
    'path "auth/token/create" { capabilities = ["update"] allowed_parameters = { "policies" = ["a", "b"] } }';
  const allowed = async (serverVersion: string) => {
    const { emulator, api } = await startTestEmulator({ serverVersion });
    await api.put('sys/policies/acl/lists', { policy });
    const { body } = await api.post('auth/token/create', { policies: ['lists', 'a', 'b'] });
    const { status } = await api
      .as(body.auth.client_token as string)
      .post('auth/token/create', { policies: ['a', 'b'] });
    await emulator.close();
    return status;
  };
  expect([await allowed('1.20.0+ent'), await allowed('1.21.0+ent')]).toEqual([403, 200]);
});
