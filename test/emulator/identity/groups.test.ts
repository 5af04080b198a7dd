import { collected } from '../support/api';
import { useNewEmulators } from '../support/emulator';

const use = useNewEmulators();
const api = () => use().api;

let accessor = '';
let local = '';

beforeEach(async () => {
  await api().post('sys/auth/userpass', { type: 'userpass' });
  await api().post('sys/auth/local', { type: 'userpass', local: true });
  const { data } = (await api().get('sys/auth')).body;
  accessor = data['userpass/'].accessor;
  local = data['local/'].accessor;
});

const create = async (body: object): Promise<string> =>
  (await api().post('identity/group', body)).body.data.id as string;
const read = async (id: string) => (await api().get(`identity/group/id/${id}`)).body.data;

it('groups are created, read, updated, listed and deleted', async () => {
  const member = (await api().post('identity/entity')).body.data.id;
  const created = await api().post('identity/group', {
    name: 'Ops',
    policies: 'B,a',
    metadata: { floor: '2' },
    member_entity_ids: [member, member],
  });
  const { id } = created.body.data;
  expect(created.body.data).toEqual({ id: expect.any(String), name: 'Ops' });
  const expected = {
    alias: {},
    creation_time: expect.any(String),
    id,
    last_update_time: expect.any(String),
    member_entity_ids: [member],
    member_group_ids: null,
    metadata: { floor: '2' },
    modify_index: 1,
    name: 'Ops',
    namespace_id: 'root',
    parent_group_ids: null,
    policies: ['a', 'b'],
    type: 'internal',
  };
  expect(await read(id)).toEqual(expected);
  expect((await api().get('identity/group/name/ops')).body.data).toEqual(expected);
  expect((await api().post('identity/lookup/group', { name: 'OPS' })).body.data).toEqual(expected);
  expect((await api().post('identity/group', { name: 'ops', policies: [] })).status).toBe(204);
  expect(await read(id)).toMatchObject({ name: 'ops', policies: null, modify_index: 2 });
  expect((await api().list('identity/group/id')).body.data).toEqual({
    key_info: { [id]: { name: 'ops', num_member_entities: 1, num_parent_groups: 0 } },
    keys: [id],
  });
  expect((await api().list('identity/group/name')).body.data).toEqual({ keys: ['ops'] });
  await api().delete(`identity/entity/id/${member}`);
  expect((await read(id)).member_entity_ids).toEqual([]);
  expect((await api().delete(`identity/group/id/${id}`)).status).toBe(204);
  expect((await api().get('identity/group/name/ops')).status).toBe(404);
});

it('groups can be members of groups, but not of themselves', async () => {
  const inner = await create({ name: 'inner' });
  const outer = await create({ name: 'outer', member_group_ids: [inner] });
  expect(await read(outer)).toMatchObject({ member_group_ids: [inner] });
  expect(await read(inner)).toMatchObject({ parent_group_ids: [outer] });
  const cycle = await api().post(`identity/group/id/${inner}`, { member_group_ids: [outer] });
  expect([cycle.status, cycle.body.errors]).toEqual([
    400,
    [`cyclic relationship detected for member group ID "${outer}"`],
  ]);
  const self = await api().post(`identity/group/id/${inner}`, { member_group_ids: [inner] });
  expect([self.status, self.body.errors]).toEqual([
    500,
    [collected(`member group ID "${inner}" is same as the ID of the group`)],
  ]);
  const entity = (await api().post('identity/entity')).body.data.id;
  await api().post(`identity/group/id/${inner}`, { member_entity_ids: entity });
  expect((await api().get(`identity/entity/id/${entity}`)).body.data).toMatchObject({
    direct_group_ids: [inner],
    inherited_group_ids: [outer],
    group_ids: [inner, outer],
  });
  await api().post(`identity/group/id/${outer}`, { member_group_ids: [] });
  expect(await read(inner)).toMatchObject({ parent_group_ids: [] });
  await api().delete(`identity/group/id/${inner}`);
  await api().delete(`identity/group/id/${outer}`);
});

