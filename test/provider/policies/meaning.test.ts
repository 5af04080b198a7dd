import { aclPolicy, POLICY, startStack, type Stack } from '../support';

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ clusters: { us: 0 } });
});
afterEach(() => stack.close());

/** The plan's text about the meaning, without any change. */
async function planned(...args: readonly string[]) {
  const plan = await stack.workspace.plan(...args);
  const [change] = plan.resource_changes ?? [];
  const { actions, after, after_unknown: unknown } = change!.change;
  const { becomes_allowed: allowed, becomes_denied: denied } = after ?? {};
  return { actions, allowed, denied, unknown: unknown.becomes_allowed ?? false };
}
const stored = async () => {
  const { becomes_allowed: allowed, becomes_denied: denied } = (await stack.workspace.state())[
    'vaultadmin_acl_policy.it'
  ] as Record<string, unknown>;
  return { allowed, denied };
};

test('the plan shows what becomes allowed and denied; the state keeps it until the next change', async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  const created = { allowed: ['read on secret/*'], denied: [] };
  expect(await planned()).toMatchObject({ actions: ['create'], ...created, unknown: false });
  await stack.must('apply');
  expect(await stored()).toEqual(created);
  expect((await stack.must('plan')).planned).toEqual({});

  // another text that means the same, and another argument
  stack.resources(aclPolicy({ name: 'ops', namespace: '', policy: `# why\n${POLICY}` }));
  expect(await planned()).toMatchObject({ actions: ['update'], allowed: [], denied: [] });
  stack.resources(aclPolicy({ name: 'ops', namespace: '' }));
  expect(await planned()).toMatchObject({ actions: ['update'], ...created });

  // a change by hand: the plan is about what the server has now
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: rule('secret/*', 'read', 'delete') });
  stack.resources(aclPolicy({ name: 'ops', policy: POLICY + rule('secret/b', 'update') }));
  const repaired = { allowed: ['update on secret/b'], denied: ['delete on secret/*', 'read on secret/b'] };
  expect(await planned()).toMatchObject({ actions: ['update'], ...repaired });
  await stack.must('apply');
  expect(await stored()).toEqual(repaired);
  expect((await stack.must('plan')).planned).toEqual({});
  expect((await stack.must('plan', '-refresh-only')).planned).toEqual({});

  // another policy in its place
  stack.resources(aclPolicy({ name: 'other' }));
  expect(await planned()).toMatchObject({ actions: ['delete', 'create'], ...created });

  // no policy in its place: the plan has no values then
  expect(await planned('-destroy')).toEqual({
    actions: ['delete'],
    allowed: undefined,
    denied: undefined,
    unknown: false,
  });
  await stack.must('apply', '-destroy');
  expect((await stack.ask('GET', 'sys/policies/acl/ops')).status).toBe(404);
});

test('the meaning of a text that is known only at apply is shown afterwards', async () => {
  const withText = (text: string) => `
    resource "terraform_data" "first" { input = ${JSON.stringify(text)} }
    ${aclPolicy({ name: 'ops' }).replace(/policy = .*/, 'policy = terraform_data.first.output')}`;
  stack.resources(withText(POLICY));
  const plan = (await stack.workspace.plan()).resource_changes?.find(
    ({ address }) => address === 'vaultadmin_acl_policy.it',
  );
  expect(plan?.change.after_unknown).toMatchObject({ becomes_allowed: true, becomes_denied: true });
  await stack.must('apply');
  expect(await stored()).toEqual({ allowed: ['read on secret/*'], denied: [] });

  stack.resources(withText(rule('secret/a', 'read')));
  await stack.must('apply');
  expect(await stored()).toEqual({ allowed: [], denied: ['read on secret/* except secret/a'] });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an import says nothing of it, and leaves nothing to do; the next change is compared', async () => {
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: POLICY });
  const imported = (attributes: object) =>
    `${aclPolicy({ name: 'ops', ...attributes })}\nimport {\n  to = vaultadmin_acl_policy.it\n  id = "us//ops"\n}\n`;
  stack.resources(imported({ policy: rule('secret/*', 'read', 'list') }));
  expect(await planned()).toMatchObject({ actions: ['update'], allowed: ['list on secret/*'], denied: [] });
  stack.resources(imported({}));
  await stack.must('apply');
  expect(await stored()).toEqual({ allowed: null, denied: null });
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
        'Newly allowed:\n- create, update on sys/policies/acl/*: anyone who may write policies can grant themselves ' +
        'any permission\nTo do: make sure that all of this is intended.',
    },
  ]);
  // under another name, once: of the new policy
  stack.resources(
    aclPolicy({
      name: 'ops-2',
      policy: rule('sys/policies/acl/*', 'update') + rule('sys/raw', 'read', 'sudo'),
    }),
  );
  expect((await stack.run('plan')).warnings).toMatchObject([
    { summary: summary.replace('ops', 'ops-2'), detail: expect.not.stringContaining('sys/raw') as string },
  ]);
});
