import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;

const move = (from: string, to: string) => api().post('sys/remount', { from, to });

it('a moved mount keeps its content', async () => {
  await api().post('sys/mounts/a', { type: 'kv' });
  await api().put('a/x', { y: 1 });
  const { accessor } = (await api().get('sys/mounts/a')).body.data;

  const { status, body } = await move('a', 'b/c');
  expect(status).toBe(200);
  expect(body.data).toEqual({ migration_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(body.warnings).toEqual([
    "Mount move has been queued. Progress will be reported in Vault's server log, tagged with the returned migration_id",
  ]);
  expect((await api().get(`sys/remount/status/${body.data.migration_id}`)).body.data).toEqual({
    migration_id: body.data.migration_id,
    migration_info: { source_mount: 'a', status: 'success', target_mount: 'b/c' },
  });

  expect((await api().get('b/c/x')).body.data).toEqual({ y: 1 });
  expect((await api().get('sys/mounts/b/c')).body.data.accessor).toBe(accessor);
  expect((await api().get('a/x')).status).toBe(404);
});

it('auth methods can be moved', async () => {
  await api().post('sys/auth/old', { type: 'userpass' });
  await api().put('auth/old/users/ann', { password: 'x' });
  expect((await move('auth/old', 'auth/new')).status).toBe(200);
  expect((await api().post('auth/new/login/ann', { password: 'x' })).status).toBe(200);
});

it('mounts can be moved between namespaces', async () => {
  await api().post('sys/namespaces/team');
  await api().post('sys/mounts/wander', { type: 'kv' });
  await api().put('wander/x', { y: 1 });
  expect((await move('wander', 'team/wander')).status).toBe(200);
  expect((await api().get('wander/x', { namespace: 'team' })).body.data).toEqual({ y: 1 });
});

it.each([
  ['', 'x', "both 'from' and 'to' path must be specified as a string"],
  ['nowhere', 'x', 'no matching mount at "nowhere/"'],
  ['kept', 'kept', 'path already in use at "kept/"'],
  ['kept', 'a//b', "invalid destination mount: path 'a//b/' does not match cleaned path 'a/b/'"],
  ['sys', 'x', 'cannot remount "sys/"'],
  ['kept', 'cubbyhole', 'cannot remount to destination "cubbyhole/"'],
  ['auth/kept', 'kept', 'cannot remount auth mount to non-auth mount "kept/"'],
  ['auth/token', 'auth/x', 'cannot remount "auth/token/"'],
])('a move from %j to %j is refused', async (from, to, text) => {
  await api().post('sys/mounts/kept', { type: 'kv' });
  await api().post('sys/auth/kept', { type: 'userpass' });
  const { status, body } = await move(from, to);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it('the status of an unknown move is a 404', async () => {
  expect((await api().get('sys/remount/status/x')).status).toBe(404);
});
