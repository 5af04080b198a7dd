/**
 * The refusals because of versions, addresses, ids and merkle trees of servers: each text in full,
 * and each case that is accepted.
 */
import {
  planFor,
  type ClusterFacts,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import {
  corruptedTrees,
  joinsAtOldAddress,
  missingDigests,
  olderFollowers,
} from '../../../../../src/provider/replication/set/planner/server-checks';
import { takenIds } from '../../../../../src/provider/replication/set/planner/taken-ids';
import { DENY, demoted, fresh, goal, gone, primary, secondary, upTo } from './observations';
import { shown } from '../support/refusals';

const knows = ['us', 'eu'] as const;
const pair = goal({ primary: 'us', secondaries: { eu: null }, knows });
const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows });

/** A cluster whose server has a version. */
function of(version: string, facts: ClusterFacts): ClusterFacts {
  return { ...facts, self: { id: `id-${version}`, version } };
}

function corrupted(facts: ClusterFacts): ClusterFacts {
  return { ...facts, digest: 'wrong' } as ClusterFacts;
}

describe('a join for which the primary uses another address than the configuration', () => {
  const addressed = goal({ primary: 'us', secondaries: { eu: null }, address: 'new:8201', knows });
  const using = (clusterAddr: string | undefined, facts = primary()): ClusterFacts =>
    ({ ...facts, clusterAddr }) as ClusterFacts;

  test('such a join is refused if no secondary is connected, with both ways on', () => {
    expect(joinsAtOldAddress(addressed, { us: using('old:8201'), eu: fresh }).map(shown)).toEqual([
      {
        path: ['primary_cluster_addr'],
        summary: '"eu" would be erased, and then contact "us" at another address than primary_cluster_addr',
        detail:
          'Received: "new:8201". In use: "old:8201", at which no secondary is connected. "us" takes the new address when it is ' +
          'enabled or promoted.\n' +
          'To do: if the address in use leads to "us", set primary_cluster_addr to "old:8201" until the next switchover.\n' +
          'Otherwise disable replication on "us" first (vault write -f sys/replication/performance/primary/disable): it is then ' +
          'enabled with the new address.',
      },
    ]);
  });

  test('the advice does not disable a primary that has other secondaries', () => {
    const us = using('', primary({ eu: 'disconnected', ap: 'disconnected' }));
    const [refusal] = joinsAtOldAddress(addressed, { us, eu: fresh }).map(shown);
    expect(refusal!.detail).toContain(
      'In use: the address of the server, at which no secondary is connected.',
    );
    expect(refusal!.detail).toContain(
      'remove primary_cluster_addr until the next switchover.\nOtherwise make another member the primary first.',
    );
  });

  test.each<readonly [string, Goal, Observation]>([
    ['the same address', addressed, { us: using('new:8201'), eu: fresh }],
    ['no address in the configuration', pair, { us: using('old:8201'), eu: fresh }],
    ['an address from a planned step', addressed, { us: using(undefined), eu: fresh }],
    [
      'another secondary that is connected',
      addressed,
      { us: using('old:8201', primary({ ap: 'connected' })), eu: fresh },
    ],
    [
      'a member that follows already',
      addressed,
      { us: using('old:8201', primary({ eu: 'disconnected' })), eu: secondary('eu') },
    ],
    ['a primary that does not answer', addressed, { us: gone(using('old:8201')), eu: fresh }],
    ['a primary that is still to be enabled', addressed, { us: fresh, eu: fresh }],
  ])('a join is accepted with %s', (_, wanted, observation) => {
    expect(joinsAtOldAddress(wanted, observation)).toEqual([]);
  });
});

