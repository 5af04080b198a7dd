/**
 * Plans whose apply could not be completed are refused before their first step. A destroy that was
 * interrupted continues.
 */
import { useRealWorlds, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '2s', sync: '5s' };
const three = { primary: 'us', secondaries: { eu, ap }, timeouts };
const SET = 'performance replication set: ';
const CALLS = 'sys/replication/performance';
const TYPE = 'vaultadmin_perf_replication_set';

const worlds = useRealWorlds();
let world: RealWorld;

async function begin(others: readonly string[] = []): Promise<void> {
  world = await worlds.begin(['us', 'eu', 'ap', ...others]);
  world.knows(['us', 'eu', 'ap']);
}

async function modes(): Promise<readonly unknown[]> {
  return Promise.all(world.clusters.names.map(async (name) => (await world.clusters.status(name)).mode));
}

describe('a primary in abandoned_clusters that answers', () => {
  const swapped = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };

  test('such a primary is not demoted, and the switchover succeeds once it is removed from the list', async () => {
    await begin();
    await world.apply(three);
    const { summary, detail } = await world.refusal({
      primary: 'eu',
      abandoned_clusters: ['us'],
      secondaries: { ap },
      timeouts,
    });
    expect(summary).toBe(`${SET}"us" is in abandoned_clusters, but answers, and is the primary of this set`);
    expect(detail).toContain('To do: remove "us" from abandoned_clusters and apply');
    await world.apply(swapped);
    expect(await world.clusters.primaries()).toEqual(['eu']);
  });

  test('such a primary is demoted if the promotion of another member is forced', async () => {
    await begin();
    await world.apply(three);
    await world.apply({
      primary: 'eu',
      abandoned_clusters: ['us'],
      force_promotion: 'eu',
      secondaries: { ap: { confirm_data_loss: 'ap 2026' } },
      timeouts,
    });
    expect(await modes()).toEqual(['secondary', 'primary', 'secondary']);
  });
});

describe('a destroy of a set', () => {
  const unprotected = { ...three, deletion_protection: false };

  test('a destroy continues after the first secondary has left', async () => {
    await begin();
    await world.apply(unprotected);
    await world.call('eu', 'secondary/disable');
    configure(world.stack, unprotected);
    expect((await world.stack.run('destroy')).errors).toEqual([]);
    expect(await modes()).toEqual(['disabled', 'disabled', 'disabled']);
  });

  test('a destroy continues after the primary has ended the set', async () => {
    await begin();
    await world.apply(unprotected);
    for (const name of ['eu', 'ap']) await world.call(name, 'secondary/disable');
    await world.call('us', 'primary/disable');
    configure(world.stack, unprotected);
    expect((await world.stack.run('destroy')).errors).toEqual([]);
    expect(await modes()).toEqual(['disabled', 'disabled', 'disabled']);
  });

  test('a destroy does not begin while a member does not answer; the member can be given up', async () => {
    await begin();
    await world.apply(unprotected);
    world.lose('ap');
    const { summary, detail } = await world.refusal(unprotected, 'destroy');
    expect(summary).toBe('performance replication set "us": "ap" cannot be reached, but is required');
    expect(detail).toContain('Nothing was changed.');
    expect((await world.clusters.status('eu')).mode).toBe('secondary');
    await world.apply({ ...unprotected, secondaries: { eu }, abandoned_clusters: ['ap'] });
    configure(world.stack, { ...unprotected, secondaries: { eu }, abandoned_clusters: ['ap'] });
    expect((await world.stack.run('destroy')).errors).toEqual([]);
    world.restore();
    expect(await modes()).toEqual(['disabled', 'disabled', 'secondary']);
  });

  test('an apply of the same configuration, after a member has left by a destroy, is refused and erases nothing', async () => {
    await begin();
    await world.apply(unprotected);
    await world.call('eu', 'secondary/disable');
    configure(world.stack, unprotected);
    const { errors, warnings } = await world.stack.run('apply');
    expect(errors[0]!.summary).toContain(
      '"eu" holds data, which would be erased if it joins the replication set',
    );
    expect(errors[0]!.detail).toContain('Nothing was changed.');
    expect(warnings[0]!.summary).toContain('"eu" holds data, which would be erased');
    expect(await modes()).toEqual(['primary', 'disabled', 'secondary']);
  });

  test('a plan of a protected set whose member has left is refused', async () => {
    await begin();
    await world.apply(three);
    await world.call('eu', 'secondary/disable');
    expect((await world.refusal(three)).summary).toContain('"eu" holds data, which would be erased');
  });
});

