import { aclPolicy, POLICY, startStack, type Stack } from '../support';

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ clusters: { us: 0 } });
});
afterEach(() => stack.close());

/** Returns the planned actions, and the warnings about their effect. */
async function planned(hcl?: string, ...args: readonly string[]) {
  if (hcl !== undefined) stack.resources(hcl);
  const { planned: changes, effects, warnings, code } = await stack.run('plan', ...args);
  expect({ code, warnings }).toEqual({ code: 0, warnings: [] });
  return [
    ...Object.values(changes),
    ...effects
      .map(({ summary, detail }) => `${summary}\n${detail}`)
      .filter((text) => !text.startsWith('objects')),
  ];
}

test('a plan lists the requests that become allowed and denied, if there are any', async () => {
  expect(await planned(aclPolicy({ name: 'ops' }))).toEqual(['create']);
  await stack.must('apply');
  expect(await planned()).toEqual([]);

  // The new text means the same, and the change is of another argument.
  expect(await planned(aclPolicy({ name: 'ops', policy: `# why\n${POLICY}` }))).toEqual(['update']);
  expect(await planned(aclPolicy({ name: 'ops', namespace: '' }))).toEqual(['update']);

  const wider = aclPolicy({ name: 'ops', policy: rule('secret/*', 'read', 'list') });
  expect(await planned(wider)).toEqual([
    'update',
    'ACL policy "ops": the change allows more\nNewly allowed:\n- list on secret/*',
  ]);
  await stack.must('apply');
  expect(await planned(`# only a comment\n${wider}`)).toEqual([]);
  expect(await planned(aclPolicy({ name: 'ops' }))).toEqual([
    'update',
    'ACL policy "ops": the change allows less\nNo longer allowed:\n- list on secret/*',
  ]);

  // The policy was changed by hand: the plan compares with the policy on the server.
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: rule('secret/*', 'read', 'delete') });
  expect(await planned(aclPolicy({ name: 'ops', policy: POLICY + rule('secret/b', 'update') }))).toEqual([
    'update',
    'ACL policy "ops": the change allows some requests and denies others\nNewly allowed:\n- update on secret/b\n' +
      'No longer allowed:\n- delete on secret/*\n- read on secret/b',
  ]);
});

test('a plan of a rename, a replacement or a deletion lists the requests that the former policy allowed', async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const replaced = (title: string, former: string) =>
    `${title} replaces ${former}\nAllowed by the new policy:\n- read on secret/*\nNo longer allowed by the former policy:\n` +
    '- read on secret/*\nTo do: give the new policy to the tokens and roles that need it: they refer to policies by their names.';
  expect(await planned(aclPolicy({ name: 'ops-2' }))).toEqual([
    'replace',
    replaced('ACL policy "ops-2"', 'ACL policy "ops"'),
  ]);
  expect(await planned(aclPolicy({ name: 'ops', namespace: 'team' }))).toEqual([
    'replace',
    replaced('ACL policy "ops"', 'ACL policy "ops"').replace(
      '\nAllowed',
      ' in another namespace, or on another cluster\nAllowed',
    ),
  ]);
  expect(await planned(aclPolicy({ name: 'ops' }), '-replace=vaultadmin_acl_policy.it')).toEqual(['replace']);
  const deleted = ['delete', 'ACL policy "ops" will be deleted\nNo longer allowed:\n- read on secret/*'];
  expect(await planned('')).toEqual(deleted);
  expect(await planned(aclPolicy({ name: 'ops' }), '-destroy')).toEqual(deleted);
});

test('a text that is known only at apply is not compared', async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const late = aclPolicy({ name: 'ops' }).replace(/policy = .*/, 'policy = terraform_data.first.output');
  expect(
    await planned(
      `resource "terraform_data" "first" { input = ${JSON.stringify(rule('a', 'read'))} }\n${late}`,
    ),
  ).toEqual(['create', 'update']);
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an import is compared with the text on the server', async () => {
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: POLICY });
  const imported = (attributes: object) =>
    `${aclPolicy({ name: 'ops', ...attributes })}\nimport {\n  to = vaultadmin_acl_policy.it\n  id = "us//ops"\n}\n`;
  expect(await planned(imported({ policy: rule('secret/*', 'read', 'list') }))).toEqual([
    'update',
    'ACL policy "ops": the change allows more\nNewly allowed:\n- list on secret/*',
  ]);
  stack.resources(imported({}));
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a state with the attributes of an earlier version plans nothing', async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const state = JSON.parse(stack.workspace.read('terraform.tfstate')) as {
    resources: { instances: { attributes: object }[] }[];
  };
  Object.assign(state.resources[0]!.instances[0]!.attributes, { becomes_allowed: ['a'], becomes_denied: [] });
  stack.workspace.write('terraform.tfstate', JSON.stringify(state));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a change that makes sensitive requests possible is a warning', async () => {
  const summary = 'ACL policy "ops": the change allows sensitive requests';
  stack.resources(aclPolicy({ name: 'ops', policy: rule('sys/mounts/*', 'update', 'sudo') }));
  await stack.must('apply');
  stack.resources(
    aclPolicy({
      name: 'ops',
      policy: rule('sys/mounts/*', 'update', 'sudo') + rule('sys/policies/acl/*', 'create', 'update'),
    }),
  );
  expect((await stack.run('plan')).warnings).toMatchObject([
    {
      summary,
      detail:
        'Newly allowed, and sensitive:\n- create, update on sys/policies/acl/*: a token may now grant itself any policy\n' +
        'Newly allowed:\n- create, update on sys/policies/acl/*\nTo do: make sure that all of this is intended.',
    },
  ]);
  // a new policy
  stack.resources(
    aclPolicy({ name: 'ops', policy: rule('sys/mounts/*', 'update', 'sudo') }) +
      aclPolicy(
        { name: 'ops-2', policy: rule('sys/policies/acl/*', 'update') + rule('sys/raw', 'sudo') },
        'new',
      ),
  );
  expect((await stack.run('plan')).warnings).toMatchObject([
    { summary: summary.replace('ops', 'ops-2'), detail: expect.not.stringContaining('sys/raw') as string },
  ]);
});
