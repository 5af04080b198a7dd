/**
 * Searches every state that runs of Terraform and a bounded number of faults lead to, breadth
 * first.
 */
import { createHash } from 'node:crypto';
import type { Assume } from '../../../src/emulator/assume';
import { renderPhrase, waysIn, type CureAction, type Message } from '../../../src/model/messages';
import type { SetValues } from '../../../src/provider/replication/set/wanted';
import { MessageError } from '../../../src/provider/messages';
import type { ClusterRequest } from '../../../src/provider/replication/set/decide';
import type { Step } from '../../../src/provider/replication/set/planner';
import { happened, type Assumed, type Event, type Request, type World } from '../model';
import { runAlone } from './alone';
import { exchanges, faulty, isRead, NAMES, type Exchange } from './answering';
import { cured, healed, made, type Situation } from './cures';
import type { Outcome } from './replay';
import type { Before } from './starts';
import {
  begin,
  messagesOf,
  requestsIn,
  type Next,
  type Requests,
  type Result,
  type Run,
  type Stored,
} from './terraform';
import { Values } from './values';

/** A configuration that is applied, or a destroy. */
export interface Wish {
  readonly values?: SetValues;
}

export interface State {
  readonly world: World;
  /** The state of each Terraform, by the number of its process. */
  readonly stored: Readonly<Record<number, Stored>>;
  /** The runs that are under way. */
  readonly runs: readonly Run[];
  /** The run whose reads come first, until another run is about to make a change. */
  readonly first?: number;
  /**
   * The number of times that another run may still have its turn before the first run has ended.
   * Default: any number.
   */
  readonly switches?: number;
  /** Whether a cluster answered as a primary when a run last read it, by run and cluster. */
  readonly looked?: Readonly<Record<string, boolean>>;
  /**
   * Faults and actions by hand that may still occur. A killed process uses up one of `kills` if
   * any is left, and otherwise one of `faults`.
   */
  readonly faults: number;
  readonly kills?: number;
  /** Requests that may still take effect only while the next apply is under way, or after it. */
  readonly lates?: number;
  readonly hands: number;
  /** The marked writes that may be lost, because a force or a confirmation permits it. */
  readonly given: readonly number[];
  /** The clusters that held the write of a person when it was acknowledged. */
  readonly written?: readonly number[];
  /**
   * The clusters that may be primaries after a destroy: a person has made them primaries of their
   * own sets, or they were restored.
   */
  readonly strangers?: readonly number[];
  /** The processes whose runs have changed the mode of a cluster. */
  readonly changed?: readonly number[];
  /** The clusters before the run, as long as a fault may restore one of them. */
  readonly copy?: World;
  /** A request that failed for its process, and will still arrive. */
  readonly late?: Late;
  /**
   * Whether a cluster has been replaced or restored, or a promotion that took effect late has made
   * a second primary, so that a force or a confirmation may be needed.
   */
  readonly isHarmed?: boolean;
  /**
   * By cluster, the marked writes that it has to keep, because it got another primary in a step
   * whose plan says that it keeps its data.
   */
  readonly kept?: Readonly<Record<number, readonly number[]>>;
}

interface Late {
  readonly by: number;
  /** The run that has sent it. */
  readonly run: string;
  readonly request: ClusterRequest;
  /** The clusters that were no primaries when the process of the request read their status. */
  readonly seen: readonly string[];
  /** Whether it arrives only once the next apply has begun. */
  readonly isOfNext?: true | undefined;
}

/** A start of a search. */
export interface Start {
  readonly name: string;
  /**
   * The row of the figures in which this start is counted together with others. Default: a row of
   * its own.
   */
  readonly row?: string;
  readonly state: State;
  readonly wishes: Readonly<Record<number, Wish>>;
  readonly assumed: Assumed;
  /** A planted fault: changes the data that the provider receives. */
  readonly plant?: (request: ClusterRequest, outcome: Outcome) => Outcome;
  /** Whether the scenario loses data, so that a force or a confirmation may be needed. */
  readonly mayCost?: boolean;
  /** The alternatives that servers follow. */
  readonly assume?: Assume;
  /** The applies before the start. */
  readonly before?: Before;
}

export interface Violation {
  readonly property: string;
  readonly details: string;
  readonly path: readonly string[];
}

export interface Report {
  readonly name: string;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** The seconds of one core. */
  readonly seconds: number;
  readonly ends: Readonly<Record<string, number>>;
  /**
   * Promotions of a second primary that the process could not prevent: the other cluster was no
   * primary when the process last read its status.
   */
  readonly races: number;
  /**
   * States in which only a force or a confirmation helps, after an action by hand or a loss of
   * data.
   */
  readonly costly: number;
  readonly reached: ReadonlySet<string>;
  readonly violations: readonly Violation[];
  /** The first lines of all failures and refusals. */
  readonly failures: readonly string[];
  /** The claims and the actions of all messages, without the rest of their texts. */
  readonly advice: readonly string[];
  /** A digest of the requests in each world; empty unless it was requested. */
  readonly digest: string;
  /** Some of the paths to final states, chosen evenly. */
  readonly samples: readonly (readonly string[])[];
}

