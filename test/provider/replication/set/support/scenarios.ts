/** Ways that a set can take, each tried again and again from the same beginning. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClusters, type TestClusters } from './clusters';
import type { Interruption, SeenRequest } from './interruption';
import { Session, type Values } from './session';

/** Data of `us` that `ap` must never have. */
const SECRET = 'legal/case';
const FILTER = { mode: 'deny', paths: ['legal/'] };

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: FILTER };
const pair = { primary: 'us', secondaries: { eu } };
const three = { primary: 'us', secondaries: { eu, ap } };
const unprotected = { deletion_protection: false };

export interface Scenario {
  /** What is there before. */
  readonly from?: Values;
  /** What is interrupted on the way to it. Null: the end of the set. */
  readonly to: Values | null;
  /** Ids that the primary knows in the end. */
  readonly ids: readonly string[];
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a pair is created': { to: pair, ids: ['eu'] },
  'a pair switches over': { from: pair, to: { primary: 'eu', secondaries: { us: {} } }, ids: ['us'] },
  'three members switch over': {
    from: three,
    to: { primary: 'eu', secondaries: { us: {}, ap } },
    ids: ['ap', 'us'],
  },
  'a secondary leaves': { from: three, to: pair, ids: ['eu'] },
  'a set is destroyed': { from: { ...three, ...unprotected }, to: null, ids: [] },
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'interruptions-'));
  folders.push(folder);
  return folder;
}

/** Where a scenario begins: stored, so that each try begins there. */
export interface Start {
  readonly folder: string;
  readonly session: Session;
  /** The clusters that are in the set before or afterwards. */
  readonly members: readonly string[];
}

/** Makes and stores the beginning of a scenario. */
export async function prepare({ from, to }: Scenario): Promise<Start> {
  const folder = newFolder();
  const clusters = await startClusters(['us', 'eu', 'ap'], { dataFolder: folder });
  await clusters.addOperators();
  await clusters.mountStore('us', 'legal');
  await clusters.mountStore('us', 'kv');
  expect(await clusters.write('us', SECRET)).toBe(true);
  const session = new Session(clusters.emulator);
  if (from) expect(await session.apply(from)).toMatchObject({ errors: [] });
  await clusters.emulator.close();
  const members = [from, to].flatMap((set) =>
    set ? [set.primary as string, ...Object.keys(set.secondaries as object)] : [],
  );
  return { folder, session, members: [...new Set(members)] };
}

/** One try: a new copy of the beginning. */
export class Try {
  /** What the primary has taken until now. */
  readonly written: string[] = [SECRET];
  private readonly problems: string[] = [];

  private constructor(
    readonly clusters: TestClusters,
    readonly session: Session,
  ) {}

  static async begin(start: Start): Promise<Try> {
    const folder = newFolder();
    cpSync(start.folder, folder, { recursive: true });
    const clusters = await startClusters(['us', 'eu', 'ap'], { dataFolder: folder });
    return new Try(clusters, start.session.copy(clusters.emulator));
  }

  apply(config: Values | null, at?: number, interruption?: Interruption) {
    return this.session.apply(config, {
      ...(at !== undefined && { at, interruption: interruption! }),
      watcher: { before: (request) => this.before(request), after: (request) => this.after(request) },
    });
  }

  /** Until the primary steps down somebody writes to it. */
  private async before({ path }: SeenRequest): Promise<void> {
    if (!path.endsWith('/demote')) return;
    const key = `kv/before-${this.written.length}`;
    for (const primary of await this.clusters.primaries()) {
      if (await this.clusters.write(primary, key)) this.written.push(key);
    }
  }

  private async after({ path, method }: SeenRequest): Promise<void> {
    if (method === 'GET' || !/\/(enable|disable|promote|demote|update-primary)$/.test(path)) return;
    const primaries = await this.clusters.primaries();
    if (primaries.length > 1) this.problems.push(`after ${path}: primaries ${primaries.join(', ')}`);
  }

  /** What is wrong once the set is as wanted. */
  async check({ to, ids }: Scenario): Promise<readonly string[]> {
    const { clusters, problems } = this;
    const primaries = await clusters.primaries();
    const primary = (to?.primary as string | undefined) ?? 'us';
    if (primaries.join() !== (to ? primary : '')) problems.push(`primaries in the end: ${primaries.join()}`);
    for (const key of await clusters.lacks(primary, this.written)) problems.push(`${primary} lost ${key}`);
    if ((await clusters.lacks('ap', [SECRET])).length === 0) problems.push('ap has what it must not have');
    if (!to) return problems;

    const { known_secondaries: known } = await clusters.status(primary);
    if ((known as string[]).sort().join() !== ids.join())
      problems.push(`known secondaries: ${String(known)}`);
    for (const name of Object.keys(to.secondaries as object)) {
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
  }
}