describe(`a member that is still in the set, and no longer in the provider's clusters`, () => {
  const pair = { ...three, secondaries: { eu } };

  test('such a member is an error of the plan, and leaves once it is configured again', async () => {
    await begin();
    await world.apply(three);
    world.knows(['us', 'eu']);
    const { summary, detail } = await world.refusal(pair);
    expect(summary).toBe(
      `${SET}"ap" is still in the set, but not in clusters of the provider's configuration`,
    );
    expect(detail).toContain(
      'Terraform could not take this step:\n  - ap: leave the replication set (keeps its data)',
    );
    expect(detail).toContain(
      'To do: add "ap" to clusters in the provider\'s configuration again, and apply.',
    );
    world.knows(['us', 'eu', 'ap']);
    await world.apply(pair);
    world.knows(['us', 'eu']);
    expect(await world.steps(pair)).toBeUndefined();
  });

  test('such a member is given up if it is in abandoned_clusters', async () => {
    await begin();
    await world.apply(three);
    world.knows(['us', 'eu']);
    await world.apply({ ...pair, abandoned_clusters: ['ap'] });
    expect((await world.clusters.status('us')).known_secondaries).toEqual(['eu']);
  });

  test('such a member is an error of the plan of a destroy', async () => {
    await begin();
    await world.apply({ ...three, deletion_protection: false });
    world.knows(['us', 'eu']);
    const { summary } = await world.refusal({ ...three, deletion_protection: false }, 'destroy');
    expect(summary).toContain('"ap"');
    expect(await modes()).toEqual(['primary', 'secondary', 'secondary']);
  });
});

describe('a secondary that is in no configuration', () => {
  /** `zz` joins by hand, and Terraform sees the id in the primary's status. */
  async function joinByHand(): Promise<void> {
    await begin(['zz']);
    await world.apply(three);
    const path = `${CALLS}/primary/secondary-token`;
    const answer = await world.clusters.ask('us', 'POST', path, { id: 'zz' });
    const { wrap_info } = answer as unknown as { readonly wrap_info: { readonly token: string } };
    await world.call('zz', 'secondary/enable', { token: wrap_info.token });
    await world.apply(three);
  }

  test('the last primary is not promoted if such a secondary took over by hand, and the advice leads to one primary', async () => {
    await joinByHand();
    await world.call('us', 'primary/demote');
    await world.call('zz', 'secondary/promote');
    const { summary, detail } = await world.refusal(three);
    expect(summary).toBe(
      `${SET}"us" must not be promoted: a secondary that is not in this set may be the primary now`,
    );
    expect(detail).toContain(
      'Secondary ids of the last primary that belong to no cluster of this set: "zz".',
    );
    expect(detail).toContain('set force_promotion to "us"');
    world.knows(['us', 'eu', 'ap', 'zz']);
    // Terraform cannot know whether `zz` has all writes.
    const byHand = {
      us: { confirm_data_loss: 'us' },
      eu: { confirm_data_loss: 'eu 2' },
      ap: { confirm_data_loss: 'ap 2' },
    };
    await world.apply({ ...three, primary: 'zz', secondaries: byHand });
    expect(await world.clusters.primaries()).toEqual(['zz']);
  });

  test('the last primary is promoted, if such a secondary did not take over, once the secondary is in the set', async () => {
    await joinByHand();
    await world.call('us', 'primary/demote');
    expect((await world.refusal(three)).summary).toContain('"us" must not be promoted');
    world.knows(['us', 'eu', 'ap', 'zz']);
    await world.apply({ ...three, secondaries: { eu, ap, zz: {} } });
    expect(await world.clusters.primaries()).toEqual(['us']);
  });
});

