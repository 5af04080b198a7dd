/** Refusals beside those whose texts `refusals-in-full.test.ts` has, and what is not refused. */
import {
  planForDestroy,
  planFor,
  type ClusterFacts,
  type Connection,
  type Filter,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import {
  DENY,
  demoted,
  fresh,
  goal,
  gone,
  heir,
  knowingUnlisted,
  plan,
  primary,
  secondary,
  SET,
  upTo,
  used,
} from './observations';
import { shown } from '../support/refusals';

const knows = ['us', 'eu'] as const;
const pair = goal({ primary: 'us', secondaries: { eu: null }, knows });
const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows });
const first = goal({ primary: 'us', secondaries: { eu: null } });

describe('one cluster under two names', () => {
  const self = { id: 'id-1', place: 'https://10.0.0.1:8201' };
  const same = (us: ClusterFacts, eu: ClusterFacts) => {
    const found = planFor(pair).refusals({ us, eu });
    return found.some(({ summary }) => summary === '"us" and "eu" are the same cluster');
  };

  test.each<[string, ClusterFacts, ClusterFacts, boolean]>([
    ['both are new', { ...fresh, self }, { ...fresh, self }, true],
    ['both are primaries', { ...primary(), self }, { ...primary(), self }, true],
    ['both have one secondary id', { ...secondary('x'), self }, { ...secondary('x'), self }, true],
    ['each has its own secondary id', { ...secondary('x'), self }, { ...secondary('y'), self }, false],
    [
      'the ids of the clusters differ',
      { ...fresh, self },
      { ...fresh, self: { ...self, id: 'id-2' } },
      false,
    ],
    ['the active nodes differ', { ...fresh, self }, { ...fresh, self: { ...self, place: 'b' } }, false],
    ['the modes differ', { ...primary(), self }, { ...fresh, self }, false],
    ['the first does not answer', gone({ ...fresh, self }), { ...fresh, self }, false],
    ['the second does not answer', { ...fresh, self }, gone({ ...fresh, self }), false],
    ['the id of the first is not known', fresh, { ...fresh, self }, false],
    ['the id of the second is not known', { ...fresh, self }, fresh, false],
    ['no id is known', fresh, fresh, false],
  ])('where %s', (_where, us, eu, expected) => {
    expect(same(us, eu)).toBe(expected);
  });
});

describe('two members with one secondary id', () => {
  const trio = goal({ primary: 'us', secondaries: { eu: null, ap: null } });
  const summary = '"eu" and "ap" may be the same cluster';
  const summaries = (wanted: Goal, eu: ClusterFacts, ap: ClusterFacts) =>
    planFor(wanted)
      .refusals({ us: primary({ x: 'connected' }), eu, ap })
      .map((refusal) => refusal.summary);
  const self = (id: string) => ({ self: { id, place: id } });

  test.each<[string, ClusterFacts, ClusterFacts, boolean]>([
    ['whose servers report no ids', secondary('x'), secondary('x'), true],
    ['of which one reports its id', { ...secondary('x'), ...self('id-1') }, secondary('x'), true],
    [
      'that are copies',
      { ...secondary('x'), ...self('id-1') },
      { ...secondary('x'), self: { id: 'id-1', place: 'b' } },
      true,
    ],
    [
      'with ids of their own',
      { ...secondary('x'), ...self('id-1') },
      { ...secondary('x'), ...self('id-2') },
      false,
    ],
    ['of two sets', secondary('x'), secondary('x', 'set-2'), false],
    ['that stepped down', demoted(), demoted(), false],
  ])('%s', (_which, eu, ap, isRefused) => {
    expect(summaries(trio, eu, ap).includes(summary)).toBe(isRefused);
  });

  test('two such members are refused if one of them is the new primary', () => {
    const over = goal({ primary: 'eu', secondaries: { us: null, ap: null }, knows: ['us', 'eu', 'ap'] });
    expect(summaries(over, secondary('x'), secondary('x'))).toEqual([summary]);
  });

  test('two such members are accepted if one is the former name of the other', () => {
    const renamed = goal({ primary: 'us', secondaries: { ap: null }, ids: { ap: 'x' }, knows: ['us', 'eu'] });
    expect(summaries(renamed, secondary('x'), secondary('x'))).toEqual([]);
  });
});

test('a secondary of another set is refused by a set that does not exist yet', () => {
  expect(plan(first, { us: used, eu: secondary('x', 'set-2') })).toEqual([
    'REFUSED: "eu" is a secondary of another replication set',
  ]);
});

