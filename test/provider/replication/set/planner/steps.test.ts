import { DENY, demoted, fresh, goal, gone, heir, plan, primary, secondary, upTo, used } from './observations';

const ENABLE = 'us: become the primary of a new replication set (keeps its data)';
const join = (name: string, gets = 'unfiltered', id = name) =>
  `${name}: ERASE ALL DATA of this cluster, then join us as its secondary "${id}", ${gets}`;
const follow = (name: string, of: string, gets = 'unfiltered', id = name) =>
  `${name}: follow ${of} as its secondary "${id}", ${gets} (keeps ${gets === 'unfiltered' ? '' : 'the rest of '}its data)`;
const rejoin = (name: string, of: string, gets = 'unfiltered') =>
  `${name}: follow ${of} as its secondary "${name}", ${gets} (keeps its data)`;
const loseTo = (name: string, of: string) =>
  `${name}: follow ${of} as its secondary "${name}", unfiltered (keeps what ${of} has; LOSES writes that ${of} lacks)`;
const stepDown = (name: string, successor: string) =>
  `${name}: wait until ${successor} has all its writes, then step down as the primary (keeps its data)`;
const becomePrimary = (name: string, of: string) =>
  `${name}: become the primary, once it has all writes of ${of} (keeps its data)`;
const takeOver = (name: string, of: string) =>
  `${becomePrimary(name, of)}; otherwise ${of} becomes the primary again, and its secondaries follow it as before`;
const forget = (name: string, id: string) => `${name}: revoke secondary "${id}", and remove its paths filter`;

describe('the steps to create a set', () => {
  test('new clusters become a primary and secondaries', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null, ap: DENY } }), { us: used, eu: fresh, ap: fresh }),
    ).toEqual([ENABLE, join('eu'), join('ap', 'without legal/')]);
  });

  test('a primary without secondaries is enabled', () => {
    expect(plan(goal({ primary: 'us' }), { us: used })).toEqual([ENABLE]);
  });

  test('clusters with data join if the loss is confirmed', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, confirmed: ['eu'] }), { us: used, eu: used }),
    ).toEqual([ENABLE, join('eu')]);
  });

  test('the remaining steps are the joins after an interruption between the enabling of the primary and the joins', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null } }), { us: primary({}, { eu: null }), eu: fresh }),
    ).toEqual([join('eu')]);
  });

  test('the secondary joins with a new token after an interruption that followed the issue of a token', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null } }), { us: primary({ eu: 'never' }), eu: fresh }),
    ).toEqual([join('eu')]);
  });

  test('no step is left after an interruption at the end', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null } }), {
        us: primary({ eu: 'connected' }),
        eu: secondary('eu'),
      }),
    ).toEqual([]);
  });

  test('clusters that could not be read yet are assumed to be new', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null } }), {
        us: gone({ mode: 'unknown' }),
        eu: gone({ mode: 'unknown' }),
      }),
    ).toEqual([ENABLE, join('eu')]);
  });
});

