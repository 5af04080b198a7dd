/** Takes a path of the search with the real terraform, the real provider and emulated clusters. */
import { setImmediate } from 'node:timers/promises';
import { startReattachServer } from '../../../src/plugin';
import { PROVIDER_ADDRESS } from '../../../src/provider';
import type { SetValues } from '../../../src/provider/replication/set/wanted';
import { LeapingClock } from '../../provider/leaping-clock';
import { providerWith } from '../../provider/leaping-provider';
import { OPERATOR } from '../../provider/replication/set/support/clusters';
import type { Received, Sent } from '../../provider/replication/set/support/wire';
import { Workspace, type CommandResult, type RunningCommand } from '../../support/terraform';
import { NAMES } from '../apply/answering';
import type { Outcome } from '../apply/replay';
import type { PathFile } from '../apply/main';
import { follow, type Start, type State } from '../apply/search';
import { Driver, type Action } from '../driver';
import { LOGIN } from '../emulated';
import type { Request, World } from '../model';
import { Gate, type Held } from './gate';
import { WireDispatcher } from './wire-dispatcher';
import { moveOf, startOf, type Move } from './path-file';

export interface Replayed {
  /** The steps, with their observed results. */
  readonly lines: readonly string[];
  /** The first different step, and the difference; absent if all steps were those of the search. */
  readonly divergence?: string;
  /** The clusters at the end. */
  readonly clusters: readonly string[];
}

/**
 * Takes a path with the real terraform.
 *
 * @param plant the fault in the data that the provider receives. Default: that of the path
 * @throws Error for a path that the search does not have
 */
export async function replayPath(file: PathFile, plant = startOf(file).plant): Promise<Replayed> {
  const start = startOf(file);
  const states = follow(start, file.path);
  const replay = await Replay.begin({ ...start, plant });
  try {
    return await replay.take(file.path, states);
  } finally {
    await replay.close();
  }
}

/** A start, with the fault that is planted in the data of the real provider. */
type Real = Omit<Start, 'plant'> & { readonly plant: Start['plant'] };

class Diverged extends Error {}

/**
 * The number of turns of the event loop after which the provider makes no new request by itself.
 */
const QUIET_TURNS = 200;

/** The time limit for a run that makes no request and does not end, in milliseconds. */
const LONGEST = 60_000;

class Replay {
  static async begin(start: Real): Promise<Replay> {
    const { size, written } = start.before!;
    const driver = await Driver.start(size, start.assume ?? {}, written);
    const replay = new Replay(start, driver);
    await replay.#prepare();
    return replay;
  }

  readonly #driver: Driver;
  readonly #start: Real;
  readonly #clock = new LeapingClock(() => {});
  readonly #silent = new Set<number>();
  readonly #lines: string[] = [];
  /** The fault of the requests that arrive now. */
  #fault: Extract<Move, { kind: 'request' }>['fault'] = '';
  /** Whether clusters are available again at once. */
  #isFree = true;
  #late: Sent | undefined;
  #workspace!: Workspace;
  #closeServer!: () => Promise<void>;

  private constructor(start: Real, driver: Driver) {
    this.#start = start;
    this.#driver = driver;
  }

