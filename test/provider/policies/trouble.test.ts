import type { Fault } from '../../../src/emulator';
import { aclPolicy, POLICY, providerBlock, startStack, type Stack } from '../support';

const CHANGED = `# changed\n${POLICY}`;
const address = 'vaultadmin_acl_policy.it';
const path = 'sys/policies/acl/ops';

/** The faults of one request. */
const troubles: readonly [name: string, fault: Fault][] = [
  ['403', { status: 403, errors: ['permission denied'] }],
  ['429', { status: 429, retryAfter: 1 }],
  ['500', { status: 500, errors: ['internal error'] }],
  ['a gateway that answers 502', { status: 502 }],
  ['503, sealed', { sealed: true }],
  ['404, unsupported path', { status: 404, errors: ['1 error occurred:\n\t* unsupported path\n\n'] }],
  ['a connection that breaks before the effect', { drop: 'before' }],
  ['a connection that breaks after the effect', { drop: 'after' }],
];

let stack: Stack;
/** Requests are not repeated, so that every fault has an effect. */
beforeEach(async () => {
  stack = await startStack({
    provider: ({ clusters }) =>
      providerBlock(
        `us = { address = "${clusters.us!.address}", token = "${clusters.us!.rootToken}", max_retries = 0 }`,
      ),
  });
});
afterEach(() => stack.close());

/** Applies while one request meets a fault. */
async function applyWith(fault: Fault, hcl: string) {
  stack.resources(hcl);
  stack.emulator.faults.inject({ count: 1, ...fault });
  const report = await stack.run('apply');
  expect(stack.emulator.faults.list()).toEqual([]);
  return report;
}

/** The next apply makes the remaining changes, and the plan after it has none. */
async function expectToConverge(hcl: string, policy: string) {
  stack.resources(hcl);
  await stack.must('apply');
  expect((await stack.ask('GET', path)).data).toMatchObject({ policy });
  expect(await stack.addresses()).toEqual([address]);
  expect((await stack.must('plan')).planned).toEqual({});
}

describe.each(troubles)('a policy that meets %s', (_name, trouble) => {
  test('a create whose read of the name fails is completed by the next apply', async () => {
    const { code } = await applyWith({ ...trouble, method: 'GET', path }, aclPolicy({ name: 'ops' }));
    expect(code).toBe(1);
    expect(await stack.addresses()).toEqual([]);
    await expectToConverge(aclPolicy({ name: 'ops' }), POLICY);
  });

  test('a create whose write fails is completed by the next apply', async () => {
    const { code, requests } = await applyWith(
      { ...trouble, method: 'POST', path },
      aclPolicy({ name: 'ops' }),
    );
    const answered = trouble.drop === undefined;
    const tookEffect = trouble.drop === 'after';
    expect(code).toBe(tookEffect ? 0 : 1);
    // A write without an answer may still take effect, so the policy is in the state.
    expect(await stack.addresses()).toEqual(answered ? [] : [address]);
    // The provider reads the policy again if the server may have written it.
    const refused = trouble.sealed || (trouble.status !== undefined && trouble.status < 500);
    expect(requests).toEqual([`GET ${path}`, ...(refused ? [] : [`GET ${path}`]), `POST ${path}`]);
    await expectToConverge(aclPolicy({ name: 'ops' }), POLICY);
  });

  test('a refresh that fails keeps the state, and the next one succeeds', async () => {
    await applyAll(POLICY);
    const { code } = await applyWith(
      { ...trouble, method: 'GET', path },
      aclPolicy({ name: 'ops', policy: CHANGED }),
    );
    expect(code).toBe(1);
    expect((await stack.workspace.state())[address]).toMatchObject({ policy: POLICY });
    await expectToConverge(aclPolicy({ name: 'ops', policy: CHANGED }), CHANGED);
  });

  test('an update whose write fails is completed by the next apply', async () => {
    await applyAll(POLICY);
    const { code } = await applyWith(
      { ...trouble, method: 'POST', path },
      aclPolicy({ name: 'ops', policy: CHANGED }),
    );
    expect(code).toBe(1);
    expect((await stack.workspace.state())[address]).toMatchObject({ policy: POLICY });
    await expectToConverge(aclPolicy({ name: 'ops', policy: CHANGED }), CHANGED);
  });

  test('a policy whose deletion fails stays in the state', async () => {
    await applyAll(POLICY);
    const { code } = await applyWith({ ...trouble, method: 'DELETE', path }, '');
    expect(code).toBe(1);
    expect(await stack.addresses()).toEqual([address]);
    await stack.must('apply');
    expect(await stack.addresses()).toEqual([]);
    expect((await stack.ask('GET', path)).status).toBe(404);
  });
});

