/**
 * A random walk: clusters that follow random assumptions, several states of Terraform, changes by
 * hand, faults, and applies that are interrupted anywhere. All waits are virtual, so that many
 * walks take little time. The same seed gives the same walk.
 */
import {
  ASSUMPTIONS_BY_TOPIC,
  type Assume,
  type Assumption,
  type EmulatorOptions,
} from '../../../../../src/emulator';
import { advised, type Deed, type Way } from '../../../../explore/advice';
import { watched, type Watched } from '../../../../explore/watched';
import { Random } from '../../../../model/support/random';
import { LeapingClock } from '../../../leaping-clock';
import { startClusters, type TestClusters } from '../support/clusters';
import type { Interrupt, Interruption, SeenRequest } from '../support/interruption';
import { INCONSISTENT, Session, type Outcome, type Planned, type Values } from '../support/session';
import { startInProcess, type InProcess, type Reachable, type Wire } from '../support/wire';
import { Truth } from './truth';

const CALLS = 'sys/replication/performance';
const DENY = { mode: 'deny', paths: ['legal/'] };

/** The alternatives that a walk may choose, by assumption. */
const OTHERS = Object.entries<Assumption>(ASSUMPTIONS_BY_TOPIC.Replication).flatMap(
  ([name, { alternatives }]) => {
    const others = Object.keys(alternatives)
      .slice(1)
      // Everything is refused under these alternatives, so other tests cover them.
      .filter((other) => !['dr-secondary', 'lost'].includes(other));
    return others.length > 0 ? [[name, others] as const] : [];
  },
);

/** The configuration of an operator. */
interface Wanted {
  readonly primary: string;
  readonly filters: Readonly<Record<string, typeof DENY | undefined>>;
  readonly confirmed: Readonly<Record<string, string>>;
  readonly forced?: boolean;
  readonly abandoned?: readonly string[];
}

export interface Walked {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly applies: number;
  readonly requests: number;
  /** The texts of the events. */
  readonly trace: readonly string[];
}

/** A planted fault, which walks have to find. */
export interface Plant {
  /**
   * Changes the requests and answers of Terraform. `primary` returns the primary of the latest
   * apply.
   */
  readonly sight?: (wire: Wire, primary: () => string) => Wire;
  /** Returns the part of a plan that reviewers see. */
  readonly steps?: (steps: readonly string[]) => readonly string[];
}

/** The clusters and the processes of a walk. */
export interface Ground {
  /**
   * Starts clusters. If their requests can be watched, their changes are compared with the model.
   */
  readonly start: (options: EmulatorOptions) => Promise<InProcess & Partial<Watched>>;
  /** @param clock a virtual clock, for sessions that do not use real time. */
  readonly session: (clusters: Reachable, clock: LeapingClock) => Session;
  /** Whether time passes by itself. Waits are short then. */
  readonly isReal?: boolean;
}

const IN_PROCESS: Ground = {
  start: async (options) => watched(await startInProcess(options), options.assume as Assume),
  session: (clusters, clock) => new Session(clusters, clock),
};

/** Takes one walk. */
export async function walk(seed: number, plant: Plant = {}, ground: Ground = IN_PROCESS): Promise<Walked> {
  const random = new Random(seed * 7919 + 1);
  random.below(2);
  const names = ['us', 'eu', 'ap', 'sa', 'af'].slice(0, random.pick([3, 3, 3, 3, 4, 5]));
  const assume = { ...assumptionsFor(random), ...(ground.isReal && { nodeAtAddress: 'active' as const }) };
  const unavailableMs = ground.isReal ? 0 : random.pick([0, 0, 300, 300, 3_000, 30_000]);
  let reachable!: Awaited<ReturnType<Ground['start']>>;
  const clusters = await startClusters(names, { unavailableMs, assume }, async (options) => {
    reachable = await ground.start(options);
    return reachable;
  });
  // Most requests belong to waits that end without success, so the timeout is as short as possible.
  const isSlow =
    unavailableMs > 5_000 || assume.nodeAtAddress !== undefined || assume.interruption === 'long';
  const walker = new Walker(random, clusters, reachable, {
    assume,
    plant,
    ground,
    timeout: ground.isReal ? '3s' : isSlow ? '40s' : '6s',
  });
  walker.say(JSON.stringify({ names, unavailableMs, assume }));
  try {
    await walker.begin();
    const actions = 3 + random.below(6);
    for (let action = 0; action < actions && walker.problems.length === 0; action += 1) await walker.act();
    if (walker.problems.length === 0) await walker.leadOn();
  } catch (error) {
    walker.problems.push(`threw: ${(error as Error).stack}`);
  } finally {
    await clusters.emulator.close();
  }
  walker.problems.push(...(reachable.differences ?? []));
  const { problems, applies, requests, trace } = walker;
  return { seed, problems, applies, requests, trace };
}

