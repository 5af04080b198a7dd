import { collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();

/**
 * Creates a token.
 *
 * @returns the token
 */
async function create(body: object = {}, path = 'auth/token/create'): Promise<string> {
  const { status, body: answer } = await use().api.post(path, body);
  expect([status, answer.errors]).toEqual([200, undefined]);
  return answer.auth.client_token as string;
}

const lookup = async (token: string) => (await use().api.as(token).get('auth/token/lookup-self')).body.data;

describe('the token of a request', () => {
  it('X-Vault-Token takes precedence over Authorization', async () => {
    const { api } = use();
    const none = api.as(undefined);
    const self = (headers: Record<string, string>) => none.get('auth/token/lookup-self', { headers });
    expect((await self({ 'X-Vault-Token': 'root' })).status).toBe(200);
    expect((await self({ Authorization: 'Bearer root' })).status).toBe(200);
    expect((await self({ 'X-Vault-Token': 'root', Authorization: 'Bearer bad' })).status).toBe(200);
    expect((await self({ 'X-Vault-Token': 'bad', Authorization: 'Bearer root' })).status).toBe(403);
    expect((await self({ Authorization: 'Basic root' })).status).toBe(403);
  });

  it.each([
    ['1.13.8+ent', undefined, 400, 'missing client token'],
    ['1.14.0+ent', undefined, 403, 'permission denied'],
    ['1.15.0+ent', 'bad', 403, 'permission denied'],
    ['1.16.0+ent', 'bad', 403, collected('permission denied', 'invalid token')],
  ])('a request on %s with %s is refused with %s', async (serverVersion, token, status, text) => {
    const { emulator, api } = await startTestEmulator({ serverVersion });
    const answer = await api.as(token).get('sys/policies/acl');
    await emulator.close();
    expect([answer.status, answer.body]).toEqual([status, { errors: [text] }]);
  });
});

describe('the root token', () => {
  it('the root token does not expire and has no lease', async () => {
    expect(await lookup('root')).toEqual({
      accessor: expect.stringMatching(/^\w{24}$/),
      creation_time: expect.any(Number),
      creation_ttl: 0,
      display_name: 'root',
      entity_id: '',
      expire_time: null,
      explicit_max_ttl: 0,
      id: 'root',
      meta: null,
      num_uses: 0,
      orphan: true,
      path: 'auth/token/root',
      policies: ['root'],
      ttl: 0,
      type: 'service',
    });
  });

  it('the root token cannot be renewed', async () => {
    const answer = await use().api.post('auth/token/renew-self');
    expect([answer.status, answer.body]).toEqual([400, { errors: ['lease is not renewable'] }]);
  });
});

describe('a created token', () => {
  it('the token is described in auth', async () => {
    const { body } = await use().api.post('auth/token/create', {
      policies: 'app,App , default',
      ttl: '1h',
      display_name: 'my pipeline!',
      meta: { team: 'ops' },
      num_uses: 3,
    });
    expect(body.data).toBeNull();
    expect(body.warnings).toEqual(['Policy "app,app , default" does not exist']);
    expect(body.auth).toEqual({
      client_token: expect.stringMatching(/^hvs\.\w{24}$/),
      accessor: expect.stringMatching(/^\w{24}$/),
      policies: ['app,app , default', 'default'],
      token_policies: ['app,app , default', 'default'],
      metadata: { team: 'ops' },
      lease_duration: 3600,
      renewable: true,
      entity_id: '',
      token_type: 'service',
      orphan: false,
      mfa_requirement: null,
      num_uses: 3,
    });
    expect(await lookup(body.auth.client_token as string)).toMatchObject({
      display_name: 'token-my-pipeline',
      path: 'auth/token/create',
      creation_ttl: 3600,
      renewable: true,
      num_uses: 2,
      meta: { team: 'ops' },
    });
  });

  it('the TTL of a token is at most 32 days, which is also the default', async () => {
    const { body } = await use().api.post('auth/token/create', { policies: ['default'] });
    expect(body.auth).toMatchObject({ lease_duration: 2_764_800, policies: ['default'] });
    const longer = await use().api.post('auth/token/create', { policies: ['default'], ttl: '1000h' });
    expect(longer.body.auth.lease_duration).toBe(2_764_800);
    expect(longer.body.warnings).toEqual([
      'TTL of "1000h" exceeded the effective max_ttl of "768h"; TTL value is capped accordingly',
    ]);
  });

  it('the policies of a token are by default those of its parent, and `default` can be left out', async () => {
    const parent = await create({ policies: ['app'] });
    const { api } = use();
    const granted = await api.put('sys/policies/acl/app', {
      policy: 'path "auth/token/create" { capabilities = ["update"] }',
    });
    expect(granted.status).toBe(204);
    const child = await api.as(parent).post('auth/token/create', {});
    expect(child.body.auth.policies).toEqual(['app', 'default']);
    const bare = await api.as(parent).post('auth/token/create', { no_default_policy: true });
    expect(bare.body.auth.policies).toEqual(['app']);
    const other = await api.as(parent).post('auth/token/create', { policies: ['other'] });
    expect([other.status, other.body.errors]).toEqual([400, ['child policies must be subset of parent']]);
  });

  it('the token is revoked with its parent, except orphans', async () => {
    const parent = await create({ policies: ['root'], ttl: '1h' });
    const { api } = use();
    const make = async (path: string, body: object = {}) =>
      (await api.as(parent).post(path, { policies: ['default'], ...body })).body.auth.client_token as string;
    const child = await make('auth/token/create');
    const orphan = await make('auth/token/create-orphan');
    const noParent = await make('auth/token/create', { no_parent: true });
    expect((await api.post('auth/token/revoke', { token: parent })).status).toBe(204);
    expect((await api.as(child).get('auth/token/lookup-self')).status).toBe(403);
    expect(await lookup(orphan)).toMatchObject({ orphan: true, path: 'auth/token/create-orphan' });
    expect(await lookup(noParent)).toMatchObject({ orphan: true });

    const second = await create({ policies: ['root'], ttl: '1h' });
    const kept = (await api.as(second).post('auth/token/create', { policies: ['default'] })).body.auth
      .client_token;
    expect((await api.post('auth/token/revoke-orphan', { token: second })).status).toBe(204);
    expect(await lookup(kept as string)).toMatchObject({ orphan: true });
    expect((await api.as(second).get('auth/token/lookup-self')).status).toBe(403);
  });

  it('a token is revoked after its last use, whether the request succeeds or not', async () => {
    const { api } = use();
    const token = await create({ policies: ['default'], num_uses: 2 });
    expect((await api.as(token).get('auth/token/lookup-self')).body.data.num_uses).toBe(1);
    expect((await api.as(token).get('sys/policies/acl')).status).toBe(403);
    expect((await api.as(token).get('auth/token/lookup-self')).status).toBe(403);
  });

  it('a token with limited uses cannot create children', async () => {
    const token = await create({ policies: ['root'], num_uses: 5, ttl: '1h' });
    const answer = await use().api.as(token).post('auth/token/create');
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['restricted use token cannot generate child tokens'],
    ]);
  });

  it.each([
    ['a negative number of uses', { num_uses: -1 }, 'number of uses cannot be negative'],
    ['an unknown type', { type: 'x' }, "invalid 'token_type' value"],
    ['a bad TTL', { ttl: 'soon' }, 'time: invalid duration "soon"'],
    ['a negative TTL', { ttl: '-1h' }, 'ttl must be positive'],
    ['an internal policy', { policies: ['response-wrapping'] }, 'cannot assign policy "response-wrapping"'],
    ['a reserved id', { id: 'hvs.mine' }, "custom token ID cannot have the 'hvs.' prefix"],
    ['an id with a dot', { id: 'a.b' }, "custom token ID cannot have a '.' in the value"],
    ['an id that is taken', { id: 'root' }, 'cannot create a token with a duplicate ID'],
    [
      'an alias without a role',
      { entity_alias: 'x' },
      "'entity_alias' is only allowed in combination with token role",
    ],
  ])('a token is refused with %s', async (_, body, text) => {
    const answer = await use().api.post('auth/token/create', body);
    expect([answer.status, answer.body]).toEqual([400, { errors: [text] }]);
  });

  it('the id of a token can be chosen', async () => {
    const token = await create({ id: 'chosen', policies: ['default'] });
    expect(token).toBe('chosen');
    expect(await lookup('chosen')).toMatchObject({ id: 'chosen', policies: ['default'] });
  });
});