test('a successor whose filter denies nothing is accepted', () => {
  const nothing = { mode: 'deny', paths: [] };
  const us = primary({ eu: 'connected' }, { eu: nothing });
  expect(plan(swapped, { us, eu: secondary('eu') })).toHaveLength(3);
});

test('a former primary that first follows and then takes over does not count as a foreign secondary', () => {
  const back = goal({ primary: 'us', forced: true, abandoned: ['eu'], knows: ['us'] });
  const left = (id: string) =>
    `REFUSED: "eu" has secondaries that are not in this set and would lose their primary: "${id}"`;
  const us = secondary('us');
  expect(plan(back, { us, eu: primary({ us: 'connected' }) })).toEqual([
    'eu: step down as the primary, BY FORCE if necessary (writes that us never received are lost)',
    'us: become the primary, BY FORCE if necessary (writes that it never received are lost)',
  ]);
  expect(plan(back, { us, eu: primary({ us: 'connected', ap: 'connected' }) })).toEqual([left('ap')]);
  // This former primary does not follow, so the id belongs to a foreign cluster.
  expect(plan(back, { us: demoted(), eu: primary({ us: 'connected' }) })).toEqual([left('us')]);
});

test('a successor of a primary whose replication was disabled is refused, except by force', () => {
  const observation = { us: used, eu: secondary('eu') };
  const wanted = goal({ primary: 'eu', knows });
  expect(plan(wanted, observation)).toEqual([
    'REFUSED: could not determine whether "eu" has all writes of "us", the last primary',
  ]);
  expect(plan(goal({ primary: 'eu', forced: true, knows }), observation)).toEqual([
    'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
  ]);
});

test('a lost primary that comes back after a forced failover follows once the loss is confirmed', () => {
  const wanted = { primary: 'eu', secondaries: { us: null }, forced: true, knows: ['eu', 'us'] } as const;
  const observation = { us: demoted(), eu: primary() };
  expect(plan(goal({ ...wanted, confirmed: ['us'] }), observation)).toHaveLength(1);
});

test('a former primary from outside of the known set is refused', () => {
  const wanted = { primary: 'us', secondaries: { ap: null }, knows: ['us', 'eu'] } as const;
  const observation = { us: primary(), eu: secondary('eu'), ap: demoted() };
  expect(plan(goal(wanted), observation)).toEqual([
    'REFUSED: "ap" may have writes that "us" lacks, and would lose them by following it',
  ]);
  expect(plan(goal({ ...wanted, confirmed: ['ap'] }), observation)).toContainEqual(
    expect.stringContaining('ap: follow us'),
  );
});

describe('a primary that stepped down, while someone else promoted another one', () => {
  const observation = { us: demoted(), eu: primary() };

  test('the old primary follows once its name confirms the loss', () => {
    const wanted = { primary: 'eu', secondaries: { us: null }, knows: ['us', 'eu'] } as const;
    const [refusal] = planFor(goal(wanted)).refusals(observation);
    expect(refusal).toMatchObject({
      path: ['secondaries', 'us'],
      summary: '"us" may have writes that "eu" lacks, and would lose them by following it',
    });
    expect(shown(refusal!).detail).toContain('confirm_data_loss = "us" in secondaries["us"]');
    expect(plan(goal({ ...wanted, used: ['us'] }), observation)).toHaveLength(1);
    expect(
      planFor(goal({ ...wanted, used: ['us'] }))
        .refusals(observation)
        .map(shown)[0]!.detail,
    ).toContain('was used up when the cluster joined or followed');
    expect(plan(goal({ ...wanted, confirmed: ['us'] }), observation)).toEqual([
      'us: follow eu as its secondary "us", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
    ]);
    expect(plan(goal(wanted), { ...observation, eu: heir(['us']) })).toHaveLength(1);
  });

  test('the old primary becomes the primary again only after a refusal', () => {
    const [refusal] = planFor(pair).refusals(observation);
    expect(refusal).toMatchObject({
      path: ['primary'],
      summary: '"us" may have writes that "eu" lacks, and would lose them by following it',
    });
    expect(shown(refusal!).detail).toContain('Set primary to "eu", add "us" to secondaries');
    expect(planFor(pair).refusals({ us: demoted(), eu: heir(['us']) })).toEqual([]);
  });
});