interface Stuck {
  /** Whether there is no way on, not even with a force or a confirmation. */
  readonly isLost: boolean;
  readonly details: string;
}

/** The result of applies without faults. */
interface Shown {
  /** Absent if there is a way on without a force or a confirmation. */
  readonly stuck?: Stuck;
  /** The errors of applies whose plan was accepted. */
  readonly unplanned: readonly string[];
}

interface Log {
  /** The ends of the applies, in order. */
  readonly lines: string[];
  readonly unplanned: string[];
}

/** The possible answers to a request: those without a fault, and those with one. */
interface Answers {
  readonly given: readonly Exchange[];
  readonly bad: readonly Exchange[];
}

/** The world after a fault or a request. */
interface After {
  readonly world: World;
}

/** A request of a person. */
interface Made {
  readonly request: Request;
}

interface Node {
  readonly parent: number;
  readonly label: string;
  readonly depth: number;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  /** The state to which it leads. */
  readonly state: State;
}

/**
 * Searches all states from a start.
 *
 * @param most the number of violations of one property that are kept
 * @param samples the number of paths to ends that are kept
 * @param digests whether a digest of all decisions is made
 */
export function search(
  start: Start,
  { most = 3, limit = 2_000_000, samples = 0, digests = false } = {},
): Report {
  return new Search(start, most, limit, digests).run(samples);
}

/**
 * Follows one path of a search.
 *
 * @param path the labels of its transitions
 * @returns the state before the first transition, and after each
 * @throws Error at a transition that the search does not have
 */
export function follow(start: Start, path: readonly string[]): readonly State[] {
  return new Search(start, 0, Infinity, false).follow(path);
}

class Search {
  readonly #nodes: Node[] = [];
  readonly #values = new Values();
  readonly #known = new Map<State, number>();
  readonly #violations: Violation[] = [];
  readonly #ends: Record<string, number> = {};
  readonly #reached = new Set<string>();
  readonly #nexts = new Map<object, Next>();
  /** By run, the procedure that waits for its next outcome. */
  readonly #waiting = new Map<Run, Requests>();
  readonly #exchanges = new Map<object, Answers>();
  readonly #faulted = new Map<object, readonly (Fault & After)[]>();
  readonly #made = new Map<object, readonly (Made & After)[]>();
  readonly #progress = new Map<object, Shown>();
  readonly #alones = new Map<object, ReturnType<typeof runAlone>>();
  /** The states that were not expanded yet. */
  readonly #states: (State | undefined)[] = [];
  /** The states without a run. */
  readonly #ended: number[] = [];
  readonly #failures = new Set<string>();
  readonly #advice = new Set<string>();
  readonly #decisions = new Set<string>();
  /** All transitions between states; absent in a search, which needs one to each state. */
  #edges: Edge[] | undefined;
  #costly = 0;
  #races = 0;
  #transitions = 0;

  constructor(
    readonly start: Start,
    readonly most: number,
    readonly limit: number,
    readonly digests: boolean,
  ) {}

