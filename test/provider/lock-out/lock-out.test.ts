/** A plan reports an EGP that refuses Terraform's own requests. */
import { aclPolicy, block, startStack, type Stack } from '../support';

const ADMIN = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';

let stack: Stack;
let address: string;
beforeAll(async () => {
  stack = await startStack();
  address = stack.emulator.clusters.us!.address;
  await stack.ask('PUT', 'sys/policies/acl/admin', { policy: ADMIN });
});
afterAll(() => stack.close());

/** The provider logs in as a user with all permissions who is not root. */
async function asUser(): Promise<void> {
  await stack.ask('POST', 'sys/auth/userpass', { type: 'userpass' });
  await stack.ask('POST', 'auth/userpass/users/terraform', {
    password: 'only-for-tests',
    token_policies: ['admin'],
  });
  stack.configure(`provider "vaultadmin" {
  clusters = {
    us = {
      address = "${address}"
      auth_login = { method = "userpass", parameters = { username = "terraform", password = "only-for-tests" } }
    }
  }
}`);
}

function egp(policy: string, paths: readonly string[], attributes: object = {}): string {
  return block('resource', 'vaultadmin_egp_policy', {
    name: 'guard',
    policy,
    paths,
    enforcement_level: 'hard-mandatory',
    ...attributes,
  });
}

const SUMMARY = 'EGP policy "guard" refuses requests from Terraform itself';