test.each([{ status: 503 }, { status: 429 }, { drop: 'before' as const }])(
  'a new member whose sys/health fails during the plan (%j) joins by that plan',
  async (fault) => {
    await begin();
    await world.apply({ ...three, secondaries: { eu } });
    configure(world.stack, three);
    world.clusters.emulator.faults.inject({ cluster: 'ap', path: 'sys/health', ...fault });
    expect((await world.stack.workspace.run('plan', '-out=saved')).code).toBe(0);
    world.clusters.emulator.faults.clear();
    const { code, stderr } = await world.stack.workspace.run('apply', '-no-color', 'saved');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await world.steps(three)).toBeUndefined();
  },
);

test('a set without a state, with a member that the plan cannot read, is an error that says the member has already joined', async () => {
  await begin();
  await world.apply(three);
  expect((await world.stack.workspace.run('state', 'rm', `${TYPE}.it`)).code).toBe(0);
  configure(world.stack, { ...three, secondaries: { eu: {}, ap: {} } });
  world.clusters.emulator.faults.inject({ cluster: 'ap', drop: 'before' });
  const plan = await world.stack.workspace.run('plan', '-no-color', '-out=saved');
  expect(plan.code).toBe(0);
  expect(plan.stdout.replace(/[│╵\s]+/g, ' ')).toContain('It is planned as an empty cluster.');
  expect(plan.stdout).toMatch(/\+ steps += \(known after apply\)/);
  world.clusters.emulator.faults.clear();
  const { code, stderr } = await world.stack.workspace.run('apply', '-no-color', 'saved');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await world.steps({ ...three, secondaries: { eu: {}, ap: {} } })).toBeUndefined();
});

test('a set without a state and without a primary is imported as the error advises, and no cluster is erased', async () => {
  await begin();
  await world.apply(three);
  await world.call('us', 'primary/demote');
  expect((await world.stack.workspace.run('state', 'rm', `${TYPE}.it`)).code).toBe(0);
  const { summary, detail } = await world.refusal(three);
  expect(summary).toBe(`${SET}"us" is already a secondary of a replication set`);
  expect(detail).toContain(
    `promote one (vault write -f ${CALLS}/secondary/promote) and import the set under its name`,
  );
  await world.call('us', 'secondary/promote');
  expect((await world.stack.workspace.run('import', `${TYPE}.it`, 'us')).code).toBe(0);
  const steps = (await world.steps(three)) ?? [];
  expect(steps.filter((step) => step.includes('ERASE'))).toEqual([]);
  await world.apply(three);
  expect(await world.steps(three)).toBeUndefined();
});

test('a set without a state whose member has lost its id to another member is completed with a new id, as the error advises', async () => {
  await begin();
  await world.apply(three);
  const asked = (call: string, id: string) =>
    world.clusters.ask('us', 'POST', `${CALLS}/primary/${call}`, { id });
  await asked('revoke-secondary', 'ap');
  const issued = await asked('secondary-token', 'ap');
  const { wrap_info } = issued as unknown as { readonly wrap_info: { readonly token: string } };
  await world.call('eu', 'secondary/update-primary', { token: wrap_info.token });
  await asked('revoke-secondary', 'eu');
  world.stack.workspace.remove('terraform.tfstate');
  const { summary, detail } = await world.refusal(three, 'apply');
  expect(summary).toBe('performance replication set "us": "ap" does not follow its primary');
  expect(detail).toContain('change the id of "ap" in secondaries: it then gets a new token.');
  const renewed = { ...three, secondaries: { ...three.secondaries, ap: { ...ap, id: 'ap2' } } };
  await world.apply(renewed);
  expect(await world.steps(renewed)).toBeUndefined();
  expect(await modes()).toEqual(['primary', 'secondary', 'secondary']);
});
