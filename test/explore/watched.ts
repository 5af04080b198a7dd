/** Compares each step of an emulator with the model, whoever makes it. */
import { Assumed, type Assume } from '../../src/emulator/assume';
import type { ReplicationControl } from '../../src/emulator';
import type { InProcess, Sent as Message, Wire } from '../provider/replication/set/support/wire';
import { Abstraction, difference } from './emulated';
import { copyOf, happened, step, type Answer, type Event, type Request, type World } from './model';

/** Requests that may take effect after later requests were received. */
const LATER: ReadonlySet<Request['kind']> = new Set(['enable-secondary', 'update-primary']);

/** The number of differences after which the comparison ends. */
const ENOUGH = 3;

export interface Watched extends InProcess {
  readonly differences: readonly string[];
  /** The number of compared steps, by kind. */
  readonly compared: ReadonlyMap<string, number>;
}

/** @param model takes the steps in place of the model, for tests that plant a fault */
export function watched(reachable: InProcess, assume: Assume = {}, model = step): Watched {
  const watcher = new Watcher(reachable, assume, model);
  const { differences, compared } = watcher;
  watcher.watchControl(reachable.emulator.replication);
  return { ...reachable, wire: (message) => watcher.send(message), differences, compared };
}

class Watcher {
  readonly differences: string[] = [];
  readonly compared = new Map<string, number>();
  readonly #abstraction: Abstraction;
  readonly #assumed: Assumed;
  readonly #wire: Wire;
  readonly #names: readonly string[];
  readonly #answersByActiveNode: boolean;
  readonly #model: typeof step;
  /** The world after the latest step; undefined after a step that the model does not have. */
  #latest: World | undefined;
  #received = 0;

  constructor({ responders, wire }: InProcess, assume: Assume, model: typeof step) {
    this.#abstraction = new Abstraction(responders);
    this.#assumed = new Assumed(assume);
    this.#wire = wire;
    this.#names = Object.keys(responders);
    this.#answersByActiveNode = (assume.nodeAtAddress ?? 'active') === 'active';
    this.#model = model;
  }

