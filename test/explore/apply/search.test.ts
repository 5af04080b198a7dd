/**
 * The search of the fastest bound finds no violation, and finds faults that are planted in the
 * provider.
 */
import { VaultError } from '../../../src/client';
import { REPLICATION_SET } from '../../../src/model';
import { callFailed } from '../../../src/provider/objects';
import type * as Checks from '../../../src/provider/replication/set/planner/checks';
import type * as Simulate from '../../../src/provider/replication/set/planner/simulate';
import type * as SwitchoverNote from '../../../src/provider/replication/set/decide/switchover-note';
import type { RequestKind } from '../../../src/provider/replication/set/decide';
import { happened, type Request } from '../model';
import type * as Answering from './answering';
import type * as Cures from './cures';
import { differencesOf } from './figures';
import { plantOf } from './plants';
import type { Start } from './search';
import type * as Searching from './search';
import type * as Starts from './starts';
import type * as Terraform from './terraform';

const CHECKS = '../../../src/provider/replication/set/planner/checks';

let refuses = true;
jest.doMock(CHECKS, () => {
  const checks = jest.requireActual<typeof Checks>(CHECKS);
  return {
    ...checks,
    refusals: (...given: Parameters<typeof checks.refusals>) => (refuses ? checks.refusals(...given) : []),
  };
});
const SIMULATE = '../../../src/provider/replication/set/planner/simulate';

let looksAhead = true;
jest.doMock(SIMULATE, () => {
  const simulate = jest.requireActual<typeof Simulate>(SIMULATE);
  return {
    ...simulate,
    refusalsOnTheWay: (...[stepPlan, observation]: Parameters<typeof simulate.refusalsOnTheWay>) =>
      looksAhead ? simulate.refusalsOnTheWay(stepPlan, observation) : stepPlan.refusals(observation),
  };
});
const SWITCHOVER_NOTE = '../../../src/provider/replication/set/decide/switchover-note';

let withdraws = true;
jest.doMock(SWITCHOVER_NOTE, () => {
  const notes = jest.requireActual<typeof SwitchoverNote>(SWITCHOVER_NOTE);
  return {
    ...notes,
    *withdrawFor(...given: Parameters<typeof notes.withdrawFor>) {
      if (withdraws) yield* notes.withdrawFor(...given);
    },
  };
});
const { search } = jest.requireActual<typeof Searching>('./search');
const { faulty, NAMES } = jest.requireActual<typeof Answering>('./answering');
const { made } = jest.requireActual<typeof Cures>('./cures');
const { begin, next, NOTHING_STORED } = jest.requireActual<typeof Terraform>('./terraform');
const { assumedOf, healthy, oneApply, twoInTurn, upTo, valuesOf } =
  jest.requireActual<typeof Starts>('./starts');

const STARTS = new Map(oneApply(assumedOf()).map((start) => [start.name, start]));
const IN_TURN = new Map(twoInTurn(assumedOf()).map((start) => [start.name, start]));

/**
 * Starts that are too large for a test: each has some thousand states. `npm run explore -- --bound
 * A` searches them.
 */
const SLOW = ['switchover', 'switchover at once', 'new id', 'state rolled back, and the switchover undone'];

/**
 * Kills the first apply while it makes a request, which takes effect once the second one has begun.
 */
function killedAt(kind: RequestKind, start: Start): Start {
  const { state, ...rest } = upTo(kind, start);
  const found = next(state.runs[0]!);
  if (found.kind === 'ended') throw new Error(`no request of the kind ${kind}`);
  const { by, id } = found.run;
  const seen = state.world.clusters.flatMap(({ role }, at) => (role.mode === 'primary' ? [] : [NAMES[at]!]));
  const late = { by, run: id, request: found.request, seen, isOfNext: true } as const;
  return { ...rest, state: { ...state, runs: [], late, lates: 0 } };
}

