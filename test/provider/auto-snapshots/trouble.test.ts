import { address, CONFIG, onServer, snapshot, startSnapshotStack, STATUS } from './support';

const storage = { blocks: { local: { local_max_space: 1_000_000 } } };

/** Requests are not repeated, so that every fault has an effect. */
const start = () => startSnapshotStack({ settings: ', max_retries = 0' });

test('an update whose read of the present values fails is completed by the next apply', async () => {
  const stack = await start();
  stack.resources(snapshot('nightly', { ...storage, retain: 1 }));
  await stack.must('apply');
  stack.resources(snapshot('nightly', { ...storage, retain: 2 }));
  stack.emulator.faults.inject({ status: 500, method: 'GET', path: `${CONFIG}/nightly`, skip: 1, count: 1 });
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'cannot update automated snapshot "nightly" on cluster "us": the server failed',
  ]);
  expect((await stack.workspace.state())[address('nightly')]).toMatchObject({ retain: 1 });
  expect(await onServer(stack, 'nightly')).toMatchObject({ retain: 1 });
  await stack.must('apply');
  expect(await onServer(stack, 'nightly')).toMatchObject({ retain: 2 });
  expect((await stack.must('plan')).planned).toEqual({});
  await stack.close();
});

test('a data source whose read of the status or of the interval fails is an error', async () => {
  const stack = await start();
  const body = { storage_type: 'local', interval: '1h', path_prefix: '/snapshots', local_max_space: 1 };
  await stack.ask('POST', `${CONFIG}/nightly`, body);
  stack.resources('data "vaultadmin_auto_snapshot_status" "it" {\n  name = "nightly"\n}\n');
  for (const path of [STATUS, CONFIG]) {
    stack.emulator.faults.inject({ status: 403, method: 'GET', path: `${path}/nightly`, count: 1 });
    const { code, errors } = await stack.run('plan');
    expect([code, errors.length]).toEqual([1, 1]);
  }
  await stack.must('plan');
  await stack.close();
});
