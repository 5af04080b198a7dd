import { SYSTEM_CLOCK } from '../../../src/client';
import { aclPolicy, providerBlock, startStack, type Stack } from '../support';

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;
const LOOK_UP = rule('sys/capabilities-self', 'update') + rule('auth/token/lookup-self', 'read');
/** The rule that the messages recommend to add. */
const asked = (path: string) => `  path "${path}" {\n    capabilities = ["read", "update", "delete"]\n  }`;

/**
 * The factor by which the clock is slowed down: the provider collects changes for some
 * milliseconds, and a busy machine needs more time.
 */
const SLOWED = 30;
const SLOW_CLOCK = {
  now: () => SYSTEM_CLOCK.now() / SLOWED,
  after: (milliseconds: number, callback: () => void) => SYSTEM_CLOCK.after(milliseconds * SLOWED, callback),
};

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ clusters: { us: 0 }, clock: SLOW_CLOCK });
});
afterEach(() => stack.close());

/** Gives Terraform a token with one policy. */
async function withPolicy(policy: string, checkRights?: string): Promise<void> {
  await stack.ask('PUT', 'sys/policies/acl/deployer', { policy });
  const { auth } = await stack.ask('POST', 'auth/token/create', {
    policies: ['deployer'],
    no_default_policy: true,
  });
  const setting = checkRights === undefined ? '' : `, check_rights = "${checkRights}"`;
  const { address } = stack.emulator.clusters.us!;
  stack.configure(
    providerBlock(`    us = { address = "${address}", token = "${auth!.client_token}"${setting} }`),
  );
}

const several = (count: number) =>
  Array.from({ length: count }, (_, index) => aclPolicy({ name: `p${index}` }, `p${index}`)).join('');

test('a plan warns of missing rights with the rules to add, and an apply fails before the first write', async () => {
  await withPolicy(LOOK_UP + rule('sys/policies/acl/p0', 'read', 'update', 'delete'));
  stack.resources(several(3));
  const plan = await stack.run('plan');
  expect(plan).toMatchObject({ code: 0, errors: [], rightsLookUps: 1, requests: [] });
  expect(plan.warnings).toHaveLength(1);
  const [{ summary, detail }] = plan.warnings as [(typeof plan.warnings)[0]];
  expect(summary).toBe('the token of cluster "us" may not make all changes of this plan');
  for (const name of ['p1', 'p2']) {
    expect(detail).toContain(`create ACL policy "${name}"`);
    expect(detail).toContain(asked(`sys/policies/acl/${name}`));
  }
  expect(detail).not.toContain('p0');
  expect(detail.split('To do: ')[1]!.replace(/\s+/g, ' ')).toBe(
    'add the rules to a policy of the token that applies the plan, if it does not have them. If this token is only for ' +
      'plans, set check_rights to "apply_only" for it (VAULTADMIN_US_CHECK_RIGHTS).',
  );

  const { code, errors, requests } = await stack.run('apply');
  expect(code).toBe(1);
  expect(errors).toHaveLength(3);
  expect(errors.filter((error) => error.detail.includes(asked('sys/policies/acl/p1')))).toHaveLength(1);
  expect(errors.filter((error) => error.summary.includes('(see the error about ACL policy'))).toHaveLength(2);
  expect(requests).toEqual([]);

  // The token gets the rule of the message.
  const rules = ['p0', 'p1', 'p2'].map((name) =>
    rule(`sys/policies/acl/${name}`, 'read', 'update', 'delete'),
  );
  await withPolicy(LOOK_UP + rules.join(''));
  await stack.must('apply');
  expect(await stack.must('plan')).toMatchObject({ planned: {}, rightsLookUps: 0 });

  // The plan of a deletion looks up the right to delete.
  await withPolicy(LOOK_UP + rules.slice(1).join('') + rule('sys/policies/acl/p0', 'read'));
  stack.resources(several(0));
  expect((await stack.run('plan')).warnings).toMatchObject([
    { detail: expect.stringContaining('Not allowed: delete ACL policy "p0".') as string },
  ]);
});

test('a plan with check_rights = "plan" fails if the token lacks rights', async () => {
  await withPolicy(LOOK_UP + rule('sys/policies/acl/p0', 'read', 'update'), 'plan');
  stack.resources(several(2));
  const { code, errors, warnings } = await stack.run('plan');
  expect({ code, warnings }).toEqual({ code: 1, warnings: [] });
  expect(errors).toMatchObject([
    {
      summary: 'the token of cluster "us" may not make all changes of this plan',
      detail: expect.stringContaining(`of the root namespace:\n\n${asked('sys/policies/acl/p1')}`) as string,
    },
  ]);
  await withPolicy(LOOK_UP, 'never');
  expect((await stack.run('plan')).errors).toMatchObject([
    { detail: expect.stringContaining('"apply" or "apply_only" or "plan"') as string },
  ]);
});

test('a plan with check_rights = "apply_only" looks up no rights, and the apply of an object fails before its write', async () => {
  await withPolicy(LOOK_UP + rule('sys/policies/acl/p0', 'read'), 'apply_only');
  stack.resources(several(1));
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [], warnings: [], rightsLookUps: 0 });
  const { code, errors, requests } = await stack.run('apply');
  expect({ code, requests }).toEqual({ code: 1, requests: [] });
  expect(errors.map(({ detail }) => detail)).toEqual([expect.stringContaining(asked('sys/policies/acl/p0'))]);
});

test('the rights of a token with a rule for all names are looked up once, however many objects are planned', async () => {
  await withPolicy(LOOK_UP + rule('sys/policies/acl/*', 'read', 'update', 'delete', 'list'));
  stack.resources(several(40));
  expect(await stack.must('plan')).toMatchObject({ rightsLookUps: 1, requests: [] });
});

test('plans and applies succeed if a server denies the look-up of rights, or does not have it', async () => {
  await withPolicy(rule('sys/policies/acl/*', 'read', 'update', 'delete', 'list'));
  stack.resources(several(2));
  expect(await stack.must('plan')).toMatchObject({ rightsLookUps: 1 });
  await stack.must('apply');
  stack.resources(several(1));
  await stack.must('apply');

  // A 403 answer to a read or a write names the missing rules as well.
  await withPolicy(rule('sys/policies/acl/p1', 'read', 'list'));
  const [refused] = (await stack.run('plan')).errors;
  expect(refused?.detail).toContain(asked('sys/policies/acl/p0'));
});
