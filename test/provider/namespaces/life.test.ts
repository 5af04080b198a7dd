import { startStack, type Stack } from '../support';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const ADDRESS = 'vaultadmin_namespace.team';
const namespace = (rest = '', name = 'team') =>
  `resource "vaultadmin_namespace" "${name}" {\n  path = "${name}"\n${rest}\n}\n`;
const METADATA = '  custom_metadata = { owner = "ops", tier = "1" }';
const stored = async (path = 'team') => (await stack.ask('GET', `sys/namespaces/${path}`)).data;

test('a namespace is created, patched and deleted', async () => {
  stack.resources(namespace(METADATA));
  expect((await stack.must('apply')).requests).toEqual([
    'GET sys/namespaces/team',
    'GET sys/namespaces/team',
    'POST sys/namespaces/team',
  ]);
  const state = (await stack.workspace.state())[ADDRESS];
  expect(state).toEqual({
    id: 'us//team',
    cluster: 'us',
    namespace: null,
    path: 'team',
    path_fq: 'team',
    namespace_id: (await stored())?.id,
    custom_metadata: { owner: 'ops', tier: '1' },
    force_destroy: false,
  });
  expect((await stack.must('plan')).planned).toEqual({});

  stack.resources(namespace('  custom_metadata = { owner = "dev" }'));
  const { planned, requests } = await stack.must('apply');
  expect(planned).toEqual({ [ADDRESS]: 'update' });
  expect(requests).toContain('PATCH sys/namespaces/team');
  expect(requests).not.toContain('POST sys/namespaces/team');
  expect((await stored())?.custom_metadata).toEqual({ owner: 'dev' });

  stack.resources(namespace());
  await stack.must('apply');
  expect((await stored())?.custom_metadata).toEqual({});
  expect((await stack.must('plan')).planned).toEqual({});

  await stack.must('destroy');
  expect((await stack.ask('GET', 'sys/namespaces/team')).status).toBe(404);
});

test('a plan restores metadata that was changed by hand, and creates a namespace that was deleted by hand', async () => {
  stack.resources(namespace(METADATA));
  await stack.must('apply');
  await stack.ask('POST', 'sys/namespaces/team', { custom_metadata: { stray: 'x' } });
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'update' });
  expect((await stored())?.custom_metadata).toEqual({ owner: 'ops', tier: '1' });
  await stack.ask('DELETE', 'sys/namespaces/team');
  expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'create' });
});

const NESTED = `${namespace()}
  resource "vaultadmin_namespace" "app" {
    namespace = vaultadmin_namespace.team.path_fq
    path      = "app"
  }
  resource "vaultadmin_acl_policy" "dev" {
    namespace = vaultadmin_namespace.app.path_fq
    name      = "dev"
    policy    = "path \\"secret/*\\" { capabilities = [\\"read\\"] }"
  }
`;

test('a saved plan destroys a namespace that was deleted by hand in the meantime', async () => {
  stack.resources(namespace());
  await stack.must('apply');
  await stack.must('plan', '-destroy', '-out=tfplan');
  await stack.ask('DELETE', 'sys/namespaces/team');
  expect((await stack.workspace.must('apply', 'tfplan')).stdout).toContain('1 destroyed');
});

test('one apply creates nested namespaces and a policy in one of them, and one destroy removes them', async () => {
  stack.resources(NESTED);
  await stack.must('apply');
  const state = await stack.workspace.state();
  expect(state['vaultadmin_namespace.app']).toMatchObject({ id: 'us/team//app', path_fq: 'team/app' });
  expect(state['vaultadmin_acl_policy.dev']).toMatchObject({ id: 'us/team/app//dev' });
  expect((await stack.must('plan')).planned).toEqual({});
  await stack.must('destroy');
  expect((await stack.ask('GET', 'sys/namespaces/team')).status).toBe(404);
});

test('a namespace that contains objects is destroyed only if force_destroy is true', async () => {
  stack.resources(namespace());
  await stack.must('apply');
  await stack.ask('POST', 'team/sys/mounts/kv', { type: 'kv' });
  await stack.ask('POST', 'team/sys/policies/acl/ops', { policy: 'path "a" { capabilities = ["read"] }' });
  const refused = await stack.run('destroy');
  expect(refused.errors).toEqual([
    expect.objectContaining({ summary: 'cannot delete namespace "team" on cluster "us": it is not empty' }),
  ]);
  expect(refused.errors[0]!.detail).toBe(
    'Its content, which would be deleted as well:\n' +
      '- secrets engine "kv/"\n' +
      '- policy "ops" ' +
      'Nothing was changed.\n' +
      'To do: delete its content, or apply with force_destroy = true before you destroy it.',
  );
  expect((await stored())?.path).toBe('team/');

  stack.resources(namespace('  force_destroy = true'));
  const { requests } = await stack.must('apply');
  expect(requests).not.toContain('PATCH sys/namespaces/team');
  const forced = await stack.run('destroy');
  expect(forced.errors).toEqual([]);
  expect(forced.warnings.map(({ summary }) => summary)).toContain(
    'namespace "team" will be deleted with everything in it',
  );
  expect((await stack.ask('GET', 'sys/namespaces/team')).status).toBe(404);
});

test('force_destroy does not delete namespaces within the namespace', async () => {
  stack.resources(namespace('  force_destroy = true'));
  await stack.must('apply');
  await stack.ask('POST', 'team/sys/namespaces/app', {});
  expect((await stack.run('destroy')).errors).toEqual([
    expect.objectContaining({
      summary: 'cannot delete namespace "team" on cluster "us": the server refused the request',
    }),
  ]);
  expect((await stored('team/app'))?.path).toBe('team/app/');
});

test('a create of a namespace that exists with other metadata is refused, and the error shows the import', async () => {
  await stack.ask('POST', 'sys/namespaces/team', { custom_metadata: { owner: 'ops' } });
  stack.resources(namespace());
  expect((await stack.run('apply')).errors).toEqual([
    expect.objectContaining({ summary: 'namespace "team" on cluster "us" already exists' }),
  ]);
  stack.resources(namespace('  custom_metadata = { owner = "ops" }'));
  await stack.workspace.must('import', ADDRESS, 'team');
  expect((await stack.must('plan')).planned).toEqual({});
});

test.each([
  ['team/app', 'must be one name, without slashes', 'set path to "app", and set namespace to "team"'],
  ['sys', 'cannot be the name of a namespace', 'names separated by slashes'],
])('the path %j is refused in the plan', async (path, problem, detail) => {
  stack.resources(`resource "vaultadmin_namespace" "team" {\n  path = "${path}"\n}\n`);
  expect((await stack.run('plan')).errors).toEqual([
    {
      summary: `namespace ${JSON.stringify(path)}: path ${problem}`,
      detail: expect.stringContaining(detail),
      line: `path = "${path}"`,
    },
  ]);
});

test('the data sources return one namespace, and the list of all namespaces', async () => {
  await stack.ask('POST', 'sys/namespaces/team', { custom_metadata: { owner: 'ops' } });
  await stack.ask('POST', 'team/sys/namespaces/app', {});
  stack.resources(`
    data "vaultadmin_namespace" "team" { path = "team" }
    data "vaultadmin_namespaces" "within" { namespace = "team" }
  `);
  await stack.must('apply');
  const state = await stack.workspace.state();
  expect(state['data.vaultadmin_namespace.team']).toMatchObject({
    id: 'us//team',
    custom_metadata: { owner: 'ops' },
    namespace_id: (await stored())?.id,
  });
  expect(state['data.vaultadmin_namespaces.within']).toMatchObject({ names: ['app'] });
});
