import { decodeJwt } from 'jose';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();
const wrapFor = (ttl: string, format?: string) => ({
  headers: { 'X-Vault-Wrap-TTL': ttl, ...(format !== undefined && { 'X-Vault-Wrap-Format': format }) },
});
const used = { errors: ['wrapping token is not valid or does not exist'] };

/** Reads a policy with a wrapped response, and returns the wrap_info. */
async function wrapped(ttl = '120', format?: string) {
  const { status, body } = await use().api.get('sys/policies/acl/root', wrapFor(ttl, format));
  expect(status).toBe(200);
  return body;
}

describe('a wrapped response', () => {
  it('a wrapped response contains only the reference to the original response', async () => {
    const body = await wrapped('30m');
    expect(body).toEqual({
      request_id: '',
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: null,
      wrap_info: {
        token: expect.stringMatching(/^hvs\./),
        accessor: expect.stringMatching(/^\w{24}$/),
        ttl: 1800,
        creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        creation_path: 'sys/policies/acl/root',
      },
      warnings: null,
      auth: null,
      mount_type: 'system',
    });
  });

  it('the response is unwrapped once, unchanged', async () => {
    const { api } = use();
    const { token } = (await wrapped()).wrap_info;
    const first = await api.as(token as string).post('sys/wrapping/unwrap');
    expect([first.status, first.body.data]).toEqual([200, { name: 'root', policy: '' }]);
    expect(first.body.request_id).not.toBe('');
    const second = await api.as(token as string).post('sys/wrapping/unwrap');
    expect([second.status, second.body]).toEqual([400, used]);
  });

  it('another caller with the token can unwrap it', async () => {
    const { api } = use();
    const { token } = (await wrapped()).wrap_info;
    expect((await api.put('sys/wrapping/unwrap', { token })).body.data).toEqual({ name: 'root', policy: '' });
    expect((await api.put('sys/wrapping/unwrap', { token })).body).toEqual(used);
  });

  it('a lookup needs no token of the caller, and does not use the token up', async () => {
    const { api } = use();
    const { token, creation_time } = (await wrapped('1h')).wrap_info;
    const nobody = api.as(undefined);
    const expected = { creation_path: 'sys/policies/acl/root', creation_time, creation_ttl: 3600 };
    expect((await nobody.post('sys/wrapping/lookup', { token })).body.data).toEqual(expected);
    expect((await api.as(token as string).get('sys/wrapping/lookup')).body.data).toEqual(expected);
    expect((await api.put('sys/wrapping/unwrap', { token })).status).toBe(200);
    expect((await nobody.post('sys/wrapping/lookup', { token })).body).toEqual(used);
    const nothing = await nobody.post('sys/wrapping/lookup');
    expect([nothing.status, nothing.body]).toEqual([400, { errors: ['missing "token" value in input'] }]);
  });

  it('a rewrapped response moves to a new token with the same TTL', async () => {
    const { api } = use();
    const { token } = (await wrapped('1h')).wrap_info;
    const moved = (await api.post('sys/wrapping/rewrap', { token })).body.wrap_info;
    expect(moved).toMatchObject({ ttl: 3600, creation_path: 'sys/policies/acl/root' });
    expect(moved.token).not.toBe(token);
    expect((await api.post('sys/wrapping/unwrap', { token })).body).toEqual(used);
    expect((await api.post('sys/wrapping/unwrap', { token: moved.token })).body.data.name).toBe('root');
  });

  it('the token expires after its TTL', async () => {
    const { emulator, api } = await startTestEmulator();
    const { token } = (await api.get('sys/policies/acl/root', wrapFor('60'))).body.wrap_info;
    emulator.clock.advance(60_000);
    expect((await api.post('sys/wrapping/unwrap', { token })).body).toEqual(used);
  });

  it('a wrapped token shows its accessor', async () => {
    const { api } = use();
    const answer = await api.post('auth/token/create', { policies: ['default'] }, wrapFor('60'));
    expect(answer.body.auth).toBeNull();
    const { wrapped_accessor, token } = answer.body.wrap_info;
    const { auth } = (await api.post('sys/wrapping/unwrap', { token })).body;
    expect(auth.accessor).toBe(wrapped_accessor);
    expect((await api.as(auth.client_token as string).get('auth/token/lookup-self')).status).toBe(200);
  });

  it('the token may be a JWT', async () => {
    const { api } = use();
    const { token } = (await wrapped('60', 'jwt')).wrap_info;
    const claims = decodeJwt(token as string);
    expect(claims).toMatchObject({
      type: 'wrapping',
      addr: api.address,
      jti: expect.stringMatching(/^hvs\./),
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    const forged = `${(token as string).slice(0, -4)}AAAA`;
    expect((await api.post('sys/wrapping/unwrap', { token: forged })).body).toEqual(used);
    expect((await api.as(token as string).post('sys/wrapping/unwrap')).body.data.name).toBe('root');
    expect((await api.post('sys/wrapping/unwrap', { token })).body).toEqual(used);
  });
});

describe('requests for wrapping', () => {
  it('any JSON can be wrapped if a TTL is given', async () => {
    const { api } = use();
    const answer = await api.post('sys/wrapping/wrap', { a: 1, nested: { b: [2] } }, wrapFor('5m'));
    const { token } = answer.body.wrap_info;
    expect((await api.post('sys/wrapping/unwrap', { token })).body.data).toEqual({
      a: 1,
      nested: { b: [2] },
    });
    const refused = await api.post('sys/wrapping/wrap', { a: 1 });
    expect([refused.status, refused.body]).toEqual([
      400,
      { errors: ['endpoint requires response wrapping to be used'] },
    ]);
  });

  it('refusals, empty answers and empty lists are not wrapped', async () => {
    const { api } = use();
    expect((await api.get('sys/policies/acl/missing', wrapFor('60'))).status).toBe(404);
    expect((await api.list('sys/policies/rgp', wrapFor('60'))).status).toBe(404);
    expect((await api.put('sys/policies/acl/w', { policy: 'path "a" {}' }, wrapFor('60'))).status).toBe(204);
  });

  it.each([
    ['-1s', 'requested wrap ttl cannot be negative'],
    ['soon', 'time: invalid duration "soon"'],
  ])('the wrapping header is refused for %s', async (ttl, reason) => {
    const answer = await use().api.get('sys/policies/acl/root', wrapFor(ttl));
    expect([answer.status, answer.body]).toEqual([
      400,
      { errors: [`error parsing X-Vault-Wrap-TTL header: ${reason}`] },
    ]);
  });

  it('the wrapping header with 0 requests no wrapping', async () => {
    expect((await use().api.get('sys/policies/acl/root', wrapFor('0'))).body.data.name).toBe('root');
  });

  it('tokens cannot be used for other requests', async () => {
    const { api } = use();
    const { token } = (await wrapped()).wrap_info;
    expect((await api.as(token as string).get('sys/mounts')).status).toBe(403);
  });

  it('a token can be unwrapped in another namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/wrap-ns');
    const namespace = 'wrap-ns';
    const { token } = (await api.get('sys/policies/acl/default', { namespace, ...wrapFor('60') })).body
      .wrap_info;
    expect(token).toMatch(/^hvs\.\w{24}\.\w{5}$/);
    expect((await api.as(token as string).post('sys/wrapping/unwrap')).body.data.name).toBe('default');
  });
});
