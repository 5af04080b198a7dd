import { startEmulator, type Emulator, type EmulatorOptions, type RunningCluster } from '../src/emulator';
import { PROVIDER_ADDRESS } from '../src/provider/about';
import { Workspace } from '../test/support/terraform';
import { median, race, type Medians } from './measure';
import { PROVIDER_FOLDER, PROVIDER_VERSION } from './provider';

const PATH = 'v1/sys/replication/performance';
const SECONDARIES = 10;
const POLL_INTERVAL = 10;

/**
 * Measures the setup of a replicating pair: by an apply, and by requests in the order in which a
 * person would send them.
 */
export async function racePair(rounds: number): Promise<Medians> {
  const names = ['us', 'eu'];
  let track: Track;
  const prepare = async () => {
    await track?.clear();
    track = await Track.prepare(names);
  };
  try {
    return await race(rounds, [
      { name: 'apply of a pair', prepare, run: () => track.apply() },
      { name: 'the bare calls', prepare, run: () => joinByHand(track.emulator) },
    ]);
  } finally {
    await track!.clear();
  }
}

/**
 * The time during a switchover in which no cluster accepts writes. The clusters are unavailable for
 * a time after each change of mode.
 */
export interface Gap {
  readonly mode: 'verified' | 'immediate';
  /** The unavailability after each change of mode, in milliseconds. */
  readonly unavailable: number;
  readonly took: number;
  readonly limit: number;
}

/** The number of periods of unavailability in a switchover of each kind. */
const TIMES = { verified: 2, immediate: 1 } as const;
/** The milliseconds that a switchover may take in addition to the unavailability. */
const OWN_SHARE = 300;

/**
 * Measures for how long a set accepts no writes during a switchover. The result is the median of
 * several rounds.
 */
export async function measureGaps(rounds: number): Promise<readonly Gap[]> {
  const gaps: Gap[] = [];
  for (const unavailable of [2_000, 5_000]) {
    for (const mode of ['verified', 'immediate'] as const) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await switchover(mode, unavailable));
      const limit = TIMES[mode] * unavailable + OWN_SHARE;
      gaps.push({ mode, unavailable, took: median(times), limit });
    }
  }
  return gaps;
}

async function switchover(mode: Gap['mode'], unavailableMs: number): Promise<number> {
  const track = await Track.prepare(['us', 'eu'], { filtered: false }, { unavailableMs });
  try {
    await addOperator(track.emulator.clusters.us!);
    await track.apply();
    track.change(['eu', 'us'], { filtered: false, isOperator: true, switchover: mode });
    const gap = gapInWrites(track.emulator);
    await track.apply();
    return await gap;
  } finally {
    await track.clear();
  }
}

/**
 * Returns the milliseconds from the last observation of `us` as the primary to the first write that
 * `eu` accepts.
 */