/** The violated properties, without repetitions. */
function violated(start: Start): readonly string[] {
  return [...new Set(search(start).violations.map(({ property }) => property))];
}

afterEach(() => {
  refuses = true;
  looksAhead = true;
  withdraws = true;
});

test.each([...STARTS.keys()].filter((name) => !SLOW.includes(name)))(
  'one apply with one fault violates no property, and its decisions are the stored ones: %s',
  (name) => {
    const report = search(STARTS.get(name)!);
    expect(report.violations).toEqual([]);
    expect(differencesOf(report)).toEqual([]);
  },
);

test.each(['creation', 'removal', 'removal, then filter', 'new id, then switchover', 'filter', 'destroy'])(
  'two applies violate no property if a request of the first takes effect in the second: %s',
  (name) => {
    expect(violated(IN_TURN.get(name)!)).toEqual([]);
  },
);

test('a provider that leaves the announcement of a removed member is found: after a late demotion only a force helps', () => {
  const removal = killedAt('demote', IN_TURN.get('switchover, then removal')!);
  expect(violated(removal)).toEqual([]);
  withdraws = false;
  expect(violated(removal)).toEqual(['a way on only by force']);
});

test('a provider that does not see a late promotion is found: it makes a second primary', () => {
  const undone = killedAt('promote', IN_TURN.get('switchover, then unchanged')!);
  expect(violated(undone)).toEqual([]);
  const plant: Start['plant'] = (request, outcome) =>
    request.kind === 'look' ? { value: { found: { mode: 'secondary' }, isQuick: true } } : outcome;
  expect(violated({ ...undone, plant })).toContain('a second primary');
});

test('a member that is cut off while its id changes can be restored if servers report no digests', () => {
  const starts = oneApply(assumedOf({ statusRoot: 'absent' }));
  expect(violated(starts.find(({ name }) => name === 'new id')!)).toEqual([]);
});

test('an apply whose announcement is still under way does not claim that nothing was changed', () => {
  const { state, ...switchover } = upTo('write_note', STARTS.get('switchover')!);
  const [run] = state.runs;
  const found = next(run!);
  if (found.kind === 'ended') throw new Error('a run without an announcement');
  const slow = faulty(state.world, 1, found.request, switchover.assumed).find(({ isLate }) => isLate)!;
  // A person disables the successor, so that the apply ends.
  const world = made(state.world, 1, { kind: 'disable-secondary' }, switchover.assumed)!;
  const runs = [{ ...found.run, outcomes: [...found.run.outcomes, slow.outcome] }];
  const late = { by: 1, run: run!.id, request: found.request, seen: [] };
  const report = search({ ...switchover, state: { ...state, world, runs, late, faults: 0 }, mayCost: true });
  expect(report.ends).toMatchObject({ failed: expect.any(Number) });
  expect(report.violations).toEqual([]);
});

test('a new member keeps its token if the answer to its join is lost, and it does not reach its primary then', () => {
  const { state, ...creation } = upTo('enable_secondary', STARTS.get('creation')!);
  const found = next(state.runs[0]!);
  if (found.kind === 'ended') throw new Error('a creation without a join');
  const lost = faulty(state.world, 1, found.request, creation.assumed).find(
    ({ label }) => label === 'lost after',
  )!;
  const runs = [{ ...found.run, outcomes: [...found.run.outcomes, lost.outcome] }];
  const report = search({ ...creation, state: { ...state, world: lost.world, runs, faults: 1 } });
  expect(report.states).toBeGreaterThan(300);
  expect(report.violations).toEqual([]);
});

test('a provider that takes steps outside of its plan is found', () => {
  const switchover = upTo('demote', STARTS.get('switchover')!);
  const { state } = switchover;
  const runs = state.runs.map((run) => ({ ...run, shown: [] }));
  expect(violated({ ...switchover, state: { ...state, runs, faults: 0 } })).toEqual([
    'a step that the plan did not show',
  ]);
  expect(violated({ ...switchover, state: { ...state, faults: 0 } })).toEqual([]);
});

