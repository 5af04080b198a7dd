/**
 * The life of a set in a chosen world. In each world, the emulator follows other alternatives of
 * its assumptions.
 */
import type { Assume, EmulatorOptions } from '../../../../../src/emulator';
import { startClusters, type TestClusters } from './clusters';
import type { Reachable, Wire } from './wire';
import type { SeenRequest } from './interruption';
import { Session, type Outcome, type Values } from './session';

/** Data of `us` that `ap` must never have. */
const SECRET = 'legal/case';
const FIRST = 'kv/first';
const timeouts = { mode_change: '3m', sync: '3m' };
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: { mode: 'deny', paths: ['legal/'] } };
const pair = { primary: 'us', secondaries: { eu }, timeouts };
const three = { primary: 'us', secondaries: { eu, ap }, timeouts };
const swapped = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };
const failedOver = {
  primary: 'us',
  force_promotion: 'us',
  abandoned_clusters: ['eu'],
  secondaries: { ap },
  timeouts,
};
const rejoined = { primary: 'us', secondaries: { eu, ap }, timeouts };

interface Journey {
  readonly name: string;
  readonly to: Values | null;
  /** Prepares the clusters for the journey. */
  readonly before?: (life: Life) => Promise<void>;
}

/** The journeys in order: each begins with the result of the previous one. */
const JOURNEYS: readonly Journey[] = [
  { name: 'pair', to: pair },
  { name: 'filtered set of three', to: three },
  { name: 'import', to: three, before: (life) => life.import() },
  { name: 'switchover', to: swapped },
  { name: 'failover', to: failedOver, before: (life) => life.lose('eu') },
  { name: 'return', to: rejoined, before: (life) => life.restore('eu') },
  { name: 'leave', to: { ...pair, deletion_protection: false } },
  { name: 'destroy', to: null },
];

export const JOURNEY_NAMES = JOURNEYS.map(({ name }) => name);

export interface Walked {
  /** The faults. */
  readonly problems: readonly string[];
  /** The errors of the journeys that were refused before any change. */
  readonly refused: Readonly<Record<string, string>>;
}

/** Returns the function that sends the provider's requests. It may change requests and answers. */
type Tamper = (clusters: TestClusters) => Wire;

/**
 * Takes all journeys in one world.
 *
 * @returns their problems, and the refusals
 */
export async function walkWorld(
  assume: Assume,
  options: EmulatorOptions = {},
  tamper: Tamper = ({ wire }) => wire,
): Promise<Walked> {
  const clusters = await startClusters(['us', 'eu', 'ap'], { unavailableMs: undefined, ...options, assume });
  try {
    const life = new Life(clusters, tamper(clusters));
    await life.begin(assume);
    const refused: Record<string, string> = {};
    for (const { name, to, before } of JOURNEYS) {
      await before?.(life);
      const refusal = await life.take(name, to);
      if (refusal !== undefined) refused[name] = refusal;
      if (life.problems.length > 0) break;
    }
    return { problems: life.problems, refused };
  } finally {
    await clusters.emulator.close();
  }
}

class Life {
  readonly problems: string[] = [];
  readonly #clusters: TestClusters;
  #session: Session;
  /** The writes that a primary has accepted, and that no forced promotion has abandoned. */
  readonly #written = [SECRET, FIRST];
  #lost: string | undefined;
  readonly #seen: Reachable;

  constructor(clusters: TestClusters, wire: Wire) {
    this.#clusters = clusters;
    this.#seen = { emulator: clusters.emulator, wire };
    this.#session = new Session(this.#seen);
  }

