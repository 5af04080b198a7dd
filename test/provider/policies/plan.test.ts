import { aclPolicy, block, POLICY, startStack, type Stack } from '../support';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const inBase64 = Buffer.from(POLICY).toString('base64');
const onServer = async (path: string) => (await stack.ask('GET', path)).data;

test('a document in base64 plans no change after the apply, and shows changes by hand', async () => {
  stack.resources(aclPolicy({ name: 'ops', policy: inBase64 }));
  await stack.must('apply');
  expect(await onServer('sys/policies/acl/ops')).toMatchObject({ policy: POLICY });
  expect((await stack.must('plan')).planned).toEqual({});

  // This is the same document in plain text.
  stack.resources(aclPolicy({ name: 'ops', policy: POLICY }));
  expect((await stack.must('plan')).planned).toEqual({});

  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: '# drift' });
  const [drift] = (await stack.workspace.plan()).resource_drift ?? [];
  expect(drift?.change.after).toMatchObject({ policy: '# drift' });
});

test('a document that only looks like base64 is written unchanged', async () => {
  const lookalike = { name: 'ops', policy: 'main', enforcement_level: 'advisory' };
  stack.resources(block('resource', 'vaultadmin_rgp_policy', lookalike));
  const noMain = 'RGP policy "ops": policy can never run: the policy has no "main" (line 1, column 1)';
  const { code, warnings } = await stack.run('apply');
  expect([code, ...new Set(warnings.map(({ summary }) => summary))]).toEqual([0, noMain]);
  expect(await onServer('sys/policies/rgp/ops')).toMatchObject({ policy: 'main' });
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [], planned: {} });
});

test('a document of a megabyte is applied', async () => {
  const policy = `# ${'x'.repeat(1_000_000)}\n${POLICY}`;
  stack.resources(aclPolicy({ name: 'ops', policy }));
  await stack.must('apply');
  expect(await onServer('sys/policies/acl/ops')).toMatchObject({ policy });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a changed order of paths is no change', async () => {
  const guard = { name: 'guard', policy: 'main = rule { true }', enforcement_level: 'advisory' };
  stack.resources(block('resource', 'vaultadmin_egp_policy', { ...guard, paths: ['secret/*', 'kv/app'] }));
  await stack.must('apply');
  stack.resources(block('resource', 'vaultadmin_egp_policy', { ...guard, paths: ['kv/app', 'secret/*'] }));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('slashes around a namespace are no change, and another namespace replaces the policy', async () => {
  await stack.ask('PUT', 'sys/namespaces/team');
  stack.resources(aclPolicy({ name: 'ops', namespace: 'team' }));
  await stack.must('apply');
  expect((await stack.workspace.state())['vaultadmin_acl_policy.it']).toMatchObject({ id: 'us/team//ops' });
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { namespace: 'team' })).status).toBe(200);
  expect((await stack.ask('GET', 'sys/policies/acl/ops')).status).toBe(404);

  stack.resources(aclPolicy({ name: 'ops', namespace: '/team/' }));
  expect((await stack.must('plan')).planned).toEqual({});

  stack.resources(aclPolicy({ name: 'ops' }));
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'replace' });
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { namespace: 'team' })).status).toBe(404);
  expect((await stack.ask('GET', 'sys/policies/acl/ops')).status).toBe(200);
});

test('an empty namespace is the namespace of the cluster', async () => {
  stack.resources(aclPolicy({ name: 'ops', namespace: '' }));
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
  stack.resources(aclPolicy({ name: 'ops' }));
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'update' });
});

test('a policy is created whose values are known only after another resource was applied', async () => {
  const unknown = `
    resource "terraform_data" "first" {
      input = { name = "ops", policy = ${JSON.stringify(POLICY)} }
    }
    resource "vaultadmin_acl_policy" "it" {
      name   = terraform_data.first.output.name
      policy = terraform_data.first.output.policy
    }`;
  stack.resources(unknown);
  await stack.must('apply');
  expect(await onServer('sys/policies/acl/ops')).toMatchObject({ policy: POLICY });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a value that is invalid only in the apply is refused before any write', async () => {
  stack.resources(`
    resource "terraform_data" "first" {
      input = "Ops"
    }
    resource "vaultadmin_acl_policy" "it" {
      name   = terraform_data.first.output
      policy = ${JSON.stringify(POLICY)}
    }`);
  const { code, errors, requests } = await stack.run('apply');
  expect(code).toBe(1);
  expect(errors.map(({ summary }) => summary)).toEqual(['ACL policy "Ops": name must be lower case']);
  expect(requests).toEqual([]);
});

describe('the policy default, which every server has', () => {
  const overwritten = {
    summary: 'ACL policy "default" exists on every server: its text will be overwritten',
    detail: 'Every token has this policy by default. To keep the current text, import the policy instead.',
  };
  const stays = {
    summary: 'ACL policy "default" cannot be deleted: the server keeps it unchanged',
    detail: 'It is only removed from the state. To restore its original text, apply that text first.',
  };

  test('an apply overwrites the policy default, and a destroy leaves it, each with a warning', async () => {
    stack.resources(aclPolicy({ name: 'default' }));
    expect(await stack.run('plan')).toMatchObject({ code: 0, warnings: [overwritten] });
    const applied = await stack.run('apply');
    expect(applied).toMatchObject({ code: 0, requests: ['POST sys/policies/acl/default'] });
    expect(await onServer('sys/policies/acl/default')).toMatchObject({ policy: POLICY });
    expect(await stack.must('plan')).toMatchObject({ planned: {} });

    const destroyed = await stack.run('destroy');
    expect(destroyed).toMatchObject({ code: 0, errors: [], requests: ['GET sys/policies/acl/default'] });
    expect(destroyed.warnings).toContainEqual(stays);
    expect(await stack.addresses()).toEqual([]);
    expect(await onServer('sys/policies/acl/default')).toMatchObject({ policy: POLICY });
  });

  test('the policy default stays after a replacement', async () => {
    stack.resources(aclPolicy({ name: 'default' }));
    await stack.run('apply');
    stack.resources(aclPolicy({ name: 'ops' }));
    const { code, warnings } = await stack.run('apply');
    expect(code).toBe(0);
    expect(warnings).toEqual([stays]);
  });
});