  run(samples: number): Report {
    const before = process.cpuUsage();
    this.#add(this.start.state, -1, '');
    let at = 0;
    for (; at < this.#nodes.length && this.#nodes.length < this.limit; at += 1) this.#expand(at);
    if (at < this.#nodes.length) throw new Error(`${this.start.name}: more than ${this.limit} states`);
    return {
      name: this.start.name,
      states: this.#nodes.length,
      transitions: this.#transitions,
      depth: this.#nodes.at(-1)!.depth,
      seconds: secondsSince(before),
      ends: this.#ends,
      races: this.#races,
      costly: this.#costly,
      reached: this.#reached,
      violations: this.#violations,
      failures: [...this.#failures].sort(),
      samples: this.#samples(samples),
      advice: [...this.#advice].sort(),
      digest: hashOf([...this.#decisions].sort().join()),
    };
  }

  #samples(count: number): readonly (readonly string[])[] {
    const chosen = Array.from({ length: count }, (_, index) =>
      Math.floor(((index + 0.5) * this.#ended.length) / count),
    );
    return [...new Set(chosen)].map((index) => this.#pathTo(this.#ended[index]!));
  }

  #pathTo(at: number): readonly string[] {
    const path: string[] = [];
    for (let node = at; node >= 0; node = this.#nodes[node]!.parent) path.unshift(this.#nodes[node]!.label);
    return path.filter((each) => each !== '');
  }

  follow(path: readonly string[]): readonly State[] {
    this.#edges = [];
    this.#add(this.start.state, -1, '');
    let ends = [{ at: 0, states: [this.start.state] }];
    for (const [index, label] of path.entries()) {
      ends = ends.flatMap(({ at, states }) => {
        if (this.#states[at] !== undefined) this.#expand(at);
        return this.#edges!.filter((edge) => edge.from === at && edge.label === label).map(
          ({ to, state }) => ({ at: to, states: [...states, state] }),
        );
      });
      if (ends.length === 0) throw new Error(`step ${index + 1} is not possible here: ${label}`);
    }
    return ends[0]!.states;
  }

  #expand(at: number): void {
    const state = this.#states[at]!;
    this.#states[at] = undefined;
    if (state.runs.length === 0) {
      const { late } = state;
      if (late?.isOfNext) return this.#applyAgain(at, state, late);
      if (late) this.#arrive(at, state, late);
      return this.#conclude(at, state);
    }
    const pending = state.runs.map((run) => ({ run, found: this.#next(run) }));
    for (const { run, found } of pending) {
      if (found.kind === 'ended') return this.#end(at, state, run, found.result);
    }
    const asking = pending.flatMap(({ run, found }) =>
      found.kind === 'asks' ? [{ ...found, by: run.by }] : [],
    );
    // The order of two reads does not matter, so only one order is searched. After each change,
    // both runs may be the first to read.
    const onlyReads = asking.every(({ request }) => isRead(request));
    const chosen = onlyReads ? (asking.find(({ by }) => by === state.first) ?? asking[0]!) : undefined;
    for (const each of chosen ? [chosen] : asking) {
      const switched = state.switches === undefined ? state : switchedTo(each.by, state);
      if (switched) this.#continue(at, switched, each.run, each.request);
    }
  }

  /**
   * Continues a run. The procedure that waits for an outcome can continue with only one outcome.
   * For each other outcome, the procedure runs again from its last point between two steps. When
   * it reaches such a point, it also runs again from there: the values of a procedure that
   * continues can have their keys in another order than kept values, and would count as other
   * states.
   */
  #next(run: Run): Next {
    const baseOf = (each: Run) => this.#values.one({ ...each, outcomes: [] });
    return once(this.#nexts, run, () => {
      const before = this.#values.one({ ...run, outcomes: run.outcomes.slice(0, -1) });
      const waiting = this.#waiting.get(before);
      this.#waiting.delete(before);
      const requests = waiting ?? requestsIn(run);
      const { done, value } = waiting ? waiting.next(run.outcomes.at(-1)!) : requests.next();
      if (done) return { kind: 'ended', result: value };
      const asks = this.#values.one({ kind: 'asks', ...value } as const);
      const isSameBase = baseOf(asks.run) === baseOf(run);
      if (isSameBase) this.#waiting.set(asks.run, requests);
      return asks;
    });
  }

  /** Returns the possible answers to a request. */
  #exchangesOf(world: World, by: number, request: ClusterRequest): Answers {
    return once(this.#exchanges, this.#values.one([world, by, request]), () => {
      const shared = (way: Exchange): Exchange => ({
        ...way,
        world: this.#values.one(way.world),
        outcome: this.#values.one(way.outcome),
      });
      const { assumed } = this.start;
      return {
        given: exchanges(world, by, request, assumed).map(shared),
        bad: faulty(world, by, request, assumed).map(shared),
      };
    });
  }

  #continue(at: number, state: State, run: Run, request: ClusterRequest): void {
    const { by } = run;
    if (this.digests)
      this.#decisions.add(hashOf(JSON.stringify(this.#values.numbered([state.world, by, request]))));
    const { given, bad } = this.#exchangesOf(state.world, by, request);
    for (const answer of state.faults > 0 ? [...given, ...bad] : given) {
      const way = this.#seen(request, answer);
      this.#reached.add(`${request.kind}: ${way.label || ('error' in way.outcome ? 'failed' : 'answered')}`);
      const label = `${by}: ${request.kind} ${request.cluster} ${outcomeOf(way)}`;
      const races = this.#races;
      this.#check(at, state, run, way, label);
      const isHarmed = this.#races > races || state.isHarmed;
      const next = withKept(this.#after({ ...state, isHarmed }, run, request, way), run, way);
      const after = this.#looked(next, run, request, way);
      const orders =
        isRead(request) || state.runs.length < 2
          ? [after]
          : state.runs.flatMap(({ by }) => switchedTo(by, after) ?? []);
      for (const each of orders) {
        const to = this.#add(each, at, label);
        const mayBeKilled = state.faults > 0 || (state.kills ?? 0) > 0;
        if (!mayBeKilled || isRead(request) || to === undefined) continue;
        this.#reached.add(`${request.kind}: killed`);
        this.#kill(to, each, run);
      }
    }
    // An event at a cluster is noticed only by the next request to the cluster, or by the next
    // change.
    const only = isRead(request) ? NAMES.indexOf(request.cluster) : undefined;
    if (state.faults > 0) this.#faults(at, state, request, only);
    if (state.lates) this.#delay(at, state, run, request, bad);
    if (state.late && !state.late.isOfNext) this.#arrive(at, state, state.late);
    if (state.hands > 0) this.#hands(at, state, request, only);
  }

  #faults(at: number, state: State, asked: ClusterRequest, only: number | undefined): void {
    const { copy, kept, ...before } = state;
    for (const { kind, cluster, events, world } of this.#faultsIn(state.world, copy)) {
      if (only !== undefined && !events.some((event) => concerns(event, only))) continue;
      this.#reached.add(`${asked.kind}: ${kind}`);
      const { marks } = state.world.clusters[cluster]!.content;
      const isHarm = kind === 'initialize' || kind === 'restore';
      const harm = isHarm && {
        isHarmed: true,
        kept: undefined,
        given: [...new Set([...state.given, ...marks])].sort(),
        strangers: [...new Set([...(state.strangers ?? []), cluster])].sort(),
      };
      this.#add(
        { ...before, kept, ...harm, world, faults: state.faults - 1 },
        at,
        events.map(shown).join(', '),
      );
    }
  }

  /** Returns the faults that are possible in a world, with the worlds after them. */
  #faultsIn(before: World, copy: World | undefined): readonly (Fault & After)[] {
    return once(this.#faulted, this.#values.one([before, copy]), () =>
      faultsOf(before, copy).flatMap((fault) => {
        let world: World | undefined = before;
        for (const event of fault.events) world = world && happened(world, event, this.start.assumed);
        return world ? [{ ...fault, world: this.#values.one(world) }] : [];
      }),
    );
  }

  /** Delays a request until the next apply. Its process receives a failure, or is killed. */
  #delay(at: number, state: State, run: Run, request: ClusterRequest, bad: readonly Exchange[]): void {
    const slow = bad.find(({ isLate }) => isLate);
    if (!slow) return;
    const { late, ...failed } = this.#after(state, run, request, slow);
    const delayed = {
      ...failed,
      faults: 0,
      lates: state.lates! - 1,
      late: { ...late!, isOfNext: true },
    } as const;
    const label = `${run.by}: ${request.kind} ${request.cluster}`;
    this.#add(delayed, at, `${label} ${outcomeOf(slow)}, until the next apply`);
    this.#add({ ...delayed, runs: [] }, at, `${label}: killed, and arrives in the next apply`);
  }

  /** Applies the same configuration again. The late request may arrive from now on. */
  #applyAgain(at: number, state: State, late: Late): void {
    const { by } = late;
    const run = begin(by, 'next', state.stored[by]!, this.start.wishes[by]!.values);
    const arriving = { ...late, isOfNext: undefined };
    this.#add({ ...state, runs: [run], looked: {}, changed: [], late: arriving }, at, `${by}: applied again`);
  }

  /** Makes a slow request take effect. No process waits for its answer. */
  #arrive(at: number, state: State, { by, request, seen }: Late): void {
    const { world, sent } = exchanges(state.world, by, request, this.start.assumed)[0]!;
    const label = `${by}: ${request.kind} ${request.cluster} arrives late`;
    const races = this.#races;
    for (const { cluster, request: call, before: earlier } of sent) {
      if (call.kind === 'promote') this.#checkPromotion(at, cluster, earlier, seen, label);
    }
    const isRace = this.#races > races;
    this.#add({ ...state, late: undefined, world, ...(isRace && { isHarmed: true }) }, at, label);
  }

  #seen(request: ClusterRequest, way: Exchange): Exchange {
    const { plant } = this.start;
    return plant ? { ...way, outcome: plant(request, way.outcome) } : way;
  }

  #after(state: State, asking: Run, request: ClusterRequest, way: Exchange): State {
    const run = { ...asking, outcomes: [...asking.outcomes, way.outcome] };
    const { changed = [] } = state;
    const isChange = way.sent.some(
      ({ request, before }, index) =>
        CHANGES.includes(request.kind) &&
        rolesOf(before) !== rolesOf(way.sent[index + 1]?.before ?? way.world),
    );
    return {
      ...state,
      ...(isChange && { changed: [...new Set([...changed, run.by])].sort() }),
      world: way.world,
      runs: state.runs.map((each) => (each.by === run.by ? run : each)),
      ...(way.isFault && { faults: state.faults - 1, copy: undefined }),
      ...(way.isLate && { late: { by: run.by, run: run.id, request, seen: noPrimaries(state, run.by) } }),
    };
  }