  /** Prepares the clusters, with an active node at each address. */
  async begin(assume: Assume): Promise<void> {
    const { assumed } = this.#clusters.emulator;
    assumed.choose({ nodeAtAddress: 'active' });
    await this.#clusters.addOperators();
    for (const mount of ['kv', 'legal']) await this.#clusters.mountStore('us', mount);
    for (const key of this.#written) expect(await this.#clusters.write('us', key)).toBe(true);
    // The first login of a user is a write, which a primary that has stepped down refuses.
    assumed.choose({ nodeAtAddress: assume.nodeAtAddress ?? 'active' });
  }

  /** Imports the set into another state. */
  async import(): Promise<void> {
    const before = await this.#picture();
    this.#session = new Session(this.#seen);
    const [error] = await this.#session.import('us');
    if (error !== undefined) {
      if (!/To do: /.test(error)) this.#report('import', `the error does not say what to do: ${error}`);
      return;
    }
    const { steps = [] } = await this.#session.plan(three);
    if (steps !== null && steps.length > 0) this.#report('import', `the plan has steps: ${steps.join('; ')}`);
    if ((await this.#picture()) !== before) this.#report('import', 'it has changed a cluster');
  }

  /** Makes a primary stop answering. Its latest writes count as abandoned. */
  async lose(cluster: string): Promise<void> {
    this.#clusters.emulator.faults.inject({ cluster, drop: 'before' });
    this.#lost = cluster;
  }

  /** Makes the old primary answer again, and demotes it by hand, as the guide says. */
  async restore(cluster: string): Promise<void> {
    this.#clusters.emulator.faults.clear();
    this.#lost = undefined;
    if ((await this.#statusOf(cluster)).mode !== 'primary') return;
    if ((await this.#primaries()).length < 2) return;
    await this.#clusters.ask(cluster, 'POST', 'sys/replication/performance/primary/demote');
    this.#pass();
  }

  /** @returns the reason of the refusal, if it was refused. */
  async take(name: string, to: Values | null): Promise<string | undefined> {
    const before = await this.#picture();
    const outcome = await this.#apply(to);
    this.#pass();
    const [error] = outcome.errors;
    if (error === undefined) {
      const again = await this.#apply(to);
      if (again.errors.length > 0) this.#report(name, `the second plan fails: ${again.errors[0]}`);
      else if (again.steps !== null && again.steps !== undefined && again.steps.length > 0)
        this.#report(name, `the second plan has steps: ${again.steps.join('; ')}`);
    } else {
      if (!/To do: /.test(error)) this.#report(name, `the error does not say what to do: ${error}`);
      const after = await this.#picture();
      if (after !== before) this.#report(name, `refused after a change (${before} -> ${after}): ${error}`);
    }
    await this.#check(name);
    return error;
  }

  #apply(to: Values | null): Promise<Outcome> {
    const after = async ({ path }: SeenRequest) => {
      if (!/\/(promote|enable)$/.test(path)) return;
      const primaries = await this.#primaries();
      if (primaries.length > 1) this.problems.push(`after ${path}: primaries ${primaries.join(', ')}`);
    };
    return this.#session.apply(to, { watcher: { after } });
  }

  async #check(name: string): Promise<void> {
    const [primary, ...others] = await this.#primaries();
    if (others.length > 0) this.#report(name, `primaries ${[primary, ...others].join(', ')}`);
    if (primary === undefined) return;
    const key = `kv/after-${this.#written.length}`;
    const lacks = await this.#clusters.lacks(primary, this.#written);
    if (lacks.length > 0) this.#report(name, `${primary} lost ${lacks.join(', ')}`);
    if (await this.#clusters.write(primary, key)) this.#written.push(key);
    if ((await this.#clusters.lacks('ap', [SECRET])).length === 0 && (await this.#isSecondary('ap')))
      this.#report(name, 'ap has what it must not have');
  }

  async #isSecondary(cluster: string): Promise<boolean> {
    return (await this.#statusOf(cluster)).mode === 'secondary';
  }

  /** The modes and ids of the clusters that answer. */
  async #picture(): Promise<string> {
    const statuses = await Promise.all(this.#clusters.names.map((name) => this.#statusOf(name)));
    return statuses
      .map(({ mode, secondary_id: id, known_secondaries: known }) =>
        [mode, id, ...((known as string[] | undefined) ?? [])].join(' '),
      )
      .join(', ');
  }

  async #primaries(): Promise<readonly string[]> {
    const names = this.#clusters.names.filter((name) => name !== this.#lost);
    const statuses = await Promise.all(names.map((name) => this.#statusOf(name)));
    return names.filter((_, index) => statuses[index]!.mode === 'primary');
  }

  async #statusOf(cluster: string): Promise<Record<string, unknown>> {
    return (await this.#clusters.status(cluster).catch(() => null)) ?? { mode: 'away' };
  }

  #report(journey: string, problem: string): void {
    this.problems.push(`${journey}: ${problem}`);
  }

  /** Waits until all clusters answer again. */
  #pass(): void {
    this.#clusters.emulator.clock.advance(60_000);
  }
}
