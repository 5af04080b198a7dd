/** The starts of the search: clusters, states of Terraform, and the configurations to apply. */
import { Assumed as Chosen, type Assume } from '../../../src/emulator/assume';
import { REPLICATION_SET_SECONDARY } from '../../../src/model';
import { defaultsOf } from '../../../src/provider/fields';
import type { SetValues } from '../../../src/provider/replication/set/wanted';
import { happened, newWorld, type Assumed, type Event, type World } from '../model';
import { runAlone } from './alone';
import { exchanges, NAMES } from './answering';
import { begin, next, NOTHING_STORED, type Run, type Stored } from './terraform';
import type { Start, State } from './search';
import { Values } from './values';
import type { RequestKind } from '../../../src/provider/replication/set/decide';

export function assumedOf(assume: Assume = {}): Assumed {
  const chosen = new Chosen(assume);
  return (name) => chosen.of(name);
}

/**
 * Returns a configuration of a set. Secondaries are given by their differences from the defaults.
 */
export function valuesOf(
  primary: string,
  secondaries: Readonly<Record<string, object>>,
  more: Partial<SetValues> = {},
): SetValues {
  const all = Object.entries(secondaries).map(([name, given]) => [
    name,
    {
      ...defaultsOf(REPLICATION_SET_SECONDARY.fields),
      id: null,
      everything: true,
      paths_filter: null,
      ...given,
    },
  ]);
  return {
    primary,
    primary_cluster_addr: null,
    primary_cluster_addrs: null,
    secondaries: Object.fromEntries(all) as SetValues['secondaries'],
    switchover: 'verified',
    force_promotion: null,
    abandoned_clusters: null,
    deletion_protection: false,
    timeouts: null,
    ...more,
  };
}

/** The applies before a start, by which a test brings emulated clusters to the same start. */
export interface Before {
  readonly size: number;
  /** The clusters that hold a marked write of their own. */
  readonly written: readonly number[];
  /** The applied configurations, in order. */
  readonly applied: readonly SetValues[];
  /** The number of these applies, from the first one, that have stored their state. */
  readonly kept: number;
  /** Whether the first cluster does not answer. */
  readonly isSilent?: boolean;
}

/** The clusters and the state of Terraform. */
export interface Situation {
  readonly world: World;
  readonly stored: Stored;
  readonly before?: Before;
}

/** Runs Terraform without faults. */
export function applied(
  world: World,
  stored: Stored,
  values: SetValues,
  assumed: Assumed,
): { world: World; stored: Stored } {
  const found = appliedOrRefused(world, stored, values, assumed);
  if (found === 'refused') throw new Error('the plan of a start is refused');
  return found;
}

function appliedOrRefused(
  world: World,
  stored: Stored,
  values: SetValues,
  assumed: Assumed,
): { world: World; stored: Stored } | 'refused' {
  const alone = runAlone(world, begin(1, 'first', stored, values), assumed);
  const { result } = alone;
  if (result.kind === 'refused') return 'refused';
  if (result.kind === 'failed') throw new Error(`the start failed: ${JSON.stringify(result)}`);
  return { world: alone.world, stored: result.stored };
}

/**
 * Returns the state of Terraform after an import of the only primary; `undefined` if the number of
 * primaries is not one.
 */
export function imported(world: World): { stored: Stored; values: SetValues } | undefined {
  const primaries = world.clusters.flatMap(({ role }, index) =>
    role.mode === 'primary' ? [{ role, index }] : [],
  );
  const [found, ...others] = primaries;
  if (!found || others.length > 0) return undefined;
  const members = world.clusters.flatMap(({ role }, index) =>
    role.mode === 'secondary' && role.set === found.role.set
      ? [[NAMES[index]!, { id: role.id || NAMES[index]! }]]
      : [],
  ) as [string, object][];
  const values = valuesOf(NAMES[found.index]!, Object.fromEntries(members));
  const state = {
    ...values,
    id: values.primary,
    cluster_id: found.role.set,
    cluster_ids: null,
    members: null,
    unlisted_secondaries: null,
    steps: [],
  } as NonNullable<Stored['state']>;
  return { stored: { ...NOTHING_STORED, state }, values };
}

/** Returns a healthy set of the first clusters, with the first as its primary. */
export function healthy(size: number, assumed: Assumed): { world: World; stored: Stored; before: Before } {
  const names = ['us', 'eu', 'ap'].slice(0, size);
  const secondaries = Object.fromEntries(names.slice(1).map((name) => [name, { confirm_data_loss: name }]));
  const empty = newWorld(size);
  // Only the primary has data, so that the first join loses none.
  for (const cluster of empty.clusters.slice(1)) cluster.content.marks = [];
  const values = valuesOf('us', secondaries);
  const before = { size, written: [0], applied: [values], kept: 1 };
  return { ...applied(empty, NOTHING_STORED, values, assumed), before };
}

