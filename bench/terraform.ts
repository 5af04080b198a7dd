import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../src/emulator';
import { VaultClient } from '../src/client';
import { PROVIDER_ADDRESS } from '../src/provider/about';
import { startHttpStateBackend, type HttpStateBackend } from '../test/support/http-state-backend';
import { platform, terraformBinary } from '../test/support/terraform';
import { upstreamMirror } from '../test/support/upstream-mirror';
import { computingOfChildren, median, race, type Medians } from './measure';
import { PROVIDER_FOLDER, PROVIDER_VERSION } from './provider';
import {
  nullResource,
  Stack,
  terraformData,
  upstream,
  vaultadmin,
  vaultadminOnNode,
  type StackKind,
} from './terraform-stacks';

/**
 * Node reads NODE_EXTRA_CA_CERTS at every start, which would double the time of each of our
 * processes.
 */
const UNWANTED = /^(TF_|VAULT|NODE_EXTRA_CA_CERTS$)/;

/** The parameters of an apply that creates policies on a server with latency. */
const FAR = { latencyMs: 20, count: 2_000, mostRounds: 2 };

/**
 * The rounds for the plan of one policy: it takes so little time that single runs differ by a
 * tenth.
 */
const PLAN_ONE_ROUNDS = 25;

/**
 * The results of the races of Terraform runs. `upstream` and `nullResource` take part if their
 * mirrors are available.
 */
export interface TerraformMedians {
  readonly planOne: Medians;
  readonly planNew: Medians;
  readonly apply: Medians;
  readonly replan: Medians;
  /** The computing time of Terraform and providers. */
  readonly replanComputing: Medians;
  readonly farApply: Medians;
}

/**
 * Measures plans and applies of policies on the emulator, with the state in an `http` backend, for
 * each kind.
 *
 * @param executable the folder of the executable.
 */
export async function raceTerraform(
  rounds: number,
  count: number,
  executable: string,
): Promise<TerraformMedians> {
  const track = await Track.prepare(executable);
  try {
    const onServer = [vaultadmin, ...(track.mirrors.vault ? [upstream] : [])];
    const kinds = [terraformData, ...(track.mirrors.null ? [nullResource] : []), ...onServer];
    const single = await Promise.all([...kinds, vaultadminOnNode].map((kind) => track.lane(kind, 1)));
    const many = await Promise.all(kinds.map((kind) => track.lane(kind, count)));
    const together = (
      lanes: readonly Lane[],
      run: (lane: Lane) => Promise<void>,
      prepare?: (lane: Lane) => Promise<void>,
      times = rounds,
    ) =>
      race(
        times,
        lanes.map((lane) => ({
          name: lane.kind.name,
          run: () => run(lane),
          prepare: prepare && (() => prepare(lane)),
        })),
      );

    const planOne = await together(
      single,
      ({ stack }) => stack.plan(),
      undefined,
      Math.max(rounds, PLAN_ONE_ROUNDS),
    );
    const planNew = await together(many, ({ stack }) => stack.plan());
    const apply = await together(many, ({ stack }) => stack.apply(), track.empty);
    const computing: Record<string, number[]> = {};
    const replan = await together(many, async ({ stack, kind }) => {
      const before = computingOfChildren();
      await stack.replan();
      (computing[kind.name] ??= []).push(computingOfChildren() - before);
    });
    const replanComputing = Object.fromEntries(
      Object.entries(computing).map(([name, times]) => [name, median(times)]),
    );
    const far = await Promise.all(onServer.map((kind) => track.lane(kind, FAR.count)));
    const farApply = await together(
      far,
      ({ stack }) => track.fromAfar(FAR.latencyMs, stack.apply),
      track.empty,
      Math.min(rounds, FAR.mostRounds),
    );
    return { planOne, planNew, apply, replan, replanComputing, farApply };
  } finally {
    await track.clear();
  }
}

/**
 * Plans one policy.
 *
 * @param executable the folder of the executable.
 * @param environment more variables of Terraform and the provider.
 */