  /**
   * Records whether a cluster was a primary when a run read it, whatever the read returned. A
   * primary that has answered its demotion counts as a secondary.
   */
  #looked(state: State, { by }: Run, request: ClusterRequest, { outcome }: Exchange): State {
    const isDemoted = request.kind === 'demote' && !('error' in outcome);
    if (isDemoted) return { ...state, looked: { ...state.looked, [`${by} ${request.cluster}`]: false } };
    if (request.kind !== 'look') return state;
    const at = NAMES.indexOf(request.cluster);
    const { role, sealed } = state.world.clusters[state.world.at[at]!]!;
    const isPrimary = role.mode === 'primary' && !sealed && !state.world.silent.includes(at);
    return { ...state, looked: { ...state.looked, [`${by} ${request.cluster}`]: isPrimary } };
  }

  /** Kills the process of the provider, or Terraform. The stored state does not change. */
  #kill(at: number, state: State, killed: Run): void {
    const runs = state.runs.filter(({ by }) => by !== killed.by);
    const { faults, kills = 0 } = state;
    const left = kills > 0 ? { kills: kills - 1 } : { faults: faults - 1 };
    this.#add({ ...state, runs, ...left }, at, `${killed.by}: killed`);
  }

  #hands(at: number, state: State, asked: ClusterRequest, only: number | undefined): void {
    const { world } = state;
    for (const cluster of only === undefined ? world.clusters.keys() : [only]) {
      for (const { request, world: changed } of this.#madeBy(world, cluster)) {
        const label = `by hand: ${request.kind} ${NAMES[cluster]}`;
        this.#reached.add(`${asked.kind}: by hand`);
        const holders = changed.clusters.flatMap(({ content }, index) =>
          content.marks.includes(BY_HAND) ? [index] : [],
        );
        const noted =
          request.kind === 'write'
            ? { written: holders }
            : request.kind === 'enable-primary'
              ? { strangers: [...new Set([...(state.strangers ?? []), cluster])].sort() }
              : {};
        this.#add({ ...state, ...noted, world: changed, hands: state.hands - 1 }, at, label);
      }
    }
  }

  /** Returns the possible requests of a person, with the worlds after them. */
  #madeBy(before: World, cluster: number): readonly (Made & After)[] {
    return once(this.#made, this.#values.one([before, cluster]), () =>
      HANDS.flatMap((request) => {
        const world = made(before, cluster, request, this.start.assumed);
        return world ? [{ request, world: this.#values.one(world) }] : [];
      }),
    );
  }

  #end(at: number, state: State, run: Run, result: Result): void {
    if (result.kind !== 'clean' && result.kind !== 'applied')
      this.#failures.add(textOf(result).split('\n')[0]!);
    for (const message of messagesOf(result)) this.#advice.add(adviceOf(message));
    this.#ends[result.kind] = (this.#ends[result.kind] ?? 0) + 1;
    const runs = state.runs.filter(({ by }) => by !== run.by);
    const isClaimed =
      result.kind === 'failed' &&
      result.error instanceof MessageError &&
      result.error.content.claims?.includes('nothing-changed');
    if (isClaimed && (state.changed?.includes(run.by) || state.late?.run === run.id))
      this.#violated(at, 'a claim is not true', result.error.message);
    const { state: first } = this.start;
    const isUndisturbed =
      first.runs.length === 1 &&
      state.faults === first.faults &&
      state.lates === first.lates &&
      state.hands === first.hands;
    if (isUndisturbed && isHalfDone(result, run.shown, first.world, state.world))
      this.#violated(at, 'an accepted plan fails', textOf(result));
    const label = `${run.by}: ${result.kind}${result.kind === 'failed' ? ` (${result.error.message.split('\n')[0]})` : ''}`;
    const looked = Object.fromEntries(
      Object.entries(state.looked ?? {}).filter(([key]) => !key.startsWith(`${run.by} `)),
    );
    const changed = (state.changed ?? []).filter((by) => by !== run.by);
    this.#add(
      { ...state, runs, looked, changed, stored: { ...state.stored, [run.by]: result.stored } },
      at,
      label,
    );
  }

  /**
   * Ends all faults. Then each Terraform applies again, and its advice is followed, until no change
   * is left.
   */
  #conclude(at: number, state: State): void {
    this.#ended.push(at);
    const { assumed, wishes } = this.start;
    const world = healed(state.world, assumed);
    for (const by of Object.keys(wishes).map(Number)) {
      this.#goOn(at, state, by, world);
      for (const [name, written] of this.#writtenTo(world))
        this.#goOn(at, state, by, written, `${name} was written to, and then`);
    }
  }

  /** Looks for a way on from a world in which all faults have ended. */
  #goOn(at: number, state: State, by: number, world: World, after = ''): void {
    const { mayCost, wishes } = this.start;
    const stored = state.stored[by]!;
    const { strangers = [] } = state;
    const key = this.#values.numbered([world, stored, by, strangers]);
    const { stuck, unplanned } = once(this.#progress, key, () =>
      this.#progressOf({ world, stored, values: wishes[by]!.values, costly: false, strangers }, by),
    );
    for (const details of unplanned) this.#violated(at, 'an accepted plan fails', details);
    if (stuck === undefined) return;
    // A force or a confirmation may be the only way on after a person has disabled replication, or
    // after data was lost. If there is no note of a promotion, because servers refuse it or one of
    // two faults hit it, the same holds after a write.
    const { faults, hands } = this.start.state;
    const isWithoutNote =
      faults - state.faults > 1 || !this.start.assumed('localEngineWithoutPrimary').accepted;
    const isHarmed = state.isHarmed || state.hands < hands || (after !== '' && isWithoutNote);
    const property = stuck.isLost ? 'no way on' : 'a way on only by force';
    if (!stuck.isLost && (mayCost || isHarmed)) this.#costly += 1;
    else this.#violated(at, property, `${after} ${stuck.details}`.trim());
  }

  /** Returns the worlds after one write of a person, by the primaries that accept it. */
  #writtenTo(world: World): readonly (readonly [string, World])[] {
    return world.clusters.flatMap(({ role }, cluster) => {
      if (role.mode !== 'primary') return [];
      const written = made(world, cluster, { kind: 'write', mark: AFTERWARDS }, this.start.assumed);
      return written ? [[NAMES[cluster]!, written] as const] : [];
    });
  }

  /** Searches a way on by further applies and by single cures. */
  #progressOf(situation: Situation, by: number): Shown {
    const log: Log = { lines: [], unplanned: [] };
    const { unplanned } = log;
    if (this.#leads(situation, by, MOST, false, log)) return { unplanned };
    const isLost = !this.#leads(situation, by, MOST, true, { lines: [], unplanned });
    return { stuck: { isLost, details: log.lines.join('\n---\n') }, unplanned };
  }

  /** Applies once without faults. Many states lead to the same run. */
  #alone({ world, stored, values }: Situation, by: number, id: string): ReturnType<typeof runAlone> {
    const key = this.#values.numbered([world, stored, values, by, id]);
    return once(this.#alones, key, () => {
      const run = begin(by, id, stored, values);
      return runAlone(world, run, this.start.assumed, (...way) => this.#seen(...way));
    });
  }

  #leads(before: Situation, by: number, most: typeof MOST, mayCost: boolean, log: Log): boolean {
    const { values } = before;
    const { world, result, shown } = this.#alone(before, by, `again${most.applies}`);
    log.lines.push(`${values?.primary ?? 'destroy'}: ${textOf(result)}`);
    if (isHalfDone(result, shown, before.world, world)) log.unplanned.push(log.lines.join('\n---\n'));
    if (result.kind === 'clean' || (result.kind === 'applied' && !values))
      return this.#isEnd(world, values, before.strangers);
    const left =
      result.kind === 'refused'
        ? { ...most, refusals: most.refusals - 1 }
        : { ...most, applies: most.applies - 1 };
    if (left.applies < 0 || left.refusals < 0) return false;
    const after = { ...before, world: healed(world, this.start.assumed), stored: result.stored };
    const ways = result.kind === 'applied' ? [after] : cured(result, after, this.start.assumed);
    return ways
      .filter(({ costly }) => mayCost || !costly)
      .some((each) => this.#leads(each, by, left, mayCost, log));
  }

  /**
   * Whether exactly one cluster is the primary of the wanted set, or none after a destroy. Other
   * clusters may be primaries of other sets, or were restored or given their own sets.
   */
  #isEnd({ clusters }: World, values: SetValues | undefined, strangers: readonly number[]): boolean {
    const primaries = clusters.flatMap(({ role }, index) =>
      role.mode === 'primary' ? [{ role, index }] : [],
    );
    if (!values) return primaries.every(({ index }) => strangers.includes(index));
    const wanted = primaries.find(({ index }) => NAMES[index] === values.primary);
    const ofSet = primaries.filter(({ role, index }) => {
      const isMember = index === wanted?.index || Object.hasOwn(values.secondaries ?? {}, NAMES[index]!);
      return isMember || (role.set === wanted?.role.set && !strangers.includes(index));
    });
    return wanted !== undefined && ofSet.length === 1;
  }

  #add(state: State, parent: number, label: string): number | undefined {
    this.#transitions += 1;
    const found = this.#values.numbered(state);
    const known = this.#known.get(found);
    this.#edges?.push({ from: parent, to: known ?? this.#nodes.length, label, state: found });
    if (known !== undefined) return known;
    this.#known.set(found, this.#nodes.length);
    const depth = parent < 0 ? 0 : this.#nodes[parent]!.depth + 1;
    const at = this.#nodes.push({ parent, label, depth }) - 1;
    this.#states[at] = found;
    this.#lost(at, found);
    return at;
  }

  /** Checks that every acknowledged write is on a cluster, unless its loss was permitted. */
  #lost(at: number, { world, given, written, kept = {} }: State): void {
    const held = new Set(world.clusters.flatMap(({ content }) => content.marks));
    const before = this.start.state.world.clusters.flatMap(({ content }) => content.marks);
    const during = written !== undefined && !this.#mayLose(written) ? [BY_HAND] : [];
    const missing = [...before, ...during].filter((mark) => !held.has(mark) && !given.includes(mark));
    if (missing.length > 0) this.#violated(at, 'a write is lost', `marks ${missing.join(', ')}`);
    for (const [cluster, marks] of Object.entries(kept)) {
      const { content } = world.clusters[Number(cluster)]!;
      if (marks.some((mark) => !content.marks.includes(mark)))
        this.#violated(at, 'a claim is not true', `${NAMES[Number(cluster)]} keeps its data`);
    }
  }

  /** Whether a configuration permits the loss of the clusters' data. */
  #mayLose(holders: readonly number[]): boolean {
    return Object.values(this.start.wishes).some(({ values }) => {
      const isConfirmed = (index: number) => values?.secondaries?.[NAMES[index]!]?.confirm_data_loss;
      return values?.force_promotion || holders.some(isConfirmed);
    });
  }

  #check(at: number, state: State, run: Run, way: Exchange, label: string): void {
    for (const { cluster, request, before } of way.sent) {
      if (request.kind === 'promote')
        this.#checkPromotion(at, cluster, before, noPrimaries(state, run.by), label);
      if (request.kind === 'enable-secondary') this.#checkErasure(at, cluster, before, run, label);
      if (request.kind === 'revoke') this.#checkRevocation(at, cluster, request.id, before, run, label);
      if (!isShown(run, cluster, request))
        this.#violated(at, 'a step that the plan did not show', label, label);
    }
  }

  /** @param seen the clusters that were no primaries when the process read their status */
  #checkPromotion(at: number, cluster: number, before: World, seen: readonly string[], label: string): void {
    for (const other of answeringPrimaries(cluster, before)) {
      if (seen.includes(NAMES[other]!)) this.#races += 1;
      else this.#violated(at, 'a second primary', `primary: ${NAMES[other]}`, label);
    }
  }

  #checkErasure(at: number, cluster: number, { clusters }: World, run: Run, label: string): void {
    const { content, role } = clusters[cluster]!;
    if (role.mode !== 'disabled' || content.marks.length === 0) return;
    const name = NAMES[cluster]!;
    const confirmed = run.values?.secondaries?.[name]?.confirm_data_loss;
    if (!confirmed) this.#violated(at, 'an erasure without confirmation', name, label);
  }

  /**
   * Checks that the token of a joined member is not revoked before the member has received data:
   * nobody can log in to it then, so it could never follow with another token.
   */
  #checkRevocation(
    at: number,
    primary: number,
    id: string,
    { clusters }: World,
    run: Run,
    label: string,
  ): void {
    const { role: revoking } = clusters[primary]!;
    if (revoking.mode !== 'primary') return;
    const joined = clusters.findIndex(
      ({ role, content }) =>
        role.mode === 'secondary' &&
        role.set === revoking.set &&
        role.id === id &&
        role.key === revoking.known[id]?.key &&
        !content.operator,
    );
    if (joined < 0 || run.values?.abandoned_clusters?.includes(NAMES[joined]!)) return;
    this.#violated(at, 'a member loses its token', `member: ${NAMES[joined]}`, label);
  }

  /** @param label the transition that violates it; absent if the state itself does */
  #violated(at: number, property: string, details: string, label = ''): void {
    if (this.#violations.filter((each) => each.property === property).length >= this.most) return;
    const path = [...this.#pathTo(at), label].filter((each) => each !== '');
    this.#violations.push({ property, details, path });
  }
}

