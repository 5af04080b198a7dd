import type { Stack } from '../../support';
import { asOperator, change, revoke } from '../support';
import { apply, configure, hasData, modes, plannedSteps, startThree, writeData } from './support/set-stack';

const DENY = { mode: 'deny', paths: ['legal/'] };
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: DENY };
const three = { primary: 'us', secondaries: { eu, ap } };
const JOINED = {
  us: 'primary',
  eu: 'secondary "eu", stream-wals, ready',
  ap: 'secondary "ap", stream-wals, ready',
};

let stack: Stack;
beforeAll(async () => {
  stack = await startThree();
  await writeData(stack, 'us', 'kv');
  await writeData(stack, 'us', 'legal');
});
afterAll(() => stack.close());

/** The tests run in order: each begins with the result of the previous test. */
describe('the life of a set', () => {
  test('three clusters join, and a filtered one never receives the data that its filter withholds', async () => {
    configure(stack, three);
    expect(await plannedSteps(stack)).toEqual([
      'us: become the primary of a new replication set (keeps its data)',
      'ap: ERASE ALL DATA of this cluster, then join us as its secondary "ap", without legal/',
      'eu: ERASE ALL DATA of this cluster, then join us as its secondary "eu", unfiltered',
    ]);
    expect((await apply(stack, three)).warnings).toEqual([]);
    expect(await modes(stack)).toEqual(JOINED);
    expect(await hasData(stack, 'eu', 'legal')).toBe(true);
    expect([await hasData(stack, 'ap', 'kv'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);
  });

  test('an unchanged plan sends one status request for each cluster, one filter request for each secondary, and one login', async () => {
    const { planned, requests } = await stack.must('plan');
    expect(planned).toEqual({});
    expect(requests.filter((request) => !request.includes('auth/'))).toEqual([
      'GET sys/replication/performance/primary/paths-filter/ap',
      'GET sys/replication/performance/primary/paths-filter/eu',
      'GET sys/replication/performance/status',
      'GET sys/replication/performance/status',
      'GET sys/replication/performance/status',
    ]);
  });

  test('the state contains the modes and ids of the clusters, and no value that changes by itself', async () => {
    const { 'vaultadmin_perf_replication_set.it': state } = await stack.workspace.state();
    expect(state).toMatchObject({
      id: 'us',
      members: { us: 'primary', eu: 'secondary', ap: 'secondary' },
      unlisted_secondaries: [],
      deletion_protection: true,
    });
    await asOperator(stack, 'us', (client) => client.write('kv/more', { value: 'more' }));
    expect((await stack.must('plan', '-refresh-only', '-detailed-exitcode')).code).toBe(0);
  });

  test('a filter that was changed by hand is written again', async () => {
    await asOperator(stack, 'us', ({ replication }) =>
      replication.performance.writePathsFilter('ap', { mode: 'deny', paths: ['kv/'] }),
    );
    expect(await plannedSteps(stack)).toEqual([
      'us: write the paths filter of secondary "ap": without legal/ (removes from it what the filter withholds)',
    ]);
    await apply(stack, three);
    expect([await hasData(stack, 'ap', 'kv'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);
  });

  test('an id that was revoked by hand is issued again, and no data is erased', async () => {
    await asOperator(stack, 'us', ({ replication }) => replication.performance.revokeSecondary('eu'));
    expect(await plannedSteps(stack)).toEqual([
      'eu: follow us as its secondary "eu", unfiltered (keeps its data)',
    ]);
    await apply(stack, three);
    expect(await modes(stack)).toEqual(JOINED);
  });

  test('one apply switches over', async () => {
    const swapped = { primary: 'eu', secondaries: { us: {}, ap } };
    configure(stack, swapped);
    expect(await plannedSteps(stack)).toEqual([
      'us: wait until eu has all its writes, then step down as the primary (keeps its data)',
      'eu: become the primary, once it has all writes of us (keeps its data); otherwise us becomes the primary again, and its secondaries follow it as before',
      'ap: follow eu as its secondary "ap", without legal/ (keeps the rest of its data)',
      'us: follow eu as its secondary "us", unfiltered (keeps its data)',
    ]);
    await apply(stack, swapped);
    expect(await modes(stack)).toEqual({
      eu: 'primary',
      us: 'secondary "us", stream-wals, ready',
      ap: 'secondary "ap", stream-wals, ready',
    });
    expect([await hasData(stack, 'us', 'legal'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);
    expect((await stack.must('plan', '-refresh-only', '-detailed-exitcode')).code).toBe(0);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a switchover by hand is reverted, or the configuration is changed to match it', async () => {
    await change(stack, 'eu', 'secondary', (calls) => calls.demotePrimary());
    await change(stack, 'us', 'primary', (calls) => calls.promoteSecondary());
    expect(await plannedSteps(stack)).toEqual([
      expect.stringContaining('eu: follow us as its secondary "eu"'),
      expect.stringContaining('us: wait until eu has all its writes, then step down'),
      expect.stringContaining('eu: become the primary'),
      expect.stringContaining('ap: follow eu'),
      expect.stringContaining('us: follow eu'),
    ]);
    configure(stack, three);
    expect(await plannedSteps(stack)).toEqual([
      expect.stringContaining('ap: follow us as its secondary "ap", without legal/'),
      expect.stringContaining('eu: follow us as its secondary "eu", unfiltered'),
    ]);
    await apply(stack, three);
    expect(await modes(stack)).toEqual(JOINED);
  });

  test('a changed id gives the secondary another id', async () => {
    const renamed = { ...three, secondaries: { eu: { ...eu, id: 'eu-2' }, ap } };
    configure(stack, renamed);
    expect(await plannedSteps(stack)).toEqual([
      'eu: follow us as its secondary "eu-2", unfiltered (keeps its data)',
      'us: revoke secondary "eu", and remove its paths filter',
    ]);
    await apply(stack, renamed);
    expect(await modes(stack)).toEqual({ ...JOINED, eu: 'secondary "eu-2", stream-wals, ready' });
  });

  test('a secondary that leaves keeps its data', async () => {
    const pair = { primary: 'us', secondaries: { eu: { ...eu, id: 'eu-2' } } };
    configure(stack, pair);
    expect(await plannedSteps(stack)).toEqual([
      'ap: leave the replication set (keeps its data)',
      'us: revoke secondary "ap", and remove its paths filter',
    ]);
    await apply(stack, pair);
    expect((await modes(stack)).ap).toBe('disabled');
    expect(await hasData(stack, 'ap', 'kv')).toBe(true);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a secondary that left outside of Terraform is not erased by the earlier confirmation', async () => {
    await change(stack, 'eu', 'disabled', (calls) => calls.disableSecondary());
    const { errors } = await stack.run('plan');
    expect(errors.map(({ summary }) => summary)).toEqual([
      'performance replication set: "eu" holds data, which would be erased if it joins the replication set',
    ]);
    expect(errors[0]!.detail).toContain('add something new to it, such as the date');
    expect(await hasData(stack, 'eu', 'kv')).toBe(true);

    configure(stack, { primary: 'us' });
    expect(await plannedSteps(stack)).toEqual(['us: revoke secondary "eu-2", and remove its paths filter']);
    await apply(stack, { primary: 'us' });
    await apply(stack, { primary: 'us', secondaries: { eu } });
    expect(await modes(stack)).toEqual({ ...JOINED, ap: 'disabled' });
  });

  test('a destroy is refused until deletion_protection is false', async () => {
    const [error] = (await stack.run('destroy')).errors;
    expect(error!.summary).toBe('performance replication set "us" is protected from deletion');
    await apply(stack, { primary: 'us', secondaries: { eu }, deletion_protection: false });
    await revoke(stack, 'nobody');
    expect((await stack.run('destroy')).errors).toEqual([]);
    expect(await modes(stack)).toEqual({ us: 'disabled', eu: 'disabled', ap: 'disabled' });
    expect(await hasData(stack, 'eu', 'kv')).toBe(true);
    expect(await stack.addresses()).toEqual([]);
  });
});
