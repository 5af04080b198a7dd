import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { temporaryFolder } from '../../support/temporary-folder';
import { collected, type Api } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();
const api = () => use().api;

const may = (path: string) => `path "${path}" { capabilities = ["read"] }`;

beforeAll(async () => {
  await api().put('sys/namespaces/team');
  await api().post('sys/mounts/kv', { type: 'kv', options: { version: '1' } });
  for (const name of ['own', 'entity', 'group', 'parent', 'external'])
    await api().put(`sys/policies/acl/${name}`, { policy: may(`kv/${name}`) });
  for (const name of ['own', 'entity', 'group', 'parent', 'external'])
    await api().put(`kv/${name}`, { x: 1 });
  await api().post('sys/auth/userpass', { type: 'userpass' });
  await api().put('auth/userpass/users/ann', { password: 'x', token_policies: 'own' });
});

const login = async () => (await api().put('auth/userpass/login/ann', { password: 'x' })).body.auth;

it('policies of the entity and its groups apply to its tokens immediately', async () => {
  const { entity_id, client_token } = await login();
  const ann = api().as(client_token);
  const read = async () => {
    const allowed: string[] = [];
    for (const name of ['own', 'entity', 'group', 'parent'])
      if ((await ann.get(`kv/${name}`)).status === 200) allowed.push(name);
    return allowed;
  };
  expect(await read()).toEqual(['own']);
  await api().post(`identity/entity/id/${entity_id}`, { policies: 'entity' });
  expect(await read()).toEqual(['own', 'entity']);
  const group = (await api().post('identity/group', { policies: 'group', member_entity_ids: entity_id })).body
    .data.id;
  const parent = (await api().post('identity/group', { policies: 'parent', member_group_ids: group })).body
    .data.id;
  expect(await read()).toEqual(['own', 'entity', 'group', 'parent']);
  expect((await ann.get('auth/token/lookup-self')).body.data).toMatchObject({
    policies: ['default', 'own'],
    identity_policies: ['entity', 'group', 'parent'],
    external_namespace_policies: {},
  });
  expect(await login()).toMatchObject({
    policies: ['default', 'entity', 'group', 'own', 'parent'],
    token_policies: ['default', 'own'],
    identity_policies: ['entity', 'group', 'parent'],
  });
  await api().delete(`identity/group/id/${group}`);
  expect(await read()).toEqual(['own', 'entity']);
  await api().delete(`identity/group/id/${parent}`);
  await api().post(`identity/entity/id/${entity_id}`, { policies: [] });
  expect(await read()).toEqual(['own']);
  expect((await ann.get('auth/token/lookup-self')).body.data).not.toHaveProperty('identity_policies');
});

describe('policies of a group in another namespace', () => {
  const team = { namespace: 'team' };
  const MODE = 'sys/config/group-policy-application';

  beforeAll(async () => {
    await api().post('sys/mounts/kv', { type: 'kv', options: { version: '1' } }, team);
    await api().put('kv/below', { x: 1 }, team);
  });

  it('a group below the namespace of a token applies in the namespace of the group', async () => {
    const { entity_id, client_token } = await login();
    await api().put('sys/policies/acl/below', { policy: may('+/*') }, team);
    const body = { name: 'below', policies: 'below', member_entity_ids: [entity_id] };
    expect((await api().post('identity/group', body, team)).status).toBe(200);
    const ann = api().as(client_token);
    expect((await ann.get('kv/below', team)).status).toBe(200);
    expect((await ann.get('kv/entity')).status).toBe(403);
    const { id } = (await api().get('sys/namespaces/team')).body.data as { id: string };
    expect((await ann.get('auth/token/lookup-self')).body.data).toMatchObject({
      identity_policies: null,
      external_namespace_policies: { [id]: ['below'] },
    });
    await api().delete('identity/group/name/below', team);
    expect((await ann.get('kv/below', team)).status).toBe(403);
  });

  it('a group above the namespace of a token applies only with the mode "any"', async () => {
    await api().post('sys/auth/userpass', { type: 'userpass' }, team);
    await api().put('auth/userpass/users/tim', { password: 'x' }, team);
    const { body } = await api().put('auth/userpass/login/tim', { password: 'x' }, team);
    const { entity_id, client_token } = body.auth as { entity_id: string; client_token: string };
    const tim = api().as(client_token);
    await api().put('sys/policies/acl/above', { policy: may('team/kv/*') });
    await api().post('identity/group', { name: 'above', policies: 'above', member_entity_ids: entity_id });
    const read = async () => (await tim.get('kv/below', team)).status;
    expect((await api().get(MODE)).body.data).toEqual({
      group_policy_application_mode: 'within_namespace_hierarchy',
    });
    expect(await read()).toBe(403);
    expect((await api().post(MODE, { group_policy_application_mode: 'any' })).status).toBe(204);
    expect(await read()).toBe(200);
    await api().post(MODE, { group_policy_application_mode: 'within_namespace_hierarchy' });
    expect(await read()).toBe(403);
    await api().delete('identity/group/name/above');
  });

  it('another mode is refused', async () => {
    expect(await api().post(MODE, { group_policy_application_mode: 'all' })).toMatchObject({
      status: 400,
      body: { errors: ['group_policy_application_mode must be one of within_namespace_hierarchy, any'] },
    });
  });
});