/** Returns a run in a situation. */
export function start(
  name: string,
  { world, stored, before }: Situation,
  values: SetValues | undefined,
  assumed: Assumed,
  { mayCost, ...budget }: Partial<State> & { readonly mayCost?: boolean } = {},
): Start {
  const state: State = {
    world,
    stored: { 1: stored },
    runs: [begin(1, 'run', stored, values)],
    faults: 1,
    hands: 0,
    given: [],
    copy: world,
    ...budget,
  };
  return {
    name,
    state,
    wishes: { 1: values ? { values } : {} },
    assumed,
    ...(mayCost && { mayCost }),
    ...(before && { before }),
  };
}

const CONFIRMED = { confirm_data_loss: 'eu' };
const DENIED = { everything: null, paths_filter: { mode: 'deny', paths: ['secret/'] } };

/** The starts of one apply with two clusters. */
export function oneApply(assumed: Assumed, budget: Partial<State> = {}): readonly Start[] {
  const pair = healthy(2, assumed);
  const stay = valuesOf('us', { eu: CONFIRMED });
  const over = valuesOf('eu', { us: {} });
  // If servers report no digests, every plan of a switchover is refused.
  const switched = appliedOrRefused(pair.world, pair.stored, over, assumed);
  const before = { ...pair.before, applied: [...pair.before.applied, over] };
  const rolledBack = switched === 'refused' ? [] : [{ ...switched, stored: pair.stored, before }];
  const at = (name: string, from: Situation, values?: SetValues, more = {}) =>
    start(name, from, values, assumed, { ...budget, ...more });
  const silent = {
    ...pair,
    world: after(pair.world, { kind: 'silence', cluster: 0 }, assumed),
    before: { ...pair.before, isSilent: true },
  };
  const lost = { ...pair, stored: NOTHING_STORED, before: { ...pair.before, kept: 0 } };
  const nothing = { size: 2, written: [0, 1], applied: [], kept: 0 };
  const forced = { force_promotion: 'eu', abandoned_clusters: ['us'] };
  return [
    at('creation', { world: newWorld(2), stored: NOTHING_STORED, before: nothing }, stay, { given: [1] }),
    at('unchanged', pair, stay),
    at('switchover', pair, over),
    at('switchover at once', pair, { ...over, switchover: 'immediate' }),
    at('removal', pair, valuesOf('us', {})),
    at('new id', pair, valuesOf('us', { eu: { ...CONFIRMED, id: 'new' } })),
    at('filter', pair, valuesOf('us', { eu: { ...CONFIRMED, ...DENIED } })),
    at('destroy', pair),
    at('lost state', lost, stay),
    at('lost state, nothing confirmed', lost, valuesOf('us', { eu: {} })),
    ...rolledBack.flatMap((earlier) => [
      at('state rolled back', earlier, over),
      at('state rolled back, and the switchover undone', earlier, stay),
    ]),
    at('fail-over by force', silent, valuesOf('eu', {}, forced), { mayCost: true }),
    at('switchover of a set whose primary is silent', silent, over, { mayCost: true }),
  ];
}

/** The starts of oneApply with a healthy set. */
const OF_A_SET = ['unchanged', 'switchover', 'switchover at once', 'removal', 'new id', 'filter', 'destroy'];

/**
 * The starts of two applies, one after the other. A request of the first one takes effect during
 * the second one, or after it. The second one has the same configuration or, for a set, each other
 * one.
 */
export function twoInTurn(assumed: Assumed): readonly Start[] {
  const budget = { faults: 0, lates: 1 };
  const starts = oneApply(assumed, budget);
  const ofSet = starts.filter(({ name }) => OF_A_SET.includes(name));
  const changed = ofSet.flatMap((first) =>
    ofSet
      .filter((then) => then !== first && first.name !== 'unchanged')
      .map(({ name, wishes }) => ({
        ...first,
        name: `${first.name}, then ${name}`,
        wishes,
        row: first.name,
        // The member that has left holds data, which is erased if it joins again.
        mayCost: ['removal', 'destroy'].includes(first.name),
      })),
  );
  const [ofThree] = threeMembers(assumed, budget);
  const toAnother = { 1: { values: valuesOf('ap', { us: {}, eu: {} }) } };
  return [
    ...starts,
    ...changed,
    ofThree!,
    { ...ofThree!, name: 'switchover of three, then to another', wishes: toAnother, row: ofThree!.name },
  ];
}

