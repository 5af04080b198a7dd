import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  AutoSnapshot,
  Duration,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
} from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { Workspace } from '../../support/terraform';
import { EXAMPLE, github } from './support/pipelines';
import { toolsOf } from './support/runner';
import { shell } from './support/shell';

const HOUR = 3_600_000;

let emulator: Emulator;
let workspace: Workspace;
let snapshots: string;
let tools: string;

beforeEach(async () => {
  emulator = await startEmulator();
  emulator.clock.freeze();
  workspace = new Workspace({ env: server() });
  snapshots = join(workspace.home, 'snapshots');
  mkdirSync(snapshots);
  tools = toolsOf(workspace.home);
});
afterEach(async () => {
  await workspace.dispose();
  await emulator.close();
});

function server(): Record<'VAULT_ADDR' | 'VAULT_TOKEN', string> {
  const { address, rootToken } = emulator.clusters.default as RunningCluster;
  return { VAULT_ADDR: address, VAULT_TOKEN: rootToken };
}

/** Deploys a stack with a health check, whose plan is never empty. */
async function deploy(): Promise<void> {
  const outdir = join(workspace.home, 'synthesized', 'cdktf.out', 'dev');
  mkdirSync(join(outdir, '..'), { recursive: true });
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'watched');
  const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
  const hourly = new AutoSnapshot(stack, 'Hourly', {
    cluster,
    snapshotName: 'hourly',
    interval: Duration.hours(1),
    pathPrefix: snapshots,
    storage: SnapshotStorage.local({ maxSpace: Size.bytes(20_000_000) }),
  });
  hourly.addHealthCheck();
  app.synth();
  const folder = join(outdir, 'stacks', 'watched');
  cpSync(folder, workspace.folder, { recursive: true });
  await workspace.init();
  await workspace.apply();
  rmSync(folder, { recursive: true });
  cpSync(workspace.folder, folder, { recursive: true, verbatimSymlinks: true });
  copyFileSync(join(EXAMPLE, 'stacks.mjs'), join(workspace.home, 'stacks.mjs'));
}

async function pass(hours: number): Promise<void> {
  emulator.clock.advance(hours * HOUR);
  await emulator.clock.settled();
}

/**
 * Runs the last step of the scheduled job, in the folder of the repository. Returns its exit code.
 */
async function watch(): Promise<number> {
  const last = github
    .jobsFor('schedule', {})
    .find(({ name }) => name === 'watch (dev)')!
    .steps.at(-1);
  const command = last?.kind === 'run' ? last.command : '';
  const env = { ...server(), PATH: tools, HOME: workspace.home, ENVIRONMENT: 'dev' };
  return (await shell(command, workspace.home, env)).code;
}

test('the scheduled job fails exactly if a health check fails or an object was changed by hand', async () => {
  await deploy();
  await pass(2);
  expect(await watch()).toBe(0);

  rmSync(snapshots, { recursive: true });
  writeFileSync(snapshots, 'in the way');
  await pass(5);
  expect(await watch()).toBe(1);

  rmSync(snapshots);
  mkdirSync(snapshots);
  await pass(1);
  expect(await watch()).toBe(0);
  const { VAULT_ADDR, VAULT_TOKEN } = server();
  const config = {
    interval: '2h',
    storage_type: 'local',
    path_prefix: snapshots,
    local_max_space: 20_000_000,
  };
  await new Api(VAULT_ADDR, VAULT_TOKEN).put('sys/storage/raft/snapshot-auto/config/hourly', config);
  expect(await watch()).toBe(1);
});