/**
 * Records the writes of a cluster that gets another primary in a step whose plan says that the
 * cluster keeps its data.
 */
function withKept(state: State, { shown = [] }: Run, { sent }: Exchange): State {
  if (state.isHarmed) return state;
  const followed = sent.flatMap(({ cluster, request, before }) => {
    const isKept = shown.some(
      (step) => step.kind === 'follow' && step.cluster === NAMES[cluster] && !step.mayLose,
    );
    return request.kind === 'update-primary' && isKept
      ? [[cluster, before.clusters[cluster]!.content.marks] as const]
      : [];
  });
  return followed.length === 0
    ? state
    : { ...state, kept: { ...state.kept, ...Object.fromEntries(followed) } };
}

/**
 * The steps that erase data or move the role of the primary, by the request that each of them
 * makes.
 */
const STEPS: Readonly<Partial<Record<Request['kind'], readonly Step['kind'][]>>> = {
  'enable-primary': ['enable_primary'],
  demote: ['demote'],
  promote: ['promote'],
  'enable-secondary': ['join'],
  'disable-secondary': ['leave'],
  'disable-primary': ['disable_primary'],
};

/**
 * Whether the plan shows the step of a request. The plan of a promotion also names the cluster that
 * becomes the primary if the promotion fails.
 */