test('a plan that claims that a cluster keeps its data, although it loses a write, is found', () => {
  const assumed = assumedOf();
  const steps: readonly [cluster: number, request: Request][] = [
    [0, { kind: 'write', mark: 5 }],
    [0, { kind: 'demote' }],
    [1, { kind: 'promote', addr: '', force: true }],
  ];
  const pair = healthy(2, assumed);
  const cut = happened(pair.world, { kind: 'cut', cluster: 0, other: 1 }, assumed)!;
  const apart = steps.reduce((world, [cluster, request]) => {
    const done = made(world, cluster, request, assumed)!;
    return happened(done, { kind: 'return', cluster }, assumed) ?? done;
  }, cut);
  const world = happened(apart, { kind: 'mend', cluster: 0, other: 1 }, assumed)!;
  const values = valuesOf('eu', { us: { confirm_data_loss: 'us' } });
  const from = STARTS.get('lost state')!;
  const runs = [begin(1, 'run', NOTHING_STORED, values)];
  const state = { ...from.state, world, runs, stored: { 1: NOTHING_STORED }, faults: 0, given: [5] };
  const follow = upTo('update_primary', { ...from, wishes: { 1: { values } }, state });
  const keeps = follow.state.runs.map((run) => ({
    ...run,
    shown: run.shown!.map((step) => (step.kind === 'follow' ? { ...step, mayLose: false } : step)),
  }));
  expect(violated(follow)).toEqual([]);
  expect(violated({ ...follow, state: { ...follow.state, runs: keeps } })).toEqual(['a claim is not true']);
});

test('a provider that refuses nothing is found: it erases a cluster without confirmation, and loses writes', () => {
  const { state, ...creation } = STARTS.get('creation')!;
  const values = valuesOf('us', { eu: {} });
  const runs = state.runs.map((run) => ({ ...run, values }));
  const unconfirmed = {
    ...creation,
    wishes: { 1: { values } },
    state: { ...state, runs, given: [], faults: 0 },
  };
  expect(violated(unconfirmed)).not.toContain('a write is lost');
  refuses = false;
  expect(violated(unconfirmed)).toEqual(
    expect.arrayContaining(['a write is lost', 'an erasure without confirmation']),
  );
});

test('the cure of a switchover that was forced although the primary answers needs no confirmation of a loss', () => {
  const values = valuesOf('us', { eu: {} }, { force_promotion: 'us' });
  const { state, ...back } = STARTS.get('state rolled back, and the switchover undone')!;
  const runs = state.runs.map((run) => ({ ...run, values }));
  const forced = { ...back, wishes: { 1: { values } }, state: { ...state, runs, faults: 0 } };
  const { ends, violations } = search(forced);
  expect(ends).toEqual({ refused: 1 });
  expect(violations).toEqual([]);
});

test('a provider that does not simulate its steps is found: it begins an apply that it refuses to complete', () => {
  const assumed = assumedOf();
  const trio = healthy(3, assumed);
  // A person makes eu the primary in place of us. The configuration makes ap take over by force,
  // with us as its secondary.
  const demoted = made(trio.world, 0, { kind: 'demote' }, assumed)!;
  const back = happened(demoted, { kind: 'return', cluster: 0 }, assumed)!;
  const promoted = made(back, 1, { kind: 'promote', addr: '', force: false }, assumed)!;
  const world = happened(promoted, { kind: 'return', cluster: 1 }, assumed)!;
  const values = valuesOf('ap', { us: {} }, { force_promotion: 'ap' });
  const { state, ...from } = STARTS.get('switchover')!;
  const { stored } = trio;
  const runs = [begin(1, 'run', stored, values)];
  const start: Start = {
    ...from,
    wishes: { 1: { values } },
    state: { ...state, world, runs, stored: { 1: stored }, faults: 0 },
    mayCost: true,
  };
  const { ends, violations } = search(start);
  expect(ends).toEqual({ refused: 1 });
  expect(violations).toEqual([]);
  looksAhead = false;
  expect(violated(start)).toEqual(['an accepted plan fails']);
});

