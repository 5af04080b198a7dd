/**
 * The changes of a set that the tests interrupt. Each is tried many times from the same beginning.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assume } from '../../../../../src/emulator';
import { startClusters, type TestClusters } from './clusters';
import type { Interrupt, SeenRequest } from './interruption';
import { Session, type Values } from './session';

/** Data of `us` that `ap` must never have. */
const SECRET = 'legal/case';
const FILTER = { mode: 'deny', paths: ['legal/'] };

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: FILTER };
const pair = { primary: 'us', secondaries: { eu } };
const three = { primary: 'us', secondaries: { eu, ap } };
const unprotected = { deletion_protection: false };
/** Short, because tests wait for the timeouts of a switchover that cannot be completed. */
const timeouts = { mode_change: '2s', sync: '20s' };
const early = { ...three, timeouts };
const swapped = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };

/**
 * Alternatives under which the server refuses calls without effect, such as a second revocation.
 */
const STRICT: Assume = {
  revocationOfUnknownId: 'refused',
  removalOfMissingFilter: 'refused',
  secondaryIdInUse: 'internal-error',
};
/** The addresses of a load balancer before and after the apply. */
const [OLD, NEW] = ['https://old.test:8201', 'https://new.test:8201'];

export interface Scenario {
  /** The set before the apply. */
  readonly from?: Values;
  /** The set of the interrupted apply. Null: the end of the set. */
  readonly to: Values | null;
  /** The set that the next apply asks for. Default: the set of the interrupted apply. */
  readonly then?: Values | null;
  /** The ids in the primary's list at the end. */
  readonly ids: readonly string[];
  /** The error of an apply without an interruption. Default: none. */
  readonly error?: string;
  /**
   * The end of the path of the first request to interrupt. Other scenarios cover the requests
   * before it.
   */
  readonly since?: string;
  /**
   * Whether replication pauses just before the primary steps down, so that its last write does not
   * arrive.
   */
  readonly late?: boolean;
  /** The addresses of a load balancer in front of `us`, before and during the apply. */
  readonly addresses?: readonly [string, string];
}

const turnsBack = {
  from: early,
  to: swapped,
  late: true,
  since: 'primary/demote',
  error: '"us" is the primary again',
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a pair is created': { to: pair, ids: ['eu'] },
  'a pair switches over': { from: pair, to: { primary: 'eu', secondaries: { us: {} } }, ids: ['us'] },
  'three members switch over': {
    from: three,
    to: { primary: 'eu', secondaries: { us: {}, ap } },
    ids: ['ap', 'us'],
  },
  'filters are exchanged for none, and ids for each other': {
    from: { ...three, secondaries: { eu: { ...eu, paths_filter: FILTER }, ap } },
    to: { ...three, secondaries: { eu: { ...eu, id: 'ap' }, ap: { ...ap, id: 'eu' } } },
    ids: ['ap', 'eu'],
  },
  'an id changes': { from: pair, to: { ...pair, secondaries: { eu: { ...eu, id: 'eu-2' } } }, ids: ['eu-2'] },
  'a filter is removed': {
    from: { ...pair, secondaries: { eu: { ...eu, paths_filter: FILTER } } },
    to: pair,
    ids: ['eu'],
  },
  'a primary is given up': {
    from: three,
    to: { primary: 'eu', force_promotion: 'eu', abandoned_clusters: ['us'], secondaries: { ap }, timeouts },
    ids: ['ap'],
  },
  'the address of a primary changes': {
    from: { ...pair, primary_cluster_addr: OLD },
    to: { ...pair, primary_cluster_addr: NEW },
    addresses: [OLD, NEW],
    ids: ['eu'],
  },
  'a secondary leaves': { from: three, to: pair, ids: ['eu'] },
  'a set is destroyed': { from: { ...three, ...unprotected }, to: null, ids: [] },
  'a switchover turns back, and is tried again': { ...turnsBack, ids: ['ap', 'us'] },
  'a switchover turns back, and is given up': {
    ...turnsBack,
    then: early,
    since: 'secondary/promote',
    ids: ['ap', 'eu'],
  },
};

/**
 * The parent of all data folders. It is in memory if the system has such a folder, because clusters
 * store each of their changes, which takes most of the time on a disk.
 */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folders = new Set<string>();
afterAll(() => folders.forEach(remove));