describe('a forced promotion, and a secondary with more writes', () => {
  const all = ['us', 'eu', 'ap'] as const;
  const wanted = {
    primary: 'eu',
    secondaries: { ap: null },
    forced: true,
    abandoned: ['us'],
    knows: all,
  } as const;
  const us = gone(primary({ eu: 'connected', ap: 'connected' }));
  const worldOf = (eu: ClusterFacts, ap: ClusterFacts) => ({ us, eu, ap });
  const [eu, ap] = [secondary('eu'), secondary('ap')];
  const lacks = '"ap" has writes that "eu" lacks, and would lose them by following it';
  const unclear = '"ap" may have writes that "eu" lacks, and would lose them by following it';

  test('a secondary that has received more writes is a refusal', () => {
    const observation = worldOf(upTo(50, eu), upTo(60, ap));
    expect(plan(goal({ ...wanted, used: ['ap'] }), observation)).toEqual([`REFUSED: ${lacks}`]);
    expect(plan(goal({ ...wanted, confirmed: ['ap'] }), observation)).toEqual([
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
      'ap: follow eu as its secondary "ap", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
    ]);
  });

  test.each([
    ['that has received less', upTo(60, eu), upTo(50, ap), []],
    ['that has the same data', upTo(0, eu, 'same'), upTo(0, ap, 'same'), []],
    ['whose position says nothing', upTo(0, eu), upTo(0, ap, 'other'), [unclear]],
    ['that does not show its data', upTo(5, eu), ap, [unclear]],
    ['that does not answer', upTo(5, eu), gone(upTo(5, ap)), [unclear]],
    ['that has left the set', upTo(5, eu), fresh, []],
  ])('a forced promotion is compared or accepted: %s', (_which, one, other, refused) => {
    const found = planFor(goal(wanted)).refusals(worldOf(one, other));
    expect(found.map(({ summary }) => summary)).toEqual(refused);
  });

  const never = '"ap" has data that "eu" never received, and would lose it by following "eu"';
  test.each<readonly [string, Filter | undefined, Filter | undefined, readonly string[]]>([
    ['which the filter of the successor keeps from it', DENY, undefined, [never]],
    ['which both filters keep away', DENY, { mode: 'deny', paths: ['legal', 'own/'] }, []],
    ['which another filter lets through', DENY, { mode: 'deny', paths: ['own/'] }, [never]],
    ['by filters of two kinds', DENY, { mode: 'allow', paths: ['kv/'] }, [never]],
    [
      'of which both let through the same',
      { mode: 'allow', paths: ['kv/', 'b/'] },
      { mode: 'allow', paths: ['kv/'] },
      [],
    ],
    [
      'of which it lets less through',
      { mode: 'allow', paths: ['kv/'] },
      { mode: 'allow', paths: ['kv/', 'b/'] },
      [never],
    ],
    ['where the successor gets everything', { mode: 'deny', paths: [] }, undefined, []],
  ])('data %s', (_which, ofEu, ofAp, refused) => {
    const filters = { ...(ofEu && { eu: ofEu }), ...(ofAp && { ap: ofAp }) };
    const found = planFor(goal({ ...wanted, filters })).refusals(worldOf(upTo(5, eu), upTo(5, ap)));
    expect(found.map(({ summary }) => summary)).toEqual(refused);
  });

  test('a filtered secondary is not recommended', () => {
    const filtered = goal({ ...wanted, filters: { ap: DENY } });
    const [refusal] = planFor(filtered).refusals(worldOf(upTo(50, eu), upTo(60, ap)));
    expect(shown(refusal!).detail).toContain('To do: save what you need and confirm the loss');
  });
});