it('templates of groups and of the entity are filled in', async () => {
  const { entity_id, client_token } = await login();
  const group = (
    await api().post('identity/group', {
      name: 'tpl',
      metadata: { area: 'kv' },
      member_entity_ids: entity_id,
    })
  ).body.data.id;
  const ann = api().as(client_token);
  const statusWith = async (policy: string) => {
    await api().put('sys/policies/acl/own', { policy });
    return (await ann.get('kv/entity')).status;
  };
  expect(await statusWith(may('{{identity.groups.names.tpl.metadata.area}}/entity'))).toBe(200);
  expect(await statusWith(may(`{{identity.groups.ids.${group}.metadata.area}}/entity`))).toBe(200);
  expect(await statusWith(may(`{{identity.groups.ids.${group}.name}}/entity`))).toBe(403);
  expect(await statusWith(may('{{identity.groups.names.other.metadata.area}}/entity'))).toBe(403);
  await api().post(`identity/entity/id/${entity_id}`, { metadata: { area: 'kv' } });
  expect(await statusWith(may('{{identity.entity.metadata.area}}/entity'))).toBe(200);
  await api().put('sys/policies/acl/own', { policy: may('kv/own') });
  await api().delete(`identity/group/id/${group}`);
});

it('RGPs of the entity and its groups are evaluated', async () => {
  const { entity_id, client_token } = await login();
  const ann = api().as(client_token);
  const deny = {
    policy: 'main = rule { identity.entity.name is not "ann" }',
    enforcement_level: 'hard-mandatory',
  };
  await api().put('sys/policies/rgp/not-ann', deny);
  await api().post(`identity/entity/id/${entity_id}`, { name: 'ann', policies: 'not-ann' });
  const refused = await ann.get('kv/own');
  expect(refused.status).toBe(403);
  expect(refused.body.errors[0]).toContain(
    'rgp standard policy "root/not-ann" evaluation resulted in denial.',
  );
  await api().post(`identity/entity/id/${entity_id}`, { policies: [] });
  expect((await ann.get('kv/own')).status).toBe(200);
  const group = (await api().post('identity/group', { policies: 'not-ann', member_entity_ids: entity_id }))
    .body.data.id;
  expect((await ann.get('kv/own')).status).toBe(403);
  await api().delete(`identity/group/id/${group}`);
  expect((await ann.get('kv/own')).status).toBe(200);
});

it('Sentinel policies can read entity, aliases and groups, also during a login', async () => {
  const { entity_id } = await login();
  await api().post(`identity/entity/id/${entity_id}`, { metadata: { level: '3' } });
  const group = (await api().post('identity/group', { name: 'readers', member_entity_ids: entity_id })).body
    .data.id;
  const condition =
    'identity.entity.metadata.level is "3" and identity.entity.aliases[0].name is "ann" and ' +
    'identity.entity.aliases[0].mount_path is "auth/userpass/" and "readers" in identity.groups.by_name and ' +
    `identity.groups.by_id["${group}"].member_entity_ids is ["${entity_id}"]`;
  const body = {
    policy: `main = rule { ${condition} }`,
    enforcement_level: 'hard-mandatory',
    paths: 'kv/*,auth/userpass/login/*',
  };
  await api().put('sys/policies/egp/known', body);
  const ann = api().as((await login()).client_token);
  expect((await ann.get('kv/own')).status).toBe(200);
  await api().put('auth/userpass/users/bob', { password: 'x' });
  const unknown = await api().as(undefined).put('auth/userpass/login/bob', { password: 'x' });
  expect([unknown.status, unknown.body.errors[0]]).toEqual([
    400,
    expect.stringContaining('unknown identifier accessed: identity'),
  ]);
  await api().delete('sys/policies/egp/known');
  await api().delete(`identity/group/id/${group}`);
});

