/** What courses watch, compare and name: whom they read besides their members, and the ids that they have to know. */
import { ending, inWords, stepsOf, towards } from '../../../../../src/provider/replication/set/planner';
import { demoted, fresh, goal, gone, primary, secondary, SET } from './worlds';

const known = { primary: 'us', clusterId: SET, ids: { eu: 'eu', ap: 'ap' }, filters: {} };

describe('the end of a set', () => {
  test('watches abandoned clusters that are not members', () => {
    expect(ending(known, ['mx', 'eu']).watched).toEqual(['mx']);
    expect(ending(known, []).watched).toEqual([]);
  });

  test('compares no progress', () => {
    expect(ending(known, []).comparesProgress).toBe(false);
  });

  test('knows the ids that members got from someone else', () => {
    const refused = (eu: ReturnType<typeof secondary>) =>
      ending(known, [])
        .refusals({ us: primary({ 'eu-2': 'connected', ap: 'connected' }), eu, ap: secondary('ap') })
        .map(({ summary }) => summary);
    expect(refused(secondary('eu-2'))).toEqual([]);
    expect(refused(secondary('eu-2', 'set-2'))).toHaveLength(1);
    expect(refused(secondary('eu'))).toHaveLength(1);
  });

  test('knows such an id also when its member has left', () => {
    const course = ending(known, []);
    const us = primary({ 'eu-2': 'connected' });
    expect(course.refusals({ us, eu: secondary('eu-2'), ap: fresh })).toEqual([]);
    expect(course.refusals({ us, eu: fresh, ap: fresh })).toEqual([]);
    expect(ending(known, []).refusals({ us, eu: fresh, ap: fresh })).toHaveLength(1);
  });

  test('does not end what is now another set', () => {
    const other = primary({ foreign: 'connected' }, {}, 'set-2');
    expect(ending(known, []).refusals({ us: other, eu: fresh, ap: fresh })).toEqual([]);
  });

  test('leaves a primary alone that is gone for good, and says so of no other', () => {
    const world = { us: gone(primary()), eu: fresh, ap: fresh };
    expect(stepsOf(ending(known, ['us']), world).map(inWords)).toEqual([]);
    expect(stepsOf(ending(known, ['eu']), world).map(inWords)).toEqual([
      'us: end the replication set (keeps its data)',
    ]);
  });
});

describe('a wanted set', () => {
  const pair = { primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'] } as const;

  test('watches abandoned clusters that are not members', () => {
    expect(towards(goal({ ...pair, abandoned: ['mx', 'eu'] })).watched).toEqual(['mx']);
    expect(towards(goal(pair)).watched).toEqual([]);
  });

  test('names each id once', () => {
    expect(towards(goal(pair)).ids).toEqual(['eu']);
    expect(towards(goal({ ...pair, ids: { eu: 'eu-2' } })).ids).toEqual(['eu-2', 'eu']);
  });

  test('compares progress only by force', () => {
    expect(towards(goal({ ...pair, forced: true })).comparesProgress).toBe(true);
    expect(towards(goal(pair)).comparesProgress).toBe(false);
  });

  test('has its new primary follow the present one first if it lost it, under its own id or its name', () => {
    const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows: ['us', 'eu'] });
    const us = primary({ eu: 'connected', 'eu-9': 'connected' });
    const astray = { ...secondary('eu-9', 'set-2') };
    expect(towards(swapped).next({ us, eu: astray })).toMatchObject([
      { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu-9', filter: null },
    ]);
    expect(towards(swapped).next({ us, eu: { ...demoted('set-2') } })).toMatchObject([
      { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu', filter: null },
    ]);
  });

  test('forgets ids that nobody uses, but not the one that a renamed member has', () => {
    const wanted = goal({ primary: 'us', secondaries: { mx: null }, ids: { mx: 'eu' }, knows: ['us', 'eu'] });
    const us = primary({ eu: 'connected' });
    expect(towards(wanted).next({ us, mx: secondary('eu'), eu: fresh })).toEqual([]);
    expect(towards(goal({ primary: 'us', knows: ['us', 'eu'] })).next({ us, eu: fresh })).toEqual([
      { kind: 'forget', cluster: 'us', id: 'eu' },
    ]);
  });
});