test('a last primary that follows a cluster outside of the set is refused, except by force', () => {
  const wanted = { primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'] } as const;
  const observation = { us: secondary('us'), eu: secondary('eu') };
  expect(plan(goal(wanted), observation)).toEqual([
    'REFUSED: "us" follows a primary that is not in this set or does not answer',
  ]);
  const compared = { us: upTo(3, observation.us), eu: upTo(3, observation.eu) };
  expect(plan(goal({ ...wanted, forced: true }), compared)[0]).toContain('us: become the primary, BY FORCE');
});

test('a last primary that stepped down outside of Terraform is refused if a secondary is unlisted, also one with the earlier id of a member', () => {
  const observation = { us: demoted(), eu: secondary('eu-2') };
  const refused = '"us" must not be promoted: a secondary that is not in this set may be the primary now';
  expect(plan(knowingUnlisted(pair, 'eu'), observation)).toEqual([`REFUSED: ${refused}`]);
  // A member that was removed may still run with its id, and have been promoted.
  const left = goal({ primary: 'us', secondaries: { eu: null }, knows, leftIds: ['eu'] });
  expect(plan(knowingUnlisted(left, 'eu'), observation)).toEqual([`REFUSED: ${refused}`]);
});

describe('a last primary that stepped down for a cluster', () => {
  const announced = { id: 'id-ap', name: 'ap' };
  const us = { ...demoted(), announced } as ClusterFacts;
  const others = { us, eu: secondary('eu') };
  const refused = (primary: string) => [
    `REFUSED: "${primary}" must not be promoted: the last primary stepped down for "ap", which is not in this set`,
  ];
  const again = 'us: become the primary again (keeps its data)';
  const trio = goal({ primary: 'us', secondaries: { eu: null, ap: null }, knows: ['us', 'eu', 'ap'] });
  const ap = secondary('ap');

  test('no cluster is promoted if the successor is not in the set, except by force', () => {
    expect(plan(pair, others)).toEqual(refused('us'));
    expect(plan(swapped, others)).toEqual(refused('eu'));
    const byForce = goal({
      primary: 'us',
      secondaries: { eu: null },
      knows,
      forced: true,
      confirmed: ['eu'],
    });
    expect(plan(byForce, others)[0]).toContain('us: become the primary, BY FORCE');
  });

  test.each<[string, ClusterFacts, readonly string[]]>([
    ['has its id', { ...ap, self: { id: 'id-ap' } }, [again]],
    ['has its name, and another id', { ...ap, self: { id: 'id-other' } }, refused('us')],
    ['has its name, and no known id', ap, [again]],
  ])('where a member %s', (_what, facts, expected) => {
    expect(plan(trio, { ...others, ap: facts })).toEqual(
      expected[0] === again
        ? [again, ...plan(trio, { us: demoted(), eu: others.eu, ap }).slice(1)]
        : expected,
    );
  });

  test('the last primary becomes the primary again if the successor has another name in the configuration', () => {
    const named = { us, eu: { ...secondary('eu'), self: { id: 'id-ap' } } as ClusterFacts };
    expect(plan(pair, named)[0]).toBe(again);
  });

  test('no cluster is promoted if a primary answers', () => {
    const observation = {
      us: { ...primary({ eu: 'connected' }), announced } as ClusterFacts,
      eu: secondary('eu'),
    };
    expect(plan(pair, observation)).toEqual([]);
  });
});

describe('an id that another secondary has', () => {
  const taken =
    'REFUSED: another secondary of "us" has the id "ap", and would be disconnected if "ap" joined with it';

  test('an earlier id of a member is free, unless another secondary is connected with it', () => {
    const before = goal({ primary: 'us', secondaries: { eu: null, ap: null }, knows, leftIds: ['ap'] });
    const observation = (connection: Connection) => ({
      us: primary({ eu: 'connected', ap: connection }),
      eu: secondary('eu'),
      ap: fresh,
    });
    expect(plan(before, observation('disconnected'))).toEqual([
      'ap: ERASE ALL DATA of this cluster, then join us as its secondary "ap", unfiltered',
    ]);
    expect(plan(before, observation('connected'))).toEqual([taken]);
  });

  test('an earlier id of a member is revoked if no member needs it, unless another secondary is connected with it', () => {
    const without = goal({ primary: 'us', secondaries: { eu: null }, knows, leftIds: ['old'] });
    const observation = (connection: Connection) => ({
      us: primary({ eu: 'connected', old: connection }),
      eu: secondary('eu'),
    });
    expect(plan(without, observation('disconnected'))).toEqual([
      'us: revoke secondary "old", and remove its paths filter',
    ]);
    expect(plan(without, observation('connected'))).toEqual([]);
    const switchover = goal({ primary: 'eu', secondaries: { us: null }, knows, leftIds: ['old'] });
    expect(plan(switchover, observation('disconnected'))[0]).toContain('then step down as the primary');
    expect(plan(switchover, observation('connected'))).toEqual([
      'REFUSED: "us" has secondaries that are not in this set and would lose their primary: "old"',
    ]);
  });
});

describe('a destroy of a set', () => {
  const known = pair.known!;
  const cut = (name: string, id: string) =>
    `"${name}" has secondaries that are not in this set and would lose their primary: "${id}"`;
  const refused = (observation: Observation) =>
    planForDestroy(known, [])
      .refusals(observation)
      .map(({ summary }) => summary);

  test('a destroy is refused if the set contains an unknown member', () => {
    expect(refused({ us: primary({ eu: 'connected' }), eu: secondary('eu') })).toEqual([]);
    expect(refused({ us: primary({ eu: 'connected', ap: 'connected' }), eu: secondary('eu') })).toEqual([
      cut('us', 'ap'),
    ]);
  });

  test('a destroy after a switchover by others knows the new id of the old primary, also once it has left', () => {
    const eu = primary({ 'us-1': 'connected', ap: 'connected' });
    expect(refused({ us: secondary('us-1'), eu })).toEqual([cut('eu', 'ap')]);
    const stepPlan = planForDestroy(known, []);
    const before = { us: secondary('us-1'), eu: primary({ 'us-1': 'connected' }) };
    const after = { us: fresh, eu: primary({ 'us-1': 'disconnected' }) };
    expect(stepPlan.refusals(before)).toEqual([]);
    expect(stepPlan.refusals(after, new Set(stepPlan.ownIds(before)))).toEqual([]);
    expect(stepPlan.refusals(after)).toHaveLength(1);
  });
});

test('an abandoned cluster that is a primary again is refused', () => {
  const wanted = goal({ primary: 'eu', abandoned: ['us'], knows: ['eu'] });
  const [refusal] = planFor(wanted).refusals({ us: primary(), eu: primary() });
  expect(refusal!.summary).toBe('"eu" and "us" are both primaries of this replication set');
  expect(shown(refusal!).detail).toContain('"us" is in abandoned_clusters, but has come back as a primary');
  expect(shown(refusal!).detail).toContain(
    'set primary to the remaining one, remove "us" from abandoned_clusters, add "us" to secondaries (unless it is the ' +
      'remaining one) and apply: the others follow it',
  );
  for (const us of [gone(primary()), primary({}, {}, 'set-2'), demoted(), fresh]) {
    expect(plan(wanted, { us, eu: primary() })).toEqual([]);
  }
  expect(planFor(wanted)).toMatchObject({ members: ['eu'], watched: ['us'] });
});

test('a secondary of disaster recovery at the address of an abandoned cluster does not prevent a failover', () => {
  const observation = { us: { mode: 'dr_secondary' } as const, eu: secondary('eu') };
  const failover = { primary: 'eu', forced: true, knows: ['us', 'eu'] as const };
  expect(plan(goal({ ...failover, abandoned: ['us'] }), observation)).toEqual([
    'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
  ]);
  expect(plan(goal(failover), observation)).toEqual([
    'REFUSED: the address of "us" leads to a secondary of disaster recovery',
  ]);
});

test('the goals of these tests have a known set', () => expect(pair.known!.clusterId).toBe(SET));

test('a cluster that does not answer is not refused because of its earlier mode', () => {
  expect(plan(first, { us: primary(), eu: gone({ mode: 'dr_secondary' }) })).toEqual([]);
  expect(plan(first, { us: primary(), eu: gone(used) })).toHaveLength(1);
  expect(plan(first, { us: primary(), eu: gone(secondary('eu', 'set-2')) })).toHaveLength(1);
});

describe('a version that may lose data when it gets another primary', () => {
  const old = (facts: ClusterFacts): ClusterFacts => ({ ...facts, self: { id: 'id', version: '1.13.4' } });
  const us = primary({ eu: 'connected' });
  const lossy = (name: string) => [
    `REFUSED: "${name}" may lose data if it gets another primary: its server has version 1.13.4`,
  ];

  test.each<readonly [string, Goal, Observation, readonly string[]]>([
    ['that stays as it is', pair, { us, eu: old(secondary('eu')) }, []],
    ['that gets another id', pair, { us, eu: old(secondary('eu-1')) }, lossy('eu')],
    ['that lost its id', pair, { us: primary(), eu: old(secondary('eu')) }, lossy('eu')],
    ['whose primary is switched', swapped, { us: old(us), eu: secondary('eu') }, lossy('us')],
    [
      'that takes over',
      swapped,
      { us: demoted(), eu: old(heir(['us'])) },
      [expect.stringContaining('us: follow')],
    ],
    ['that joins', pair, { us: primary(), eu: old(fresh) }, [expect.stringContaining('eu: ERASE')]],
    [
      'that follows by another id',
      pair,
      { us: primary({ eu: 'connected', 'eu-1': 'connected' }), eu: old(secondary('eu-1')) },
      lossy('eu'),
    ],
    [
      'that was primary, whose successor is primary',
      swapped,
      { us: old(demoted()), eu: heir(['us']) },
      lossy('us'),
    ],
    [
      'that cannot be asked',
      pair,
      { us: primary(), eu: gone(old(secondary('eu'))) },
      [expect.stringContaining('eu: follow')],
    ],
  ])('%s', (_which, wanted, observation, expected) => {
    expect(plan(wanted, observation)).toEqual(expected);
  });
});

describe('conditions of a primary', () => {
  test.each<readonly [string, Goal, Observation, readonly string[]]>([
    [
      'one that does not answer, but was the primary: nothing is refused',
      pair,
      { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') },
      [],
    ],
    [
      'one that is the primary, of clusters that are not in the set',
      goal({ primary: 'us' }),
      { us: primary({ eu: 'connected' }) },
      [],
    ],
    [
      'one whose primary has secondaries by the ids that are wanted',
      goal({ primary: 'eu', secondaries: { us: null, mx: null }, knows }),
      { us: primary({ eu: 'connected', mx: 'connected' }), eu: secondary('eu'), mx: secondary('mx') },
      [],
    ],
    [
      'one that left, of a primary that follows another one',
      pair,
      { us: demoted(), eu: secondary('eu') },
      [],
    ],
    [
      'by force, one whose primary was in another set by now',
      goal({ primary: 'eu', forced: true, knows }),
      { us: secondary('us', 'set-2'), eu: secondary('eu') },
      [],
    ],
    [
      'one whose last primary follows another set by now',
      goal({ primary: 'eu', knows }),
      { us: { ...secondary('us', 'set-2'), connected: false } as ClusterFacts, eu: secondary('eu') },
      ['could not determine whether "eu" has all writes of "us", the last primary'],
    ],
    [
      'one that begins, after the last primary was switched off',
      goal({ primary: 'eu', knows }),
      { us: fresh, eu: fresh },
      [],
    ],
    [
      'one whose last primary follows a primary that is in the set',
      goal({ primary: 'ap', secondaries: { us: null, eu: null }, knows: ['us', 'eu', 'ap'] }),
      { us: secondary('us'), eu: primary({ us: 'connected', ap: 'connected' }), ap: secondary('ap') },
      [],
    ],
    [
      'one whose last primary is given up, while another one is the primary',
      goal({ primary: 'eu', secondaries: { ap: null }, abandoned: ['us'], knows: ['us', 'eu', 'ap'] }),
      { us: gone(primary()), eu: secondary('eu'), ap: primary({ eu: 'connected' }) },
      [],
    ],
    [
      'a new one, while the last one is given up',
      goal({ primary: 'eu', abandoned: ['us'], knows }),
      { us: gone(primary()), eu: fresh },
      [],
    ],
    [
      'one that is the primary, while the last one is given up',
      goal({ primary: 'eu', abandoned: ['us'], knows }),
      { us: gone(primary()), eu: primary() },
      [],
    ],
    [
      'one that does not follow the primary when it was seen last',
      pair,
      { us: gone(primary()), eu: secondary('eu') },
      [],
    ],
    [
      'one beside a secondary of another set that does not answer',
      pair,
      { us: primary(), eu: gone(secondary('eu', 'set-2')) },
      [],
    ],
    ['one beside a cluster with data that does not answer', pair, { us: primary(), eu: gone(used) }, []],
    [
      'by force, one whose last primary does not answer and is to follow',
      goal({ primary: 'eu', secondaries: { us: null }, forced: true, knows }),
      { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') },
      ['"us" may have writes that "eu" lacks, and would lose them by following it'],
    ],
    [
      'by force, one that nothing is known of',
      goal({ primary: 'us', secondaries: { eu: null }, forced: true }),
      { us: primary(), eu: demoted() },
      ['"eu" may have writes that "us" lacks, and would lose them by following it'],
    ],
    [
      'one whose last primary followed another when it was seen last',
      pair,
      { us: gone(secondary('us')), eu: secondary('eu') },
      [],
    ],
  ])('%s', (_which, wanted, observation, summaries) => {
    expect(
      planFor(wanted)
        .refusals(observation)
        .map(({ summary }) => summary),
    ).toEqual(summaries);
  });
});