function isShown({ shown = [], values }: Run, cluster: number, { kind }: Request): boolean {
  const wanted = STEPS[kind];
  const name = NAMES[cluster];
  // A destroy ends the whole set, including members that did not answer the plan.
  if (!values && kind.startsWith('disable-')) return true;
  return (
    wanted === undefined ||
    shown.some(
      (step) =>
        (wanted.includes(step.kind) && step.cluster === name) ||
        (kind === 'promote' && step.kind === 'promote' && step.fallback === name),
    )
  );
}

/**
 * Returns the state in which a run has its turn; `undefined` if no further change of turns is left.
 */
function switchedTo(by: number, state: State): State | undefined {
  const { first, switches, runs } = state;
  if (by === first || !runs.some((run) => run.by === first)) return { ...state, first: by };
  if (switches === undefined) return { ...state, first: by };
  return switches === 0 ? undefined : { ...state, first: by, switches: switches - 1 };
}

/** Returns the clusters that were no primaries when a process read their status last. */
function noPrimaries({ looked = {} }: State, by: number): readonly string[] {
  return NAMES.filter((name) => looked[`${by} ${name}`] === false);
}

/** Whether a run failed after it had changed the mode of a cluster. */
function isHalfDone(result: Result, shown: Run['shown'], before: World, after: World): boolean {
  // A plan that names a fallback has said that the apply may fail after the demotion.
  const isShown = shown?.some((step) => step.kind === 'promote' && step.fallback !== undefined);
  return result.kind === 'failed' && !isShown && rolesOf(after) !== rolesOf(before);
}