it.each([
  [400, { policies: ['root'] }, 'policies cannot contain root'],
  [400, { type: 'strange' }, 'invalid group type "strange"'],
  [
    400,
    { type: 'external', member_entity_ids: 'x' },
    "member entities can't be set manually for external groups",
  ],
  [400, { type: 'external', member_group_ids: 'x' }, "member groups can't be set for external groups"],
  [400, { id: '' }, 'empty group ID'],
  [400, { id: 'x' }, 'invalid group ID'],
  [400, { name: '' }, 'empty group name'],
  [500, { member_entity_ids: 'x' }, collected('invalid entity ID "x"')],
  [500, { member_group_ids: 'x' }, collected('invalid member group ID "x"')],
])('a group is refused with %i: %j', async (status, body, text) => {
  const refused = await api().post('identity/group', body);
  expect([refused.status, refused.body.errors]).toEqual([status, [text]]);
});

it('the type of a group cannot change, and its name is unique', async () => {
  const id = await create({ name: 'typed' });
  const other = await create({ name: 'untyped' });
  const refusal = async (body: object) => (await api().post(`identity/group/id/${id}`, body)).body.errors;
  expect(await refusal({ type: 'external' })).toEqual(['group type cannot be changed']);
  expect(await refusal({ name: 'untyped' })).toEqual(['group name is already in use']);
  for (const each of [id, other]) await api().delete(`identity/group/id/${each}`);
});

it('an external group has an alias, which can be moved', async () => {
  const group = await create({ name: 'devs', type: 'external' });
  const created = await api().post('identity/group-alias', {
    name: 'devs',
    mount_accessor: accessor,
    canonical_id: group,
  });
  const { id } = created.body.data;
  expect(created.body.data).toEqual({ canonical_id: group, id: expect.any(String) });
  const inGroup = {
    canonical_id: group,
    creation_time: expect.any(String),
    id,
    last_update_time: expect.any(String),
    merged_from_canonical_ids: null,
    metadata: null,
    mount_accessor: accessor,
    mount_path: 'auth/userpass/',
    mount_type: 'userpass',
    name: 'devs',
  };
  expect((await read(group)).alias).toEqual(inGroup);
  expect((await api().get(`identity/group-alias/id/${id}`)).body.data).toEqual({
    ...inGroup,
    custom_metadata: null,
    local: false,
    namespace_id: 'root',
  });
  expect((await api().list('identity/group-alias/id')).body.data.keys).toEqual([id]);
  const same = { name: 'devs', mount_accessor: accessor };
  expect((await api().post(`identity/group-alias/id/${id}`, same)).status).toBe(204);
  const second = (await api().post('identity/group-alias', { name: 'ops', mount_accessor: accessor })).body
    .data;
  expect((await read(second.canonical_id)).type).toBe('external');
  await api().post(`identity/group-alias/id/${id}`, {
    name: 'moved',
    mount_accessor: accessor,
    canonical_id: second.canonical_id,
  });
  expect((await read(group)).alias).toEqual({});
  expect((await read(second.canonical_id)).alias).toMatchObject({ id, name: 'moved' });
  expect((await api().delete(`identity/group-alias/id/${id}`)).status).toBe(204);
  expect((await read(second.canonical_id)).alias).toEqual({});
});

it('an invalid alias of a group is refused', async () => {
  const internal = await create({ name: 'internal' });
  const refusal = async (body: object) => (await api().post('identity/group-alias', body)).body.errors;
  expect(await refusal({})).toEqual(['missing alias name']);
  expect(await refusal({ name: 'x' })).toEqual(['missing mount_accessor']);
  expect(await refusal({ name: 'x', mount_accessor: 'y' })).toEqual(['invalid mount accessor "y"']);
  expect(await refusal({ name: 'x', mount_accessor: local })).toEqual([
    `mount accessor "${local}" is a local mount`,
  ]);
  expect(await refusal({ name: 'x', mount_accessor: accessor, canonical_id: internal })).toEqual([
    "alias can't be set on an internal group",
  ]);
  expect(await refusal({ name: 'x', mount_accessor: accessor, canonical_id: 'y' })).toEqual([
    "invalid group ID given in 'canonical_id'",
  ]);
  await api().post('identity/group-alias', { name: 'taken', mount_accessor: accessor });
  expect(await refusal({ name: 'Taken', mount_accessor: accessor })).toEqual([
    'combination of mount and group alias name is already in use',
  ]);
  expect((await api().post('identity/group-alias/id/unknown', { name: 'x' })).body.errors).toEqual([
    'invalid group alias ID',
  ]);
});