async function applyAll(policy: string) {
  stack.resources(aclPolicy({ name: 'ops', policy }));
  await stack.must('apply');
}

describe('a create whose outcome cannot be determined', () => {
  beforeEach(async () => {
    // The write takes effect without an answer, and the read after it has no answer either.
    stack.emulator.faults.inject({ method: 'POST', path, drop: 'after', count: 1 });
    stack.emulator.faults.inject({ method: 'GET', path, drop: 'before', skip: 1, count: 1 });
    stack.resources(aclPolicy({ name: 'ops' }));
    const { code, errors, warnings } = await stack.run('apply');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      { summary: 'cannot create ACL policy "ops" on cluster "us": the connection was lost' },
    ]);
    expect(warnings).toMatchObject([
      {
        summary: 'ACL policy "ops" on cluster "us": could not determine whether it was created',
        detail:
          'The server did not answer the write, which may still take effect. The object is in the state, marked as tainted: ' +
          'the next apply checks whether it exists, and creates it again.',
      },
    ]);
  });

  test('the next apply completes such a create', async () => {
    expect((await stack.must('plan')).planned).toEqual({ [address]: 'replace' });
    await expectToConverge(aclPolicy({ name: 'ops' }), POLICY);
  });

  test('the next apply creates the policy if none was created', async () => {
    await stack.ask('DELETE', path);
    expect((await stack.must('plan')).planned).toEqual({ [address]: 'create' });
    await expectToConverge(aclPolicy({ name: 'ops' }), POLICY);
  });

  test('such a create leaves a policy alone that someone else wrote in the meantime', async () => {
    await stack.ask('PUT', path, { policy: '# of somebody else' });
    const { errors } = await stack.run('apply');
    expect(errors).toMatchObject([{ summary: 'ACL policy "ops" on cluster "us" already exists' }]);
    expect((await stack.ask('GET', path)).data).toMatchObject({ policy: '# of somebody else' });
  });
});

test('an apply succeeds after faults that pass when requests are repeated', async () => {
  stack.configure(
    providerBlock(
      `us = { address = "${stack.emulator.clusters.us!.address}", token = "${stack.emulator.clusters.us!.rootToken}" }`,
    ),
  );
  stack.emulator.faults.inject({ method: 'GET', path, status: 503, count: 1 });
  stack.emulator.faults.inject({ method: 'POST', path, drop: 'after', count: 1 });
  stack.resources(aclPolicy({ name: 'ops' }));
  const { requests } = await stack.must('apply');
  expect(requests).toEqual([`GET ${path}`, `GET ${path}`, `POST ${path}`, `POST ${path}`]);
});

test('a server that is slower than the timeout is an error', async () => {
  await applyAll(POLICY);
  const { address: url, rootToken } = stack.emulator.clusters.us!;
  stack.configure(
    providerBlock(`us = { address = "${url}", token = "${rootToken}", timeout = "0.2s", max_retries = 0 }`),
  );
  stack.emulator.faults.inject({ method: 'GET', path, latencyMs: 1000, count: 1 });
  const { code, errors } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors.map(({ summary }) => summary)).toEqual([
    'cannot read ACL policy "ops" on cluster "us": no answer in time',
  ]);
  expect(await stack.addresses()).toEqual([address]);
});