/** Returns the other clusters that answer as primaries of a secondary's set. */
function answeringPrimaries(cluster: number, { clusters, silent }: World): readonly number[] {
  const { role } = clusters[cluster]!;
  if (role.mode !== 'secondary') return [];
  return clusters.flatMap((each, index) => {
    const isOther = index !== cluster && each.role.mode === 'primary' && each.role.set === role.set;
    return isOther && !each.sealed && !silent.includes(index) ? [index] : [];
  });
}

function rolesOf({ clusters }: World): string {
  return clusters.map(({ role }) => role.mode).join();
}

/** The requests that change the mode of a cluster. */
const CHANGES: readonly string[] = [
  'enable-primary',
  'promote',
  'demote',
  'disable-primary',
  'disable-secondary',
  'enable-secondary',
];

/** The maximum number of applies, and of refused plans, before a plan without changes. */
const MOST = { applies: 3, refusals: 3 };

/** The mark of the write that a person makes. */
const BY_HAND = 9;

/** The mark of a write after all runs have ended. */
const AFTERWARDS = 8;

const HANDS: readonly Request[] = [
  { kind: 'enable-primary', addr: '' },
  { kind: 'write', mark: BY_HAND },
  { kind: 'demote' },
  { kind: 'promote', addr: '', force: false },
  { kind: 'disable-primary' },
  { kind: 'disable-secondary' },
];