function assumptionsFor(random: Random): Assume {
  if (random.below(3) === 0) return {};
  return Object.fromEntries(
    OTHERS.filter(() => random.below(8) === 0).map(([name, others]) => [name, random.pick(others)]),
  );
}

interface Settings {
  readonly assume: Assume;
  readonly plant: Plant;
  readonly ground: Ground;
  /** The timeout of every wait. */
  readonly timeout: string;
}

class Walker {
  readonly problems: string[] = [];
  readonly trace: string[] = [];
  applies = 0;
  requests = 0;
  readonly #assume: Assume;
  readonly #plant: Plant;
  readonly #ground: Ground;
  readonly #timeout: string;
  readonly #random: Random;
  readonly #clusters: TestClusters;
  readonly #truth: Truth;
  readonly #responders: InProcess['responders'];
  readonly #clock: LeapingClock;
  /** The clusters as Terraform reaches them, with planted faults. */
  readonly #seen: Reachable;
  readonly #sessions: Session[];
  /** The configurations of the running applies. */
  readonly #underWay = new Set<Wanted>();
  /** The running apply that has begun a set on a cluster, by cluster. */
  readonly #beginners = new Map<string, Wanted>();
  /**
   * The applies that have to end with an error: each began a set while another apply began a set on
   * one of its members.
   */
  readonly #contested = new Set<Wanted>();
  /** The configuration that each session applied last. */
  readonly #wanted = new Map<Session, Wanted>();
  #saved: { readonly session: Session; readonly plan: Planned; readonly wanted: Wanted } | undefined;
  /** Clusters that Terraform cannot reach. */
  readonly #lost = new Set<string>();
  /** Primaries that did not step down while another member of their set took over. */
  readonly #second = new Set<string>();
  #confirmations = 0;
  /** The primary of the latest apply. */
  #primary = '';

  constructor(
    random: Random,
    clusters: TestClusters,
    reachable: InProcess,
    { assume, plant, ground, timeout }: Settings,
  ) {
    this.#assume = assume;
    this.#plant = plant;
    this.#ground = ground;
    this.#timeout = timeout;
    this.#random = random;
    this.#clusters = clusters;
    this.#truth = new Truth(clusters, reachable.responders);
    this.#responders = reachable.responders;
    this.#clock = new LeapingClock((milliseconds) => clusters.emulator.clock.advance(milliseconds));
    const { emulator, wire } = reachable;
    this.#seen = plant.sight ? { emulator, wire: plant.sight(wire, () => this.#primary) } : reachable;
    this.#sessions = [this.#ground.session(this.#seen, this.#clock)];
  }

  say(text: string): void {
    this.trace.push(text);
  }