  /** Brings clusters and state to the start. */
  async #prepare(): Promise<void> {
    const dispatcher = new WireDispatcher((message, start) => this.#arrive(message, start));
    const served = await startReattachServer(
      providerWith({ clock: this.#clock, dispatcher }),
      PROVIDER_ADDRESS,
    );
    this.#workspace = new Workspace({ env: served.env });
    this.#closeServer = async () => {
      await this.#workspace.dispose();
      await served.close();
    };
    const { applied, kept, isSilent } = this.#start.before!;
    let state: string | undefined;
    for (const [index, values] of applied.entries()) {
      this.#configure(values);
      await this.#workspace.apply();
      if (index + 1 === kept) state = this.#workspace.read('terraform.tfstate');
    }
    this.#workspace.remove('terraform.tfstate');
    if (state !== undefined) this.#workspace.write('terraform.tfstate', state);
    if (isSilent) this.#silent.add(0);
    this.#isFree = false;
    this.#driver.keep();
  }

  async take(path: readonly string[], states: readonly State[]): Promise<Replayed> {
    const { values } = this.#start.wishes[1]!;
    if (values) this.#configure(values);
    // Before a destroy, Terraform makes a plan of the configuration.
    const gate = new Gate(values ? ['refresh', 'plan', 'apply'] : ['refresh', 'apply']);
    const command = this.#workspace.start(
      values ? 'apply' : 'destroy',
      '-auto-approve',
      '-input=false',
      '-no-color',
    );
    let divergence: string | undefined;
    try {
      await this.#takeAll(path, states, gate.held, command);
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      divergence = error.message;
    } finally {
      gate.close();
    }
    const clusters = described(this.#driver.world());
    return { lines: this.#lines, clusters, ...(divergence !== undefined && { divergence }) };
  }

  async close(): Promise<void> {
    this.#clock.stop();
    await this.#closeServer();
    await this.#driver.close();
  }

  async #takeAll(
    path: readonly string[],
    states: readonly State[],
    held: Held[],
    command: RunningCommand,
  ): Promise<void> {
    const moves = path.map(moveOf);
    let made: { readonly held: Held; readonly outcome: Outcome } | undefined;
    for (const [index, move] of moves.entries()) {
      const number = `${index + 1}. ${path[index]}`;
      this.#lines.push(number);
      const [before, after] = [states[index]!.world, states[index + 1]!.world];
      try {
        if (move.kind === 'killed') {
          process.kill(-command.process.pid!, 'SIGKILL');
          await command.result;
          made = undefined;
          continue;
        }
        made?.held.release(made.outcome);
        made = undefined;
        if (move.kind === 'end') this.#expectEnd(move.how, await this.#untilEnd(held, command));
        else if (move.kind === 'request') {
          const next = await this.#nextOf(move, held, command);
          this.#returnBefore(before, after);
          made = { held: next, outcome: await this.#make(next, move) };
        } else {
          // Waits for the provider's next request, so that the plan that Terraform makes again
          // during the apply comes before the event.
          const later = moves.slice(index).find(({ kind }) => kind === 'request' || kind === 'end');
          if (later?.kind === 'request' && states[index]!.runs.length > 0)
            await this.#peek(later, held, command);
          await this.#happen(move, path[index]!);
        }
        this.#compare(after);
      } catch (error) {
        if (error instanceof Diverged) throw new Diverged(`${number}: ${error.message}`);
        throw error;
      }
    }
    made?.held.release(made.outcome);
  }

  /** Waits until the provider makes its next request. */
  async #nextOf(
    move: Extract<Move, { kind: 'request' }>,
    held: Held[],
    command: RunningCommand,
  ): Promise<Held> {
    const found = await this.#peek(move, held, command);
    held.splice(held.indexOf(found), 1);
    return found;
  }

  /** Returns the next request of the provider without answering it. */
  async #peek(
    { request: kind, cluster }: Extract<Move, { kind: 'request' }>,
    held: readonly Held[],
    command: RunningCommand,
  ): Promise<Held> {
    const find = () => held.find(({ request }) => request.kind === kind && request.cluster === cluster);
    const found = await this.#until(find, held, command);
    if (!('code' in found)) return found;
    throw new Diverged(`terraform ended with ${found.code}: ${lastLines(found)}`);
  }

