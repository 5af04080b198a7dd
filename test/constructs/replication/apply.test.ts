import { PathsFilter, PerfReplicationPair, VaultCluster, VaultSecret } from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Canaries } from '../../support/canaries';
import { Workspace } from '../../support/terraform';
import { synthesizeInto } from '../support/stack-workspace';

let emulator: Emulator;
let workspace: Workspace;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, unavailableMs: 0 });
  workspace = new Workspace({});
});
afterEach(async () => {
  await workspace.dispose();
  await emulator.close();
});

const cluster = (name: string) => emulator.clusters[name] as RunningCluster;

async function status(name: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${cluster(name).address}/v1/sys/replication/performance/status`);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

test('a declared pair replicates, has no further changes, and is protected', async () => {
  synthesizeInto(workspace, (stack) => {
    const clusters = ['us', 'eu'].map((name) => {
      const token = VaultSecret.fromVariable(`${name}_token`);
      return new VaultCluster(stack, name, { name, address: cluster(name).address, token });
    });
    const [primary] = clusters as [VaultCluster];
    const pathsFilters = { eu: PathsFilter.deny(['us-only/']) };
    new PerfReplicationPair(stack, 'Pair', { clusters, primary, pathsFilters });
  });
  const tokens = { us_token: cluster('us').rootToken, eu_token: cluster('eu').rootToken };
  const canaries = new Canaries(workspace, tokens);

  await workspace.init();
  expect(await canaries.run('apply', '-auto-approve', '-input=false')).toMatchObject({ code: 0 });
  expect(await status('us')).toMatchObject({ mode: 'primary', known_secondaries: ['eu'] });
  expect(await status('eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals', secondary_id: 'eu' });
  expect(await canaries.run('plan', '-detailed-exitcode', '-input=false')).toMatchObject({ code: 0 });

  const refused = await canaries.run('destroy', '-auto-approve', '-input=false');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('is protected from deletion');
  expect(await status('us')).toMatchObject({ mode: 'primary' });

  expect(canaries.sightings()).toEqual([]);
});
