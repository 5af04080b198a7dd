/**
 * Clusters that the set does not know, and abandoned ones: no cluster is disconnected, and every
 * second primary is reported.
 */
import { startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';
import { useRealWorlds, type RealWorld } from './support/real-world';
import { serve } from '../../../client/support/server';
import { block } from '../../support';
import { configure } from './support/set-stack';
import { startOverHttp } from './support/over-http';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '5s', sync: '5s' };
const pair = { primary: 'us', secondaries: { eu }, timeouts };
const SET = 'performance replication set: ';

const worlds = useRealWorlds();
let world: RealWorld;

/** Makes a cluster a secondary by hand. */
async function join(cluster: string, primary: string, id: string): Promise<void> {
  const calls = 'sys/replication/performance';
  const key = await world.clusters.ask(cluster, 'POST', `${calls}/secondary/generate-public-key`);
  const { secondary_public_key } = key.data!;
  const { data } = await world.clusters.ask(primary, 'POST', `${calls}/primary/secondary-token`, {
    id,
    secondary_public_key,
  });
  await world.call(cluster, 'secondary/enable', { token: data!.token });
}

test('a foreign secondary with the id of a new member is neither revoked nor cut off by a destroy', async () => {
  world = await worlds.begin(['us', 'eu', 'ap', 'mx']);
  await world.apply(pair);
  await join('mx', 'us', 'ap');
  const { summary, detail } = await world.refusal({ ...pair, secondaries: { eu, ap } });
  expect(summary).toBe(
    `${SET}another secondary of "us" has the id "ap", and would be disconnected if "ap" joined with it`,
  );
  expect(detail).toContain('give "ap" another id (id = ... in secondaries["ap"])');
  expect(await world.clusters.status('mx')).toMatchObject({ state: 'stream-wals' });

  await world.call('mx', 'secondary/disable');
  await world.clusters.ask('us', 'POST', 'sys/replication/performance/primary/revoke-secondary', {
    id: 'ap',
  });
  await world.apply({ ...pair, deletion_protection: false });
  await world.call('us', 'primary/demote');
  await world.call('eu', 'secondary/promote');
  await join('mx', 'eu', 'mexico');
  const { errors } = await world.stack.run('destroy', '-refresh=false');
  expect(errors[0]!.summary).toContain(
    '"eu" has secondaries that are not in this set and would lose their primary: "mexico"',
  );
  expect(errors[0]!.detail).toContain('Nothing was changed.');
  expect(await world.clusters.status('mx')).toMatchObject({ state: 'stream-wals' });
});

test('a member whose node redirects changes to a cluster outside of the set does not join, and that cluster keeps its data', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  await world.clusters.mountStore('ap', 'kv');
  expect(await world.clusters.write('ap', 'kv/only')).toBe(true);
  const [before, other] = ['eu', 'ap'].map((name) => world.clusters.emulator.clusters[name]!.address);
  const own = ['/v1/sys/health', '/v1/sys/replication/performance/status'];
  const answers = await Promise.all(own.map(async (path) => (await fetch(before! + path)).text()));
  const node = await serve(({ url }) => {
    const text = answers[own.indexOf(url.split('?')[0]!)];
    return text === undefined ? { status: 307, headers: { location: other! + url } } : { text };
  });
  world.knows(['us', 'eu', 'ap'], { eu: node.address });
  const { detail } = await world.refusal(pair, 'apply');
  expect(detail).toContain(
    `the server answered 307 with a redirect to another cluster, ${other} (cluster_id in sys/health)`,
  );
  expect(await world.clusters.status('ap')).toMatchObject({ mode: 'disabled' });
  expect(await world.clusters.lacks('ap', ['kv/only'])).toEqual([]);
});

test('an abandoned primary that comes back is reported as a second primary', async () => {
  world = await worlds.begin(['us', 'eu']);
  await world.apply(pair);
  world.lose('us');
  const lost = { primary: 'eu', abandoned_clusters: ['us'], timeouts };
  await world.apply({ ...lost, force_promotion: 'eu' });
  await world.apply(lost);
  world.restore();
  const { summary, detail } = await world.refusal(lost);
  expect(summary).toBe(`${SET}"eu" and "us" are both primaries of this replication set`);
  expect(detail).toContain('"us" is in abandoned_clusters, but has come back as a primary');
  await world.call('us', 'primary/demote');
  expect(await world.steps(lost)).toBeUndefined();
  // The error advises to add `us` to secondaries after its demotion.
  expect(
    await world.steps({ primary: 'eu', secondaries: { us: { confirm_data_loss: 'us' } }, timeouts }),
  ).toEqual([expect.stringMatching(/^us: follow eu as its secondary "us", unfiltered /)]);
});