/** The starts of one apply with three clusters. */
export function threeMembers(assumed: Assumed, budget: Partial<State> = {}): readonly Start[] {
  const trio = healthy(3, assumed);
  return [
    start('switchover of three', trio, valuesOf('eu', { us: {}, ap: {} }), assumed, budget),
    start('removal of one of three', trio, valuesOf('us', { eu: CONFIRMED }), assumed, budget),
    start('destroy of three', trio, undefined, assumed, budget),
    start('switchover and removal', trio, valuesOf('eu', { us: {} }), assumed, budget),
  ];
}

/**
 * The starts with two applies, each with its own state. Both are planned before either apply
 * begins, and both fail over from a dead primary.
 */
export function twoFailOvers(assumed: Assumed): readonly Start[] {
  const trio = healthy(3, assumed);
  const dead = { ...trio, world: after(trio.world, { kind: 'silence', cluster: 0 }, assumed) };
  const failOver = (primary: string, other: string) =>
    valuesOf(
      primary,
      { [other]: { confirm_data_loss: `${other} again` } },
      { force_promotion: primary, abandoned_clusters: ['us'] },
    );
  const wanted = [failOver('eu', 'ap'), failOver('ap', 'eu')];
  return [{ ...atOnce('two fail-overs', dead, wanted, assumed), mayCost: true }];
}

/** The number of times that the turn may pass to the other apply before one of them has ended. */
const SWITCHES = 4;

/** Returns starts with two applies while the primary answers. */
export function twoApplies(assumed: Assumed): readonly Start[] {
  const pair = healthy(2, assumed);
  const over = valuesOf('eu', { us: {} });
  const toMember = (primary: string, other: string) => valuesOf(primary, { us: {}, [other]: {} });
  const different = [toMember('eu', 'ap'), toMember('ap', 'eu')];
  return [
    atOnce('the same switchover twice', pair, [over, over], assumed),
    // The member that has left holds data, which is erased if it joins again.
    costly(atOnce('switchover and removal of the successor', pair, [over, valuesOf('us', {})], assumed)),
    costly(atOnce('switchover and destroy', pair, [over, undefined], assumed)),
    atOnce('two switchovers to different members', healthy(3, assumed), different, assumed),
  ].map((start) => ({ ...start, state: { ...start.state, switches: SWITCHES } }));
}

function costly(start: Start): Start {
  return { ...start, mayCost: true };
}

function atOnce(
  name: string,
  { world, stored }: Situation,
  wanted: readonly (SetValues | undefined)[],
  assumed: Assumed,
): Start {
  const all = wanted.map((values, index) => [index + 1, values] as const);
  return {
    name,
    assumed,
    wishes: Object.fromEntries(all.map(([by, values]) => [by, values ? { values } : {}])),
    state: {
      world,
      stored: Object.fromEntries(all.map(([by]) => [by, stored])),
      first: 1,
      runs: all.map(([by, values]) => planned(world, begin(by, `run ${by}`, stored, values), assumed)),
      faults: 0,
      kills: 1,
      hands: 0,
      given: [],
    },
  };
}

/** Returns a start whose run has come, without a fault, to its first request of a kind. */
export function upTo(kind: RequestKind, { state, ...start }: Start): Start {
  let { world } = state;
  let [run] = state.runs;
  for (;;) {
    const found = next(run!);
    if (found.kind === 'ended') throw new Error(`a run without a request of the kind ${kind}`);
    if (found.request.kind === kind) return { ...start, state: { ...state, world, runs: [found.run] } };
    const way = exchanges(world, run!.by, found.request, start.assumed).at(-1)!;
    const after = { world: way.world, run: { ...found.run, outcomes: [...found.run.outcomes, way.outcome] } };
    ({ world, run } = new Values().numbered(after));
  }
}

/** Returns a run whose plan is made, and whose apply begins. */
function planned(world: World, run: Run, assumed: Assumed): Run {
  for (;;) {
    const found = next(run);
    if (found.kind === 'ended') throw new Error('a run that has nothing to do');
    if (found.run.phase === 'apply') return found.run;
    const { outcome } = exchanges(world, run.by, found.request, assumed).at(-1)!;
    run = { ...found.run, outcomes: [...found.run.outcomes, outcome] };
  }
}

function after(world: World, event: Event, assumed: Assumed): World {
  return happened(world, event, assumed)!;
}