function newFolder(): string {
  const folder = mkdtempSync(join(PARENT, 'interruptions-'));
  folders.add(folder);
  return folder;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** The stored beginning of a scenario, from which each try starts. */
export interface Start {
  readonly folder: string;
  readonly session: Session;
  /** The alternatives of the clusters in each try, in addition to the strict ones. */
  readonly assume: Assume;
}

/** Builds and stores the beginning of a scenario. */
export async function prepare(scenario: Scenario, assume: Assume = {}): Promise<Start> {
  const { from, addresses } = scenario;
  const folder = newFolder();
  const clusters = await startClusters(['us', 'eu', 'ap'], { dataFolder: folder });
  if (addresses) clusters.emulator.replication.addLoadBalancer('us', addresses[0]);
  await clusters.addOperators();
  await clusters.mountStore('us', 'legal');
  await clusters.mountStore('us', 'kv');
  expect(await clusters.write('us', SECRET)).toBe(true);
  const session = new Session(clusters);
  if (from) expect(await session.apply(from)).toMatchObject({ errors: [] });
  await clusters.emulator.close();
  return { folder, session, assume };
}

/** One try of a scenario, with its own copy of the beginning. */
export class Try {
  /** The writes that the primary has accepted. */
  readonly written: string[] = [SECRET];
  private readonly problems: string[] = [];

  private constructor(
    readonly clusters: TestClusters,
    readonly session: Session,
    private readonly folder: string,
    private late: boolean,
  ) {}

  static async begin(start: Start, { late = false, addresses }: Scenario): Promise<Try> {
    const folder = newFolder();
    cpSync(start.folder, folder, { recursive: true });
    const assume = { ...STRICT, ...start.assume };
    const clusters = await startClusters(['us', 'eu', 'ap'], { dataFolder: folder, assume });
    if (addresses) clusters.emulator.replication.addLoadBalancer('us', addresses[1]);
    return new Try(clusters, start.session.copy(clusters), folder, late);
  }

  apply(config: Values | null, interrupt?: Interrupt) {
    return this.session.apply(config, {
      ...(interrupt && { interrupt }),
      watcher: { before: (request) => this.before(request), after: (request) => this.after(request) },
    });
  }

  /** Applies the next configuration after an interrupted apply, with replication working again. */
  applyNext({ to, then = to }: Scenario) {
    this.late = false;
    this.letArrive();
    return this.apply(then);
  }

  /** Writes to the primary before it steps down. */
  private async before({ path }: SeenRequest): Promise<void> {
    if (path.endsWith('/promote')) this.letArrive();
    if (!path.endsWith('/demote')) return;
    const { clusters } = this;
    if (this.late) clusters.names.forEach((name) => clusters.emulator.replication.pause(name));
    const key = `kv/before-${this.written.length}`;
    for (const primary of await clusters.primaries()) {
      if (await clusters.write(primary, key)) this.written.push(key);
    }
  }

  private letArrive(): void {
    const { names, emulator } = this.clusters;
    names.forEach((name) => emulator.replication.resume(name));
  }

  private async after({ path, method }: SeenRequest): Promise<void> {
    if (method === 'GET' || !/\/(enable|disable|promote|demote|update-primary)$/.test(path)) return;
    const primaries = await this.clusters.primaries();
    if (primaries.length > 1) this.problems.push(`after ${path}: primaries ${primaries.join(', ')}`);
  }

  /** Returns the differences of the clusters from the wanted set. */
  async check({ to, then = to, ids }: Scenario): Promise<readonly string[]> {
    const { clusters, problems } = this;
    const primaries = await clusters.primaries();
    const primary = (then?.primary as string | undefined) ?? 'us';
    if (primaries.join() !== (then ? primary : ''))
      problems.push(`primaries in the end: ${primaries.join()}`);
    for (const key of await clusters.lacks(primary, this.written)) problems.push(`${primary} lost ${key}`);
    if ((await clusters.lacks('ap', [SECRET])).length === 0) problems.push('ap has what it must not have');
    if (!then) return problems;

    const { known_secondaries: known = [] } = await clusters.status(primary);
    if ((known as string[]).sort().join() !== ids.join())
      problems.push(`known secondaries: ${String(known)}`);
    for (const name of Object.keys(then.secondaries as object)) {
      const { state, connection_state: connection } = await clusters.status(name);
      if (state !== 'stream-wals' || connection !== 'ready')
        problems.push(`${name}: ${String(state)}, ${String(connection)}`);
      const gets = this.written.filter((key) => name !== 'ap' || key !== SECRET);
      for (const key of await clusters.lacks(name, gets)) problems.push(`${name} has no ${key}`);
    }
    return problems;
  }

  async end(): Promise<void> {
    await this.clusters.emulator.close();
    remove(this.folder);
  }
}