async function gapInWrites({ clusters }: Emulator): Promise<number> {
  const { us, eu } = clusters as { us: RunningCluster; eu: RunningCluster };
  const writer = await asOperator(eu);
  for (let last = performance.now(); ;) {
    if (await isPrimary(us)) last = performance.now();
    else if ((await isPrimary(eu)) && (await isWritten(writer))) return performance.now() - last;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

async function isPrimary({ address }: RunningCluster): Promise<boolean> {
  const response = await fetch(`${address}/${PATH}/status`);
  return response.ok && ((await response.json()) as { data: Data }).data.mode === 'primary';
}

async function isWritten({ address, rootToken }: RunningCluster): Promise<boolean> {
  const response = await fetch(`${address}/v1/sys/policies/acl/written`, {
    method: 'POST',
    headers: { 'X-Vault-Token': rootToken },
    body: JSON.stringify({ policy: 'path "a" { capabilities = ["read"] }' }),
  });
  return response.ok;
}

/**
 * The login of a user that is replicated to secondaries. A cluster's own tokens become invalid when
 * it joins as a secondary.
 */
const OPERATOR = { path: 'auth/userpass/login/operator', parameters: { password: 'operator' } };

async function addOperator(cluster: RunningCluster): Promise<void> {
  const policy = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';
  await post(cluster, 'sys/policies/acl/operator', { policy });
  await post(cluster, 'sys/auth/userpass', { type: 'userpass' });
  const user = { ...OPERATOR.parameters, token_policies: ['operator'] };
  await post(cluster, 'auth/userpass/users/operator', user);
}

/** Returns a cluster with the operator's token. */
async function asOperator(cluster: RunningCluster): Promise<RunningCluster> {
  const { auth } = await post(cluster, OPERATOR.path, OPERATOR.parameters);
  return { ...cluster, address: cluster.address, rootToken: (auth as { client_token: string }).client_token };
}

async function post({ address, rootToken }: RunningCluster, path: string, body: Data): Promise<Data> {
  const headers = { 'X-Vault-Token': rootToken };
  const response = await fetch(`${address}/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.status === 204 ? {} : ((await response.json()) as Data);
}

/**
 * Returns the requests of a plan that finds a set of ten secondaries unchanged, by their paths
 * without ids.
 */
export async function countPlanOfTen(): Promise<Readonly<Record<string, number>>> {
  const names = ['us', ...Array.from({ length: SECONDARIES }, (_, index) => `s${index}`)];
  const track = await Track.prepare(names);
  try {
    await track.apply();
    const before = track.emulator.requests.list().length;
    await track.replan();
    const counts: Record<string, number> = {};
    for (const { path } of track.emulator.requests.list().slice(before)) {
      const kind = path.replace(/\/s\d+$/, '/:id');
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  } finally {
    await track.clear();
  }
}

/** New clusters, and a workspace with the configuration of a set of them. */
class Track {
  private constructor(
    readonly emulator: Emulator,
    private readonly workspace: Workspace,
  ) {}

  static async prepare(
    names: readonly string[],
    kind: Kind = { filtered: true },
    options: Pick<EmulatorOptions, 'unavailableMs'> = {},
  ): Promise<Track> {
    const clusters = Object.fromEntries(names.map((name) => [name, 0]));
    const emulator = await startEmulator({ clusters, ...options });
    const workspace = new Workspace({
      files: { 'main.tf.json': configuration(names, emulator.clusters, kind) },
    });
    workspace.place({ address: PROVIDER_ADDRESS, version: PROVIDER_VERSION, path: PROVIDER_FOLDER });
    await workspace.init();
    return new Track(emulator, workspace);
  }

  /** Replaces the configuration. The first of the names is the primary. */
  change(names: readonly string[], kind: Kind): void {
    this.workspace.write('main.tf.json', configuration(names, this.emulator.clusters, kind));
  }

  apply = () => this.run(0, 'apply', '-input=false', '-auto-approve');
  replan = () => this.run(0, 'plan', '-input=false', '-detailed-exitcode');

  async clear(): Promise<void> {
    await this.workspace.dispose();
    await this.emulator.close();
  }

  private async run(expected: number, ...args: string[]): Promise<void> {
    const { code, stderr } = await this.workspace.run(...args);
    if (code !== expected) throw new Error(`terraform ${args.join(' ')} ended with ${code}\n${stderr}`);
  }
}

/** The variants of a set. */
interface Kind {
  readonly filtered: boolean;
  /** Whether Terraform logs in as the operator. */
  readonly isOperator?: boolean;
  readonly switchover?: Gap['mode'];
}

function configuration(
  names: readonly string[],
  clusters: Readonly<Record<string, RunningCluster>>,
  { filtered, isOperator = false, switchover }: Kind,
): object {
  const [primary, ...secondaries] = names;
  const settings = names.map((name) => [
    name,
    {
      address: clusters[name]!.address,
      ...(isOperator ? { auth_login: OPERATOR } : { token: clusters[name]!.rootToken }),
    },
  ]);
  return {
    terraform: { required_providers: { vaultadmin: { source: PROVIDER_ADDRESS } } },
    provider: { vaultadmin: { clusters: Object.fromEntries(settings) as object } },
    resource: {
      vaultadmin_perf_replication_set: {
        set: {
          primary,
          ...(switchover && { switchover }),
          secondaries: Object.fromEntries(
            secondaries.map((name) => [
              name,
              filtered ? { paths_filter: { mode: 'deny', paths: ['private/'] } } : { everything: true },
            ]),
          ),
        },
      },
    },
  };
}

/**
 * Joins two clusters by requests alone. The time includes the emulator's unavailability after each
 * change, and the first copy of the data.
 */
async function joinByHand({ clusters }: Emulator): Promise<void> {
  const { us, eu } = clusters as { us: RunningCluster; eu: RunningCluster };
  const key = await ask(eu, 'secondary/generate-public-key', {});
  await ask(us, 'primary/enable', {});
  await until(us, ({ mode }) => mode === 'primary');
  await ask(us, 'primary/paths-filter/eu', { mode: 'deny', paths: ['private/'] });
  const token = await ask(us, 'primary/secondary-token', { id: 'eu', ...key });
  await ask(eu, 'secondary/enable', token);
  await until(eu, ({ state }) => state === 'stream-wals');
}

type Data = Readonly<Record<string, unknown>>;

/** Repeats a request while the cluster is unavailable after a change. */
async function ask({ address, rootToken }: RunningCluster, path: string, body: Data): Promise<Data> {
  for (;;) {
    const response = await fetch(`${address}/${PATH}/${path}`, {
      method: 'POST',
      headers: { 'X-Vault-Token': rootToken },
      body: JSON.stringify(body),
    });
    if (response.status === 204) return {};
    if (response.ok) return ((await response.json()) as { data: Data | null }).data ?? {};
    if (response.status !== 503) throw new Error(`${path} answered ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

async function until({ address }: RunningCluster, reached: (status: Data) => boolean): Promise<void> {
  for (;;) {
    const response = await fetch(`${address}/${PATH}/status`);
    if (response.ok && reached(((await response.json()) as { data: Data }).data)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}
