import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;

beforeAll(async () => {
  await api().post('sys/auth/userpass', { type: 'userpass' });
  await api().put('auth/userpass/users/ann', { password: 'x' });
});

const login = async () => (await api().post('auth/userpass/login/ann', { password: 'x' })).body.auth;

it('a user has the same entity at each login', async () => {
  expect((await login()).entity_id).toBe((await login()).entity_id);
});

it('a lookup of a token shows the entity of its user', async () => {
  const { entity_id } = await login();
  const { accessor } = (await api().get('sys/auth')).body.data['userpass/'];

  const { data } = (await api().get(`identity/entity/id/${entity_id}`)).body;
  expect(data).toMatchObject({
    id: entity_id,
    name: expect.stringMatching(/^entity_[0-9a-z]{8}$/),
    namespace_id: 'root',
    aliases: [
      {
        canonical_id: entity_id,
        metadata: null,
        mount_accessor: accessor,
        mount_path: 'auth/userpass/',
        mount_type: 'userpass',
        name: 'ann',
      },
    ],
  });
  expect((await api().get(`identity/entity/name/${data.name}`)).body.data).toEqual(data);
  const byAlias = { alias_name: 'ann', alias_mount_accessor: accessor };
  expect((await api().post('identity/lookup/entity', byAlias)).body.data).toEqual(data);
  expect((await api().list('identity/entity/id')).body.data.keys).toContain(entity_id);
});

it('a child token has the entity of its parent', async () => {
  await api().put('sys/policies/acl/parent', {
    policy: 'path "auth/token/create" { capabilities = ["update"] }',
  });
  await api().put('auth/userpass/users/ann', { token_policies: 'parent' });
  const { entity_id, client_token } = await login();
  const child = await api().as(client_token).post('auth/token/create', {});
  expect(child.body.auth.entity_id).toBe(entity_id);
});

it('an alias that a token role allows gets an entity', async () => {
  await api().post('auth/token/roles/service', { allowed_entity_aliases: 'app-*' });
  const create = (entity_alias: string) => api().post('auth/token/create/service', { entity_alias });
  const first = (await create('app-one')).body.auth.entity_id;
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect((await create('app-one')).body.auth.entity_id).toBe(first);
  expect((await create('app-two')).body.auth.entity_id).not.toBe(first);
  expect((await create('other')).body).toEqual({ errors: ["invalid 'entity_alias' value"] });
});

describe('templates in policies', () => {
  const clientOf = async () => api().as((await login()).client_token);

  it('the default policy allows users to read their own entity', async () => {
    const { entity_id } = await login();
    const client = await clientOf();
    expect((await client.get(`identity/entity/id/${entity_id}`)).status).toBe(200);
    expect((await client.get('identity/entity/id/another')).status).toBe(403);
  });

  it('templates are replaced by the name, the aliases and their metadata', async () => {
    await api().post('sys/mounts/homes', { type: 'kv' });
    const { accessor } = (await api().get('sys/auth/userpass')).body.data;
    const alias = `identity.entity.aliases.${accessor}`;
    const rule = (path: string) => `path "homes/${path}" { capabilities = ["create", "update"] }\n`;
    await api().put('sys/policies/acl/homes', {
      policy:
        rule(`by-name/{{${alias}.name}}/*`) +
        rule(`by-metadata/{{ identity.entity.metadata.desk }}/*`) +
        rule(`by-nothing/{{${alias}.metadata.team}}*`) +
        rule('by-group/{{identity.groups.names.ops.id}}*'),
    });
    await api().put('auth/userpass/users/ann', { token_policies: 'homes' });
    const { entity_id } = await login();
    await api().post(`identity/entity/id/${entity_id}`, { metadata: { desk: 'ann' } });
    const client = await clientOf();
    const write = async (path: string) => (await client.put(`homes/${path}`, { x: 1 })).status;
    expect(await write('by-name/ann/a')).toBe(204);
    expect(await write('by-metadata/ann/a')).toBe(204);
    expect(await write('by-name/bob/a')).toBe(403);
    expect(await write('by-nothing/a')).toBe(403);
    expect(await write('by-group/a')).toBe(403);
  });
});
