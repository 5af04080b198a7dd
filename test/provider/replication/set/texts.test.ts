/** The texts of plans and errors about the clusters, through terraform. */
import { useRealWorlds, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const CALLS = 'sys/replication/performance';
const names = ['us', 'eu', 'ap', 'sa', 'af'];
const others = (...primary: string[]) =>
  Object.fromEntries(
    names.filter((name) => !primary.includes(name)).map((name) => [name, { confirm_data_loss: name }]),
  );
const timeouts = { mode_change: '10s', sync: '10s' };
const SET = 'performance replication set: ';

const worlds = useRealWorlds();
let world: RealWorld;

test('a set of five members reports a corrupted tree, a failed step as begun, and force_promotion that is left', async () => {
  world = await worlds.begin(names);
  const { clusters, stack } = world;
  await clusters.mountStore('us', 'kv');
  const set = { primary: 'us', secondaries: others('us'), timeouts };
  await world.apply(set);
  expect(await world.steps(set)).toBeUndefined();

  const swapped = { primary: 'eu', secondaries: others('eu'), timeouts };
  for (const corrupted of ['us', 'eu']) {
    clusters.emulator.replication.corruptTree(corrupted);
    const { summary, detail } = await world.refusal(swapped);
    expect(summary).toBe(`${SET}the merkle tree of "${corrupted}" is corrupted: "eu" cannot take over`);
    expect(detail).toContain(`To do: reindex "${corrupted}"`);
    expect((await clusters.ask(corrupted, 'POST', 'sys/replication/reindex')).status).toBe(200);
  }

  // The new primary issues a token for af, but af refuses the call that would pass the token on.
  const fault = clusters.emulator.faults.inject({
    cluster: 'af',
    method: 'POST',
    path: `${CALLS}/secondary/update-primary`,
    status: 400,
    errors: ['not now'],
  });
  configure(stack, swapped);
  const { errors } = await stack.run('apply');
  expect(errors).toHaveLength(1);
  const { detail } = errors[0]!;
  expect(detail).toContain(
    'BEGUN, not completed: af: follow eu as its secondary "af", unfiltered (keeps its data)',
  );
  expect(detail).toContain('- eu: become the primary, once it has all writes of us (keeps its data)');
  expect(detail).toContain('- eu: primary, running');
  expect(detail).not.toContain('Nothing was changed.');
  expect(detail).not.toContain('No cluster is the primary');
  clusters.emulator.faults.clear(fault);
  await world.apply(swapped);
  expect(await clusters.primaries()).toEqual(['eu']);

  configure(stack, { ...swapped, force_promotion: 'eu' });
  const { warnings } = await stack.run('plan');
  expect(warnings.map(({ summary }) => summary)).toEqual([
    `${SET}force_promotion is still set, although "eu" is the primary`,
  ]);
});

test('a demotion that is refused leaves no announcement behind, and one that may have worked is reported as begun', async () => {
  world = await worlds.begin(['us', 'eu']);
  const { clusters } = world;
  await world.apply({ primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' } }, timeouts });
  const swapped = { primary: 'eu', secondaries: { us: {} }, timeouts };
  const announcement = async () =>
    (await clusters.ask('us', 'GET', 'sys/policies/acl/vaultadmin-switchover')).status;
  const refuse = (status: number) =>
    clusters.emulator.faults.inject({ path: `${CALLS}/primary/demote`, status, errors: ['no'] });
  refuse(400);
  expect((await world.refusal(swapped, 'apply')).detail).toContain('Nothing was changed.');
  expect(await announcement()).toBe(404);
  clusters.emulator.faults.clear();
  refuse(500);
  expect((await world.refusal(swapped, 'apply')).detail).toContain(
    'Changed so far:\n  - BEGUN, not completed: us: wait until eu has all its writes, then step down as the primary (keeps ' +
      'its data). So far: the ACL policy "vaultadmin-switchover" on us names eu as the cluster that takes over\n',
  );
  expect(await announcement()).toBe(200);
  clusters.emulator.faults.clear();
  await world.apply(swapped);
});

test('an earlier copy of the state that is restored neither moves the primary back nor erases a cluster', async () => {
  world = await worlds.begin(['us', 'eu']);
  const { clusters, stack } = world;
  await clusters.mountStore('us', 'kv');
  const pair = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' } }, timeouts };
  await world.apply(pair);
  const copy = stack.workspace.read('terraform.tfstate');
  const swapped = { primary: 'eu', secondaries: { us: {} }, timeouts };
  await world.apply(swapped);
  expect(await clusters.write('eu', 'kv/later')).toBe(true);
  stack.workspace.write('terraform.tfstate', copy);
  expect(await world.steps(swapped)).toBeUndefined();
  expect(await clusters.primaries()).toEqual(['eu']);
  expect(await clusters.lacks('eu', ['kv/later'])).toEqual([]);
});
