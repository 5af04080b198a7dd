/** Faults while a cluster changes its mode: lost answers, outages, deadlines, crashes. */
import type { Fault } from '../../../src/emulator';
import { block, type Stack } from '../support';
import { asRoot, CALLS, enablePrimary, giveToken, issueToken, startClusters, statusOf } from './support';

const PRIMARY = 'vaultadmin_perf_replication_primary';
const SECONDARY = 'vaultadmin_perf_replication_secondary';
const primary = block('resource', PRIMARY, { cluster: 'us', deletion_protection: false });
const secondary = (attributes: object = {}) =>
  'variable "token" {\n  type      = string\n  ephemeral = true\n  default   = null\n}\n' +
  block('resource', SECONDARY, {
    cluster: 'eu',
    token_wo: '${var.token}',
    token_wo_version: 1,
    confirm_data_loss: 'eu',
    ...attributes,
  });

let stack: Stack;
afterEach(() => stack.close());

function apply(token: string) {
  giveToken(stack, token);
  return stack.run('apply');
}
const times = (requests: readonly string[], call: string) =>
  requests.filter((request) => request === `POST ${CALLS}/${call}`).length;
const inject = (call: string, fault: Fault) =>
  stack.emulator.faults.inject({ method: 'POST', path: `${CALLS}/${call}`, count: 1, ...fault });

describe('a lost answer', () => {
  beforeEach(async () => {
    stack = await startClusters();
  });

  test('each request is sent once if the answers to the enabling and disabling of a primary are lost', async () => {
    stack.resources(primary);
    inject('primary/enable', { drop: 'after' });
    const enabled = await stack.must('apply');
    expect(times(enabled.requests, 'primary/enable')).toBe(1);
    expect((await stack.must('plan')).planned).toEqual({});

    inject('primary/disable', { drop: 'after' });
    const disabled = await stack.must('destroy');
    expect(times(disabled.requests, 'primary/disable')).toBe(1);
    expect(await statusOf(stack, 'us')).toEqual({ mode: 'disabled' });
  });

  test('the next apply enables a primary if the connection was lost before the first request', async () => {
    stack.resources(primary);
    inject('primary/enable', { drop: 'before' });
    const report = await stack.run('apply');
    expect(report.errors).toMatchObject([
      {
        summary: 'cannot create performance replication primary on cluster "us": the connection was lost',
      },
    ]);
    expect(times(report.requests, 'primary/enable')).toBe(1);
    expect(await stack.addresses()).toEqual([]);
    await stack.must('apply');
    expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary' });
  });

  test('the token is not sent again if the answer to a join is lost', async () => {
    await enablePrimary(stack);
    stack.resources(secondary());
    inject('secondary/enable', { drop: 'after' });
    const joined = await apply(await issueToken(stack, 'eu'));
    expect(joined).toMatchObject({ code: 0, errors: [] });
    expect(times(joined.requests, 'secondary/enable')).toBe(1);
    expect((await stack.must('plan')).planned).toEqual({});

    inject('secondary/disable', { drop: 'after' });
    expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
    expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
  });

  test('the next apply uses the same token if the connection is lost before a join', async () => {
    await enablePrimary(stack);
    stack.resources(secondary());
    const token = await issueToken(stack, 'eu');
    inject('secondary/enable', { drop: 'before' });
    expect((await apply(token)).code).toBe(1);
    expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
    expect(await apply(token)).toMatchObject({ code: 0, errors: [] });
  });

  test('a secondary that crashes during its sync completes the join by itself', async () => {
    await enablePrimary(stack);
    stack.resources(secondary());
    stack.emulator.replication.crashAt('eu', 'half-synced');
    expect(await apply(await issueToken(stack, 'eu'))).toMatchObject({ code: 0, errors: [] });
    expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
  });
});

test('an apply waits for a cluster that is unavailable after each change', async () => {
  stack = await startClusters({ unavailableMs: 1_500 });
  stack.resources(primary);
  await stack.must('apply');
  const token = await issueToken(stack, 'eu');
  stack.resources(primary + secondary());
  expect(await apply(token)).toMatchObject({ code: 0, errors: [], warnings: [] });
  expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
});

test('an apply whose join exceeds the timeout reports the state of the sync, and an import adopts the secondary later', async () => {
  stack = await startClusters();
  await enablePrimary(stack);
  await asRoot(stack, 'us', (client) => client.write('sys/mounts/secret', { type: 'kv' }));
  const token = await issueToken(stack, 'eu');
  stack.emulator.replication.pause('eu');
  stack.resources(secondary({ timeouts: { create: '2s' } }));
  const { code, errors } = await apply(token);
  expect(code).toBe(1);
  expect(errors[0]!.summary).toBe(
    'cannot create performance replication secondary on cluster "eu": it took too long',
  );
  expect(errors[0]!.detail).toMatch(
    /did not follow its primary's log within 2 s; its last status: secondary "eu", merkle-/,
  );
  expect(errors[0]!.detail).toContain(`terraform import ${SECONDARY}.NAME 'eu//performance'`);
  expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary' });

  stack.emulator.replication.resume('eu');
  expect((await apply(token)).errors).toMatchObject([{ summary: 'cluster "eu" is already a secondary' }]);
  expect((await stack.workspace.run('import', `${SECONDARY}.it`, 'eu//performance')).code).toBe(0);
  expect(await apply(token)).toMatchObject({ code: 0, errors: [] });
  expect(await statusOf(stack, 'eu')).toMatchObject({ state: 'stream-wals' });
});

describe('a primary that exists', () => {
  beforeEach(async () => {
    stack = await startClusters();
    stack.resources(primary);
    await stack.must('apply');
  });

  test.each<[string, Fault]>([
    ['sealed for a moment', { sealed: true }],
    ['away for a moment', { drop: 'before' }],
    ['a standby for a moment', { status: 473 }],
    ['behind for a moment', { status: 412, errors: ['required index state not present'] }],
  ])('a primary is read from a cluster that is %s', async (_, fault) => {
    stack.emulator.faults.inject({ path: `${CALLS}/status`, count: 3, ...fault });
    expect((await stack.must('plan')).planned).toEqual({});
    expect(stack.emulator.faults.list()).toEqual([]);
  });

  test('the primary stays in the state if the server refuses to disable it', async () => {
    inject('primary/disable', { status: 403, errors: ['permission denied'] });
    const { code, errors } = await stack.run('destroy');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      {
        summary: 'cannot delete performance replication primary on cluster "us": permission denied',
      },
    ]);
    expect(await stack.addresses()).toEqual([`${PRIMARY}.it`]);
    expect((await stack.must('plan')).planned).toEqual({});
  });
});

test('the log contains the progress of a join', async () => {
  stack = await startClusters({ executable: true, unavailableMs: 500 });
  await enablePrimary(stack);
  stack.resources(secondary());
  giveToken(stack, await issueToken(stack, 'eu'));
  const { code, stderr } = await stack.workspace.runWith(
    { TF_LOG_PROVIDER: 'INFO' },
    'apply',
    '-auto-approve',
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /performance replication secondary: waiting for eu to (become a secondary|follow its primary's log): .*waited_seconds/,
  );
});
