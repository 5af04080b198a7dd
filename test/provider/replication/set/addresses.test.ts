/**
 * Primaries behind load balancers: the address that secondaries get, and how they find a primary
 * whose address changes.
 */
import { configure } from './support/set-stack';
import { useRealWorlds, type RealWorld } from './support/real-world';

const timeouts = { mode_change: '5s', sync: '2s' };
const SET = 'performance replication set: ';
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const [US, EU] = ['https://us.lb.test:8201', 'https://eu.lb.test:8201'];

const worlds = useRealWorlds();
let world: RealWorld;

test('a switchover that would keep the address of the old primary is refused, and succeeds as the error advises', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  const { replication } = world.clusters.emulator;
  replication.addLoadBalancer('us', US);
  await world.apply({ primary: 'us', primary_cluster_addr: US, secondaries: { eu, ap }, timeouts });
  const swapped = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };

  const named = { ...swapped, primary_cluster_addr: US };
  const misspelled = await world.refusal({ ...swapped, primary_cluster_addrs: { europe: EU } });
  expect(misspelled.summary).toContain('primary_cluster_addrs must only name clusters of the set');
  configure(world.stack, named);
  const { errors, warnings } = await world.stack.run('apply');
  expect(warnings.map((each) => each.summary)).toContain(
    `${SET}"eu" becomes the primary with the primary_cluster_addr of "us"`,
  );
  const { summary, detail } = errors[0]!;
  expect(summary).toContain('a step failed');
  expect(detail).toContain(
    `"ap" contacts "eu" at its primary_cluster_addr, "${US}": check that this address leads to "eu"`,
  );

  replication.addLoadBalancer('eu', EU);
  const own = { ...swapped, primary_cluster_addrs: { us: US, eu: EU } };
  await world.apply(own);
  expect(await world.steps(own)).toBeUndefined();
  expect(await world.clusters.status('ap')).toMatchObject({
    state: 'stream-wals',
    connection_state: 'ready',
  });
  expect(await world.clusters.status('us')).toMatchObject({
    state: 'stream-wals',
    connection_state: 'ready',
  });

  const back = { ...own, primary: 'us', secondaries: { eu: {}, ap } };
  const report = await world.apply(back);
  expect(report.warnings.filter(({ summary: each }) => each.startsWith(SET))).toEqual([]);
  expect(await world.clusters.status('us')).toMatchObject({ primary_cluster_addr: US });
  expect(await world.clusters.status('eu')).toMatchObject({
    state: 'stream-wals',
    connection_state: 'ready',
  });
});
