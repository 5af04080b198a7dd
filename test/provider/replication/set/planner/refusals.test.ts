/** Refusals whose texts are not in `refusals-in-full.test.ts`, and cases that are accepted. */
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
    ['found if both are new', { ...fresh, self }, { ...fresh, self }, true],
    ['found if both are primaries', { ...primary(), self }, { ...primary(), self }, true],
    ['found if both have one secondary id', { ...secondary('x'), self }, { ...secondary('x'), self }, true],
    [
      'not assumed if each has its own secondary id',
      { ...secondary('x'), self },
      { ...secondary('y'), self },
      false,
    ],
    [
      'not assumed if the ids of the clusters differ',
      { ...fresh, self },
      { ...fresh, self: { ...self, id: 'id-2' } },
      false,
    ],
    [
      'not assumed if the active nodes differ',
      { ...fresh, self },
      { ...fresh, self: { ...self, place: 'b' } },
      false,
    ],
    ['not assumed if the modes differ', { ...primary(), self }, { ...fresh, self }, false],
    ['not assumed if the first does not answer', gone({ ...fresh, self }), { ...fresh, self }, false],
    ['not assumed if the second does not answer', { ...fresh, self }, gone({ ...fresh, self }), false],
    ['not assumed if the id of the first is not known', fresh, { ...fresh, self }, false],
    ['not assumed if the id of the second is not known', { ...fresh, self }, fresh, false],
    ['not assumed if no id is known', fresh, fresh, false],
  ])('is %s', (_where, us, eu, expected) => {
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
    ['are refused if their servers report no ids', secondary('x'), secondary('x'), true],
    [
      'are refused if only one server reports its id',
      { ...secondary('x'), ...self('id-1') },
      secondary('x'),
      true,
    ],
    [
      'are refused if they are copies with one cluster id',
      { ...secondary('x'), ...self('id-1') },
      { ...secondary('x'), self: { id: 'id-1', place: 'b' } },
      true,
    ],
    [
      'are accepted if their clusters have different ids',
      { ...secondary('x'), ...self('id-1') },
      { ...secondary('x'), ...self('id-2') },
      false,
    ],
    ['are accepted if they are in two sets', secondary('x'), secondary('x', 'set-2'), false],
    ['are accepted if they have stepped down', demoted(), demoted(), false],
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

test('a former primary that is a secondary now, and takes over, does not count as a foreign secondary', () => {
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

describe('a forced promotion', () => {
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

  test('a forced promotion is refused if another secondary has received more writes, until its loss is confirmed', () => {
    const observation = worldOf(upTo(50, eu), upTo(60, ap));
    expect(plan(goal({ ...wanted, used: ['ap'] }), observation)).toEqual([`REFUSED: ${lacks}`]);
    expect(plan(goal({ ...wanted, confirmed: ['ap'] }), observation)).toEqual([
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
      'ap: follow eu as its secondary "ap", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
    ]);
  });

  test.each([
    ['that has received less is accepted', upTo(60, eu), upTo(50, ap), []],
    ['that has the same data is accepted', upTo(0, eu, 'same'), upTo(0, ap, 'same'), []],
    ['whose position says nothing is refused', upTo(0, eu), upTo(0, ap, 'other'), [unclear]],
    ['that does not show its data is refused', upTo(5, eu), ap, [unclear]],
    ['that does not answer is refused', upTo(5, eu), gone(upTo(5, ap)), [unclear]],
    ['that has left the set is accepted', upTo(5, eu), fresh, []],
  ])('a forced promotion beside a secondary %s', (_which, one, other, refused) => {
    const found = planFor(goal(wanted)).refusals(worldOf(one, other));
    expect(found.map(({ summary }) => summary)).toEqual(refused);
  });

  const never = '"ap" has data that "eu" never received, and would lose it by following "eu"';
  test.each<readonly [string, Filter | undefined, Filter | undefined, readonly string[]]>([
    ['is refused if only the filter of the successor withholds data', DENY, undefined, [never]],
    [
      'is accepted if the other filter withholds the same data and more',
      DENY,
      { mode: 'deny', paths: ['legal', 'own/'] },
      [],
    ],
    ['is refused if the other filter withholds other data', DENY, { mode: 'deny', paths: ['own/'] }, [never]],
    [
      'is refused if the successor denies paths and the other secondary is allowed paths',
      DENY,
      { mode: 'allow', paths: ['kv/'] },
      [never],
    ],
    [
      'is accepted if the successor is allowed more',
      { mode: 'allow', paths: ['kv/', 'b/'] },
      { mode: 'allow', paths: ['kv/'] },
      [],
    ],
    [
      'is refused if the successor is allowed less',
      { mode: 'allow', paths: ['kv/'] },
      { mode: 'allow', paths: ['kv/', 'b/'] },
      [never],
    ],
    ['is accepted if the filter of the successor denies nothing', { mode: 'deny', paths: [] }, undefined, []],
  ])('a forced promotion %s', (_which, ofEu, ofAp, refused) => {
    const filters = { ...(ofEu && { eu: ofEu }), ...(ofAp && { ap: ofAp }) };
    const found = planFor(goal({ ...wanted, filters })).refusals(worldOf(upTo(5, eu), upTo(5, ap)));
    expect(found.map(({ summary }) => summary)).toEqual(refused);
  });

  test('a filtered secondary is not recommended as the successor', () => {
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
    [
      'becomes the primary again if a member has the id of the successor',
      { ...ap, self: { id: 'id-ap' } },
      [again],
    ],
    [
      'is refused if a member has the name of the successor, and another id',
      { ...ap, self: { id: 'id-other' } },
      refused('us'),
    ],
    ['becomes the primary again if a member has the name of the successor, and no known id', ap, [again]],
  ])('a last primary %s', (_what, facts, expected) => {
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

describe('a cluster with a version that may lose data when it gets another primary', () => {
  const old = (facts: ClusterFacts): ClusterFacts => ({ ...facts, self: { id: 'id', version: '1.13.4' } });
  const us = primary({ eu: 'connected' });
  const lossy = (name: string) => [
    `REFUSED: "${name}" may lose data if it gets another primary: its server has version 1.13.4`,
  ];

  test.each<readonly [string, Goal, Observation, readonly string[]]>([
    ['is accepted if nothing changes for it', pair, { us, eu: old(secondary('eu')) }, []],
    ['is refused if it gets another id', pair, { us, eu: old(secondary('eu-1')) }, lossy('eu')],
    ['is refused if its id was revoked', pair, { us: primary(), eu: old(secondary('eu')) }, lossy('eu')],
    [
      'is refused if it is the primary and another cluster takes over',
      swapped,
      { us: old(us), eu: secondary('eu') },
      lossy('us'),
    ],
    [
      'is accepted if it takes over',
      swapped,
      { us: demoted(), eu: old(heir(['us'])) },
      [expect.stringContaining('us: follow')],
    ],
    [
      'is accepted if it joins',
      pair,
      { us: primary(), eu: old(fresh) },
      [expect.stringContaining('eu: ERASE')],
    ],
    [
      'is refused if the primary knows both its present and its wanted id',
      pair,
      { us: primary({ eu: 'connected', 'eu-1': 'connected' }), eu: old(secondary('eu-1')) },
      lossy('eu'),
    ],
    [
      'is refused if it has stepped down and its successor is the primary',
      swapped,
      { us: old(demoted()), eu: heir(['us']) },
      lossy('us'),
    ],
    [
      'is accepted if it does not answer',
      pair,
      { us: primary(), eu: gone(old(secondary('eu'))) },
      [expect.stringContaining('eu: follow')],
    ],
  ])('%s', (_which, wanted, observation, expected) => {
    expect(plan(wanted, observation)).toEqual(expected);
  });
});

describe('a wanted primary', () => {
  test.each<readonly [string, Goal, Observation, readonly string[]]>([
    [
      'is accepted if it does not answer, but was the primary',
      pair,
      { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') },
      [],
    ],
    [
      'is accepted if it is the primary of clusters that are not in the set',
      goal({ primary: 'us' }),
      { us: primary({ eu: 'connected' }) },
      [],
    ],
    [
      'is accepted if the present primary has secondaries with the wanted ids',
      goal({ primary: 'eu', secondaries: { us: null, mx: null }, knows }),
      { us: primary({ eu: 'connected', mx: 'connected' }), eu: secondary('eu'), mx: secondary('mx') },
      [],
    ],
    [
      'is accepted if it has stepped down and no cluster is the primary',
      pair,
      { us: demoted(), eu: secondary('eu') },
      [],
    ],
    [
      'is accepted by force if the last primary is now in another set',
      goal({ primary: 'eu', forced: true, knows }),
      { us: secondary('us', 'set-2'), eu: secondary('eu') },
      [],
    ],
    [
      'is refused if the last primary now follows another set',
      goal({ primary: 'eu', knows }),
      { us: { ...secondary('us', 'set-2'), connected: false } as ClusterFacts, eu: secondary('eu') },
      ['could not determine whether "eu" has all writes of "us", the last primary'],
    ],
    [
      'is accepted if no cluster replicates any more',
      goal({ primary: 'eu', knows }),
      { us: fresh, eu: fresh },
      [],
    ],
    [
      'is accepted if the last primary follows a primary that is in the set',
      goal({ primary: 'ap', secondaries: { us: null, eu: null }, knows: ['us', 'eu', 'ap'] }),
      { us: secondary('us'), eu: primary({ us: 'connected', ap: 'connected' }), ap: secondary('ap') },
      [],
    ],
    [
      'is accepted if the last primary is abandoned and another member is the primary',
      goal({ primary: 'eu', secondaries: { ap: null }, abandoned: ['us'], knows: ['us', 'eu', 'ap'] }),
      { us: gone(primary()), eu: secondary('eu'), ap: primary({ eu: 'connected' }) },
      [],
    ],
    [
      'is accepted if it is new and the last primary is abandoned',
      goal({ primary: 'eu', abandoned: ['us'], knows }),
      { us: gone(primary()), eu: fresh },
      [],
    ],
    [
      'is accepted if it is the primary already and the last primary is abandoned',
      goal({ primary: 'eu', abandoned: ['us'], knows }),
      { us: gone(primary()), eu: primary() },
      [],
    ],
    [
      'is accepted if it does not answer and a secondary was not connected to it',
      pair,
      { us: gone(primary()), eu: secondary('eu') },
      [],
    ],
    [
      'is accepted beside a secondary of another set that does not answer',
      pair,
      { us: primary(), eu: gone(secondary('eu', 'set-2')) },
      [],
    ],
    [
      'is accepted beside a cluster with data that does not answer',
      pair,
      { us: primary(), eu: gone(used) },
      [],
    ],
    [
      'is refused by force if the last primary does not answer and is to follow it',
      goal({ primary: 'eu', secondaries: { us: null }, forced: true, knows }),
      { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') },
      ['"us" may have writes that "eu" lacks, and would lose them by following it'],
    ],
    [
      'is refused by force if a member has stepped down and the set is not known',
      goal({ primary: 'us', secondaries: { eu: null }, forced: true }),
      { us: primary(), eu: demoted() },
      ['"eu" may have writes that "us" lacks, and would lose them by following it'],
    ],
    [
      'is accepted if it does not answer and followed another primary before',
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
