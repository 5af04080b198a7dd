import { block, type Stack } from '../support';
import { change, enablePrimary, enableSecondary, startClusters, statusOf } from './support';

const TYPE = 'vaultadmin_perf_replication_primary';
const ADDRESS = `${TYPE}.it`;
const ENABLE = 'POST sys/replication/performance/primary/enable';
const DISABLE = 'POST sys/replication/performance/primary/disable';

const primary = (attributes: object = {}) => block('resource', TYPE, { cluster: 'us', ...attributes });

let stack: Stack;
beforeEach(async () => {
  stack = await startClusters();
});
afterEach(() => stack.close());

/** The id of the replication set of a cluster. */
async function setOf(cluster: string) {
  const status = await statusOf(stack, cluster);
  return status.mode === 'primary' ? status.cluster_id : undefined;
}

test('a primary is enabled, kept while it is protected, and then disabled', async () => {
  stack.resources(primary({ primary_cluster_addr: 'https://lb.example.com:8201' }));
  expect((await stack.must('apply')).requests).toContain(ENABLE);
  const id = await setOf('us');
  expect(await statusOf(stack, 'us')).toMatchObject({
    mode: 'primary',
    primary_cluster_addr: 'https://lb.example.com:8201',
  });
  expect((await stack.workspace.state())[ADDRESS]).toEqual({
    id: 'us//performance',
    cluster: 'us',
    primary_cluster_addr: 'https://lb.example.com:8201',
    deletion_protection: true,
    cluster_id: await setOf('us'),
    mode: 'primary',
    timeouts: null,
  });
  expect((await stack.must('plan')).requests).toEqual(['GET sys/replication/performance/status']);

  const refused = await stack.run('destroy');
  expect(refused).toMatchObject({
    code: 1,
    errors: [
      {
        summary: 'performance replication primary on cluster "us" is protected: it cannot be destroyed',
        detail: expect.stringContaining('set deletion_protection = false and apply') as string,
      },
    ],
  });
  expect(refused.requests).not.toContain(DISABLE);

  stack.resources(
    primary({ primary_cluster_addr: 'https://lb.example.com:8201', deletion_protection: false }),
  );
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'update' });
  expect(await setOf('us')).toBe(id);
  expect((await stack.must('destroy')).requests).toContain(DISABLE);
  expect(await statusOf(stack, 'us')).toEqual({ mode: 'disabled' });
});

test('a changed address, which would create another replication set, is refused while the primary is protected', async () => {
  stack.resources(primary());
  await stack.must('apply');
  const before = await setOf('us');
  stack.resources(primary({ primary_cluster_addr: 'https://lb:8201' }));
  const { code, errors } = await stack.run('apply');
  expect(code).toBe(1);
  expect(errors).toMatchObject([
    {
      summary:
        'performance replication primary on cluster "us" is protected: another primary_cluster_addr would disable it and enable it again',
      line: 'primary_cluster_addr = "https://lb:8201"',
    },
  ]);
  expect(await setOf('us')).toBe(before);

  stack.resources(primary({ deletion_protection: false }));
  await stack.must('apply');
  stack.resources(primary({ deletion_protection: false, primary_cluster_addr: 'https://lb:8201' }));
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'replace' });
  expect(await statusOf(stack, 'us')).toMatchObject({ primary_cluster_addr: 'https://lb:8201' });
  expect(await setOf('us')).not.toBe(before);
});

test('a cluster that is already a primary is refused in the plan, and the error shows the import', async () => {
  await enablePrimary(stack);
  stack.resources(primary());
  const { code, errors, requests } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ summary: 'cluster "us" is already a primary' }]);
  expect(errors[0]!.detail).toContain(`terraform import ${TYPE}.NAME 'us//performance'`);
  expect(requests).toEqual(['GET sys/replication/performance/status']);

  for (const id of ['us', 'us//performance']) {
    expect((await stack.workspace.run('import', ADDRESS, id)).code).toBe(0);
    expect((await stack.must('plan')).planned).toEqual({});
    stack.workspace.remove('terraform.tfstate');
  }
});

test.each([
  ['ap', 'import id "ap" does not contain a cluster name'],
  ['us/team//performance', 'import id "us/team//performance" does not contain a cluster name'],
  ['us//dr', 'import id "us//dr" does not contain a cluster name'],
  ['eu', 'performance replication primary on cluster "eu" does not exist'],
])('an import of %s is refused', async (id, problem) => {
  stack.resources(primary());
  const { code, stderr } = await stack.workspace.run('import', '-no-color', ADDRESS, id);
  expect(code).toBe(1);
  expect(stderr.replace(/[\s│]+/g, ' ')).toContain(problem);
});

describe('a primary that was changed outside of Terraform', () => {
  beforeEach(async () => {
    stack.resources(primary());
    await stack.must('apply');
  });

  test('a primary that was disabled is planned and enabled again', async () => {
    await change(stack, 'us', 'disabled', (calls) => calls.disablePrimary());
    expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'create' });
    await stack.must('apply');
    expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary' });
  });

  test('a primary that was demoted is a warning, and is not changed', async () => {
    await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
    const report = await stack.run('apply');
    expect(report).toMatchObject({ code: 0, errors: [], planned: {} });
    expect(report.warnings).toMatchObject([
      { summary: 'cluster "us" is no longer a primary: it was demoted outside of Terraform' },
    ]);
    stack.resources(primary({ deletion_protection: false }));
    await stack.run('apply');
    const { code, errors } = await stack.run('destroy');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      { summary: 'cluster "us" is no longer a primary: it was demoted outside of Terraform' },
    ]);
    expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'secondary' });
  });
});

test('a primary with connected secondaries is not disabled', async () => {
  stack.resources(primary({ deletion_protection: false, timeouts: { delete: '1s' } }));
  await stack.must('apply');
  await enableSecondary(stack, 'eu');
  const { code, errors } = await stack.run('destroy');
  expect(code).toBe(1);
  expect(errors).toMatchObject([
    {
      summary:
        'cannot delete performance replication primary on cluster "us", since secondaries are connected to it: "eu"',
    },
  ]);
  expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary' });

  await change(stack, 'eu', 'disabled', (calls) => calls.disableSecondary());
  expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
});

test.each([
  [
    { timeouts: { create: '0' } },
    'performance replication primary: timeouts.create must be a duration of more than 0 and at most 292 years',
  ],
  [
    { timeouts: { delete: 'soon' } },
    'performance replication primary: timeouts.delete must be a duration of more than 0 and at most 292 years',
  ],
])('the timeouts %j are refused', async (attributes, summary) => {
  stack.resources(primary(attributes));
  const { code, errors, requests } = await stack.run('plan');
  expect([code, requests]).toEqual([1, []]);
  expect(errors).toMatchObject([{ summary }]);
});