export async function planOne(executable: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const track = await Track.prepare(executable, environment);
  try {
    await (await track.lane(vaultadmin, 1)).stack.plan();
  } finally {
    await track.clear();
  }
}

interface Lane {
  readonly kind: StackKind;
  readonly stack: Stack;
  readonly state: HttpStateBackend;
}

/** The parts that all lanes share: a server, the providers, a folder. */
class Track {
  private readonly backends: HttpStateBackend[] = [];

  private constructor(
    private readonly emulator: Emulator,
    private readonly folder: string,
    /** The mirrors of the compared providers. */
    readonly mirrors: { readonly vault: string | undefined; readonly null: string | undefined },
    private readonly further: NodeJS.ProcessEnv,
  ) {}

  static async prepare(executable: string, environment: NodeJS.ProcessEnv = {}): Promise<Track> {
    const folder = mkdtempSync(join(tmpdir(), 'bench-terraform-'));
    const mirrors = { vault: upstreamMirror(), null: upstreamMirror('null') };
    const track = new Track(await startEmulator(), folder, mirrors, environment);
    track.placeProvider(executable, track.settings(false));
    track.placeProvider(PROVIDER_FOLDER, track.settings(true));
    return track;
  }

  async lane(kind: StackKind, count: number): Promise<Lane> {
    const backend = await startHttpStateBackend();
    this.backends.push(backend);
    const folder = join(this.folder, `${kind.name.replaceAll(' ', '-')}-${count}`);
    const stack = new Stack(terraformBinary(), folder, this.environment(kind), kind, count, backend.block);
    await stack.init();
    return { kind, stack, state: backend };
  }

  /**
   * Removes the state of a lane, and all policies, which have the same names in all lanes:
   * `terraform destroy` would take minutes for thousands of resources.
   */
  empty = async ({ state }: Lane): Promise<void> => {
    await fetch(state.address, { method: 'DELETE' });
    const { address, rootToken } = this.emulator.clusters.default!;
    const client = new VaultClient({ address, token: rootToken });
    try {
      const { keys } = (await client.policies.acl.list()).data;
      const names = keys.filter((name) => /^p\d+$/.test(name));
      await Promise.all(names.map((name) => client.policies.acl.delete(name)));
    } finally {
      await client.close();
    }
  };

  /** Runs a function while all answers of the server are delayed. */
  async fromAfar(latencyMs: number, run: () => Promise<void>): Promise<void> {
    this.emulator.faults.inject({ latencyMs });
    try {
      await run();
    } finally {
      this.emulator.faults.clear();
    }
  }

  async clear(): Promise<void> {
    await Promise.all(this.backends.map((backend) => backend.close()));
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Places one form of the provider in a mirror, and writes the settings that name it. */
  private placeProvider(form: string, settings: string): void {
    const mirror = `${settings}-mirror`;
    const place = join(mirror, ...PROVIDER_ADDRESS.split('/'), PROVIDER_VERSION, platform());
    cpSync(form, place, { recursive: true });
    const mirrors = [
      mirrorBlock(mirror, PROVIDER_ADDRESS),
      ...Object.entries(this.mirrors).flatMap(([name, folder]) =>
        folder ? [mirrorBlock(folder, `hashicorp/${name}`)] : [],
      ),
    ];
    writeFileSync(settings, `provider_installation {\n${mirrors.join('')}}\n`);
  }

  private settings(onNode: boolean): string {
    return join(this.folder, onNode ? 'node.tfrc' : 'executable.tfrc');
  }

  private environment({ onNode = false }: StackKind): NodeJS.ProcessEnv {
    const { address, rootToken } = this.emulator.clusters.default!;
    const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
    return {
      ...Object.fromEntries(inherited),
      TF_CLI_CONFIG_FILE: this.settings(onNode),
      CHECKPOINT_DISABLE: '1',
      VAULT_ADDR: address,
      VAULT_TOKEN: rootToken,
      ...this.further,
    };
  }
}

function mirrorBlock(path: string, include: string): string {
  return `  filesystem_mirror {\n    path    = ${JSON.stringify(path)}\n    include = ["${include}"]\n  }\n`;
}
