import { collected } from '../support/api';
import { useNewEmulators } from '../support/emulator';

const use = useNewEmulators();
const api = () => use().api;

let first = '';
let second = '';

beforeEach(async () => {
  for (const path of ['first', 'second']) await api().post(`sys/auth/${path}`, { type: 'userpass' });
  await api().put('sys/namespaces/team');
  const { data } = (await api().get('sys/auth')).body;
  first = data['first/'].accessor;
  second = data['second/'].accessor;
});

/**
 * Creates an entity.
 *
 * @returns its id.
 */
async function entity(body: object = {}): Promise<string> {
  return (await api().post('identity/entity', body)).body.data.id as string;
}

async function alias(body: object): Promise<string> {
  return (await api().post('identity/entity-alias', body)).body.data.id as string;
}

const read = async (id: string) => (await api().get(`identity/entity/id/${id}`)).body.data;

describe('entities of the identity store', () => {
  it('an entity is created, read, updated, listed and deleted', async () => {
    const created = await api().post('identity/entity', {
      name: 'Ann',
      policies: ['B', 'a', ' b '],
      metadata: ['team=x', 'desk=7'],
    });
    const { id } = created.body.data;
    expect([created.status, created.body.data]).toEqual([
      200,
      { aliases: null, id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Ann' },
    ]);
    const expected = {
      aliases: [],
      creation_time: expect.any(String),
      direct_group_ids: [],
      disabled: false,
      group_ids: [],
      id,
      inherited_group_ids: [],
      last_update_time: expect.any(String),
      merged_entity_ids: null,
      metadata: { team: 'x', desk: '7' },
      name: 'Ann',
      namespace_id: 'root',
      policies: ['a', 'b'],
    };
    expect(await read(id)).toEqual(expected);
    expect((await api().get('identity/entity/name/ann')).body.data).toEqual(expected);
    expect((await api().post('identity/entity', { name: 'ANN', policies: 'c' })).status).toBe(204);
    expect((await api().post(`identity/entity/id/${id}`, { disabled: true })).status).toBe(204);
    expect(await read(id)).toMatchObject({ name: 'ANN', policies: ['c'], disabled: true });
    expect((await api().list('identity/entity/name')).body.data).toEqual({ keys: ['ANN'] });
    expect((await api().list('identity/entity/id')).body.data).toEqual({
      key_info: { [id]: { name: 'ANN' } },
      keys: [id],
    });
    expect((await api().delete('identity/entity/name/ann')).status).toBe(204);
    expect((await api().get(`identity/entity/id/${id}`)).status).toBe(404);
    expect((await api().delete(`identity/entity/id/${id}`)).status).toBe(204);
    expect((await api().list('identity/entity/id')).status).toBe(404);
  });

  it('a name is generated if none is given, and may contain slashes', async () => {
    const { id, name } = (await api().post('identity/entity')).body.data;
    expect(name).toMatch(/^entity_[0-9a-f]{8}$/);
    expect((await api().post('identity/entity/name/a/b')).status).toBe(200);
    expect((await api().get('identity/entity/name/a/b')).body.data.name).toBe('a/b');
    await api().post('identity/entity/batch-delete', { entity_ids: [id, 'unknown'] });
    expect((await api().get(`identity/entity/id/${id}`)).status).toBe(404);
    expect((await api().delete('identity/entity/name/a/b')).status).toBe(204);
  });

  it.each([
    [400, 'identity/entity', { policies: 'root' }, 'policies cannot contain root'],
    [400, 'identity/entity', { id: 'unknown' }, 'entity not found from id'],
    [400, 'identity/entity/id/unknown', {}, 'entity not found from id'],
    [400, 'identity/entity/batch-delete', {}, 'missing entity ids to delete'],
    [
      500,
      'identity/entity',
      { metadata: { 'x y': '1' } },
      collected(
        'invalid entity metadata: failed to load metadata pair ("x y", "1"): key contains invalid characters',
      ),
    ],
    [
      500,
      'identity/entity',
      { metadata: { 'vault-x': '1' } },
      collected(
        'invalid entity metadata: failed to load metadata pair ("vault-x", "1"): key prefix "vault-" is reserved for internal use',
      ),
    ],
  ])('a request is refused with %i: %s with %j', async (status, path, body, text) => {
    const refused = await api().post(path, body);
    expect([refused.status, refused.body.errors]).toEqual([status, [text]]);
  });

  it('the name must be unique in the namespace', async () => {
    const id = await entity({ name: 'one' });
    const other = await entity({ name: 'other' });
    expect((await api().post('identity/entity', { id, name: 'other' })).body.errors).toEqual([
      'entity name is already in use',
    ]);
    const namespace = 'team';
    expect((await api().get(`identity/entity/id/${id}`, { namespace })).status).toBe(404);
    expect((await api().delete(`identity/entity/id/${id}`, { namespace })).status).toBe(204);
    expect((await read(id)).name).toBe('one');
    expect((await api().post('identity/entity', { name: 'one' }, { namespace })).status).toBe(200);
    await api().post('identity/entity/batch-delete', { entity_ids: `${id},${other}` });
  });
});

describe('aliases of entities', () => {
  it('an alias is created, read, updated, moved, listed and deleted', async () => {
    const from = await entity();
    const to = await entity();
    const id = await alias({
      name: 'ann',
      mount_accessor: first,
      canonical_id: from,
      custom_metadata: { c: 'd' },
    });
    const expected = {
      canonical_id: from,
      creation_time: expect.any(String),
      custom_metadata: { c: 'd' },
      id,
      last_update_time: expect.any(String),
      local: false,
      merged_from_canonical_ids: null,
      metadata: null,
      mount_accessor: first,
      mount_path: 'auth/first/',
      mount_type: 'userpass',
      name: 'ann',
      namespace_id: 'root',
    };
    expect((await api().get(`identity/entity-alias/id/${id}`)).body.data).toEqual(expected);
    expect((await read(from)).aliases).toEqual([{ ...expected, namespace_id: undefined }]);
    const unchanged = await api().post(`identity/entity-alias/id/${id}`, { name: 'ann' });
    expect(unchanged.status).toBe(204);
    expect(
      (await api().post(`identity/entity-alias/id/${id}`, { name: 'Ann', custom_metadata: {} })).body.data,
    ).toEqual({
      canonical_id: from,
      id,
    });
    expect((await api().post('identity/entity-alias', { id, canonical_id: to })).body.data.canonical_id).toBe(
      to,
    );
    expect((await read(from)).aliases).toEqual([]);
    expect((await read(to)).aliases).toMatchObject([{ id, name: 'Ann', custom_metadata: null }]);
    expect((await api().list('identity/entity-alias/id')).body.data.key_info[id]).toEqual({
      canonical_id: to,
      custom_metadata: null,
      local: false,
      metadata: null,
      mount_accessor: first,
      mount_path: 'auth/first/',
      mount_type: 'userpass',
      name: 'Ann',
    });
    expect((await api().delete(`identity/entity-alias/id/${id}`)).status).toBe(204);
    expect((await api().get(`identity/entity-alias/id/${id}`)).status).toBe(404);
    expect((await read(to)).aliases).toEqual([]);
    await api().post('identity/entity/batch-delete', { entity_ids: [from, to] });
  });

  it('an alias without an entity creates one', async () => {
    const { id, canonical_id } = (
      await api().post('identity/entity-alias', { name: 'new', mount_accessor: first })
    ).body.data;
    expect((await read(canonical_id)).aliases[0].id).toBe(id);
    await api().delete(`identity/entity/id/${canonical_id}`);
    expect((await api().get(`identity/entity-alias/id/${id}`)).status).toBe(404);
  });

  it('an invalid alias is refused', async () => {
    const one = await entity();
    const two = await entity();
    const id = await alias({ name: 'ann', mount_accessor: first, canonical_id: one });
    await alias({ name: 'ann', mount_accessor: second, canonical_id: one });
    await alias({ name: 'bob', mount_accessor: first, canonical_id: two });
    const refusal = async (path: string, body: object) =>
      (await api().post(`identity/${path}`, body)).body.errors;
    expect(await refusal('entity-alias', { name: 'x' })).toEqual([
      "'id' or 'mount_accessor' and 'name' must be provided",
    ]);
    expect(await refusal('entity-alias', { name: 'x', mount_accessor: 'y' })).toEqual([
      'invalid mount accessor "y"',
    ]);
    expect(await refusal('entity-alias', { name: 'x', mount_accessor: first, canonical_id: 'y' })).toEqual([
      'invalid canonical ID',
    ]);
    expect(await refusal('entity-alias', { name: 'x', mount_accessor: first, canonical_id: one })).toEqual([
      'Alias already exists for requested entity and mount accessor',
    ]);
    expect(await refusal('entity-alias/id/unknown', { name: 'x' })).toEqual(['invalid alias ID provided']);
    expect(await refusal(`entity-alias/id/${id}`, { name: 'bob' })).toEqual([
      'alias with combination of mount accessor and name already exists',
    ]);
    expect(await refusal(`entity-alias/id/${id}`, { mount_accessor: second })).toEqual([
      "Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ",
    ]);
    expect(await refusal(`entity-alias/id/${id}`, { canonical_id: two })).toEqual([
      'Alias cannot be updated as the given entity already has an alias for this mount ',
    ]);
    expect(await refusal(`entity-alias/id/${id}`, { canonical_id: 'y' })).toEqual([
      "given 'canonical_id' is not associated with an entity",
    ]);
    expect(await refusal('entity-alias', { id, custom_metadata: { k: '' } })).toEqual([
      collected(
        'custom_metadata validation failed: length of value for key "k" is 0 but must be 0 < len(value) <= 512',
      ),
    ]);
    await api().post('identity/entity/batch-delete', { entity_ids: [one, two] });
  });
});

describe('a lookup of an entity', () => {
  it.each([
    ['entity', {}, 'query parameter not supplied'],
    ['group', {}, 'query parameter not supplied'],
    [
      'entity',
      { id: 'a', name: 'b' },
      'query parameter conflict; please supply distinct set of query parameters',
    ],
    ['group', { alias_name: 'a' }, "both 'alias_name' and 'alias_mount_accessor' needs to be set"],
  ])('a lookup of an %s with %j is refused', async (what, body, text) => {
    const refused = await api().post(`identity/lookup/${what}`, body);
    expect([refused.status, refused.body.errors]).toEqual([400, [text]]);
  });

  it('entities are found by id, name and alias', async () => {
    const id = await entity({ name: 'Wanted' });
    const aliasId = await alias({ name: 'wanted', mount_accessor: first, canonical_id: id });
    const queries = [
      { id },
      { name: 'wanted' },
      { alias_id: aliasId },
      { alias_name: 'WANTED', alias_mount_accessor: first },
    ];
    for (const query of queries) {
      expect((await api().post('identity/lookup/entity', query)).body.data.id).toBe(id);
    }
    expect((await api().post('identity/lookup/entity', { name: 'unknown' })).status).toBe(204);
    expect((await api().post('identity/lookup/entity', { id }, { namespace: 'team' })).status).toBe(204);
    await api().delete(`identity/entity/id/${id}`);
  });
});

describe('a merge of entities', () => {
  it('the merged entity has the aliases and groups of the others, and not their policies', async () => {
    const to = await entity({ policies: 'p' });
    const from = await entity({ policies: 'q' });
    const aliasId = await alias({ name: 'merged', mount_accessor: first, canonical_id: from });
    const group = (await api().post('identity/group', { member_entity_ids: [from] })).body.data.id;
    const merge = { to_entity_id: to, from_entity_ids: [from] };
    expect((await api().post('identity/entity/merge', merge)).status).toBe(204);
    expect(await read(to)).toMatchObject({
      policies: ['p'],
      merged_entity_ids: [from],
      direct_group_ids: [group],
      aliases: [{ id: aliasId, canonical_id: to, merged_from_canonical_ids: [from] }],
    });
    expect((await api().get(`identity/entity/id/${from}`)).status).toBe(404);
    await api().delete(`identity/entity/id/${to}`);
    await api().delete(`identity/group/id/${group}`);
  });

  it('conflicting aliases are returned for the caller to choose', async () => {
    const to = await entity({ name: 'to' });
    const from = await entity({ name: 'from' });
    const kept = await alias({ name: 'a', mount_accessor: first, canonical_id: from });
    await alias({ name: 'b', mount_accessor: first, canonical_id: to });
    const merge = { to_entity_id: to, from_entity_ids: [from] };
    const asked = await api().post('identity/entity/merge', merge);
    expect(asked.status).toBe(400);
    expect(asked.body.errors[0]).toMatch(
      /^2 errors occurred:\n\t\* toEntity and at least one fromEntity have aliases/,
    );
    expect(asked.body.data).toEqual([
      { alias: 'b', entity: 'to', entity_id: to, mount: 'userpass', mount_path: 'auth/first/' },
      { alias: 'a', entity: 'from', entity_id: from, mount: 'userpass', mount_path: 'auth/first/' },
    ]);
    const chosen = { ...merge, conflicting_alias_ids_to_keep: [kept] };
    expect((await api().post('identity/entity/merge', chosen)).status).toBe(204);
    expect((await read(to)).aliases).toMatchObject([{ id: kept }]);
    await api().delete(`identity/entity/id/${to}`);
  });

  it.each([
    [{}, 'missing entity id to merge to'],
    [{ to_entity_id: 'x' }, 'missing entity ids to merge from'],
    [{ to_entity_id: 'x', from_entity_ids: 'y' }, 'entity id to merge to is invalid'],
  ])('a merge is refused with %j', async (body, text) => {
    expect((await api().post('identity/entity/merge', body)).body.errors).toEqual([text]);
  });
});