  async send(message: Message): Promise<Awaited<ReturnType<Wire>>> {
    const { origin, method, path, headers, body = '' } = message;
    const cluster = this.#names.findIndex((name) => origin.startsWith(`http://${name}.`));
    const fields = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    const token = headers['x-vault-token'] ?? '';
    const request = this.#abstraction.request({ cluster, method, path, token, body: fields });
    this.#received += 1;
    const number = this.#received;
    if (request === undefined || !this.#isComparable()) {
      this.#latest = undefined;
      return this.#wire(message);
    }
    const tokens: string[] = [];
    tokens[cluster] = token;
    const before = this.#abstraction.world(tokens);
    this.#passed(before);
    const answering = this.#wire(message);
    this.#deliver();
    let after: World | undefined = LATER.has(request.kind) ? undefined : this.#abstraction.world(tokens);
    this.#latest = after;
    const received = await answering;
    if (after === undefined && this.#received === number) {
      this.#deliver();
      after = this.#abstraction.world(tokens);
      this.#latest = after;
    }
    const text = received.body;
    const seen = this.#abstraction.answer(
      { cluster, request },
      { status: received.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) },
    );
    if (after !== undefined) this.#compare(before, { cluster, request }, { world: after, answer: seen });
    return received;
  }

  #compare(
    before: World,
    { cluster, request }: { readonly cluster: number; readonly request: Request },
    seen: { readonly world: World; readonly answer: Answer },
  ): void {
    // The model has no standbys, which may answer 412 until they have the latest writes, and report
    // another health.
    if (!this.#answersByActiveNode && (seen.answer.status === 412 || request.kind === 'health')) return;
    const variants: readonly Request[] =
      request.kind === 'login' ? [request, { ...request, isFirst: true }] : [request];
    const found = variants.map((variant) => {
      const expected = this.#model(before, { cluster, by: 0, request: variant }, this.#of);
      // `logins` concerns the token that the person had before the login, which the login does not
      // change.
      const world = this.#returned(copyOf(expected.world), seen.world);
      if (request.kind === 'login') world.clusters[cluster]!.logins = seen.world.clusters[cluster]!.logins;
      const { answer } = expected;
      return difference(before, { world, answer }, seen, this.#abstraction.roots);
    });
    this.#note(request.kind, found.includes(undefined) ? undefined : found[0], { cluster, request });
  }

  /**
   * Makes each cluster available that the emulator did not interrupt, because a change of mode may
   * cause no interruption.
   */
  #returned(expected: World, seen: World): World {
    return seen.clusters.reduce(
      (world, { busy }, cluster) =>
        busy ? world : (happened(world, { kind: 'return', cluster }, this.#of) ?? world),
      expected,
    );
  }

  #of: Assumed['of'] = (name) => this.#assumed.of(name);

  /** Time may have passed: clusters are available again, and tokens have expired. */
  #passed(now: World): void {
    const before = this.#latest;
    if (before === undefined) return;
    const returned = before.clusters.flatMap(({ busy }, index) =>
      busy && !now.clusters[index]!.busy ? [index] : [],
    );
    const expected = orders(returned).map((order) => {
      let world = copyOf(before);
      for (const cluster of order) world = happened(world, { kind: 'return', cluster }, this.#of)!;
      world.clusters.forEach((cluster, index) => {
        cluster.logins = now.clusters[index]!.logins;
        const { role } = now.clusters[index]!;
        if (cluster.role.mode !== 'primary' || role.mode !== 'primary') return;
        for (const [id, known] of Object.entries(cluster.role.known))
          known.expired ||= role.known[id]?.expired === true;
      });
      return difference(before, { world }, { world: now }, this.#abstraction.roots);
    });
    this.#note('time', expected.includes(undefined) ? undefined : expected[0], returned);
  }

  #note(kind: string, found: string | undefined, about: unknown): void {
    this.compared.set(kind, (this.compared.get(kind) ?? 0) + 1);
    if (found !== undefined && this.differences.length < ENOUGH)
      this.differences.push(`not a step of the model: ${JSON.stringify(about)}\n${found}`);
  }

  /** Delivers pending data, which would arrive in the next microtask. */
  #deliver(): void {
    for (const [index] of this.#names.entries()) {
      const { replication } = this.#abstraction.cluster(index);
      if (replication.site.network.lag(replication.name) === 0) replication.proceed();
    }
  }

  /**
   * Whether the model can have the present state: the model has no delays, and no cluster without
   * an identity.
   */
  #isComparable(): boolean {
    return this.#names.every((name, index) => {
      const { replication, storage } = this.#abstraction.cluster(index);
      const lag = replication.site.network.lag(name);
      return (lag === 0 || lag === 'paused') && storage.get('core/identity') !== undefined;
    });
  }

  /** Compares the calls of the network's control. */
  watchControl(control: ReplicationControl): void {
    const partition = control.partition.bind(control);
    const heal = control.heal.bind(control);
    const pause = control.pause.bind(control);
    const resume = control.resume.bind(control);
    const crash = control.crash.bind(control);
    const delay = control.delay.bind(control);
    const index = (name: string) => this.#names.indexOf(name);
    control.partition = (a, b) =>
      this.#event([{ kind: 'cut', cluster: index(a), other: index(b) }], () => partition(a, b));
    control.heal = (a, b) => {
      const cuts = control
        .state()
        .partitions.filter((cut) => a === undefined || (cut.includes(a) && cut.includes(b!)));
      const mends = cuts.map(
        ([one, other]) => ({ kind: 'mend', cluster: index(one), other: index(other) }) as const,
      );
      this.#event(mends, () => heal(a, b));
    };
    control.pause = (name) => this.#event([{ kind: 'hold', cluster: index(name) }], () => pause(name));
    control.resume = (name) => this.#event([{ kind: 'release', cluster: index(name) }], () => resume(name));
    control.crash = (name) => this.#event([{ kind: 'crash', cluster: index(name) }], () => crash(name));
    control.delay = (name, milliseconds) => {
      this.#latest = undefined;
      delay(name, milliseconds);
    };
  }

  #event(events: readonly Event[], happen: () => void): void {
    if (!this.#isComparable()) {
      this.#latest = undefined;
      happen();
      return;
    }
    this.#deliver();
    const before = this.#abstraction.world();
    let expected = before;
    for (const event of events) expected = happened(expected, event, this.#of) ?? expected;
    happen();
    this.#deliver();
    this.#latest = undefined;
    if (!this.#isComparable()) return;
    const world = this.#abstraction.world();
    expected = this.#returned(expected, world);
    const kind = events[0]?.kind ?? 'nothing';
    this.#note(kind, difference(before, { world: expected }, { world }, this.#abstraction.roots), events);
    this.#latest = world;
  }
}

/** Returns the orders of some numbers. */
function orders(numbers: readonly number[]): readonly (readonly number[])[] {
  if (numbers.length === 0) return [[]];
  return numbers.flatMap((first) =>
    orders(numbers.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}
