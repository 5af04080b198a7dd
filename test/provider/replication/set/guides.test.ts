/** Runs every step of the guides, and compares what they show. */
import { textsOf } from '../../../docs/support/page';
import type { Stack } from '../../support';
import { asOperator, change, enablePrimary, enableSecondary } from '../support';
import { hasData, modes, plannedSteps, startThree, writeData } from './support/set-stack';

/** All blocks of a guide in one language, in the order of the page. */
const blocks = (guide: string, language: string, count: number) =>
  textsOf(`docs/guides/${guide}.md`, language, count);

function lines(text: string): readonly string[] {
  return text.trimEnd().split('\n');
}

let stack: Stack;
beforeEach(async () => {
  stack = await startThree({ unavailableMs: 0 });
  await writeData(stack, 'us', 'legal');
});
afterEach(() => stack.close());

async function apply(configuration: string): Promise<void> {
  stack.resources(configuration);
  expect((await stack.run('apply')).errors).toEqual([]);
}

async function stepsOf(configuration: string): Promise<readonly string[] | undefined> {
  stack.resources(configuration);
  return plannedSteps(stack);
}

test('the guide creates a set', async () => {
  const [configuration] = blocks('replication', 'terraform', 2);
  const [steps] = blocks('replication', 'text', 1);
  expect(await stepsOf(configuration!)).toEqual(lines(steps!));
  await apply(configuration!);
  expect([await hasData(stack, 'eu', 'legal'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);
});

test('the guide configures a login', async () => {
  const [, login] = blocks('replication', 'terraform', 2);
  stack.configure(login!);
  await stack.workspace.must('validate');
});

test('the guide takes over an existing pair', async () => {
  const [plain, filtered] = blocks('replication-existing-pair', 'terraform', 2);
  const [importing, revoking] = blocks('replication-existing-pair', 'sh', 2);
  await enablePrimary(stack);
  await enableSecondary(stack, 'eu', 'europe');
  stack.resources(plain!);
  await stack.workspace.must(...importing!.trim().split(' ').slice(1));
  expect((await stack.must('plan')).planned).toEqual({});

  await asOperator(stack, 'us', ({ replication }) =>
    replication.performance.writePathsFilter('europe', { mode: 'deny', paths: ['legal/'] }),
  );
  expect(Object.values((await stack.run('plan')).planned)).toEqual(['update']);
  stack.resources(filtered!);
  expect((await stack.must('plan')).planned).toEqual({});

  const [, path] = /^vault write (\S+) id=\.\.\.$/m.exec(revoking!)!;
  expect((await stack.ask('PUT', path!, { id: 'europe' })).status).toBeLessThan(300);
  const { data } = await stack.ask('GET', 'sys/replication/performance/status');
  expect(data).toMatchObject({ known_secondaries: [] });
});

test('the guide makes a planned switchover', async () => {
  const [before, after] = blocks('replication-switchover', 'terraform', 2);
  const [steps] = blocks('replication-switchover', 'text', 2);
  await apply(before!);
  expect(await stepsOf(after!)).toEqual(lines(steps!));
  await apply(after!);
  expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
});

test('the guide shows a planned switchover that cannot be completed', async () => {
  const [before, after] = blocks('replication-switchover', 'terraform', 2);
  const [, outcome] = blocks('replication-switchover', 'text', 2);
  await apply(before!);
  stack.emulator.replication.pause('eu');
  await asOperator(stack, 'us', (client) => client.write('legal/late', { value: 'late' }));
  await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
  stack.emulator.replication.resume('eu');
  stack.resources(after!.replace('primary = "eu"', '$&\n  timeouts {\n mode_change = "1s"\n }'));
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    `performance replication set "eu": ${outcome!.trim()}`,
  ]);
  stack.resources(before!);
  expect((await stack.must('plan')).planned).toEqual({});
});

test('the guide makes an unplanned failover', async () => {
  const [before, forced, calm, back] = blocks('replication-failover', 'terraform', 4);
  const [takeOver, refusal, rejoin] = blocks('replication-failover', 'text', 3);
  await apply(before!);
  const down = stack.emulator.faults.inject({ cluster: 'us', drop: 'before' });
  expect(await stepsOf(forced!)).toEqual(lines(takeOver!));
  await apply(forced!);
  await apply(calm!);
  await writeData(stack, 'eu', 'since');

  stack.emulator.faults.clear(down);
  stack.resources(back!);
  const { errors } = await stack.run('plan');
  expect(errors.map(({ summary }) => summary)).toEqual([`performance replication set: ${refusal!.trim()}`]);
  await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
  expect(await stepsOf(back!)).toEqual(lines(rejoin!));
  await apply(back!);
  expect(await modes(stack)).toEqual({
    eu: 'primary',
    us: 'secondary "us", stream-wals, ready',
    ap: 'secondary "ap", stream-wals, ready',
  });
});