describe('the steps of a running set', () => {
  const us = primary({ eu: 'connected' });
  const knows = ['us', 'eu'] as const;

  test('a set that is as wanted has no steps', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows }), { us, eu: secondary('eu') }),
    ).toEqual([]);
  });

  test('a new secondary joins', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null, ap: null }, knows }), {
        us,
        eu: secondary('eu'),
        ap: fresh,
      }),
    ).toEqual([join('ap')]);
  });

  test('a removed secondary leaves, and the primary forgets it', () => {
    expect(plan(goal({ primary: 'us', knows }), { us, eu: secondary('eu') })).toEqual([
      'eu: leave the replication set (keeps its data)',
      forget('us', 'eu'),
    ]);
  });

  test('a removed secondary that has left already is only forgotten by the primary', () => {
    expect(plan(goal({ primary: 'us', knows }), { us: primary({ eu: 'disconnected' }), eu: used })).toEqual([
      forget('us', 'eu'),
    ]);
    expect(plan(goal({ primary: 'us', knows }), { us: primary({}, { eu: DENY }), eu: used })).toEqual([
      forget('us', 'eu'),
    ]);
    expect(plan(goal({ primary: 'us', knows }), { us: primary({}, { eu: null }), eu: used })).toEqual([]);
  });

  test('a removed secondary that joined another set is only forgotten by the primary', () => {
    const left = primary({ eu: 'disconnected' });
    expect(plan(goal({ primary: 'us', knows }), { us: left, eu: secondary('x', 'set-2') })).toEqual([
      forget('us', 'eu'),
    ]);
  });

  test('a changed filter is written or removed', () => {
    const observation = { us: primary({ eu: 'connected' }, { eu: DENY }), eu: secondary('eu') };
    expect(plan(goal({ primary: 'us', secondaries: { eu: null }, knows }), observation)).toEqual([
      'us: remove the paths filter of secondary "eu", which then receives everything',
    ]);
    const allow = { mode: 'allow', paths: ['kv/', 'auth/operators/'] };
    expect(plan(goal({ primary: 'us', secondaries: { eu: allow }, knows }), observation)).toEqual([
      'us: write the paths filter of secondary "eu": with only auth/operators/, kv/ (removes from it what the filter withholds)',
    ]);
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: { ...DENY, paths: ['legal'] } }, knows }), observation),
    ).toEqual([]);
  });

  test('a secondary with a changed id follows by a new token, and the old id is revoked', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: DENY }, ids: { eu: 'eu-2' }, knows }), {
        us: primary({ eu: 'connected' }, { eu: DENY }),
        eu: secondary('eu'),
      }),
    ).toEqual([follow('eu', 'us', 'without legal/', 'eu-2'), forget('us', 'eu')]);
  });

  test('a secondary under another name follows under its new id, and does not leave', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { europe: null }, knows }), {
        us,
        eu: secondary('eu'),
        europe: secondary('eu'),
      }),
    ).toEqual([follow('europe', 'us'), forget('us', 'eu')]);
  });

  test('a secondary whose id was revoked by hand follows by a new token', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows }), {
        us: heir(['eu']),
        eu: secondary('eu'),
      }),
    ).toEqual([follow('eu', 'us')]);
  });

  test('a secondary that lost its connection has no steps, since it reconnects by itself', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows }), {
        us: primary({ eu: 'disconnected' }),
        eu: { ...secondary('eu'), connected: false } as never,
      }),
    ).toEqual([]);
  });

  test('the filter of a secondary that does not answer is written nevertheless', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: DENY }, knows }), { us, eu: gone(secondary('eu')) }),
    ).toEqual([
      'us: write the paths filter of secondary "eu": without legal/ (removes from it what the filter withholds)',
    ]);
  });
});