test('an older cluster that would follow a primary of a newer version is refused', async () => {
  world = await worlds.begin(['us'], { serverVersion: '1.18.0+ent' });
  const older = await startClusters(['eu'], { serverVersion: '1.17.5+ent' }, startOverHttp);
  try {
    await older.addOperators();
    world.knows(['us', 'eu'], { eu: older.emulator.clusters.eu!.address });
    const { summary, detail } = await world.refusal(pair);
    expect(summary).toBe(`${SET}"eu" has an older version than "us" and must not follow it`);
    expect(detail).toContain('Order of upgrades: first all secondaries, then the primary.');
    configure(world.stack, { ...pair, primary: 'eu', secondaries: { us: { confirm_data_loss: 'us' } } });
    expect((await world.stack.run('plan')).errors).toEqual([]);
  } finally {
    await older.emulator.close();
  }
});

describe('a set that is in the state', () => {
  const TYPE = 'vaultadmin_perf_replication_set';
  const twice = 'this plan would destroy the set and create it again';
  const only = { primary: 'us', deletion_protection: false, timeouts };

  test('a set is not created again by -replace, also with create_before_destroy, or at a new address without a moved block', async () => {
    world = await worlds.begin(['us']);
    await world.apply(only);
    const replaced = await world.stack.run('plan', `-replace=${TYPE}.it`);
    expect(replaced.errors.map(({ summary }) => summary)).toContainEqual(expect.stringContaining(twice));
    const lifecycle = '  lifecycle {\n    create_before_destroy = true\n  }\n';
    world.stack.resources(
      `resource "${TYPE}" "it" {\n  primary = "us"\n  deletion_protection = false\n${lifecycle}}\n`,
    );
    const created = await world.stack.run('plan', `-replace=${TYPE}.it`);
    expect(created.errors.map(({ summary }) => summary)).toContainEqual(expect.stringContaining(twice));
    const renamed = `resource "${TYPE}" "other" {\n  primary = "us"\n  deletion_protection = false\n}\n`;
    world.stack.resources(renamed);
    const { errors } = await world.stack.run('plan');
    expect(errors[0]!.summary).toContain(twice);
    expect(errors[0]!.detail).toContain(`moved {\n    from = ${TYPE}.old_name`);
    world.stack.resources(`${renamed}moved {\n  from = ${TYPE}.it\n  to = ${TYPE}.other\n}\n`);
    expect((await world.stack.run('apply')).errors).toEqual([]);
    expect(await world.clusters.primaries()).toEqual(['us']);
  });

  test('a set is not created again by replace_triggered_by, and the error names it', async () => {
    world = await worlds.begin(['us']);
    const triggered = (input: number) =>
      world.stack.resources(
        `resource "terraform_data" "t" {\n  input = ${input}\n}\n` +
          `resource "${TYPE}" "it" {\n  primary = "us"\n  deletion_protection = false\n` +
          '  lifecycle {\n    replace_triggered_by = [terraform_data.t]\n  }\n}\n',
      );
    triggered(1);
    await world.stack.must('apply');
    triggered(2);
    const { errors } = await world.stack.run('apply');
    expect(errors[0]!.summary).toContain(twice);
    expect(errors[0]!.detail).toContain('remove replace_triggered_by');
    expect(await world.clusters.primaries()).toEqual(['us']);
  });

  test('a tainted set is not destroyed by an apply with -refresh=false, and has no changes once it is untainted', async () => {
    world = await worlds.begin(['us']);
    await world.apply(only);
    await world.stack.workspace.must('taint', `${TYPE}.it`);
    const { errors } = await world.stack.run('apply', '-refresh=false');
    expect(errors.map(({ summary }) => summary)).toEqual([expect.stringContaining(twice)]);
    expect(await world.clusters.primaries()).toEqual(['us']);
    await world.stack.workspace.must('untaint', `${TYPE}.it`);
    expect(await world.steps(only)).toBeUndefined();
  });

  test('a set with a deposed object is not ended, and the object is gone after terraform state rm and an import, as the error advises', async () => {
    world = await worlds.begin(['us']);
    await world.apply(only);
    await world.stack.workspace.must('taint', `${TYPE}.it`);
    const lifecycle = '  lifecycle {\n    create_before_destroy = true\n  }\n}\n';
    world.stack.resources(block('resource', TYPE, only).replace(/}\n$/, lifecycle));
    const replaced = await world.stack.run('apply', '-refresh=false');
    expect(replaced.errors.map(({ summary }) => summary)).toEqual([expect.stringContaining(twice)]);
    const { errors } = await world.stack.run('apply');
    expect(errors[0]!.detail).toContain(
      'If the plan calls one of them a deposed object, which create_before_destroy leaves, run terraform state rm',
    );
    await world.stack.workspace.must('state', 'rm', `${TYPE}.it`);
    await world.stack.workspace.must('import', '-input=false', `${TYPE}.it`, 'us');
    expect((await world.stack.run('apply')).errors).toEqual([]);
    expect((await world.stack.run('plan')).planned).toEqual({});
    expect(await world.clusters.primaries()).toEqual(['us']);
  });

  test('a set that a second resource has taken over is not ended with the first resource, which a removed block forgets', async () => {
    world = await worlds.begin(['us']);
    await world.apply(only);
    const both = ['it', 'other'].map((name) => block('resource', TYPE, only, name));
    world.stack.resources(both.join(''));
    expect((await world.stack.run('apply', `-target=${TYPE}.other`)).errors).toEqual([]);
    world.stack.resources(both[1]!);
    const { errors } = await world.stack.run('apply');
    expect(errors.map(({ summary }) => summary)).toEqual([
      'performance replication set "us": two resources manage this set, and one of them would end it',
    ]);
    expect(errors[0]!.detail).toContain(`removed {\n    from = ${TYPE}.name`);
    const forgotten = `removed {\n  from = ${TYPE}.it\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    world.stack.resources(both[1]! + forgotten);
    expect((await world.stack.run('apply')).errors).toEqual([]);
    expect(await world.stack.addresses()).toEqual([`${TYPE}.other`]);
    expect(await world.clusters.primaries()).toEqual(['us']);
  });

  test('a set is not created by two resources at the same time', async () => {
    world = await worlds.begin(['us']);
    world.stack.resources(['it', 'other'].map((name) => block('resource', TYPE, only, name)).join(''));
    const { errors } = await world.stack.run('apply');
    expect(errors.map(({ summary }) => summary)).toEqual([
      'performance replication set "us": two resources manage this set, and both create it',
    ]);
    expect(await world.clusters.primaries()).toEqual([]);
  });

  test('a primary that is also a secondary because ignore_changes keeps an earlier value is refused', async () => {
    world = await worlds.begin(['us', 'eu']);
    await world.apply(pair);
    const swapped = { primary: 'eu', secondaries: { us: { everything: true } }, timeouts };
    for (const [kept, cluster] of [
      ['primary', 'us'],
      ['secondaries', 'eu'],
    ]) {
      const lifecycle = `  lifecycle {\n    ignore_changes = [${kept}]\n  }\n}\n`;
      world.stack.resources(block('resource', TYPE, swapped).replace(/\}\n$/, lifecycle));
      const { errors } = await world.stack.run('plan');
      expect(errors.map(({ summary }) => summary)).toEqual([
        `${SET}"${cluster}" is both the primary and one of its secondaries`,
      ]);
      expect(errors[0]!.detail).toContain('list neither primary nor secondaries in ignore_changes');
    }
  });
});

describe(`ids in the primary's list of secondaries`, () => {
  const CALLS = 'sys/replication/performance';
  let clusters: TestClusters;
  let session: Session;
  beforeEach(async () => {
    clusters = await startClusters(['us', 'eu', 'ap', 'mx']);
    await clusters.addOperators();
    session = new Session(clusters);
  });
  afterEach(() => clusters.emulator.close());

  async function token(cluster: string, id: string): Promise<unknown> {
    const { data: key } = await clusters.ask(cluster, 'POST', `${CALLS}/secondary/generate-public-key`);
    const { secondary_public_key } = key!;
    const { data } = await clusters.ask('us', 'POST', `${CALLS}/primary/secondary-token`, {
      id,
      secondary_public_key,
    });
    return data!.token;
  }

  test('a plan warns that it will revoke a token that was never used', async () => {
    expect(await session.apply(pair)).toMatchObject({ errors: [], warnings: [] });
    await token('mx', 'ap');
    const { warnings, errors } = await session.apply({ ...pair, secondaries: { eu, ap } });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      `${SET}"us" has issued an activation token for the id "ap", which will be revoked\n` +
        'It was never used: an apply was interrupted, or someone else issued it for another cluster.\n' +
        'To do: if another cluster is to join with it, give "ap" another id (id = ... in secondaries["ap"]).',
    ]);
  });

  test('a foreign secondary with the id of a member that left is in unlisted_secondaries', async () => {
    expect(await session.apply({ ...pair, secondaries: { eu, ap } })).toMatchObject({ errors: [] });
    expect(session.values).toMatchObject({ unlisted_secondaries: [] });
    await clusters.ask('ap', 'POST', `${CALLS}/secondary/disable`);
    await clusters.ask('us', 'POST', `${CALLS}/primary/revoke-secondary`, { id: 'ap' });
    await clusters.ask('mx', 'POST', `${CALLS}/secondary/enable`, { token: await token('mx', 'ap') });
    clusters.emulator.clock.advance(10_000);
    await session.plan({ ...pair, secondaries: { eu, ap } });
    expect(session.values).toMatchObject({ unlisted_secondaries: ['ap'] });
  });
});