/** A fault of a cluster: events that occur together. */
interface Fault {
  readonly kind: string;
  readonly cluster: number;
  readonly events: readonly Event[];
}

/** @param copy the world from which a cluster may be restored */
function faultsOf(world: World, copy: World | undefined): readonly Fault[] {
  const all = [...world.clusters.keys()];
  return all.flatMap((cluster): Fault[] => {
    const cuts = all
      .filter((other) => other !== cluster)
      .map((other): Event => ({ kind: 'cut', cluster, other }));
    const alone = (event: Event): Fault => ({ kind: event.kind, cluster, events: [event] });
    return [
      alone({ kind: 'seal', cluster }),
      alone({ kind: 'crash', cluster }),
      alone({ kind: 'silence', cluster }),
      { kind: 'vanish', cluster, events: [{ kind: 'silence', cluster }, ...cuts] },
      // Makes a cluster that did not answer come back.
      alone({ kind: 'speak', cluster }),
      ...cuts.filter((cut) => 'other' in cut && cut.other > cluster).map(alone),
      alone({ kind: 'initialize', cluster }),
      ...(copy ? [alone({ kind: 'restore', cluster, from: copy })] : []),
    ];
  });
}

function concerns(event: Event, cluster: number): boolean {
  return ('cluster' in event && event.cluster === cluster) || ('other' in event && event.other === cluster);
}

function outcomeOf({ label, outcome }: Exchange): string {
  const words =
    'error' in outcome ? `failed (${(outcome.error as Error).message.split('\n')[0]!.slice(0, 80)})` : '';
  return [label, words].filter((each) => each !== '').join(': ');
}

function shown(event: Event): string {
  const other = 'other' in event ? ` and ${NAMES[event.other]}` : '';
  return 'cluster' in event ? `${event.kind} ${NAMES[event.cluster]}${other}` : event.kind;
}

/**
 * The claims and the actions of a message, such as `run secondary/disable eu, set primary "us";
 * again`.
 */
function adviceOf(message: Message): string {
  const ways = waysIn(message).map((actions) => actions.map(actionOf).join(', '));
  return [...(message.claims ?? []), ...ways].join('; ');
}

function actionOf(action: CureAction): string {
  switch (action.kind) {
    case 'set':
    case 'remove': {
      const value =
        action.kind === 'set' && action.value !== undefined ? ` ${renderPhrase(action.value)}` : '';
      return `${action.kind} ${renderPhrase(action.field)}${value}`;
    }
    case 'run': {
      const call = action.command.replace(/^.*performance\//, '');
      return ['run', call, action.which, ...action.clusters].filter(Boolean).join(' ');
    }
    case 'empty-storage':
      return `${action.kind} ${action.cluster}`;
    default:
      return action.kind;
  }
}

function textOf(result: Result): string {
  if (result.kind === 'failed') return `failed: ${result.error.message}`;
  return result.kind === 'refused'
    ? `refused: ${result.refusals.map(({ summary }) => renderPhrase(summary)).join('; ')}`
    : result.kind;
}

/** Returns the seconds in which the process has used a core. */
function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

/** Returns the result for a key, which is computed once. */
function once<T>(results: Map<object, T>, key: object, compute: () => T): T {
  let result = results.get(key);
  if (result === undefined) results.set(key, (result = compute()));
  return result;
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