  async #untilEnd(held: readonly Held[], command: RunningCommand): Promise<CommandResult> {
    const found = await this.#until(() => undefined, held, command);
    return found as CommandResult;
  }

  /**
   * Waits until a value is found, or terraform ends. A provider whose requests are all held cannot
   * continue.
   */
  async #until(
    find: () => Held | undefined,
    held: readonly Held[],
    command: RunningCommand,
  ): Promise<Held | CommandResult> {
    let result: CommandResult | undefined;
    void command.result.then((each) => (result = each));
    const begun = performance.now();
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = held.length > 0 ? quiet + 1 : 0) {
      const found = find() ?? result;
      if (found) return found;
      if (performance.now() - begun > LONGEST)
        throw new Diverged('the provider asks for nothing, and does not end');
      await setImmediate();
    }
    const others = held.map(({ request }) => `${request.kind} ${request.cluster}`);
    throw new Diverged(`the provider asks for ${others.join(', ')}`);
  }

  async #make({ request, make }: Held, move: Extract<Move, { kind: 'request' }>): Promise<Outcome> {
    this.#fault = move.fault;
    // In the search a wait makes no further attempt, so the real provider makes none either.
    const outcome = request.kind === 'pause' ? { value: false } : await make();
    this.#fault = '';
    const { plant } = this.#start;
    return plant ? plant(request, outcome) : outcome;
  }

  /** @param start records that the request is under way */
  async #arrive(message: Sent, start: () => void): Promise<Received> {
    const { origin, method, path } = message;
    const cluster = NAMES.findIndex((name) => origin.startsWith(`http://${name}.`));
    const isLogin = path === LOGIN;
    const fault = isLogin && this.#fault !== 'lost before' ? '' : this.#fault;
    if (this.#silent.has(cluster)) return new Promise(() => {});
    start();
    if (fault === 'lost before') throw new Error('socket hang up');
    if (fault === 'slow') {
      this.#late = message;
      return new Promise(() => {});
    }
    if (fault === 'refused') return { status: 500, headers: {}, body: '{"errors":["refused"]}' };
    const answer = await this.#clock.during(() => this.#driver.send(message));
    if (this.#isFree) this.#driver.returnAll();
    if (fault === 'lost after' && method !== 'GET') throw new Error('socket hang up');
    return answer;
  }

  async #happen(move: Move, label: string): Promise<void> {
    if (move.kind === 'late') {
      await this.#driver.send(this.#late!);
    } else if (move.kind === 'by hand') {
      const cluster = NAMES.indexOf(move.cluster);
      await this.#act({ kind: 'request', cluster, request: { kind: 'login' } });
      await this.#act({ kind: 'request', cluster, request: handOf(move.request) });
    } else if (move.kind === 'events') {
      for (const event of move.events) await this.#suffer(event);
    } else throw new Error(`nobody knows how to take ${label}`);
  }

  async #suffer(event: string): Promise<void> {
    const [kind, name, , second] = event.split(' ') as [string, string, string?, string?];
    const cluster = NAMES.indexOf(name);
    if (kind === 'silence') this.#silent.add(cluster);
    else if (kind === 'speak') this.#silent.delete(cluster);
    else if (kind === 'cut') await this.#act({ kind, cluster, other: NAMES.indexOf(second!) });
    else await this.#act({ kind, cluster } as Action);
  }

  async #act(action: Action): Promise<void> {
    const difference = await this.#driver.take(action);
    if (difference !== undefined) throw new Diverged(difference);
  }

  /** Makes the clusters available that the search has made available before a request. */
  #returnBefore(before: World, after: World): void {
    before.clusters.forEach(({ busy }, index) => {
      if (busy && !after.clusters[index]!.busy) this.#driver.returnOne(index);
    });
  }

  #compare(expected: World): void {
    const seen = this.#driver.world();
    expected.clusters.forEach(({ busy }, index) => {
      if (busy && !seen.clusters[index]!.busy) this.#driver.interrupt(index);
    });
    const [model, emulator] = [described(expected), described(this.#driver.world())];
    const at = model.findIndex((line, index) => line !== emulator[index]);
    if (at >= 0) throw new Diverged(`the search has ${model[at]}; it is ${emulator[at]}`);
  }

  #expectEnd(how: string, result: CommandResult): void {
    this.#lines.push(`   ${lastLines(result)}`);
    const isGood = how === 'applied' || how === 'clean';
    if ((result.code === 0) !== isGood)
      throw new Diverged(`terraform ended with ${result.code}: ${lastLines(result)}`);
  }

  /**
   * Protects the set unless it is destroyed: without protection, a refusal may be only a warning of
   * the plan, because a destroy may have been interrupted.
   */
  #protected(values: SetValues): SetValues {
    return { ...values, deletion_protection: this.#start.wishes[1]!.values !== undefined };
  }

  #configure(values: SetValues): void {
    const clusters = this.#driver.emulator.clusters;
    const { path, parameters } = OPERATOR;
    const entries = Object.values(clusters).map(({ name, address }) => [
      name,
      { address, max_retries: 0, auth_login: { path, parameters } },
    ]);
    this.#workspace.write('main.tf.json', {
      terraform: { required_providers: { vaultadmin: { source: PROVIDER_ADDRESS } } },
      provider: { vaultadmin: { clusters: Object.fromEntries(entries) } },
      resource: { vaultadmin_perf_replication_set: { it: attributesOf(this.#protected(values)) } },
    });
  }
}

/**
 * Returns the attributes of a configuration, without those that have no value. The filtered mount
 * has another name here.
 */
function attributesOf(values: SetValues): unknown {
  return JSON.parse(
    JSON.stringify(values, (_, value: unknown) => (value === null ? undefined : value)).replaceAll(
      '"secret/"',
      '"legal/"',
    ),
  );
}

function handOf(kind: string): Request {
  if (kind === 'write') return { kind, mark: 9 };
  if (kind === 'enable-primary') return { kind, addr: '' };
  if (kind === 'promote') return { kind, addr: '', force: false };
  return { kind } as Request;
}

/** Describes each cluster in one line, for readers and for the comparison. */
function described({ clusters }: World): readonly string[] {
  const sets: string[] = [];
  const numberOf = (set: string) => {
    if (!sets.includes(set)) sets.push(set);
    return sets.indexOf(set) + 1;
  };
  return clusters.map(({ role, content, promotion, sealed, busy }, index) => {
    const of =
      role.mode === 'disabled'
        ? 'disabled'
        : role.mode === 'primary'
          ? `primary of set ${numberOf(role.set)}, knows ${list(role.known)}, filters ${JSON.stringify(role.filters)}`
          : `secondary ${JSON.stringify(role.id)} of set ${numberOf(role.set)}`;
    const more = [
      content.marks.join() && `writes ${content.marks.join()}`,
      ...Object.keys(content.notes)
        .sort()
        .map((kind) => `note of kind ${kind}`),
      promotion !== null && 'note of kind promotion',
      sealed && 'sealed',
      busy && 'unavailable',
    ];
    return [`${NAMES[index]}: ${of}`, ...more.filter(Boolean)].join(', ');
  });
}

function list(known: Readonly<Record<string, { readonly contact: string }>>): string {
  const entries = Object.entries(known).map(([id, { contact }]) => `${id} (${contact})`);
  return entries.sort().join(' ') || 'nobody';
}

function lastLines({ stdout, stderr }: CommandResult): string {
  return `${stdout}\n${stderr}`
    .trim()
    .split('\n')
    .slice(-8)
    .join(' ')
    .replace(/[│╷╵]/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, 400);
}
