/**
 * No cluster is erased without a step in the plan that reviewers have seen, also if values were
 * unknown or the plan was for another cluster.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { newLatch } from '../../../support/latch';
import { until } from '../../../support/until';
import type { Stack } from '../../support';
import { asOperator, operatorOn, statusOf } from '../support';
import { apply, configure, hasData, startThree, writeData } from './support/set-stack';

const TYPE = 'vaultadmin_perf_replication_set';

let stack: Stack;
let balancer: Server;
/** The cluster that the address of `eu` leads to. */
let behind = 'eu';
const sockets = new Set<Socket>();

beforeAll(async () => {
  stack = await startThree();
  await writeData(stack, 'eu', 'own');
  await writeData(stack, 'ap', 'own');
  balancer = createServer((socket) => {
    const { port } = new URL(stack.emulator.clusters[behind]!.address);
    const target = connect(Number(port), '127.0.0.1');
    for (const each of [socket, target]) each.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.pipe(target).pipe(socket);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  balancer.close();
  await stack.close();
});

test('no cluster is erased with an unknown filter, and the next plan shows the filter', async () => {
  stack.resources(`
    resource "terraform_data" "path" {
      input = "legal/"
    }
    resource "${TYPE}" "it" {
      primary     = "us"
      secondaries = {
        eu = { confirm_data_loss = "eu", paths_filter = { mode = "deny", paths = [terraform_data.path.output] } }
      }
    }
  `);
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'performance replication set: the plan cannot show what happens to the clusters',
  ]);
  expect(errors[0]!.detail).toContain('terraform apply -target=');
  expect(await hasData(stack, 'eu', 'own')).toBe(true);
  expect((await statusOf(stack, 'us')).mode).toBe('disabled');

  await stack.run('apply', '-target=terraform_data.path');
  const { resource_changes: changes = [] } = await stack.workspace.plan();
  expect(changes.find(({ type }) => type === TYPE)?.change.after?.steps).toEqual([
    'us: become the primary of a new replication set (keeps its data)',
    'eu: ERASE ALL DATA of this cluster, then join us as its secondary "eu", without legal/',
  ]);
});

test.each(['wrapped', 'public_key'])(
  'no other cluster is erased if an address leads to it after the token was issued (%s)',
  async (token_delivery) => {
    const { port } = balancer.address() as AddressInfo;
    const own = stack.emulator.clusters.eu!.address;
    stack.configure(operatorOn(stack.emulator, ['us', 'eu', 'ap']).replace(own, `http://127.0.0.1:${port}`));
    const issuing = { method: 'POST', path: 'sys/replication/performance/primary/secondary-token' };
    const moved = newLatch();
    stack.emulator.faults.inject({ ...issuing, until: moved.opened });
    configure(stack, {
      primary: 'us',
      secondaries: { eu: { confirm_data_loss: 'eu', token_delivery } },
      timeouts: { sync: '5s' },
    });
    const running = stack.workspace.start('apply', '-auto-approve', '-no-color');
    await until(() => stack.emulator.faults.list()[0]!.hits > 0);
    behind = 'ap';
    for (const socket of sockets) socket.destroy();
    moved.open();
    const { code, stderr } = await running.result;
    expect(code).toBe(1);
    expect(stderr.replace(/[│\s]+/g, ' ')).toContain(
      'the address of "eu" leads to another cluster than when this apply began',
    );
    expect(await hasData(stack, 'ap', 'own')).toBe(true);
    expect((await statusOf(stack, 'ap')).mode).toBe('disabled');
    behind = 'eu';
    for (const socket of sockets) socket.destroy();
    stack.emulator.faults.clear();
    await asOperator(stack, 'us', (client) => client.replication.performance.disablePrimary());
  },
);

test('a saved plan whose address leads to another cluster in the apply is refused', async () => {
  const { port } = balancer.address() as AddressInfo;
  stack.configure(
    operatorOn(stack.emulator, ['us', 'eu', 'ap']).replace(
      stack.emulator.clusters.eu!.address,
      `http://127.0.0.1:${port}`,
    ),
  );
  const pair = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' } } };
  configure(stack, pair);
  await stack.workspace.plan();
  behind = 'ap';
  for (const socket of sockets) socket.destroy();
  const { code, stderr } = await stack.workspace.run('apply', '-no-color', 'tfplan');
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain('.cluster_ids["eu"]: was cty.StringVal(');
  expect(await hasData(stack, 'ap', 'own')).toBe(true);
  expect((await statusOf(stack, 'us')).mode).toBe('disabled');
  behind = 'eu';
  for (const socket of sockets) socket.destroy();
  await apply(stack, pair);
  expect((await statusOf(stack, 'eu')).mode).toBe('secondary');
});