describe('a provider with a login', () => {
  beforeAll(asUser);

  test('a policy that refuses everything is an error with the first refused requests, and is planned once confirmed by name', async () => {
    stack.resources(egp('main = false', ['*']));
    const { code, errors } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors).toEqual([
      expect.objectContaining({
        summary: SUMMARY,
        detail: [
          'Once the policy is in force, the server denies these requests of this deployment, which then can no longer change the policy:',
          '- update auth/userpass/login/terraform: "main" does not pass',
          '- read auth/token/lookup-self: "main" does not pass',
          '- update auth/token/revoke-self: "main" does not pass',
          '- read sys/policies/egp/guard: "main" does not pass',
          '- update sys/policies/egp/guard: "main" does not pass',
          '- and 1 more',
          'To do: make the policy allow them, for example with a condition on request.path or on the token. Or start with ' +
            'enforcement_level = "advisory". Or, if this is intended, confirm it with confirm_lock_out = "guard".',
        ].join('\n'),
      }),
    ]);
    stack.resources(egp('main = false', ['*'], { confirm_lock_out: 'other' }));
    expect((await stack.run('plan')).errors[0]?.detail).toContain(
      '\nconfirm_lock_out is "other", not the name of the policy.\n',
    );
    stack.resources(egp('main = false', ['*'], { confirm_lock_out: 'guard' }));
    expect((await stack.run('plan')).errors).toEqual([]);
  });

  test('a policy that refuses the requests of many resources is one error', async () => {
    const policies = ['a', 'b', 'c'].map((name) => aclPolicy({ name }).replace('"it"', JSON.stringify(name)));
    stack.resources(egp('main = false', ['*']) + policies.join(''));
    const { errors } = await stack.run('plan');
    expect(errors.map(({ summary }) => summary)).toEqual([SUMMARY]);
  });

  test('requests for other resources count, in whatever order Terraform plans them', async () => {
    const policy =
      'writes = ["create", "update", "delete"]\nmain = rule when request.path is "sys/policies/acl/ops" { request.operation not in writes }';
    stack.resources(egp(policy, ['sys/*']) + aclPolicy({ name: 'ops' }));
    const { errors } = await stack.run('plan');
    expect(errors.length).toBe(1);
    expect(errors[0]).toMatchObject({ summary: SUMMARY });
    expect(errors[0]!.detail).toContain(
      '- update sys/policies/acl/ops: "main" is false\n- delete sys/policies/acl/ops: "main" is false\n',
    );
    // Without that resource no request is refused.
    stack.resources(egp(policy, ['sys/*']));
    expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [], warnings: [] });
  });

  test('the policy sees the token of Terraform and its entity', async () => {
    const policy = (user: string) =>
      `main = rule when not request.unauthenticated { token.meta.username is "${user}" and identity.entity.aliases[0].name is "${user}" and request.connection.remote_addr is "127.0.0.1" }`;
    stack.resources(egp(policy('terraform'), ['auth/*', 'sys/*']));
    expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [], warnings: [] });
    stack.resources(egp(policy('somebody-else'), ['auth/*', 'sys/*']));
    expect((await stack.run('plan')).errors).toMatchObject([{ summary: SUMMARY }]);
  });

  test.each<[string, string, object]>([
    ['advisory', 'main = false', { enforcement_level: 'advisory' }],
    ['on paths that Terraform does not use', 'main = false', { paths: ['secret/*'] }],
  ])('a policy that is %s refuses nothing', async (_what, policy, attributes) => {
    stack.resources(egp(policy, ['*'], attributes));
    expect((await stack.run('plan')).errors).toEqual([]);
  });

  test('a soft-mandatory policy is a warning, and so is a policy that reads unknown values', async () => {
    stack.resources(egp('main = false', ['*'], { enforcement_level: 'soft-mandatory' }));
    expect(await stack.run('plan')).toMatchObject({
      code: 0,
      errors: [],
      warnings: expect.arrayContaining([expect.objectContaining({ summary: SUMMARY })]),
    });
    stack.resources(egp('main = rule { replication.performance.mode is "primary" }', ['sys/*']));
    expect((await stack.run('plan')).warnings).toMatchObject([
      {
        summary:
          'EGP policy "guard": it could not be determined whether it refuses requests from Terraform itself',
        detail: expect.stringContaining('depends on replication, which is not known before the request.'),
      },
    ]);
  });

  test(`an RGP of Terraform's token or identity is a warning`, async () => {
    const user = 'auth/userpass/users/terraform';
    stack.resources(
      block('resource', 'vaultadmin_rgp_policy', {
        name: 'role',
        policy: 'main = rule { request.operation is not "delete" }',
        enforcement_level: 'hard-mandatory',
      }),
    );
    expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [], warnings: [] });

    const told = {
      code: 0,
      errors: [],
      warnings: [
        {
          summary: 'RGP policy "role" refuses requests from Terraform itself',
          detail: [
            'Once the policy is in force, the server denies these requests of this deployment, which then can no longer change the policy:',
            '- delete sys/policies/rgp/role: "main" is false',
            'To do: make the policy allow them, for example with a condition on request.path or on the token. Or start with ' +
              'enforcement_level = "advisory".',
          ].join('\n'),
        },
      ],
    };
    await stack.ask('POST', user, { token_policies: ['admin', 'role'] });
    expect(await stack.run('plan')).toMatchObject(told);

    await stack.ask('POST', user, { token_policies: ['admin'] });
    const { auth } = await stack.ask('POST', 'auth/userpass/login/terraform', { password: 'only-for-tests' });
    await stack.ask('POST', 'identity/group', {
      name: 'operators',
      policies: ['role'],
      member_entity_ids: [auth?.entity_id],
    });
    expect(await stack.run('plan')).toMatchObject(told);
    await stack.ask('DELETE', 'identity/group/name/operators');
  });

  test('a text that is known only during the apply is checked before it is written', async () => {
    const text = 'resource "terraform_data" "text" {\n  input = "main = false"\n}\n';
    const reference = '"${terraform_data.text.output}"';
    stack.resources(text + egp('TEXT', ['*']).replace('"TEXT"', reference));
    const { code, errors } = await stack.run('apply');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: [
        expect.objectContaining({
          summary: SUMMARY,
          detail: expect.stringContaining('- update auth/userpass/login/terraform: '),
        }),
      ],
    });
    expect((await stack.ask('GET', 'sys/policies/egp/guard')).status).toBe(404);
    await stack.run('destroy');
  });

  test(`an unchanged policy that allows Terraform's requests is not checked again`, async () => {
    const passing = 'main = rule { true }';
    stack.resources(egp(passing, ['*']));
    expect((await stack.run('apply')).errors).toEqual([]);
    const { errors, requests } = await stack.run('plan');
    expect(errors).toEqual([]);
    expect(requests).not.toContain('GET auth/token/lookup-self');
    await stack.run('destroy');
  });
});

test('a root token is never refused', async () => {
  const { rootToken } = stack.emulator.clusters.us!;
  stack.configure(
    `provider "vaultadmin" {\n  clusters = { us = { address = "${address}", token = "${rootToken}" } }\n}`,
  );
  stack.resources(egp('main = false', ['sys/*', 'auth/*']));
  expect((await stack.run('plan')).errors).toEqual([]);
});

test('a server that does not answer causes neither an error nor a warning', async () => {
  stack.configure(
    'provider "vaultadmin" {\n  clusters = { us = { address = "http://127.0.0.1:1", token = "t", max_retries = 0 } }\n}',
  );
  stack.resources(egp('main = false', ['sys/*']));
  const { errors, warnings } = await stack.run('plan');
  expect(errors).toEqual([]);
  expect(warnings).toMatchObject([
    { detail: expect.stringContaining('depends on the token, which is not known') },
  ]);
});