describe('a batch token', () => {
  it('a batch token cannot be stored, renewed, revoked or a parent', async () => {
    const { api } = use();
    const { body } = await api.post('auth/token/create', { type: 'batch', policies: ['root2'], ttl: '1h' });
    expect(body.auth).toMatchObject({ token_type: 'batch', accessor: '', renewable: false });
    const token = body.auth.client_token as string;
    expect(token).toMatch(/^hvb\./);
    expect((await api.post('auth/token/renew', { token })).body.errors).toEqual([
      'batch tokens cannot be renewed',
    ]);
    expect((await api.post('auth/token/revoke', { token })).body.errors).toEqual([
      'batch tokens cannot be revoked',
    ]);
    expect((await api.post('auth/token/create', { type: 'batch', policies: ['root'] })).body.errors).toEqual([
      'batch tokens cannot be root tokens',
    ]);
    expect((await api.post('auth/token/create', { type: 'batch', period: '1h' })).body.errors).toEqual([
      'batch tokens cannot have "period" set',
    ]);
  });
});

describe('the accessors of tokens', () => {
  it('tokens are looked up, renewed and revoked by accessor', async () => {
    const { api } = use();
    const { auth } = (await api.post('auth/token/create', { policies: ['default'], ttl: '1h' })).body;
    const { accessor, client_token: token } = auth;
    expect((await api.list('auth/token/accessors')).body.data.keys).toContain(accessor);
    expect((await api.post('auth/token/lookup-accessor', { accessor })).body.data).toMatchObject({
      id: '',
      accessor,
    });
    const renewed = await api.post('auth/token/renew-accessor', { accessor, increment: 7200 });
    expect(renewed.body.auth).toMatchObject({ client_token: '', lease_duration: 7200 });
    expect((await api.post('auth/token/revoke-accessor', { accessor })).status).toBe(204);
    expect((await api.as(token as string).get('auth/token/lookup-self')).status).toBe(403);
    const gone = await api.post('auth/token/lookup-accessor', { accessor });
    expect([gone.status, gone.body]).toEqual([400, { errors: [collected('invalid accessor')] }]);
    expect((await api.post('auth/token/revoke-accessor', { accessor })).body.warnings).toEqual([
      'No token found with this accessor',
    ]);
  });
});