  get #names(): readonly string[] {
    return this.#clusters.names;
  }

  /** Begins a walk, usually with a set. */
  async begin(): Promise<void> {
    const { assumed } = this.#clusters.emulator;
    const nodeAtAddress = this.#assume.nodeAtAddress ?? 'active';
    assumed.choose({ nodeAtAddress: 'active' });
    await this.#clusters.addOperators();
    for (const name of this.#names.filter((each) => each === 'us' || this.#random.below(3) === 0)) {
      for (const mount of ['kv', 'legal']) await this.#clusters.mountStore(name, mount);
      await this.#truth.write(name);
    }
    assumed.choose({ nodeAtAddress });
    const session = this.#sessions[0]!;
    const others = this.#names.slice(1, this.#names.length - this.#random.below(2));
    await this.#apply(session, {
      primary: 'us',
      filters: Object.fromEntries(
        others.map((name) => [name, this.#random.below(4) === 0 ? DENY : undefined]),
      ),
      confirmed: Object.fromEntries(others.map((name) => [name, name])),
    });
  }

  async act(): Promise<void> {
    const random = this.#random;
    const { replication, faults } = this.#clusters.emulator;
    const [one, two] = this.#two();
    const kind = random.below(23);
    switch (kind) {
      case 0:
      case 1:
        return this.#write(one);
      case 2:
        this.say(`partition ${one} ${two}`);
        return replication.partition(one, two);
      case 3:
        this.say('heal');
        return replication.heal();
      case 4: {
        const lag = random.pick([20, 400, 3_000, 'paused'] as const);
        this.say(`lag of ${one}: ${lag}`);
        return lag === 'paused' ? replication.pause(one) : replication.delay(one, lag);
      }
      case 5:
        this.say('no lags');
        return this.#names.forEach((name) => replication.resume(name));
      case 6:
        this.say(`${one} cannot be reached`);
        this.#lost.add(one);
        return void faults.inject({ cluster: one, drop: 'before' });
      case 7:
        this.say('all can be reached');
        this.#lost.clear();
        return faults.clear();
      case 8:
        this.say(`${one} crashes`);
        return replication.crash(one);
      case 9:
        return this.#pass(random.pick([1_000, 20_000, 120_000]));
      case 10:
      case 11:
        return this.#byHand(one, two);
      case 12: {
        if (this.#sessions.length > 2) return undefined;
        this.say('another state');
        const session = random.pick(this.#sessions);
        const copy = session.copy(this.#seen, this.#clock);
        this.#wanted.set(copy, this.#wanted.get(session)!);
        this.#sessions.push(copy);
        return undefined;
      }
      case 13: {
        const session = random.pick(this.#sessions);
        const wanted = this.#next(session);
        this.say(`save a plan: ${JSON.stringify(wanted)}`);
        this.#saved = { session, wanted, plan: await session.plan(this.#valuesOf(wanted)) };
        return undefined;
      }
      case 14: {
        if (this.#saved === undefined) return undefined;
        const { session, wanted, plan } = this.#saved;
        this.#saved = undefined;
        // Terraform refuses a saved plan once the state has changed.
        if (session.isStale(plan)) return undefined;
        this.say('apply the saved plan');
        return void (await this.#apply(session, wanted, { plan }));
      }
      case 15: {
        if (this.#sessions.length < 2 || this.#ground.isReal) return undefined;
        const [first, second] = this.#sessions as [Session, Session];
        this.say('two applies at the same time');
        await Promise.all([
          this.#apply(first, this.#next(first)),
          this.#apply(second, this.#next(second), { restless: false }),
        ]);
        return undefined;
      }
      case 16:
        return this.#destroy(random.pick(this.#sessions));
      case 17: {
        if (this.#sessions.length > 2) return undefined;
        const session = this.#ground.session(this.#seen, this.#clock);
        const errors = await session.import(one);
        this.say(`import ${one}: ${errors[0] ?? 'done'}`);
        if (errors.length > 0) return undefined;
        const [first] = this.#sessions;
        this.#wanted.set(
          session,
          withPrimary(this.#wanted.get(first!)!, String(session.values!.primary), false),
        );
        this.#sessions.push(session);
        return undefined;
      }
      case 18:
        return this.#returning(random.pick(this.#sessions));
      default: {
        const session = random.pick(this.#sessions);
        return void (await this.#apply(session, this.#next(session), { restless: true }));
      }
    }
  }

  /**
   * Returns the cluster at an address. Processes of the provider use other addresses for the same
   * clusters.
   */
  #nameAt(origin: string): string {
    const { clusters } = this.#clusters.emulator;
    const found = this.#names.find((name) => clusters[name]!.address === origin);
    return found ?? /\w+(?=\.test)/.exec(origin)![0];
  }

  /**
   * Makes all clusters reachable again, and checks that the advice of the applies leads to a set
   * without planned changes.
   */
  async leadOn(): Promise<void> {
    const { replication, faults } = this.#clusters.emulator;
    this.say('all is well again');
    replication.heal();
    faults.clear();
    this.#lost.clear();
    for (const name of this.#names) {
      replication.resume(name);
      replication.crashAt(name, undefined);
    }
    await this.#pass(120_000);
    this.#truth.vanished();
    // A process of the provider returns messages only as texts, and the advice is read from
    // messages. So these applies run in this process.
    let session = this.#sessions[0]!.inProcess();
    let wanted = this.#wanted.get(this.#sessions[0]!)!;
    const said: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const outcome = await this.#apply(session, wanted);
      if (this.problems.length > 0) return;
      const [error] = outcome.errors;
      if (error === undefined) {
        if (outcome.steps === null) return;
        continue;
      }
      said.push(error);
      const times = said.filter((each) => each === error).length;
      const way = this.#wayOf(session, error, times);
      if (way === undefined) break;
      this.say(`advice: ${JSON.stringify(way)}`);
      for (const deed of way) {
        if (deed.kind === 'import') {
          session = session.another(this.#seen, this.#clock);
          const errors = await session.import(this.#truth.primaries()[0] ?? wanted.primary);
          if (errors.length > 0) return this.#report(`the import fails: ${errors[0]}`);
          wanted = withPrimary(wanted, String(session.values?.primary), false);
        } else wanted = await this.#do(deed, wanted);
      }
    }
    this.#report(`no way out: ${said.at(-1)}`);
  }

  /**
   * Returns the actions that an error advises. If the same error comes again, these are the actions
   * of its next cure, and after the last cure another apply.
   *
   * @returns `undefined` if all of these have been tried
   */
  #wayOf(session: Session, error: string, times: number): Way | undefined {
    const message = session.messages.get(error);
    const ways = message === undefined ? [] : advised(message, this.#truth.primaries());
    const again: Way = [{ kind: 'again' }];
    return [...ways, again, again, again][times - 1];
  }

  async #do(deed: Exclude<Deed, { kind: 'import' }>, wanted: Wanted): Promise<Wanted> {
    const { filters, abandoned = [] } = wanted;
    switch (deed.kind) {
      case 'again':
        await this.#pass(60_000);
        return wanted;
      case 'initialize':
        await this.#pass(60_000);
        await this.#initialize(deed.cluster);
        return wanted;
      case 'call':
        await this.#hand(deed.cluster, deed.call, deed.fields);
        await this.#pass(60_000);
        return wanted;
      case 'primary':
        return withPrimary(wanted, deed.cluster, false);
      case 'force':
        return withPrimary(wanted, deed.cluster, true);
      case 'unforce':
        return { ...wanted, forced: false };
      case 'address':
        throw new Error('no configuration of a walk has an address');
      case 'confirm':
        return this.#confirming(wanted, deed.cluster);
      case 'add':
      case 'unfilter':
        if (deed.cluster === wanted.primary) return wanted;
        return { ...wanted, filters: { ...filters, [deed.cluster]: undefined } };
      case 'remove':
        return { ...wanted, filters: without(filters, deed.cluster) };
      case 'abandon':
        return { ...wanted, abandoned: [...abandoned, deed.cluster] };
      case 'reclaim':
        return { ...wanted, abandoned: abandoned.filter((name) => name !== deed.cluster) };
    }
  }

  /**
   * Makes the primary unreachable, plans to abandon it, and makes it answer again before the apply.
   */
  async #returning(session: Session): Promise<void> {
    const before = this.#wanted.get(session)!;
    const { primary, filters } = before;
    const secondaries = Object.keys(filters);
    if (session.values === null || secondaries.length === 0 || this.#lost.has(primary)) return;
    const wanted = this.#givingUp(before, this.#random.pick(secondaries));
    const { faults } = this.#clusters.emulator;
    this.say(`${primary} cannot be reached`);
    this.#lost.add(primary);
    const fault = faults.inject({ cluster: primary, drop: 'before' });
    this.#primary = wanted.primary;
    const plan = await session.plan(this.#valuesOf(wanted));
    this.say(`${primary} is back`);
    this.#lost.delete(primary);
    faults.clear(fault);
    await this.#apply(session, wanted, { plan });
  }

  #givingUp(before: Wanted, primary: string): Wanted {
    const wanted = withPrimary(before, primary, true);
    const abandoned = [...(wanted.abandoned ?? []), before.primary];
    return { ...wanted, filters: without(wanted.filters, before.primary), abandoned };
  }

  async #destroy(session: Session): Promise<void> {
    if (session.values === null) return;
    const wanted = this.#wanted.get(session)!;
    this.say('destroy');
    // A destroy leaves the data on the clusters, which no longer replicate.
    await this.#apply(session, wanted, { plan: await session.plan(null), restless: true });
  }

  /** Gives a cluster empty storage, with nothing but the login that Terraform uses. */
  async #initialize(cluster: string): Promise<void> {
    this.say(`initialize ${cluster} with empty storage`);
    const { storage, replication } = this.#responders[cluster]!.cluster;
    replication.site.store.record = undefined;
    for (const key of storage.keys('')) storage.delete(key);
    this.#clusters.emulator.replication.crash(cluster);
    await this.#pass(60_000);
    await this.#clusters.addOperator(cluster, this.#responders[cluster]!.cluster.rootToken);
    this.#truth.vanished();
  }

  #two(): readonly [string, string] {
    const one = this.#random.pick(this.#names);
    return [one, this.#random.pick(this.#names.filter((name) => name !== one))];
  }

  async #write(cluster: string): Promise<void> {
    if (this.#lost.has(cluster)) return;
    const written = this.#truth.write(cluster);
    this.say(`write to ${cluster}: ${await this.#awaited(written)}`);
  }

  /**
   * Waits for an answer while the clock advances, because a secondary answers a forwarded write
   * only when it has received the write.
   */
  async #awaited<T>(answer: Promise<T>): Promise<T> {
    let isThere = false;
    void answer.finally(() => (isThere = true));
    await settle();
    while (!isThere && !this.#ground.isReal) await this.#pass(1_000);
    return answer;
  }

  async #pass(milliseconds: number): Promise<void> {
    this.say(`${milliseconds} ms pass`);
    this.#clusters.emulator.clock.advance(milliseconds);
    await settle();
  }

  /** Changes the clusters without Terraform. Losses by these changes do not count as faults. */
  async #byHand(cluster: string, other: string): Promise<void> {
    const random = this.#random;
    if (this.#lost.has(cluster) || this.#lost.has(other)) return;
    const mode = this.#truth.mode(cluster);
    if (mode === 'primary') {
      if (random.below(4) === 0) await this.#hand(cluster, 'primary/disable', {});
      else await this.#hand(cluster, 'primary/demote', {});
    } else if (mode === 'secondary') {
      const choice = random.below(6);
      if (choice < 3) await this.#hand(cluster, 'secondary/promote', { force: random.below(2) === 0 });
      else if (choice < 4) await this.#hand(cluster, 'secondary/disable', {});
      else if (this.#truth.mode(other) === 'primary') await this.#followByHand(cluster, other);
    } else if (random.below(3) === 0) {
      await this.#hand(cluster, 'primary/enable', {});
    }
    await settle();
    this.#truth.vanished();
  }

  async #followByHand(cluster: string, primary: string): Promise<void> {
    const { replication } = this.#clusters.emulator;
    replication.heal();
    replication.resume(cluster);
    const { secondary_public_key } =
      (await this.#hand(cluster, 'secondary/generate-public-key', {})).data ?? {};
    const id = `by-hand-${cluster}`;
    const answer = await this.#hand(primary, 'primary/secondary-token', { id, secondary_public_key });
    const token = answer?.data?.token;
    if (typeof token === 'string') await this.#hand(cluster, 'secondary/update-primary', { token });
    await this.#pass(60_000);
  }

  async #hand(cluster: string, call: string, body: object) {
    this.#noteSecondPrimaries();
    const answer = await this.#clusters
      .ask(cluster, 'POST', `${CALLS}/${call}`, body)
      .catch(() => ({ status: 0, data: null }));
    this.say(`by hand on ${cluster}: ${call} ${JSON.stringify(body).slice(0, 40)}: ${answer.status}`);
    return answer;
  }

  /**
   * Returns the configuration that a session applies next: usually its last one with one change.
   */
  #next(session: Session): Wanted {
    const random = this.#random;
    const before = this.#wanted.get(session)!;
    const secondaries = Object.keys(before.filters);
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2: {
        const primary = random.pick(secondaries.length > 0 ? secondaries : this.#names);
        const forced = random.below(4) === 0;
        const wanted = withPrimary(before, primary, forced);
        if (!forced || random.below(2) === 0) return wanted;
        return this.#givingUp(before, primary);
      }
      case 3: {
        const cluster = random.pick(this.#names.filter((name) => name !== before.primary));
        const filters = { ...before.filters, [cluster]: random.below(3) === 0 ? DENY : undefined };
        const wanted = random.below(2) === 0 ? this.#confirming(before, cluster) : before;
        return { ...wanted, filters, abandoned: before.abandoned?.filter((name) => name !== cluster) };
      }
      case 4: {
        if (secondaries.length < 2) return before;
        const cluster = random.pick(secondaries);
        const filters = without(before.filters, cluster);
        return {
          ...before,
          filters,
          ...(random.below(3) === 0 && { abandoned: [...(before.abandoned ?? []), cluster] }),
        };
      }
      case 5:
        // An operator who removes a cluster from the list has made sure that it is no longer a
        // primary.
        return {
          ...before,
          forced: false,
          abandoned: before.abandoned?.filter((name) => this.#isPrimary(name)),
        };
      case 6:
        return this.#confirming(before, random.pick(this.#names));
      default:
        return before;
    }
  }

  #isPrimary(cluster: string): boolean {
    return this.#truth.mode(cluster) === 'primary';
  }

  #confirming(wanted: Wanted, cluster: string): Wanted {
    this.#confirmations += 1;
    const confirmation = `${cluster} ${this.#confirmations}`;
    return { ...wanted, confirmed: { ...wanted.confirmed, [cluster]: confirmation } };
  }

  async #apply(
    session: Session,
    goal: Wanted,
    { plan, restless = false }: { readonly plan?: Planned; readonly restless?: boolean } = {},
  ): Promise<Outcome> {
    this.applies += 1;
    // A copy, because two applies at the same time may have the same configuration, and each has to
    // be removed by itself.
    const wanted = { ...goal };
    this.#wanted.set(session, wanted);
    this.#underWay.add(wanted);
    this.#primary = wanted.primary;
    for (const { key, from } of this.#truth.vanished()) this.say(`lost before: ${key} of ${from.join()}`);
    const interrupt = restless ? this.#interrupt() : undefined;
    const planned = plan ?? (await session.plan(this.#valuesOf(wanted)));
    // If clusters are new to the set, the second plan of an apply may differ.
    const adds = hasOthers(wanted, session.values);
    this.say(
      `apply ${session === this.#sessions[0] ? 'A' : 'B'}: ${JSON.stringify(wanted)}: ${JSON.stringify(planned.steps ?? planned.errors)}`,
    );
    let stopsAt = restless && this.#random.below(10) === 0 ? this.#random.below(40) : -1;
    const outcome = await session.applySaved(planned, {
      ...(interrupt && { interrupt }),
      watcher: {
        before: async (request) => {
          if ((stopsAt -= 1) === 0) session.stop();
          await this.#before(request, planned, wanted, restless);
        },
      },
    });
    await settle();
    this.#checkLosses();
    this.#underWay.delete(wanted);
    const isContested = this.#contested.delete(wanted);
    if (isContested && !outcome.killed && outcome.errors.length === 0)
      this.#report('an apply has begun a set beside another one, and does not say so');
    this.say(
      `  -> ${outcome.killed ? 'killed' : outcome.errors.length > 0 ? outcome.errors[0] : 'done'}; ${this.#picture()}`,
    );
    for (const error of outcome.errors) {
      if (error.startsWith(INCONSISTENT)) {
        if (!adds) this.#report(`two plans differ: ${error}`);
      } else if (!/To do: /.test(error)) this.#report(`an error without "To do": ${error}`);
    }
    return outcome;
  }

  #valuesOf({ primary, filters, confirmed, forced = false, abandoned = [] }: Wanted): Values {
    const secondaries = Object.entries(filters).map(([name, filter]) => [
      name,
      {
        ...(filter && { paths_filter: filter }),
        ...(confirmed[name] !== undefined && { confirm_data_loss: confirmed[name] }),
      },
    ]);
    return {
      primary,
      secondaries: Object.fromEntries(secondaries) as unknown,
      ...(forced && { force_promotion: primary }),
      ...(abandoned.length > 0 && { abandoned_clusters: abandoned }),
      deletion_protection: false,
      timeouts: { mode_change: this.#timeout, takeover: this.#timeout, sync: this.#timeout },
    };
  }

  #picture(): string {
    return this.#names.map((name) => `${name} ${this.#truth.mode(name)}`).join(', ');
  }

  #interrupt(): Interrupt | undefined {
    if (this.#random.below(2) === 0) return undefined;
    const at = this.#random.below(60);
    const how = this.#random.pick<Interruption>([
      'killed before',
      'killed after',
      'dropped before',
      'dropped after',
    ]);
    this.say(`${how}: request ${at}`);
    return (_request, number) => (number === at ? how : undefined);
  }

  async #before(
    request: SeenRequest,
    { steps, warnings }: Planned,
    wanted: Wanted,
    restless: boolean,
  ): Promise<void> {
    if (restless && this.#random.below(25) === 0) {
      const [primary] = this.#truth.primaries();
      if (primary !== undefined && !this.#lost.has(primary)) await this.#truth.write(primary);
    }
    const call =
      request.path.startsWith(`${CALLS}/`) && request.method !== 'GET'
        ? request.path.slice(CALLS.length + 1)
        : '';
    this.requests += 1;
    const cluster = this.#nameAt(request.origin);
    const isShown = SHOWN[call];
    if (!isShown) return;
    this.#noteSecondPrimaries();
    this.say(`  ${cluster}: ${call} ${(request.body ?? '').slice(0, 30)}`);
    this.#checkLosses();
    const planned = this.#plant.steps?.(steps ?? []) ?? steps ?? [];
    const shown = [...planned, ...warnings.flatMap((text) => text.split('\n  - '))];
    const body = request.body ?? '';
    if (!shown.some((step) => isShown(step, cluster, body))) {
      this.#report(`${cluster}: ${call} was not planned: ${JSON.stringify(steps)}`);
    }
    if (call === 'secondary/promote') {
      const set = this.#truth.setOf(cluster);
      const others = this.#truth
        .primaries()
        .filter((name) => name !== cluster && this.#truth.setOf(name) === set);
      // A forced promotion abandons a primary that does not answer. Later switchovers also ignore
      // it.
      const answering = await Promise.all(others.map((name) => this.#clusters.answers(name)));
      const rivals = others.filter(
        (name, index) => answering[index] || (wanted.forced !== true && !this.#second.has(name)),
      );
      if (rivals.length > 0) this.#report(`${cluster} is promoted beside ${rivals.join()}`);
    }
    if (call === 'primary/enable') {
      const members = [wanted.primary, ...Object.keys(wanted.filters)];
      const rivals = this.#truth.primaries().filter((name) => name !== cluster && members.includes(name));
      // Two applies that begin a set at the same time do not notice each other.
      const unseen = rivals.filter((name) => this.#underWay.has(this.#beginners.get(name)!));
      if (unseen.length > 0) this.#contested.add(wanted);
      if (unseen.length < rivals.length) this.#report(`${cluster} is enabled beside ${rivals.join()}`);
      this.#beginners.set(cluster, wanted);
    }
    if (call === 'secondary/update-primary') {
      const set = this.#truth.setOf(cluster);
      const primaries = this.#truth.primaries().filter((name) => this.#truth.setOf(name) === set);
      const primary = primaries.find((name) => name === wanted.primary) ?? primaries[0];
      const lacks = primary === undefined ? [] : this.#truth.missing(primary, cluster);
      const isShown = shown.some((step) => step.startsWith(`${cluster}: `) && /LOSES|ERASE/.test(step));
      if (lacks.length > 0 && !isShown)
        this.#report(`${cluster} follows and loses ${lacks.join()}, which the plan does not show`);
    }
  }

  #noteSecondPrimaries(): void {
    const primaries = this.#truth.primaries();
    for (const name of this.#names.filter((each) => !primaries.includes(each))) this.#second.delete(name);
    if (primaries.length < 2) return;
    const sets = primaries.map((name) => this.#truth.setOf(name));
    primaries.forEach((name, index) => {
      if (sets.filter((set) => set === sets[index]).length > 1) this.#second.add(name);
    });
  }

  /** Checks that lost writes were confirmed, by any of the applies that run at the same time. */
  #checkLosses(): void {
    const confirmed = [...this.#underWay].flatMap((wanted) => Object.keys(wanted.confirmed));
    for (const { key, from } of this.#truth.vanished()) {
      const unconfirmed = from.filter((name) => !confirmed.includes(name));
      if (unconfirmed.length > 0) this.#report(`${key} is lost, which ${from.join()} had`);
    }
  }

  #report(problem: string): void {
    this.problems.push(problem);
    this.say(`PROBLEM: ${problem}`);
  }
}

/**
 * Whether a step ends the replication of a cluster. The cluster keeps its data, whatever mode it
 * has got since the plan.
 */
function isDisabled(step: string, cluster: string): boolean {
  return step.startsWith(`${cluster}: leave`) || step.startsWith(`${cluster}: end`);
}

/** Whether a configuration has clusters that the stored set does not have. */
function hasOthers({ primary, filters, abandoned = [] }: Wanted, before: Values | null): boolean {
  const known = before === null ? [] : [before.primary, ...Object.keys(before.secondaries ?? {})];
  return [primary, ...Object.keys(filters), ...abandoned].some((name) => !known.includes(name));
}

/** The text that a plan has to show for a dangerous call, by call. */
const SHOWN: Readonly<
  Record<string, ((step: string, cluster: string, body: string) => boolean) | undefined>
> = {
  'primary/enable': (step, cluster) => step.startsWith(`${cluster}: become the primary`),
  'primary/demote': (step, cluster) => step.startsWith(`${cluster}: `) && step.includes('step down'),
  'secondary/promote': (step, cluster, body) =>
    body.includes('"force":true')
      ? step.startsWith(`${cluster}: become the primary, BY FORCE`)
      : step.startsWith(`${cluster}: become the primary`) ||
        step.includes(`otherwise ${cluster} becomes the primary again`),
  'secondary/enable': (step, cluster) => step.startsWith(`${cluster}: ERASE`),
  'secondary/update-primary': (step, cluster) =>
    step.startsWith(`${cluster}: follow`) ||
    step.startsWith(`${cluster}: ERASE`) ||
    step.startsWith(`${cluster}: use the address`) ||
    step.includes('its secondaries follow it as before'),
  'secondary/disable': isDisabled,
  'primary/disable': isDisabled,
};

function without(filters: Wanted['filters'], name: string): Wanted['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([each]) => each !== name));
}

function withPrimary(wanted: Wanted, primary: string, forced: boolean): Wanted {
  if (primary === wanted.primary) return { ...wanted, forced };
  const others = without(wanted.filters, primary);
  const abandoned = wanted.abandoned?.filter((name) => name !== primary) ?? [];
  const stays = !abandoned.includes(wanted.primary);
  return {
    ...wanted,
    primary,
    filters: { ...(stays && { [wanted.primary]: undefined }), ...others },
    forced,
    abandoned,
  };
}

/** Waits until all microtasks have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
