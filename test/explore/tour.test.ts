/**
 * The model agrees with the emulator: each transition of the model within a bound is a transition
 * of the emulator.
 */
import type { Assume } from '../../src/emulator';
import { step, type Sent, type Stepped, type Assumed, type World } from './model';
import { JOIN, SWITCH, tour, type TourBound } from './tour';

/** The number of transitions that take a few seconds. */
const WORLDS = 5;

/** Alternatives that change as many answers as possible. */
const OTHERS: Assume = {
  lastRemoteWal: 'zero',
  filteredRoots: 'own',
  secondaryIdAfterDemotion: 'kept',
  addressesAfterDemotion: 'kept',
  disconnectedState: 'streaming',
  primaryEnabledAgain: 'updated',
  tokensAfterUpdatePrimary: 'revoked',
  filterAfterNewToken: 'dropped',
  revocationOfUnknownId: 'refused',
  clusterIdAfterJoin: 'renewed',
  tokensAfterDemotion: 'revoked',
  lateContact: 'accepted',
  missingFilter: 'empty',
  removalOfMissingFilter: 'refused',
  promotionChecks: 'position-400',
  localEngineWithoutPrimary: 'refused',
  replicationWal: 'zero',
  wrongReplicationMode: 'internal-error',
};

const STARTS: readonly [string, Pick<TourBound, 'start' | 'assume'>][] = [
  ['clusters without replication', { start: [], assume: {} }],
  ['a pair', { start: JOIN, assume: {} }],
  ['a pair that changes its roles', { start: [...JOIN, ...SWITCH], assume: {} }],
  ['a pair that follows other alternatives', { start: [...JOIN, ...SWITCH], assume: OTHERS }],
];

test.each(STARTS)('the emulator takes the same steps as the model from %s', async (_, bound) => {
  const { differences, transitions } = await tour({ size: 2, ...bound, worlds: WORLDS });
  expect(differences).toEqual([]);
  expect(transitions).toBeGreaterThan(WORLDS * 40);
});

/** Returns the model with another outcome for one kind of request. */
function withFault(kind: string, change: (stepped: Stepped, before: World) => Stepped) {
  return (world: World, sent: Sent, assumed: Assumed): Stepped => {
    const stepped = step(world, sent, assumed);
    return sent.request.kind === kind ? change(stepped, world) : stepped;
  };
}

test.each([
  [
    'a promotion that is always accepted',
    withFault('promote', (stepped) => ({ ...stepped, answer: { status: 200 } })),
  ],
  ['a demotion that changes nothing', withFault('demote', (stepped, world) => ({ ...stepped, world }))],
  [
    'a secondary that erases nothing',
    withFault('enable-secondary', ({ world, answer }, before) => ({
      answer,
      world: {
        ...world,
        clusters: world.clusters.map((cluster, index) => ({
          ...cluster,
          content: before.clusters[index]!.content,
        })),
      },
    })),
  ],
])('the tour finds a planted fault of the model: %s', async (_, model) => {
  const { differences } = await tour({ size: 2, assume: {}, start: JOIN, worlds: WORLDS }, model);
  expect(differences).not.toEqual([]);
});
