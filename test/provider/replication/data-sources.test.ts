import { block, providerBlock, type Stack } from '../support';
import { asRoot, enablePrimary, enableSecondary, operatorOn, startClusters, statusOf } from './support';

const STATUS = 'vaultadmin_perf_replication_status';
const DYNAMIC = 'vaultadmin_perf_replication_dynamic_filter';

let stack: Stack;
beforeAll(async () => {
  stack = await startClusters({ clusters: { us: 0, eu: 0, ap: 0 } });
  await enablePrimary(stack);
  await asRoot(stack, 'us', async (client) => {
    for (const path of ['secret', 'shared']) await client.write(`sys/mounts/${path}`, { type: 'kv' });
    await client.write('sys/namespaces/team-a');
    await client.replication.performance.writePathsFilter('eu', {
      mode: 'deny',
      paths: ['secret/', 'team-a/'],
    });
  });
  await enableSecondary(stack, 'eu');
});
afterEach(() => {
  stack.workspace.remove('terraform.tfstate');
  stack.emulator.faults.clear();
});
afterAll(() => stack.close());

/** The values of the data sources of a configuration, by their addresses. */
async function read(hcl: string) {
  stack.resources(hcl);
  await stack.must('apply');
  return stack.workspace.state();
}

describe('the data source of the status', () => {
  const all = ['us', 'eu', 'ap'].map((cluster) => block('data', STATUS, { cluster }, cluster)).join('');

  test('the data source returns the status in each mode', async () => {
    const state = await read(all);
    expect(state[`data.${STATUS}.us`]).toMatchObject({
      id: 'us//performance',
      mode: 'primary',
      state: 'running',
      known_secondaries: ['eu'],
      secondaries: [
        { node_id: 'eu', connection_status: 'connected', clock_skew_ms: expect.any(Number) as number },
      ],
      last_performance_wal: expect.any(Number) as number,
      merkle_root: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      last_corruption_check_epoch: null,
      connection_state: null,
      primaries: null,
    });
    const { cluster_id } = (await statusOf(stack, 'us')) as { cluster_id: string };
    expect(state[`data.${STATUS}.eu`]).toMatchObject({
      mode: 'secondary',
      state: 'stream-wals',
      connection_state: 'ready',
      cluster_id,
      secondary_id: 'eu',
      primaries: [{ connection_status: 'connected', api_address: stack.emulator.clusters.us!.address }],
      known_secondaries: null,
    });
    expect(state[`data.${STATUS}.ap`]).toMatchObject({ mode: 'disabled', state: null, cluster_id: null });
  });

  test('the status is read without a token, and without a login', async () => {
    const { clusters } = stack.emulator;
    const entries = Object.values(clusters).map(
      ({ name, address }) =>
        `${name} = { address = "${address}", auth_login = { path = "auth/nowhere/login", parameters = {} } }`,
    );
    stack.configure(providerBlock(entries.join('\n')));
    stack.resources(all);
    const report = await stack.must('apply');
    expect(report.requests).toEqual(Array(3).fill('GET sys/replication/performance/status'));
    stack.configure(operatorOn(stack.emulator, Object.keys(clusters)));
  });

  test('the status is read again while the cluster does not answer for a moment', async () => {
    const path = 'sys/replication/performance/status';
    stack.emulator.faults.inject({ path, status: 503, errors: ['Vault is sealed'], count: 2 });
    stack.emulator.faults.inject({ path, drop: 'before', count: 1, skip: 2 });
    const state = await read(block('data', STATUS, { cluster: 'us' }));
    expect(state[`data.${STATUS}.it`]).toMatchObject({ mode: 'primary' });
  });

  test('the status of a server that does not support replication is unsupported', async () => {
    stack.emulator.faults.inject({
      path: 'sys/replication/performance/status',
      status: 404,
      errors: ['1 error occurred:\n\t* unsupported path\n\n'],
    });
    stack.resources(block('data', STATUS, { cluster: 'us' }));
    const { code, errors } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      {
        summary: 'cannot read performance replication status on cluster "us": its status cannot be read',
        detail: expect.stringContaining('it requires Vault Enterprise') as string,
      },
    ]);
  });
});

describe('the data source of a dynamic filter', () => {
  test.each(['us', 'eu'])('the dynamic filter is read from the cluster %s', async (cluster) => {
    const state = await read(block('data', DYNAMIC, { cluster, secondary_id: 'eu' }));
    expect(state[`data.${DYNAMIC}.it`]).toEqual({
      id: `${cluster}//eu`,
      cluster,
      secondary_id: 'eu',
      dynamic_filtered_mounts: ['secret/'],
      dynamic_filtered_namespaces: ['team-a/'],
    });
  });

  test.each([
    [{ cluster: 'us', secondary_id: 'ap' }, 'dynamic filter "ap" on cluster "us" does not exist'],
    [{ cluster: 'eu', secondary_id: 'ap' }, 'dynamic filter "ap" on cluster "eu" does not exist'],
    [
      { cluster: 'ap', secondary_id: 'eu' },
      'dynamic filter "eu" on cluster "ap" does not exist: the cluster does not replicate',
    ],
    [
      { cluster: 'us', secondary_id: 'a/b' },
      'dynamic filter "a/b": secondary_id is not valid as part of a path',
    ],
  ])('the dynamic filter of %j is refused', async (attributes, summary) => {
    stack.resources(block('data', DYNAMIC, attributes));
    const { code, errors } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors).toMatchObject([{ summary }]);
  });
});