describe('expiry and renewal', () => {
  it('tokens expire, children with their parents', async () => {
    const { emulator, api } = await startTestEmulator();
    emulator.clock.freeze();
    const parent = (await api.post('auth/token/create', { policies: ['root'], ttl: '1h' })).body.auth
      .client_token;
    const child = (
      await api.as(parent as string).post('auth/token/create', { policies: ['default'], ttl: '2h' })
    ).body.auth.client_token;
    emulator.clock.advance(3_599_000);
    expect((await api.as(child as string).get('auth/token/lookup-self')).body.data.ttl).toBe(3601);
    emulator.clock.advance(1000);
    for (const token of [parent, child])
      expect((await api.as(token as string).get('auth/token/lookup-self')).status).toBe(403);
    expect((await api.list('auth/token/accessors')).body.data.keys).toHaveLength(1);
  });

  it('tokens are renewed up to the maximum, and periodic tokens without end', async () => {
    const { emulator, api } = await startTestEmulator();
    emulator.clock.freeze();
    const create = async (body: object) =>
      (await api.post('auth/token/create', { policies: ['default'], ...body })).body.auth;
    const limited = await create({ ttl: '1h', explicit_max_ttl: '2h' });
    const periodic = await create({ period: '1h' });
    emulator.clock.advance(3_000_000);
    const renew = async (token: string) =>
      (await api.post('auth/token/renew', { token, increment: '1h' })).body;
    expect((await renew(limited.client_token as string)).auth.lease_duration).toBe(3600);
    expect((await renew(periodic.client_token as string)).auth.lease_duration).toBe(3600);
    emulator.clock.advance(3_000_000);
    const capped = await renew(limited.client_token as string);
    expect(capped.auth.lease_duration).toBe(1200);
    expect(capped.warnings).toEqual([
      'TTL of "1h" exceeded the effective max_ttl of "20m"; TTL value is capped accordingly',
    ]);
    expect((await renew(periodic.client_token as string)).auth.lease_duration).toBe(3600);
    emulator.clock.advance(1_200_000);
    expect((await renew(limited.client_token as string)).errors).toEqual(['token not found']);
    expect(
      (await api.as(periodic.client_token as string).get('auth/token/lookup-self')).body.data,
    ).toMatchObject({
      period: 3600,
      ttl: 2400,
    });
  });

  it('a token that is not renewable cannot be renewed', async () => {
    const token = await create({ policies: ['default'], renewable: false });
    const answer = await use().api.post('auth/token/renew', { token });
    expect([answer.status, answer.body]).toEqual([400, { errors: ['lease is not renewable'] }]);
  });
});

