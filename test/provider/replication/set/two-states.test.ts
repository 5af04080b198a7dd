/** Two states of one set at the same time, and addresses that lead to other clusters. */
import { until } from '../../../support/until';
import { useRealWorlds, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '30s', sync: '30s' };
const SET = 'performance replication set: ';

const worlds = useRealWorlds();
let world: RealWorld;

test('two applies with two successors end with one primary, each failed one says what to do, and the next apply succeeds', async () => {
  world = await worlds.begin(['us', 'eu', 'ap'], { unavailableMs: 1_000 });
  await world.apply({ primary: 'us', secondaries: { eu, ap }, timeouts });
  const { workspace } = world.stack;
  const planned = async (plan: string, primary: string, other: string) => {
    configure(world.stack, { primary, secondaries: { us: {}, [other]: {} }, timeouts });
    expect((await workspace.run('plan', `-out=${plan}`)).code).toBe(0);
    return plan;
  };
  const plans = [await planned('one', 'eu', 'ap'), await planned('two', 'ap', 'eu')];
  const results = await Promise.all(
    plans.map((plan) => workspace.run('apply', '-lock=false', '-no-color', plan)),
  );
  // Both applies fail if the second one reads the clusters between the demotion and the promotion
  // of the first one, and the first one then finds a cluster in the middle of its change of mode.
  const failed = results.filter(({ code }) => code !== 0);
  expect(failed).not.toEqual([]);
  for (const { stderr } of failed) expect(stderr.replace(/[│\s]+/g, ' ')).toMatch(/To do: /);
  await until(async () => {
    const statuses = await Promise.all(world.clusters.names.map((name) => world.clusters.status(name)));
    return statuses.every((status) => status !== undefined);
  });
  const primaries = await world.clusters.primaries();
  expect(primaries).toHaveLength(1);
  const others = world.clusters.names.filter((name) => name !== primaries[0]);
  const secondaries = Object.fromEntries(others.map((name) => [name, {}]));
  await world.apply({ primary: primaries[0], secondaries, timeouts });
  expect(await world.steps({ primary: primaries[0], secondaries, timeouts })).toBeUndefined();
});

test('an address that leads to a secondary of disaster recovery is refused before and after the join', async () => {
  world = await worlds.begin(['us', 'eu']);
  const pair = { primary: 'us', secondaries: { eu }, timeouts };
  const { replication } = world.clusters.emulator;
  replication.answerBy('eu', 'dr-secondary');
  const { summary, detail } = await world.refusal(pair);
  expect(summary).toBe(`${SET}the address of "eu" leads to a secondary of disaster recovery`);
  expect(detail).toContain('To do: correct the address of cluster "eu"');
  replication.answerBy('eu', undefined);
  await world.apply(pair);
  replication.answerBy('eu', 'dr-secondary');
  expect((await world.refusal(pair)).summary).toBe(summary);
  replication.answerBy('eu', undefined);
  expect(await world.steps(pair)).toBeUndefined();
});

test.each(['closes connections', 'hangs'])(
  'if the old primary %s during a failover and another member is promoted, there is one primary',
  async (how) => {
    world = await worlds.begin(['us', 'eu', 'ap']);
    await world.apply({ primary: 'us', secondaries: { eu, ap }, timeouts });
    const { emulator } = world.clusters;
    world.lose('us');
    emulator.faults.clear();
    emulator.faults.inject({ cluster: 'us', latencyMs: how === 'hangs' ? 1_500 : 300, drop: 'before' });
    configure(world.stack, {
      primary: 'ap',
      force_promotion: 'ap',
      abandoned_clusters: ['us'],
      secondaries: { eu: { confirm_data_loss: 'eu 2' } },
      timeouts,
    });
    expect((await world.stack.workspace.run('plan', '-out=failover')).code).toBe(0);
    emulator.requests.clear();
    const running = world.stack.workspace.start('apply', '-no-color', 'failover');
    // The provider has then read eu for the last time, and its last read of us has no answer.
    const rights = { cluster: 'ap', path: 'sys/capabilities-self' };
    const looks = { cluster: 'eu', path: 'sys/replication/performance/status' };
    await until(() => emulator.requests.list(rights).length > 0);
    const before = emulator.requests.list(looks).length;
    await until(() => emulator.requests.list(looks).length > before);
    await world.call('eu', 'secondary/promote', { force: true });
    const { code, stderr } = await running.result;
    expect(emulator.requests.list({ cluster: 'ap', path: '*/promote' })).toEqual([]);
    expect(await world.clusters.status('eu')).toMatchObject({ mode: 'primary' });
    expect(code).toBe(1);
    expect(stderr.replace(/[│\s]+/g, ' ')).toContain('the clusters have changed since the plan was made');
  },
);

test('a member that is sealed after its join keeps its id, and follows after the unseal', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  const quick = { mode_change: '2s', sync: '2s' };
  const pair = { primary: 'us', secondaries: { eu }, timeouts: quick };
  await world.apply(pair);
  const { emulator } = world.clusters;
  emulator.replication.partition('us', 'ap');
  configure(world.stack, { ...pair, secondaries: { eu, ap } });
  const running = world.stack.workspace.start('apply', '-auto-approve', '-no-color');
  const joins = { cluster: 'ap', path: 'sys/replication/performance/secondary/enable' };
  await until(() => emulator.requests.list(joins).length > 0);
  emulator.faults.inject({ cluster: 'ap', sealed: true });
  const { code } = await running.result;
  expect(code).toBe(1);
  expect(emulator.requests.list({ cluster: 'us', path: '*revoke-secondary' })).toEqual([]);
  expect((await world.clusters.status('us')).known_secondaries).toEqual(['eu', 'ap']);
  emulator.faults.clear();
  emulator.replication.heal();
  await world.apply({ ...pair, secondaries: { eu, ap } });
  expect(await world.clusters.status('ap')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});
