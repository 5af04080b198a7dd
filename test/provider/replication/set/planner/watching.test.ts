/**
 * The clusters that plans read besides their members, the ids that plans know, and whether plans
 * compare the data of clusters.
 */
import {
  planForDestroy,
  inWords,
  stepsOf,
  planFor,
  type ClusterFacts,
  type Step,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { demoted, fresh, goal, gone, primary, secondary, SET } from './observations';

const known = { primary: 'us', clusterId: SET, ids: { eu: 'eu', ap: 'ap' }, filters: {} };

describe('a plan for the destroy of a set', () => {
  test('the plan watches abandoned clusters that are not members', () => {
    expect(planForDestroy(known, ['mx', 'eu']).watched).toEqual(['mx']);
    expect(planForDestroy(known, []).watched).toEqual([]);
  });

  test('the plan compares no progress', () => {
    expect(planForDestroy(known, []).comparesProgress).toBe(false);
  });

  test('the plan knows the ids that members got from someone else', () => {
    const refused = (eu: ReturnType<typeof secondary>) =>
      planForDestroy(known, [])
        .refusals({ us: primary({ 'eu-2': 'connected', ap: 'connected' }), eu, ap: secondary('ap') })
        .map(({ summary }) => summary);
    expect(refused(secondary('eu-2'))).toEqual([]);
    expect(refused(secondary('eu-2', 'set-2'))).toHaveLength(1);
    expect(refused(secondary('eu'))).toHaveLength(1);
  });

  test('the plan knows such an id also after its member has left', () => {
    const stepPlan = planForDestroy(known, []);
    const us = primary({ 'eu-2': 'connected' });
    const before = { us, eu: secondary('eu-2'), ap: fresh };
    const after = { us, eu: fresh, ap: fresh };
    expect(stepPlan.refusals(before)).toEqual([]);
    expect(stepPlan.refusals(after, new Set(stepPlan.ownIds(before)))).toEqual([]);
    expect(stepPlan.refusals(after)).toHaveLength(1);
  });

  test('the plan refuses to cut off another secondary that has the id of a former member', () => {
    const refused = (us: ReturnType<typeof primary>, eu: ClusterFacts) =>
      planForDestroy(known, [])
        .refusals({ us, eu, ap: fresh })
        .map(({ summary }) => summary);
    const cutOff = '"us" has secondaries that are not in this set and would lose their primary: "eu"';
    expect(refused(primary({ eu: 'connected' }), fresh)).toEqual([cutOff]);
    expect(refused(primary({ eu: 'connected' }), secondary('eu', 'set-2'))).toEqual([cutOff]);
    expect(refused(primary({ eu: 'disconnected' }), fresh)).toEqual([]);
    expect(refused(primary({ eu: 'connected' }), gone(fresh))).toEqual([]);
    expect(refused(primary({ eu: 'connected' }), demoted())).toEqual([]);
  });

  test('the plan does not end another set that the cluster belongs to by now', () => {
    const other = primary({ foreign: 'connected' }, {}, 'set-2');
    expect(planForDestroy(known, []).refusals({ us: other, eu: fresh, ap: fresh })).toEqual([]);
  });

  test('the plan leaves an abandoned primary alone', () => {
    const observation = { us: gone(primary()), eu: fresh, ap: fresh };
    expect(stepsOf(planForDestroy(known, ['us']), observation).map(inWords)).toEqual([]);
    expect(stepsOf(planForDestroy(known, ['eu']), observation).map(inWords)).toEqual([
      'us: end the replication set (keeps its data)',
    ]);
  });
});

describe('a plan for a wanted set', () => {
  const pair = { primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'] } as const;
  const knows = ['us', 'eu', 'ap'] as const;
  const cutOff = '"us" has secondaries that are not in this set and would lose their primary: "eu"';
  const refusalsOf = (stepPlan: ReturnType<typeof planFor>, observation: Observation) =>
    stepPlan.refusals(observation).map(({ summary }) => summary);

  test('the plan does not revoke the id of a former member that another secondary has', () => {
    const wanted = goal({ primary: 'us', secondaries: { ap: null }, knows });
    const us = primary({ eu: 'connected', ap: 'connected' });
    const ap = secondary('ap');
    expect(refusalsOf(planFor(wanted), { us, eu: fresh, ap })).toEqual([cutOff]);
    expect(refusalsOf(planFor(wanted), { us: gone(us), eu: fresh, ap })).toEqual([]);
    // A member that has just left may still be listed as connected.
    const stepPlan = planFor(wanted);
    const before = { us, eu: secondary('eu'), ap };
    expect(refusalsOf(stepPlan, before)).toEqual([]);
    expect(stepPlan.refusals({ us, eu: fresh, ap }, new Set(stepPlan.ownIds(before)))).toEqual([]);
  });

  test('the plan of a switchover does not cut off another secondary that has the id of a member', () => {
    const us = primary({ eu: 'connected', ap: 'connected' });
    const ap = secondary('ap');
    const former = goal({ primary: 'ap', secondaries: { us: null, eu: null }, knows });
    expect(refusalsOf(planFor(former), { us, eu: fresh, ap })).toEqual([cutOff]);
    const joining = goal({ primary: 'ap', secondaries: { us: null, eu: null }, knows: ['us', 'ap'] });
    expect(refusalsOf(planFor(joining), { us, eu: fresh, ap })).toEqual([cutOff]);
    expect(refusalsOf(planFor(joining), { us: primary({ ap: 'connected' }), eu: fresh, ap })).toEqual([]);
  });

  test('the plan watches abandoned clusters that are not members', () => {
    expect(planFor(goal({ ...pair, abandoned: ['mx', 'eu'] })).watched).toEqual(['mx']);
    expect(planFor(goal(pair)).watched).toEqual([]);
  });

  test('the way back watches the same clusters as the plan', () => {
    const swapped = goal({ ...pair, primary: 'eu', secondaries: { ap: null }, abandoned: ['mx', 'ap'] });
    expect(planFor(swapped).back({ us: demoted(), eu: secondary('eu') })!.watched).toEqual(['mx']);
  });

  test('the plan has no steps for other clusters until the wanted primary is the primary', () => {
    const next = (us: ClusterFacts, eu: ClusterFacts) => planFor(goal(pair)).next({ us, eu });
    expect(next({ mode: 'unsupported' }, fresh)).toEqual([]);
    expect(next(gone(primary()), primary())).toEqual([]);
    expect(next(primary(), primary())).toEqual([]);
  });

  test('former members leave if they are secondaries or a lost primary, but not if they are a primary that answers', () => {
    const next = (eu: ClusterFacts, abandoned: readonly string[] = []) =>
      planFor(goal({ primary: 'us', knows: ['us', 'eu'], abandoned })).next({ us: primary(), eu });
    const leave = [{ kind: 'leave', cluster: 'eu' }];
    expect(next(secondary('eu'))).toEqual(leave);
    expect(next(gone(secondary('eu')))).toEqual(leave);
    expect(next(gone(primary()))).toEqual(leave);
    expect(next(gone(primary()), ['eu'])).toEqual([]);
    expect(next(gone(fresh))).toEqual([]);
    expect(next(secondary('eu', 'set-2'))).toEqual([]);
    expect(next(primary())).toEqual([]);
  });

  test('a changed id is given without a loss while the secondary follows by the old id', () => {
    const us = primary({ eu: 'connected', 'eu-1': 'connected' });
    expect(planFor(goal(pair)).next({ us, eu: secondary('eu-1') })).toEqual([
      { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu', filter: null, mayLose: false },
    ]);
  });

  test.each<[Step, readonly string[]]>([
    [{ kind: 'enable_primary', cluster: 'us' }, ['us', 'eu', 'ap']],
    [{ kind: 'promote', cluster: 'eu', predecessors: ['us'], forced: false }, ['us', 'eu', 'ap']],
    [{ kind: 'promote', cluster: 'eu', predecessors: ['us'], forced: true }, ['eu']],
    [{ kind: 'demote', cluster: 'us', successor: 'eu', forced: false }, ['us', 'eu', 'ap']],
    [{ kind: 'demote', cluster: 'us', successor: 'eu', forced: true }, ['us', 'eu']],
    [{ kind: 'redirect', cluster: 'eu', primary: 'us', id: 'eu', address: 'a:1' }, ['eu', 'us']],
    [{ kind: 'leave', cluster: 'mx' }, ['mx']],
  ])('the plan needs the clusters without which a step is not safe: %j', (step, needed) => {
    const wanted = goal({ ...pair, secondaries: { eu: null, ap: null, mx: null }, abandoned: ['mx'] });
    expect(planFor(wanted).needs(step, {})).toEqual(needed);
  });

  test('a promotion names the cluster that becomes the primary if the promotion fails, if there is such a cluster', () => {
    const swapped = goal({ ...pair, primary: 'eu', secondaries: { us: null } });
    const promote = { kind: 'promote', cluster: 'eu', predecessors: ['us'], forced: false };
    expect(planFor(swapped).next({ us: demoted(), eu: secondary('eu') })).toStrictEqual([
      { ...promote, fallback: 'us' },
    ]);
    expect(planFor(swapped).next({ us: fresh, eu: secondary('eu') })).toStrictEqual([promote]);
  });

  test('the plan names each id once', () => {
    expect(planFor(goal(pair)).ids).toEqual(['eu']);
    expect(planFor(goal({ ...pair, ids: { eu: 'eu-2' } })).ids).toEqual(['eu-2', 'eu']);
  });

  test('the plan compares progress only for a forced promotion', () => {
    expect(planFor(goal({ ...pair, forced: true })).comparesProgress).toBe(true);
    expect(planFor(goal(pair)).comparesProgress).toBe(false);
  });

  test('a wanted primary that does not follow the present one first follows it, with its own id or with its name', () => {
    const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows: ['us', 'eu'] });
    const us = primary({ eu: 'connected', 'eu-9': 'connected' });
    const astray = { ...secondary('eu-9', 'set-2') };
    expect(planFor(swapped).next({ us, eu: astray })).toEqual([
      { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu-9', filter: null, mayLose: false },
    ]);
    expect(planFor(swapped).next({ us, eu: { ...demoted('set-2') } })).toEqual([
      { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu', filter: null, mayLose: true },
    ]);
  });

  test('the plan forgets ids without a secondary, but not the id that a renamed member has', () => {
    const wanted = goal({ primary: 'us', secondaries: { mx: null }, ids: { mx: 'eu' }, knows: ['us', 'eu'] });
    const us = primary({ eu: 'connected' });
    expect(planFor(wanted).next({ us, mx: secondary('eu'), eu: fresh })).toEqual([]);
    expect(planFor(goal({ primary: 'us', knows: ['us', 'eu'] })).next({ us, eu: fresh })).toEqual([
      { kind: 'forget', cluster: 'us', id: 'eu' },
    ]);
  });
});