describe('a cluster that is to follow a newer primary', () => {
  const newer = of('1.18.2+ent.hsm', primary());

  test('an older cluster is refused, and the text has the order of upgrades', () => {
    expect(olderFollowers(pair, { us: newer, eu: of('1.18.1+ent', fresh) }).map(shown)).toEqual([
      {
        path: ['secondaries', 'eu'],
        summary: '"eu" has an older version than "us" and must not follow it',
        detail:
          'Version of "eu": 1.18.1+ent. Version of "us": 1.18.2+ent.hsm. It is not safe to replicate from a newer version to an ' +
          'older one.\n' +
          'To do: upgrade "eu" to 1.18.2+ent.hsm first, then apply again. Order of upgrades: first all secondaries, then the ' +
          'primary.',
      },
    ]);
  });

  test.each<readonly [string, Observation, refused: boolean]>([
    [
      'is refused if it is a secondary that does not follow the primary',
      { us: newer, eu: of('1.17.0', secondary('eu')) },
      true,
    ],
    [
      'is refused if the wanted primary is not the primary yet',
      { us: of('1.18.2', secondary('us')), eu: of('1.17.0', primary()) },
      true,
    ],
    [
      'is accepted if it follows the primary already',
      { us: of('1.18.2', primary({ eu: 'connected' })), eu: of('1.17.0', secondary('eu')) },
      false,
    ],
    ['is accepted if its version is the same', { us: newer, eu: of('1.18.2+ent', fresh) }, false],
    [
      'is refused if it is a primary itself',
      { us: of('1.18.2', primary({ eu: 'connected' })), eu: of('1.17.0', primary()) },
      true,
    ],
    ['is accepted if it is newer', { us: newer, eu: of('1.19.0', fresh) }, false],
    ['is accepted if it does not answer', { us: newer, eu: gone(of('1.17.0', fresh)) }, false],
    ['is accepted if the primary does not answer', { us: gone(newer), eu: of('1.17.0', fresh) }, false],
    ['is accepted if nothing is known of it', { us: newer }, false],
    [
      'is refused if its major version is lower, and has fewer digits',
      { us: of('10.1.0', primary()), eu: of('9.9.9', fresh) },
      true,
    ],
    [
      'is accepted if the version of the primary does not begin with a number',
      { us: of('dev-1.20.0', primary()), eu: of('1.17.0', fresh) },
      false,
    ],
    [
      'is accepted if the version of the primary is not known',
      { us: primary(), eu: of('1.17.0', fresh) },
      false,
    ],
  ])('%s', (_case, observation, refused) => {
    expect(olderFollowers(pair, observation)).toHaveLength(refused ? 1 : 0);
  });

  describe('an older cluster in a set without a primary', () => {
    const names = ['us', 'eu', 'ap', 'mx'] as const;
    const lost = (more: Partial<Parameters<typeof goal>[0]> = {}) =>
      goal({ primary: 'eu', secondaries: { ap: null, mx: null }, knows: names, forced: true, ...more });
    const observation: Observation = {
      us: gone(primary()),
      eu: of('1.18.2', secondary('eu')),
      ap: of('1.17.5', secondary('ap')),
      mx: of('1.18.0', secondary('mx')),
    };
    const toDo = (wanted: Goal, present: Observation) =>
      olderFollowers(wanted, present)
        .map(shown)
        .map(({ detail }) => detail.split('\n').slice(2));

    test('the refusal names all ways to have a primary again', () => {
      const without =
        'Nothing can be written until there is a primary. Without an upgrade, either remove "ap" and "mx" from secondaries: they ' +
        'leave the set and keep their data, and when they join again after the upgrade, their data is erased.';
      const oldest = (what: string, name = 'ap') =>
        ` Or set ${what} to "${name}", which has the oldest version: all others may follow it.`;
      expect(olderFollowers(lost(), observation).map(shown)).toEqual([
        {
          path: ['secondaries'],
          summary: '"ap" and "mx" have older versions than "eu" and must not follow it',
          detail:
            'Version of "ap": 1.17.5. Version of "mx": 1.18.0. Version of "eu": 1.18.2. It is not safe to replicate from a newer ' +
            'version to an older one.\n' +
            'To do: upgrade "ap" and "mx" to 1.18.2 first, then apply again. Order of upgrades: first all secondaries, then the ' +
            `primary.\n${without}${oldest('primary and force_promotion')}`,
        },
      ]);
      expect(toDo(lost({ forced: false }), { ...observation, us: demoted() })).toEqual([
        [without + oldest('primary')],
      ]);
      const alike = {
        ...observation,
        ap: of('1.18.0', upTo(5, secondary('ap'))),
        mx: of('1.18.0', upTo(6, secondary('mx'))),
      };
      expect(toDo(lost(), alike)).toEqual([[without + oldest('primary and force_promotion', 'mx')]]);
      expect(
        toDo(lost({ filters: { ap: DENY } }), { ...observation, mx: of('1.18.2', secondary('mx')) }),
      ).toEqual([
        [
          'Nothing can be written until there is a primary. Without an upgrade, either remove "ap" from secondaries: it leaves the ' +
            'set and keeps its data, and when it joins again after the upgrade, its data is erased.',
        ],
      ]);
    });

    test('the advice of the refusal does not lead to the same refusal', () => {
      const others = goal({ primary: 'ap', secondaries: { eu: null, mx: null }, knows: names, forced: true });
      expect(olderFollowers(others, observation)).toEqual([]);
      expect(olderFollowers(lost({ secondaries: {} }), observation)).toEqual([]);
    });

    test('the refusal names no further way if there is a primary', () => {
      expect(toDo(lost(), { ...observation, us: primary() })).toEqual([[]]);
    });
  });

  test('versions that are not numbers are compared as texts', () => {
    expect(olderFollowers(pair, { us: of('dev', primary()), eu: of('dev', fresh) })).toEqual([]);
  });
});

