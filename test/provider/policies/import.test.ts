import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aclPolicy, block, POLICY, startStack, type Stack } from '../support';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ clusters: { eu: 0, us: 0 } });
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: POLICY });
  await stack.ask('PUT', 'sys/policies/acl/team/ops', { policy: POLICY });
  await stack.ask('PUT', 'sys/policies/egp/guard', {
    policy: 'main = rule { true }',
    enforcement_level: 'advisory',
    paths: ['kv/app', 'secret/*'],
  });
  await stack.ask('PUT', 'sys/namespaces/team');
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: '# of team' }, { namespace: 'team' });
});
afterEach(() => stack.workspace.remove('terraform.tfstate'));
afterAll(() => stack.close());

/**
 * Imports the only resource with the command. The texts of errors are returned without line breaks.
 */
async function importById(id: string, address = 'vaultadmin_acl_policy.it') {
  const { code, stdout, stderr } = await stack.workspace.run('import', '-no-color', address, id);
  return { code, text: (stdout + stderr).replace(/\s+/g, ' ') };
}

describe('an import by the command', () => {
  test.each([
    ['us/ops', { cluster: 'us', name: 'ops' }, POLICY],
    ['us//ops', { cluster: 'us', name: 'ops' }, POLICY],
    ['us//team/ops', { cluster: 'us', name: 'team/ops' }, POLICY],
    ['us/team/ops', { cluster: 'us', namespace: 'team', name: 'ops' }, '# of team'],
    ['us/team//ops', { cluster: 'us', namespace: 'team', name: 'ops' }, '# of team'],
  ])('an import of %s leads to a plan without changes', async (id, attributes, policy) => {
    stack.resources(aclPolicy({ ...attributes, policy }));
    expect(await importById(id)).toMatchObject({ code: 0 });
    expect((await stack.workspace.state())['vaultadmin_acl_policy.it']).toMatchObject({
      ...attributes,
      policy,
    });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('an import of an EGP reads all its fields', async () => {
    const attributes = { name: 'guard', policy: 'main = rule { true }', enforcement_level: 'advisory' };
    stack.resources(
      block('resource', 'vaultadmin_egp_policy', {
        cluster: 'us',
        ...attributes,
        paths: ['secret/*', 'kv/app'],
      }),
    );
    expect(await importById('us//guard', 'vaultadmin_egp_policy.it')).toMatchObject({ code: 0 });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('an import of a policy that does not exist is refused', async () => {
    stack.resources(aclPolicy({ cluster: 'us', name: 'nobody' }));
    const { code, text } = await importById('us//nobody');
    expect(code).toBe(1);
    expect(text).toContain(
      'Error: ACL policy "nobody" on cluster "us" does not exist Received: import id "us//nobody". ' +
        'To do: check the parts of the id. To create a new object, run an apply without an import.',
    );
    expect(await stack.addresses()).toEqual([]);
  });
});

describe('an import by a block', () => {
  test('the plan contains only the import', async () => {
    stack.resources(`${aclPolicy({ cluster: 'us', name: 'ops' })}
      import {
        to = vaultadmin_acl_policy.it
        id = "us//ops"
      }`);
    const plan = await stack.workspace.plan();
    expect(plan.resource_changes?.[0]?.change).toMatchObject({
      actions: ['no-op'],
      importing: { id: 'us//ops' },
    });
    expect((await stack.must('apply')).requests).toEqual(['GET sys/policies/acl/ops']);
    expect(await stack.addresses()).toEqual(['vaultadmin_acl_policy.it']);
  });
});

test.each(['null', '""'])(
  'a state whose name was changed to %s is reported, with the ways to correct it',
  async (name) => {
    stack.resources(aclPolicy({ cluster: 'us', name: 'ops', policy: POLICY }));
    await importById('us/ops');
    const file = join(stack.workspace.folder, 'terraform.tfstate');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"name": "ops"', `"name": ${name}`));
    const { errors } = await stack.run('plan');
    expect(errors).toMatchObject([
      {
        summary: 'ACL policy: name is missing in the state',
        detail:
          'The state was changed by something other than Terraform. Nothing was sent.\n' +
          'To do: restore an earlier version of the state, or remove the object with "terraform state rm" and import it.',
      },
    ]);
  },
);