describe('a primary whose address for its secondaries has changed', () => {
  const pair = goal({ primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'], address: 'new:8201' });
  const lost = { ...secondary('eu'), connected: false } as never;
  const us = { ...primary({ eu: 'disconnected' }), clusterAddr: 'old:8201' } as never;

  test('a secondary without a connection receives the new address', () => {
    expect(plan(pair, { us, eu: lost })).toEqual([
      'eu: use the address new:8201 of us from now on (keeps its data)',
    ]);
  });

  test.each([
    [
      'if it still finds the primary',
      { ...(primary({ eu: 'connected' }) as object), clusterAddr: 'old:8201' },
      secondary('eu'),
    ],
    ['if the primary still gives it the new address', { ...(us as object), clusterAddr: 'new:8201' }, lost],
    ['if it does not answer', us, gone(lost)],
    ['if the primary does not answer', gone(us), lost],
  ])('a secondary receives no new address %s', (_which, one, other) => {
    expect(plan(pair, { us: one as never, eu: other })).toEqual([]);
  });
});

test('two members that exchange their ids follow by new tokens', () => {
  const named = (name: string) => ({ ...secondary(name), self: { id: `id-${name}`, version: '1.18.0' } });
  const swapped = goal({
    primary: 'us',
    secondaries: { eu: null, ap: null },
    ids: { eu: 'ap', ap: 'eu' },
    knows: ['us', 'eu', 'ap'],
  });
  const us = primary({ eu: 'connected', ap: 'connected' });
  expect(plan(swapped, { us, eu: named('eu'), ap: named('ap') })).toEqual([
    follow('eu', 'us', 'unfiltered', 'ap'),
    follow('ap', 'us', 'unfiltered', 'eu'),
  ]);
});

describe('the steps of a switchover', () => {
  const knows = ['us', 'eu', 'ap'] as const;
  const wanted = goal({ primary: 'eu', secondaries: { us: null, ap: DENY }, knows });
  const rest = [rejoin('us', 'eu'), follow('ap', 'eu', 'without legal/')];
  const us = primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY });

  test('a switchover begins with the demotion', () => {
    expect(plan(wanted, { us, eu: secondary('eu'), ap: secondary('ap') })).toEqual([
      stepDown('us', 'eu'),
      takeOver('eu', 'us'),
      ...rest,
    ]);
  });

  test('a switchover continues with the promotion after the demotion', () => {
    expect(plan(wanted, { us: demoted(), eu: secondary('eu'), ap: secondary('ap') })).toEqual([
      takeOver('eu', 'us'),
      ...rest,
    ]);
  });

  test('the other clusters follow after the promotion', () => {
    expect(plan(wanted, { us: demoted(), eu: heir(['us', 'ap']), ap: secondary('ap') })).toEqual(rest);
  });

  test('the other clusters follow after a token was issued and lost', () => {
    expect(
      plan(wanted, {
        us: demoted(),
        eu: heir(['us', 'ap'], { us: 'never' }),
        ap: { ...secondary('ap'), connected: false } as never,
      }),
    ).toEqual(rest);
  });

  test('a switchover that is cancelled after the demotion promotes the old primary again', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'] }), {
        us: demoted(),
        eu: secondary('eu'),
      }),
    ).toEqual(['us: become the primary again (keeps its data)', follow('eu', 'us')]);
  });

  test('a switchover by hand is reverted', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows: ['eu', 'us'] }), {
        us: demoted(),
        eu: heir(['us']),
      }),
    ).toEqual([rejoin('us', 'eu'), stepDown('eu', 'us'), takeOver('us', 'eu'), rejoin('eu', 'us')]);
  });

  test('a forced switchover from a lost primary begins with the promotion', () => {
    expect(
      plan(goal({ primary: 'eu', secondaries: { ap: null }, forced: true, abandoned: ['us'], knows }), {
        us: gone(us),
        eu: upTo(7, secondary('eu')),
        ap: upTo(7, secondary('ap')),
      }),
    ).toEqual([
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
      loseTo('ap', 'eu'),
    ]);
  });
});

describe('the steps of clusters that have stepped down', () => {
  test('a cluster is promoted again once it has the writes of the other cluster that stepped down', () => {
    expect(
      plan(goal({ primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu'] }), {
        us: demoted(),
        eu: demoted(),
      }),
    ).toEqual([becomePrimary('us', 'eu'), rejoin('eu', 'us')]);
  });

  test('such a cluster follows the present primary before another cluster takes over', () => {
    expect(
      plan(goal({ primary: 'ap', secondaries: { us: null, eu: null }, knows: ['eu', 'us', 'ap'] }), {
        us: demoted(),
        eu: heir(['us'], { ap: 'connected' }),
        ap: secondary('ap'),
      }).slice(0, 3),
    ).toEqual([rejoin('us', 'eu'), stepDown('eu', 'ap'), takeOver('ap', 'eu')]);
  });
});