describe('a corrupted merkle tree', () => {
  const us = primary({ eu: 'connected' });
  const eu = secondary('eu');

  test('a corrupted merkle tree of the primary is a refusal: its successor cannot take over', () => {
    expect(corruptedTrees(swapped, { us: corrupted(us), eu }).map(shown)).toEqual([
      {
        path: ['primary'],
        summary: 'the merkle tree of "us" is corrupted: "eu" cannot take over',
        detail:
          'Its replication status has corrupted_merkle_tree = true. It could not be determined whether the successor has all writes, ' +
          'because equal digests then prove nothing.\n' +
          'To do: reindex "us" (vault write -f sys/replication/reindex), wait until corrupted_merkle_tree is false, and apply ' +
          'again.',
      },
    ]);
  });

  test.each<readonly [string, Goal, Observation, string | undefined]>([
    ['of the successor is refused', swapped, { us, eu: corrupted(eu) }, 'eu'],
    ['of the successor is refused without a primary', swapped, { us: demoted(), eu: corrupted(eu) }, 'eu'],
    [
      'of a known secondary is refused without a primary',
      goal({ primary: 'eu', secondaries: { us: null, ap: null }, knows: ['us', 'eu', 'ap'] }),
      { us: demoted(), eu, ap: corrupted(secondary('ap')) },
      'ap',
    ],
    [
      'of another secondary is accepted if there is a primary',
      goal({ primary: 'eu', secondaries: { us: null, ap: null }, knows: ['us', 'eu', 'ap'] }),
      { us, eu, ap: corrupted(secondary('ap')) },
      undefined,
    ],
    [
      'of another cluster is accepted if the last primary becomes the primary again',
      pair,
      { us: demoted(), eu: corrupted(eu) },
      undefined,
    ],
    ['of no cluster is accepted', swapped, { us, eu }, undefined],
    ['of the primary is accepted if the primary stays', pair, { us: corrupted(us), eu }, undefined],
    [
      'of the primary is accepted if the promotion is forced',
      { ...swapped, wanted: { ...swapped.wanted, forced: true } },
      { us: corrupted(us), eu },
      undefined,
    ],
    [
      'of the primary is accepted if the successor has not joined',
      swapped,
      { us: corrupted(us), eu: fresh },
      undefined,
    ],
    [
      'of the primary is accepted if nothing is known of the successor',
      swapped,
      { us: corrupted(us) },
      undefined,
    ],
    ['is not expected in a set that is not known', goal({ primary: 'eu' }), { eu }, undefined],
  ])('%s', (_case, wanted, observation, name) => {
    const found = corruptedTrees(wanted, observation).map(({ summary }) => summary);
    expect(found).toEqual(
      name === undefined ? [] : [`the merkle tree of "${name}" is corrupted: "eu" cannot take over`],
    );
  });
});

describe('a replication status without a merkle root', () => {
  const without = (facts: ClusterFacts) => ({ ...facts, digest: 'missing' }) as ClusterFacts;
  const us = primary({ eu: 'connected', ap: 'connected' });
  const eu = secondary('eu');

  test.each([
    ['of the primary', { us: without(us), eu }],
    ['of the successor', { us, eu: without(eu) }],
  ])('a missing merkle root %s refuses a switchover', (_case, observation) => {
    expect(missingDigests(swapped, observation).map(shown)).toEqual([
      {
        path: ['primary'],
        summary: 'could not determine whether "eu" has all writes of "us"',
        detail:
          'Their replication status has no merkle_root to compare.\n' +
          'To do: stop the writers, set force_promotion to "eu", and use confirm_data_loss to confirm that the writes ' +
          'that only "us" has may be lost. Or keep "us" as the primary.',
      },
    ]);
  });

  test.each([
    ['of another secondary', swapped, { us, eu, ap: without(secondary('ap')) }],
    [
      'where the switchover is forced',
      { ...swapped, wanted: { ...swapped.wanted, forced: true } },
      { us: without(us), eu },
    ],
    ['where the primary stays', pair, { us: without(us), eu }],
    // An apply that finds no other way makes the former primary the primary again.
    ['without a primary', swapped, { us: demoted(), eu: without(eu) }],
  ])('a missing merkle root %s refuses nothing', (_case, wanted, observation) => {
    expect(missingDigests(wanted, observation)).toEqual([]);
  });
});

