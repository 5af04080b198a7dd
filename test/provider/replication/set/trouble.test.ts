import { newLatch } from '../../../support/latch';
import { allClusters, type Stack } from '../../support';
import { asOperator, change, operatorOn, statusOf } from '../support';
import {
  apply,
  configure,
  hasData,
  modes,
  plannedSteps,
  refused,
  startThree,
  writeData,
} from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const pair = { primary: 'us', secondaries: { eu } };
const swapped = { primary: 'eu', secondaries: { us: {} } };
/** Short, because a wait for a change that never comes lasts until the timeout. */
const timeouts = { mode_change: '1s', sync: '1s' };

let stack: Stack;
beforeEach(async () => {
  stack = await startThree({ unavailableMs: 0 });
});
afterEach(() => stack.close());

async function applyFails(attributes: object) {
  const [error] = await refused(stack, attributes, 'apply');
  return error!;
}

/** Makes a cluster unreachable. */
function down(cluster: string): void {
  stack.emulator.faults.inject({ cluster, drop: 'before' });
}

test('a secondary that does not answer neither delays the others nor is removed', async () => {
  await apply(stack, pair);
  down('eu');
  const three = { primary: 'us', secondaries: { eu, ap } };
  configure(stack, three);
  const { warnings, errors, planned } = await stack.run('plan');
  expect([errors, Object.values(planned)]).toEqual([[], ['update']]);
  expect(warnings.map(({ summary }) => summary)).toContain(
    'performance replication set: the status of "eu" cannot be read',
  );
  await apply(stack, three);
  expect((await statusOf(stack, 'ap')).mode).toBe('secondary');
  stack.emulator.faults.clear();
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a secondary that does not answer cannot leave, and is revoked once it is in abandoned_clusters', async () => {
  await apply(stack, pair);
  down('eu');
  const error = await applyFails({ primary: 'us', timeouts });
  expect(error.summary).toBe('performance replication set "us": "eu" cannot be reached, but is required');
  expect(error.detail).toContain('Still to do:\n  - eu: leave the replication set');
  expect(error.detail).toContain(
    'To do: apply again once it answers. A cluster that is gone for good: add it to abandoned_clusters, and remove it from secondaries; if it was',
  );
  expect(await statusOf(stack, 'us')).toMatchObject({ known_secondaries: ['eu'] });
  await apply(stack, { primary: 'us', abandoned_clusters: ['eu'], timeouts });
  expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary', known_secondaries: [] });
});

test('a switchover does not begin while a member does not answer', async () => {
  await apply(stack, { primary: 'us', secondaries: { eu, ap } });
  down('ap');
  const error = await applyFails({ primary: 'eu', secondaries: { us: {}, ap }, timeouts });
  expect(error.summary).toContain('"ap" cannot be reached, but is required');
  expect(error.detail).toContain('Nothing was changed.');
  expect((await statusOf(stack, 'us')).mode).toBe('primary');
});

test('a switchover waits for a successor that lags, and changes nothing if it does not catch up', async () => {
  await apply(stack, pair);
  stack.emulator.replication.pause('eu');
  await writeData(stack, 'us', 'kv').catch(() => {});
  const error = await applyFails({ ...swapped, timeouts });
  expect(error.summary).toBe('performance replication set "eu": a step failed');
  expect(error.detail).toMatch(/did not receive everything from its primary \(up to WAL \d+\) within 1 s/);
  expect(error.detail).toContain('Nothing was changed.');
  expect(error.detail).toContain('us: primary, running');
  stack.emulator.replication.resume('eu');
  await apply(stack, swapped);
  expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
  expect(await hasData(stack, 'eu', 'kv')).toBe(true);
});

