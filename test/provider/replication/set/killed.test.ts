/**
 * Some of the interruptions with the real terraform: its provider is killed, or the user presses
 * Ctrl-C.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { newLatch } from '../../../support/latch';
import type { RunningCommand } from '../../../support/terraform';
import { until } from '../../../support/until';
import type { Stack } from '../../support';
import { asOperator, statusOf } from '../support';
import { apply, configure, hasData, modes, startThree, writeData } from './support/set-stack';

const CALLS = 'sys/replication/performance';
const ap = { confirm_data_loss: 'ap', paths_filter: { mode: 'deny', paths: ['legal/'] } };
const FROM_US = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' }, ap } };
const FROM_EU = { primary: 'eu', secondaries: { us: {}, ap } };

let stack: Stack;
beforeAll(async () => {
  stack = await startThree({ executable: true });
  await writeData(stack, 'us', 'kv');
  await writeData(stack, 'us', 'legal');
});
afterAll(() => stack.close());

/** The providers that a command has started and that are still running. */
function providersOf({ process: { pid } }: RunningCommand): readonly number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
  return children.join(' ').split(' ').filter(Boolean).map(Number);
}

/**
 * Applies, and kills the provider while a request is under way. The request takes effect
 * afterwards.
 */
async function killAt(path: string): Promise<void> {
  const request = { method: 'POST', path: `${CALLS}/${path}` };
  stack.emulator.requests.clear();
  const killed = newLatch();
  stack.emulator.faults.inject({ ...request, until: killed.opened });
  const command = stack.workspace.start('apply', '-auto-approve', '-input=false', '-no-color');
  await until(() => stack.emulator.faults.list()[0]!.hits > 0);
  for (const pid of providersOf(command)) process.kill(pid, 'SIGKILL');
  killed.open();
  expect((await command.result).code).toBe(1);
  await until(() => stack.emulator.requests.list(request).length > 0);
  stack.emulator.faults.clear();
  const primaries = Object.values(await modes(stack)).filter((mode) => mode === 'primary');
  expect(primaries.length).toBeLessThanOrEqual(1);
}

async function enginesOf(cluster: string): Promise<readonly string[]> {
  const mounts = await asOperator(stack, cluster, (client) => client.read('sys/mounts'));
  return Object.keys(mounts!.data);
}

async function expectJoined(primary: string, secondaries: readonly string[]): Promise<void> {
  expect((await stack.must('plan')).planned).toEqual({});
  const expected = secondaries.map((name) => [name, `secondary "${name}", stream-wals, ready`]);
  expect(await modes(stack)).toEqual({ [primary]: 'primary', ...Object.fromEntries(expected) });
  const { known_secondaries: known } = (await statusOf(stack, primary)) as { known_secondaries?: string[] };
  expect([...known!].sort()).toEqual([...secondaries].sort());
  expect([await hasData(stack, primary, 'kv'), await hasData(stack, primary, 'legal')]).toEqual([true, true]);
  expect([await hasData(stack, 'ap', 'kv'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);
}

test('a set is created although the provider is killed three times', async () => {
  configure(stack, FROM_US);
  for (const path of ['primary/enable', 'primary/secondary-token', 'secondary/enable']) await killAt(path);
  await apply(stack, FROM_US);
  await expectJoined('us', ['eu', 'ap']);
});

test('a switchover completes although the provider is killed at each change', async () => {
  configure(stack, FROM_EU);
  const path = ['primary/demote', 'secondary/promote', 'primary/secondary-token', 'secondary/update-primary'];
  for (const each of path) await killAt(each);
  await apply(stack, FROM_EU);
  await expectJoined('eu', ['us', 'ap']);
});

test('members keep their data without a confirmation if the provider is killed at the promotion and the new primary is written to', async () => {
  configure(stack, FROM_US);
  await killAt('secondary/promote');
  await asOperator(stack, 'us', (client) => client.write('kv/after', { value: 'after' }));
  expect(await enginesOf('us')).toContain('vaultadmin-promotion/');
  await apply(stack, FROM_US);
  await expectJoined('us', ['eu', 'ap']);
  expect(await enginesOf('us')).not.toContain('vaultadmin-promotion/');
  await apply(stack, FROM_EU);
});

test('no step is left half done after Ctrl-C during a wait, and the next apply continues', async () => {
  configure(stack, FROM_US);
  stack.emulator.replication.pause('us');
  await asOperator(stack, 'eu', (client) => client.write('kv/more', { value: 'more' }));
  const command = stack.workspace.startWith(
    { TF_LOG_PROVIDER: 'INFO' },
    'apply',
    '-auto-approve',
    '-no-color',
  );
  await command.printed(/waiting for us to .*: secondary "us", stream-wals, connection ready, WAL \d+/);
  process.kill(-command.process.pid!, 'SIGINT');
  const { code, stderr } = await command.result;
  expect(code).toBe(1);
  expect(stderr).toContain('Nothing was changed.');
  expect((await statusOf(stack, 'eu')).mode).toBe('primary');

  stack.emulator.replication.resume('us');
  await apply(stack, FROM_US);
  await expectJoined('us', ['eu', 'ap']);
});
