import { block, startStack, type Stack } from '../support';

/**
 * The kinds of policies, each with two versions of a policy. The server returns the fields as they
 * are configured.
 */
const kinds = [
  {
    type: 'vaultadmin_acl_policy',
    path: 'sys/policies/acl',
    first: { policy: 'path "secret/*" {\n  capabilities = ["read"]\n}\n' },
    second: { policy: '# changed\npath "secret/*" {\n  capabilities = ["read", "list"]\n}\n' },
  },
  {
    type: 'vaultadmin_rgp_policy',
    path: 'sys/policies/rgp',
    first: { policy: 'main = rule { true }', enforcement_level: 'soft-mandatory' },
    second: { policy: 'main = rule { false }', enforcement_level: 'hard-mandatory' },
    // The plan and the apply look up whether the policy governs Terraform's own token.
    looksUp: ['GET auth/token/lookup-self'],
  },
  {
    type: 'vaultadmin_egp_policy',
    path: 'sys/policies/egp',
    first: { policy: 'main = rule { true }', enforcement_level: 'advisory', paths: ['kv/app', 'secret/*'] },
    second: { policy: 'main = rule { true }', enforcement_level: 'advisory', paths: ['kv/app', 'transit/*'] },
    others: { confirm_lock_out: null },
  },
];

describe.each(kinds)('a policy of the kind $type', ({ type, path, first, second, others, looksUp = [] }) => {
  const address = `${type}.it`;
  let stack: Stack;
  const onServer = async (name = 'ops') => (await stack.ask('GET', `${path}/${name}`)).data;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test('the policy is created, updated, repaired, created again, renamed and destroyed', async () => {
    // GIVEN
    stack.resources(block('resource', type, { name: 'ops', ...first }));

    // A create sends two requests: one to see that the name is free, one to write.
    expect(await stack.must('plan')).toMatchObject({ planned: { [address]: 'create' }, requests: looksUp });
    expect((await stack.must('apply')).requests).toEqual([
      ...looksUp,
      ...looksUp,
      `GET ${path}/ops`,
      `POST ${path}/ops`,
    ]);
    expect(await onServer()).toMatchObject({ name: 'ops', ...first });
    expect((await stack.workspace.state())[address]).toEqual({
      id: 'us//ops',
      cluster: 'us',
      namespace: null,
      name: 'ops',
      ...first,
      ...others,
    });

    // An unchanged plan sends one request.
    expect(await stack.must('plan')).toMatchObject({ planned: {}, requests: [`GET ${path}/ops`] });

    // An update does not read the policy again.
    stack.resources(block('resource', type, { name: 'ops', ...second }));
    expect(await stack.must('apply')).toMatchObject({
      planned: { [address]: 'update' },
      requests: [...looksUp, ...looksUp, `GET ${path}/ops`, `POST ${path}/ops`],
    });
    expect(await onServer()).toMatchObject(second);
    expect((await stack.must('plan')).planned).toEqual({});

    // A change by hand is shown and repaired.
    await stack.ask('PUT', `${path}/ops`, first);
    const drifted = await stack.workspace.plan();
    expect(drifted.resource_drift?.[0]?.change.after).toMatchObject(first);
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
    expect(await onServer()).toMatchObject(second);

    // A policy that was deleted by hand is created again.
    await stack.ask('DELETE', `${path}/ops`);
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'create' });

    // A changed name replaces the policy.
    stack.resources(block('resource', type, { name: 'team/ops', ...second }));
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'replace' });
    expect((await stack.ask('GET', `${path}/ops`)).status).toBe(404);
    expect(await onServer('team/ops')).toMatchObject(second);
    expect((await stack.workspace.state())[address]).toMatchObject({ id: 'us//team/ops' });

    // destroy
    expect((await stack.must('destroy')).requests).toEqual([
      `DELETE ${path}/team/ops`,
      `GET ${path}/team/ops`,
    ]);
    expect((await stack.ask('GET', `${path}/team/ops`)).status).toBe(404);
    expect(await stack.addresses()).toEqual([]);
  });
});