test('a primary with steady writes becomes the primary again if the successor lacks the last of them', async () => {
  // The provider must not use the leaping clock here, because the writer runs in real time.
  await stack.close();
  stack = await startThree({ unavailableMs: 0, leaping: false });
  await writeData(stack, 'us', 'kv');
  await apply(stack, pair);
  const { faults, replication } = stack.emulator;
  const path = 'sys/replication/performance/primary/demote';
  const late = newLatch();
  faults.inject({ method: 'POST', path, until: late.opened, count: 1 });
  const written: string[] = [];
  let ended = false;
  const writer = asOperator(stack, 'us', async (client) => {
    for (let paused = false; !ended;) {
      // Replication is paused while the primary is about to step down. It steps down after one more
      // write.
      const demoting = faults.list()[0]?.hits !== 0;
      if (demoting && !paused) replication.pause('eu');
      paused ||= demoting;
      const key = `kv/steady-${written.length}`;
      await client.write(key, { value: key }).then(
        () => {
          written.push(key);
          if (paused) late.open();
        },
        () => replication.resume('eu'),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  const error = await applyFails({ ...swapped, timeouts: { mode_change: '5s', sync: '30s' } });
  ended = true;
  await writer;
  expect(error.summary).toBe(
    'performance replication set "eu": "eu" could not take over, and "us" is the primary again',
  );
  expect(error.detail).toContain('"eu" lacks writes that "us" accepted before it stepped down');
  expect(await modes(stack)).toMatchObject({ us: 'primary', eu: 'secondary "eu", stream-wals, ready' });

  await apply(stack, swapped);
  expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
  for (const key of written) {
    expect(await asOperator(stack, 'eu', (client) => client.read(key))).toMatchObject({
      data: { value: key },
    });
  }
});

describe('a successor that lacks the writes before the demotion', () => {
  beforeEach(async () => {
    await writeData(stack, 'us', 'kv');
    await apply(stack, pair);
    stack.emulator.replication.pause('eu');
    await asOperator(stack, 'us', (client) => client.write('kv/late', { value: 'late' }));
    await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
    stack.emulator.replication.resume('eu');
  });

  test('such a successor does not take over, and the old primary becomes the primary again without a loss', async () => {
    const error = await applyFails({ ...swapped, timeouts });
    expect(error.summary).toContain('"eu" could not take over, and "us" is the primary again');
    expect(error.detail).toContain('"eu" lacks writes that "us" accepted before it stepped down');
    expect(await modes(stack)).toMatchObject({ us: 'primary', eu: 'secondary "eu", stream-wals, ready' });
    expect(await asOperator(stack, 'eu', (client) => client.read('kv/late'))).toBeDefined();
    configure(stack, pair);
    expect(await plannedSteps(stack)).toBeUndefined();
  });

  test('the old primary becomes the primary at once if the configuration names it again', async () => {
    configure(stack, pair);
    expect(await plannedSteps(stack)).toEqual([
      'us: become the primary again (keeps its data)',
      'eu: follow us as its secondary "eu", unfiltered (keeps its data)',
    ]);
    await apply(stack, pair);
    expect(await modes(stack)).toMatchObject({ us: 'primary', eu: 'secondary "eu", stream-wals, ready' });
    expect(await asOperator(stack, 'eu', (client) => client.read('kv/late'))).toBeDefined();
  });

  test('such a successor takes over by force once the loss is confirmed by name', async () => {
    const forced = { ...swapped, force_promotion: 'eu', timeouts };
    expect((await refused(stack, forced)).map(({ summary }) => summary)).toEqual([
      'performance replication set: "us" may have writes that "eu" lacks, and would lose them by following it',
    ]);
    await apply(stack, { ...forced, secondaries: { us: { confirm_data_loss: 'us' } } });
    expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
  });
});

test('another cluster takes over by force if a primary is lost, and the old one is refused until it was demoted', async () => {
  await writeData(stack, 'us', 'kv');
  await apply(stack, { primary: 'us', secondaries: { eu, ap } });
  down('us');
  const lost = { primary: 'eu', secondaries: { ap }, timeouts };
  const error = await applyFails(lost);
  expect(error.detail).toContain('also set force_promotion to the cluster that takes over');
  await apply(stack, { ...lost, force_promotion: 'eu', abandoned_clusters: ['us'] });
  expect(await modesWithout('us')).toEqual({ eu: 'primary', ap: 'secondary "ap", stream-wals, ready' });

  stack.emulator.faults.clear();
  const back = { primary: 'eu', secondaries: { us: { confirm_data_loss: 'us' }, ap }, timeouts };
  expect((await refused(stack, back)).map(({ summary }) => summary)).toEqual([
    'performance replication set: "eu" and "us" are both primaries of this replication set',
  ]);
  await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
  await apply(stack, back);
  expect(await modes(stack)).toMatchObject({ us: 'secondary "us", stream-wals, ready' });
});

async function modesWithout(name: string): Promise<Readonly<Record<string, string>>> {
  stack.emulator.faults.clear();
  const others = Object.entries(await modes(stack)).filter(([each]) => each !== name);
  down(name);
  return Object.fromEntries(others);
}

test('a primary that was initialized again is refused, because its secondaries would lose their data', async () => {
  await writeData(stack, 'us', 'kv');
  await apply(stack, pair);
  await change(stack, 'us', 'disabled', (calls) => calls.disablePrimary());
  expect((await refused(stack, pair)).map(({ summary }) => summary)).toEqual([
    'performance replication set: "eu" still holds the data of this replication set, but "us" is no longer its primary',
  ]);
  expect(await hasData(stack, 'eu', 'kv')).toBe(true);
});

test('a successor whose filter was removed recently does not take over until it has the data', async () => {
  await writeData(stack, 'us', 'kv');
  await apply(stack, {
    primary: 'us',
    secondaries: { eu: { ...eu, paths_filter: { mode: 'deny', paths: ['kv/'] } } },
  });
  stack.emulator.replication.pause('eu');
  await apply(stack, pair);
  const error = await applyFails({ ...swapped, timeouts });
  expect(error.summary).toContain('"eu" lacks data of "us"');
  expect(error.detail).toContain('Withheld by a paths filter: "kv/".');
  stack.emulator.replication.resume('eu');
  await apply(stack, swapped);
  expect(await hasData(stack, 'eu', 'kv')).toBe(true);
});

test('a plan names the token that ends with a join, and a login works after the join', async () => {
  stack.configure(allClusters(stack.emulator));
  configure(stack, pair);
  const { warnings } = await stack.run('plan');
  expect(warnings).toMatchObject([
    { summary: 'performance replication set: the token of cluster "eu" will be lost when it joins' },
  ]);
  expect(warnings[0]!.detail).toContain('replace the token of cluster "eu" with auth_login');
  await apply(stack, pair);

  const error = await applyFails(swapped);
  expect(error.summary).toContain(
    'cannot check the rights of the token for performance replication set "eu"',
  );
  expect(error.detail).toContain('Nothing was changed.');
  stack.configure(operatorOn(stack.emulator, ['us', 'eu', 'ap']));
  await apply(stack, swapped);
  expect((await statusOf(stack, 'eu')).mode).toBe('primary');
});

test('a server without public keys is an error that says so, and a wrapped token works', async () => {
  stack.emulator.faults.inject({
    path: 'sys/replication/performance/secondary/generate-public-key',
    status: 404,
    errors: ['1 error occurred:\n\t* unsupported path\n\n'],
  });
  const error = await applyFails(pair);
  expect(error.summary).toBe(
    '"eu" cannot join with a public key: the server of "eu" does not support public keys',
  );
  await apply(stack, { primary: 'us', secondaries: { eu: { ...eu, token_delivery: 'wrapped' } } });
  expect(await modes(stack)).toMatchObject({ eu: 'secondary "eu", stream-wals, ready' });
});

test('an address of the primary that does not answer erases no data and leaves no token', async () => {
  await writeData(stack, 'eu', 'own');
  const wrong = { ...eu, token_delivery: 'wrapped', primary_api_addr: 'http://127.0.0.1:1' };
  const error = await applyFails({ primary: 'us', secondaries: { eu: wrong }, timeouts });
  expect(error.summary).toContain('cannot make a secondary of');
  expect(await hasData(stack, 'eu', 'own')).toBe(true);
  expect(await statusOf(stack, 'us')).toMatchObject({ known_secondaries: [] });
});

test('an apply is refused if the clusters have changed since the plan', async () => {
  configure(stack, { ...pair, secondaries: { eu: { ...eu } } });
  await apply(stack, { primary: 'us' });
  configure(stack, { primary: 'us', deletion_protection: false, secondaries: {} });
  await stack.workspace.plan();
  await change(stack, 'us', 'disabled', (calls) => calls.disablePrimary());
  const { stderr } = await stack.workspace.run('apply', '-no-color', 'tfplan');
  expect(stderr).toContain('the clusters have changed since the plan was made');
  expect((await statusOf(stack, 'us')).mode).toBe('disabled');
});

test('a changed address of the primary is a warning, and applies only to new secondaries', async () => {
  await apply(stack, pair);
  const addressed = { ...pair, primary_cluster_addr: 'https://us.example.com:8201' };
  const { warnings } = await apply(stack, addressed);
  expect(warnings[0]!.summary).toBe(
    'performance replication set: "us" still uses a different primary_cluster_addr',
  );
  expect((await stack.run('plan')).planned).toEqual({});
});