test('a provider that does not read the note of a new primary is found: it requires an unnecessary force', () => {
  const plant = plantOf('no note');
  const promotion = upTo('look', STARTS.get('switchover')!);
  expect(violated({ ...promotion, plant })).toEqual(['a way on only by force']);
});

test.each([
  ['switchover', 'look'],
  ['switchover at once', 'demote'],
] as const)(
  'a provider that does not read the note of a promotion is found: a %s that is killed requires an unnecessary force after a write',
  (name, kind) => {
    const promotion = upTo(kind, STARTS.get(name)!);
    expect(violated(promotion)).toEqual([]);
    expect(violated({ ...promotion, plant: plantOf('no promotion note') })).toEqual([
      'a way on only by force',
    ]);
  },
);

test('a provider that does not see a primary that is back is found: it makes a second one', () => {
  const plant = plantOf('blind look');
  expect(violated({ ...STARTS.get('fail-over by force')!, plant })).toContain('a second primary');
});

test('a provider that cannot demote a primary is found: it has no way to a switchover', () => {
  const error = new VaultError({ code: 'timeout', message: 'no answer' });
  const plant: Start['plant'] = (request, outcome) =>
    request.kind === 'wait_until_level' ? { error } : outcome;
  const { state, ...switchover } = STARTS.get('switchover')!;
  expect(violated({ ...switchover, state: { ...state, faults: 0 }, plant })).toEqual(['no way on']);
});

test(`a provider that takes a joined member for a new one is found: it revokes the member's token`, () => {
  const plant = plantOf('members are new');
  expect(violated({ ...STARTS.get('creation')!, plant })).toContain('a member loses its token');
});

test('an apply that fails after a change, although its plan was accepted and no fault occurred, is found', () => {
  const error = callFailed(new VaultError({ code: 'invalid_request', message: 'no', status: 400 }), {
    verb: 'add a secondary to',
    title: 'the set',
    cluster: 'eu',
    definition: REPLICATION_SET,
  });
  const plant: Start['plant'] = (request, outcome) =>
    request.kind === 'enable_secondary' ? { error } : outcome;
  const { state, ...creation } = STARTS.get('creation')!;
  expect(violated({ ...creation, state: { ...state, faults: 0 }, plant })).toContain(
    'an accepted plan fails',
  );
});

test('a provider that takes a slow request for a refused one is found: it claims that nothing was changed', () => {
  const refused = callFailed(new VaultError({ code: 'invalid_request', message: 'no', status: 400 }), {
    verb: 'disable replication of',
    title: 'the set',
    cluster: 'eu',
    definition: REPLICATION_SET,
  });
  const plant: Start['plant'] = (request, outcome) =>
    request.kind === 'disable_secondary' && 'error' in outcome ? { error: refused } : outcome;
  const removal = upTo('disable_secondary', STARTS.get('removal')!);
  expect(violated(removal)).toEqual([]);
  expect(violated({ ...removal, plant })).toContain('a claim is not true');
});

test('a provider that does not learn of its own change is found: it claims that nothing was changed', () => {
  const error = callFailed(new VaultError({ code: 'server_error', message: 'no', status: 500 }), {
    verb: 'disable replication of',
    title: 'the set',
    cluster: 'eu',
    definition: REPLICATION_SET,
  });
  let before: Parameters<NonNullable<Start['plant']>>[1] | undefined;
  const plant: Start['plant'] = (request, outcome) => {
    if (request.kind === 'disable_secondary') return { error };
    return request.kind === 'status' && request.cluster === 'eu' ? (before ??= outcome) : outcome;
  };
  const { state, ...removal } = STARTS.get('removal')!;
  expect(violated({ ...removal, state: { ...state, faults: 0 }, plant })).toContain('a claim is not true');
});
