/** Two states of one set at once, and addresses that lead elsewhere, through terraform. */
import { startGround, type Ground, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '30s', sync: '30s' };
const SET = 'performance replication set: ';

let ground: Ground;
let world: RealWorld;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

test('two applies with two successors: there is one primary, and the other apply fails with the reason', async () => {
  world = await ground.begin(['us', 'eu', 'ap'], { unavailableMs: 1_000 });
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
  const failed = results.filter(({ code }) => code !== 0);
  expect(failed).toHaveLength(1);
  const text = failed[0]!.stderr.replace(/[│\s]+/g, ' ');
  expect(text).toMatch(/To do: /);
  const deadline = Date.now() + 120_000;
  const modes = async () =>
    Promise.all(world.clusters.names.map(async (name) => (await world.clusters.status(name))?.mode));
  while ((await modes()).includes(undefined) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await modes()).filter((mode) => mode === 'primary')).toHaveLength(1);
});

test('an address that leads to a secondary of disaster recovery, before and after the cluster joins', async () => {
  world = await ground.begin(['us', 'eu']);
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
