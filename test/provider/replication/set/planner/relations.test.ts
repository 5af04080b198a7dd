/** The relations between clusters, such as who follows whom. */
import {
  isAttached,
  presentPrimary,
  type ClusterFacts,
  type Goal,
  type PrimaryFacts,
  type SecondaryFacts,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import {
  hasSteppedDown,
  isSameSecondary,
  isUnattached,
  lastPrimary,
  primariesOf,
  setId,
} from '../../../../../src/provider/replication/set/planner/relations';
import { demoted, fresh, goal, gone, primary, secondary, SET } from './observations';

const knows = ['us', 'eu'] as const;
const pair = goal({ primary: 'us', secondaries: { eu: null }, knows });
const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows });
const first = goal({ primary: 'us', secondaries: { eu: null } });
const SET_2 = primary({}, {}, 'set-2');

test('the id of a set is that of its wanted primary, or else the known one', () => {
  expect(setId(pair, { us: SET_2 })).toBe('set-2');
  expect(setId(pair, { us: fresh })).toBe(SET);
  expect(setId(pair, {})).toBe(SET);
  expect(setId(first, { us: fresh })).toBeUndefined();
});

test.each<readonly [string, Goal, Observation, string | undefined, answering: readonly string[]]>([
  ['the wanted one', pair, { us: primary(), eu: secondary('eu') }, 'us', ['us']],
  ['another cluster', pair, { us: demoted(), eu: primary() }, 'eu', ['eu']],
  [
    'the one that answers rather than the one that does not',
    pair,
    { us: gone(primary()), eu: primary() },
    'eu',
    ['eu'],
  ],
  [
    'the wanted one, if it does not answer but was the primary',
    first,
    { us: gone(primary()), eu: fresh },
    'us',
    [],
  ],
  [
    'the known one, if it does not answer but was the primary',
    swapped,
    { us: gone(primary()), eu: secondary('eu') },
    'us',
    [],
  ],
  [
    'the one of this set rather than the one of another set',
    swapped,
    { us: SET_2, eu: gone(primary()) },
    'eu',
    ['us'],
  ],
  ['none, if all are secondaries', swapped, { us: demoted(), eu: secondary('eu') }, undefined, []],
  [
    'an abandoned cluster that is a member again, counted once',
    goal({ primary: 'us', secondaries: { eu: null }, abandoned: ['eu'], knows }),
    { us: secondary('us'), eu: primary() },
    'eu',
    ['eu'],
  ],
  ['none, if no set is known', first, { us: fresh, eu: fresh }, undefined, []],
])('the present primary: %s', (_which, wanted, observation, present, answering) => {
  expect(presentPrimary(wanted, observation)).toBe(present);
  expect(primariesOf(wanted, observation)).toEqual(answering);
});

test('a secondary is unattached only if it does not follow the primary of its own set', () => {
  expect(isUnattached(secondary('eu'), primary())).toBe(true);
  expect(isUnattached(secondary('eu'), primary({ eu: 'connected' }))).toBe(false);
  expect(isUnattached(secondary('eu', 'set-2'), primary())).toBe(false);
  expect(isUnattached(fresh, primary())).toBe(false);
  expect(isUnattached(secondary('eu'), demoted())).toBe(false);
});

test.each<readonly [string, Partial<SecondaryFacts>, ClusterFacts, boolean]>([
  ['is attached if it is connected', {}, primary({ eu: 'connected' }), true],
  [
    'is attached if it was connected, and will reconnect',
    { connected: false },
    primary({ eu: 'disconnected' }),
    true,
  ],
  ['is attached if it has just used its token', {}, primary({ eu: 'never' }), true],
  ['is not attached if its token was lost', { connected: false }, primary({ eu: 'never' }), false],
  ['is not attached if its id was revoked', {}, primary(), false],
  ['is not attached if it is in another set', {}, primary({ eu: 'connected' }, {}, 'set-2'), false],
  ['is not attached if it does not try to connect', { alone: true }, primary({ eu: 'connected' }), false],
])('a secondary %s', (_why, facts, of, attached) => {
  const eu = { ...secondary('eu'), ...facts } as SecondaryFacts;
  expect(isAttached(eu, of as PrimaryFacts)).toBe(attached);
});

test('a secondary that has stepped down has no id, or follows nobody', () => {
  const eu = secondary('eu') as SecondaryFacts;
  const cases = [demoted(), { ...eu, alone: true }, { ...eu, secondaryId: '' }, eu, primary(), fresh];
  expect(cases.map(hasSteppedDown)).toEqual([true, true, true, false, false, false]);
});

test('two names are one secondary if both have the same id in the same set', () => {
  expect(isSameSecondary(secondary('eu'), secondary('eu'))).toBe(true);
  expect(isSameSecondary(secondary('eu'), secondary('ap'))).toBe(false);
  expect(isSameSecondary(secondary('eu'), secondary('eu', 'set-2'))).toBe(false);
  expect(isSameSecondary(demoted(), demoted())).toBe(false);
  expect(isSameSecondary(primary(), primary())).toBe(false);
  expect(isSameSecondary(secondary('eu'), primary())).toBe(false);
  expect(isSameSecondary(primary(), secondary('eu'))).toBe(false);
});

test('two names with the same secondary id are not one secondary if their clusters have different ids', () => {
  const of = (id?: string): ClusterFacts => ({ ...secondary('eu'), ...(id && { self: { id } }) });
  expect(isSameSecondary(of('c-1'), of('c-1'))).toBe(true);
  expect(isSameSecondary(of('c-1'), of('c-2'))).toBe(false);
  expect(isSameSecondary(of('c-1'), of())).toBe(true);
  expect(isSameSecondary(of(), of('c-1'))).toBe(true);
});

test('the last primary becomes the primary again only after a planned switchover to another member', () => {
  const observation = { us: demoted(), eu: secondary('eu') };
  const again = (changes: Partial<Parameters<typeof goal>[0]>) =>
    lastPrimary(goal({ primary: 'eu', secondaries: { us: null }, knows, ...changes }), observation);
  expect(again({})).toBe('us');
  expect(again({ forced: true })).toBeUndefined();
  expect(again({ primary: 'us' })).toBeUndefined();
  expect(again({ knows: undefined })).toBeUndefined();
  expect(again({ abandoned: ['us'] })).toBeUndefined();
  expect(lastPrimary(swapped, { ...observation, us: secondary('us') })).toBeUndefined();
});