describe('a role for tokens', () => {
  it('a role is written, read, listed and deleted', async () => {
    const { api } = use();
    const written = await api.put('auth/token/roles/ci', {
      allowed_policies: 'app,deploy',
      orphan: true,
      token_period: '2h',
      path_suffix: 'ver1',
      token_num_uses: '4',
    });
    expect(written.status).toBe(204);
    expect((await api.get('auth/token/roles/ci')).body.data).toEqual({
      name: 'ci',
      allowed_policies: ['app', 'deploy'],
      allowed_policies_glob: [],
      disallowed_policies: [],
      disallowed_policies_glob: [],
      allowed_entity_aliases: null,
      orphan: true,
      renewable: true,
      path_suffix: 'ver1',
      token_type: 'default-service',
      token_no_default_policy: false,
      period: 0,
      token_period: 7200,
      explicit_max_ttl: 0,
      token_explicit_max_ttl: 0,
      token_num_uses: 4,
    });
    expect((await api.list('auth/token/roles')).body.data.keys).toContain('ci');
    const { auth } = (await api.post('auth/token/create/ci', {})).body;
    expect(auth).toMatchObject({
      orphan: true,
      policies: ['app', 'default', 'deploy'],
      lease_duration: 7200,
      num_uses: 4,
    });
    expect((await api.post('auth/token/create/ci', { policies: ['other'] })).body.errors).toEqual([
      'token policies (["default" "other"]) must be subset of the role\'s allowed policies (["app" "default" "deploy"]) or glob policies ([])',
    ]);
    expect((await api.as(auth.client_token as string).get('auth/token/lookup-self')).body.data).toMatchObject(
      {
        role: 'ci',
        path: 'auth/token/create/ci/ver1',
      },
    );
    expect((await api.delete('auth/token/roles/ci')).status).toBe(204);
    expect((await api.get('auth/token/roles/ci')).status).toBe(404);
    expect((await api.post('auth/token/create/ci', {})).body.errors).toEqual(['unknown role ci']);
  });

  it('disallowed policies can be patterns', async () => {
    const { api } = use();
    await api.put('auth/token/roles/limited', { disallowed_policies_glob: ['admin-*'] });
    const answer = await api.post('auth/token/create/limited', { policies: ['admin-eu'] });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['token policy "admin-eu" is disallowed by this role'],
    ]);
  });

  it.each([
    [
      'a short path suffix',
      { path_suffix: 'v1' },
      'given role path suffix contains invalid characters; must match \\w[\\w-.]+\\w',
    ],
    ['an unknown type', { token_type: 'x' }, `invalid 'token_type' value "x"`],
    [
      'batch with a parent',
      { token_type: 'batch' },
      "'token_type' cannot be 'batch' when role is set to generate non-orphan tokens",
    ],
  ])('a role is refused with %s', async (_, body, text) => {
    const answer = await use().api.put('auth/token/roles/bad', body);
    expect([answer.status, answer.body]).toEqual([400, { errors: [text] }]);
  });
});