describe('a token of an entity', () => {
  it('a token is refused while its entity is disabled, and after it was deleted', async () => {
    await api().put('auth/userpass/users/carl', { password: 'x' });
    const { entity_id, client_token } = (await api().put('auth/userpass/login/carl', { password: 'x' })).body
      .auth;
    const carl = api().as(client_token);
    await api().post(`identity/entity/id/${entity_id}`, { disabled: true });
    expect((await carl.get('auth/token/lookup-self')).body).toEqual({ errors: ['permission denied'] });
    const again = await api().as(undefined).put('auth/userpass/login/carl', { password: 'x' });
    expect([again.status, again.body]).toEqual([403, { errors: ['permission denied'] }]);
    await api().post(`identity/entity/id/${entity_id}`, { disabled: false });
    expect((await carl.get('auth/token/lookup-self')).status).toBe(200);
    await api().delete(`identity/entity/id/${entity_id}`);
    expect((await carl.get('auth/token/lookup-self')).status).toBe(403);
  });

  it('a token continues to work if its entity is merged into another one', async () => {
    await api().put('auth/userpass/users/dora', { password: 'x' });
    const { entity_id, client_token } = (await api().put('auth/userpass/login/dora', { password: 'x' })).body
      .auth;
    const to = (await api().post('identity/entity', { policies: 'entity' })).body.data.id;
    await api().post('identity/entity/merge', { to_entity_id: to, from_entity_ids: entity_id });
    expect((await api().as(client_token).get('kv/entity')).status).toBe(200);
  });
});

describe('the members of external groups', () => {
  let key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    await api().post('sys/auth/jwt', { type: 'jwt' });
    await api().put('auth/jwt/config', { jwt_validation_pubkeys: await exportSPKI(pair.publicKey) });
    await api().put('auth/jwt/role/r', {
      role_type: 'jwt',
      user_claim: 'sub',
      groups_claim: 'groups',
      bound_audiences: 'a',
    });
  });

  async function signIn(groups: readonly string[]): Promise<Api> {
    const jwt = await new SignJWT({ groups: [...groups] })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject('eve')
      .setAudience('a')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key);
    const { body } = await api().as(undefined).put('auth/jwt/login', { role: 'r', jwt });
    return api().as(body.auth.client_token as string);
  }

  it('each login sets the groups that the auth method returns', async () => {
    const { accessor } = (await api().get('sys/auth/jwt')).body.data;
    const { canonical_id } = (
      await api().post('identity/group-alias', { name: 'admins', mount_accessor: accessor })
    ).body.data;
    await api().post(`identity/group/id/${canonical_id}`, { policies: 'external' });
    const outside = await signIn(['others']);
    expect((await outside.get('kv/external')).body.errors).toEqual([collected('permission denied')]);
    const inside = await signIn(['admins', 'others']);
    expect((await inside.get('kv/external')).status).toBe(200);
    const left = await signIn([]);
    expect((await left.get('kv/external')).status).toBe(403);
  });
});

it('entities, groups and policies in a data folder are kept after a restart', async () => {
  const dataFolder = temporaryFolder('identity');
  const before = await startTestEmulator({ dataFolder });
  const id = (await before.api.post('identity/entity', { name: 'kept', policies: 'x' })).body.data.id;
  await before.api.post('identity/group', { name: 'group', member_entity_ids: id });
  const deny = { policy: 'main = rule { false }', enforcement_level: 'hard-mandatory', paths: '*' };
  await before.api.put('sys/policies/egp/deny', deny);
  const { client_token } = (await before.api.post('auth/token/create', { policies: ['default'] })).body.auth;
  await before.emulator.close();
  const after = await startTestEmulator({ dataFolder });
  expect((await after.api.get('identity/entity/name/kept')).body.data).toMatchObject({
    id,
    policies: ['x'],
  });
  expect((await after.api.get('identity/group/name/group')).body.data.member_entity_ids).toEqual([id]);
  expect((await after.api.as(client_token).get('auth/token/lookup-self')).body.errors[0]).toContain(
    'root/deny',
  );
  await after.emulator.close();
});

it('time templates follow the clock', async () => {
  const { emulator } = use();
  const seconds = () => Math.floor(emulator.clock.now() / 1000);
  emulator.clock.freeze();
  const last = seconds() + 3600;
  await api().put('sys/policies/acl/timed', { policy: may('kv/{{time.now.plus.1h}}') });
  await api().put(`kv/${last}`, { x: 1 });
  await api().put(`kv/${last + 600}`, { x: 1 });
  const { body } = await api().post('auth/token/create', { policies: ['timed'], ttl: '24h' });
  const holder = api().as(body.auth.client_token);
  try {
    // The server compiles an ACL for this request, which it must not use for the next one.
    await holder.get(`kv/${last}`);
    emulator.clock.advance((last + 600 - 3600 - seconds()) * 1000);
    expect((await holder.get(`kv/${seconds() + 3600}`)).status).toBe(200);
    expect((await holder.get(`kv/${last}`)).status).toBe(403);
  } finally {
    emulator.clock.resume();
  }
});
