/** The state after applies that failed. */
import { aclPolicy, type Stack } from '../../support';
import { asOperator } from '../support';
import { apply, configure, plannedSteps, refused, startThree } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '1s', sync: '1s' };

let stack: Stack;
beforeEach(async () => {
  stack = await startThree({ unavailableMs: 0 });
});
afterEach(() => stack.close());

async function members(): Promise<unknown> {
  return (await stack.workspace.state())['vaultadmin_perf_replication_set.it']?.members;
}

test('a plan with a primary that does not answer has warnings, and no changes', async () => {
  await apply(stack, { primary: 'us', secondaries: { eu } });
  stack.emulator.faults.inject({ cluster: 'us', drop: 'before' });
  const { planned, errors, warnings } = await stack.run('plan');
  expect([planned, errors]).toEqual([{}, []]);
  expect(warnings[0]!.summary).toBe('performance replication set: the status of "us" cannot be read');
});

test('a filter that cannot be read keeps its value of the state', async () => {
  const paths_filter = { mode: 'deny', paths: ['legal/'] };
  await apply(stack, { primary: 'us', secondaries: { eu: { ...eu, paths_filter } } });
  const path = 'sys/replication/performance/primary/paths-filter/*';
  stack.emulator.faults.inject({ path, status: 403, errors: ['permission denied'] });
  const { planned, errors, warnings } = await stack.run('plan');
  expect([planned, errors]).toEqual([{}, []]);
  expect(warnings[0]!.summary).toContain('cannot read the paths filter of secondary "eu"');
});

test('the state has all clusters that have joined or have not left after an update that failed', async () => {
  await apply(stack, { primary: 'us', secondaries: { eu } });
  stack.emulator.replication.pause('ap');
  const wanted = { primary: 'us', secondaries: { ap }, timeouts };
  const [error] = await refused(stack, wanted, 'apply');
  expect(error!.detail).toContain('ap: secondary "ap", merkle-diff');
  expect(await members()).toEqual({ us: 'primary', ap: 'secondary' });

  stack.emulator.replication.resume('ap');
  configure(stack, wanted);
  expect(await plannedSteps(stack)).toEqual([]);
  await apply(stack, wanted);
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a create that failed stores no state, and the next create continues', async () => {
  stack.emulator.replication.pause('eu');
  const wanted = { primary: 'us', secondaries: { eu }, timeouts };
  await refused(stack, wanted, 'apply');
  expect(await stack.addresses()).toEqual([]);
  stack.emulator.replication.resume('eu');
  configure(stack, wanted);
  expect(await plannedSteps(stack)).toEqual([]);
  await apply(stack, wanted);
  expect(await members()).toEqual({ us: 'primary', eu: 'secondary' });
});

test('objects on a cluster that has just joined are managed with a new login', async () => {
  stack.resources(
    'resource "vaultadmin_perf_replication_set" "it" {\n' +
      '  primary = "us"\n  secondaries = { eu = { everything = true, confirm_data_loss = "eu" } }\n}\n' +
      aclPolicy({ cluster: 'eu', name: 'reader' }).replace(
        /}\n$/,
        '  depends_on = [vaultadmin_perf_replication_set.it]\n}\n',
      ),
  );
  expect((await stack.run('apply')).errors).toEqual([]);
  const found = await asOperator(stack, 'us', (client) => client.policies.acl.read('reader'));
  expect(found?.data.name).toBe('reader');
});