test('the refusal names the cluster that can be promoted at once if a corrupted merkle tree leaves a set without a primary', () => {
  const [refusal] = corruptedTrees(swapped, { us: demoted(), eu: corrupted(secondary('eu')) });
  expect(shown(refusal!).detail).toContain(
    'No cluster is the primary now. To restore one at once, set primary back to "us" and apply.',
  );
});

describe('the id of a new member', () => {
  const joining = goal({ primary: 'us', secondaries: { eu: null }, ids: { eu: 'x' }, knows: ['us'] });

  test.each([
    ['connected', 'is connected, and is not cluster "eu".'],
    ['disconnected', 'was connected, and may come back; Terraform cannot tell whether it was cluster "eu".'],
  ] as const)('the new member is refused while another secondary with the id is %s', (connection, state) => {
    expect(takenIds(joining, { us: primary({ x: connection }), eu: fresh }, new Set()).map(shown)).toEqual([
      {
        path: ['secondaries', 'eu'],
        summary: 'another secondary of "us" has the id "x", and would be disconnected if "eu" joined with it',
        detail:
          `The secondary with the id "x" ${state}\n` +
          'To do: give "eu" another id (id = ... in secondaries["eu"]). If the other secondary is no longer needed, revoke its id ' +
          'first (vault write sys/replication/performance/primary/revoke-secondary id=x).',
      },
    ]);
  });

  const known = goal({ primary: 'us', secondaries: { eu: null }, knows });
  test.each<readonly [string, Goal, Observation, taken: boolean]>([
    ['is free if no secondary has it', joining, { us: primary(), eu: fresh }, false],
    ['is free if its token was never used', joining, { us: primary({ x: 'never' }), eu: fresh }, false],
    [
      'is free if the member itself has it',
      joining,
      { us: primary({ x: 'connected' }), eu: secondary('x') },
      false,
    ],
    [
      'is taken if the member has it in another set',
      joining,
      { us: primary({ x: 'connected' }), eu: secondary('x', 'set-2') },
      true,
    ],
    [
      'is not checked if the new member does not answer',
      joining,
      { us: primary({ x: 'connected' }), eu: gone(fresh) },
      false,
    ],
    [
      'is not checked if the primary does not answer',
      joining,
      { us: gone(primary({ x: 'connected' })), eu: fresh },
      false,
    ],
    ['is free if the wanted primary is not a primary yet', joining, { us: fresh, eu: fresh }, false],
    ['is not checked if nothing is known of the primary', joining, { eu: fresh }, false],
    [
      'is free if the member had it before it left',
      known,
      { us: primary({ eu: 'disconnected' }), eu: fresh },
      false,
    ],
    [
      'is taken if the member had it before it left, and a secondary is connected with it',
      known,
      { us: primary({ eu: 'connected' }), eu: fresh },
      true,
    ],
    [
      'is free if the member had it and has stepped down',
      known,
      { us: primary({ eu: 'connected' }), eu: demoted() },
      false,
    ],
  ])('%s', (_case, wanted, observation, taken) => {
    expect(takenIds(wanted, observation, new Set())).toHaveLength(taken ? 1 : 0);
  });

  test('the id of a member that leaves in the same apply is free, although it is listed as connected', () => {
    const observation = { us: primary({ x: 'connected' }), eu: fresh };
    expect(takenIds(joining, observation, new Set(['x']))).toEqual([]);
  });
});

const pairOfTrees = { us: primary({ eu: 'connected' }), eu: secondary('eu') };
test.each<readonly [string, Goal, Observation, typeof takenIds]>([
  [
    'taken ids',
    goal({ primary: 'us', secondaries: { eu: null }, ids: { eu: 'x' }, knows: ['us'] }),
    { us: primary({ x: 'connected' }), eu: fresh },
    takenIds,
  ],
  [
    'older followers',
    goal({ primary: 'us', secondaries: { eu: null } }),
    { us: of('1.17.1+ent', primary()), eu: of('1.17.0', fresh) },
    olderFollowers,
  ],
  ['corrupted trees', swapped, { ...pairOfTrees, us: corrupted(pairOfTrees.us) }, corruptedTrees],
])('the refusals of a plan contain those of %s', (_which, wanted, observation, check) => {
  const refusals = planFor(wanted).refusals(observation);
  expect(refusals).toEqual(check(wanted, observation, new Set()));
  expect(refusals).toHaveLength(1);
});
