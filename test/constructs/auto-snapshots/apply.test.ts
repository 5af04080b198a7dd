import { readdirSync, rmSync } from 'node:fs';
import {
  AutoSnapshot,
  AzureAuthMode,
  Duration,
  S3Encryption,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Canaries } from '../../support/canaries';
import { Workspace } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { serveProvider, type ServedProvider } from '../../support/served-provider';
import { temporaryFolder } from '../../support/temporary-folder';
import { mirrorSettings, PLACED_PROVIDERS, synthesizeInto } from '../support/stack-workspace';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const switches = [ResourceProvider.VAULTADMIN, ...(mirror ? [ResourceProvider.UPSTREAM] : [])];

let emulator: Emulator;
let us: RunningCluster;
let provider: ServedProvider;
let workspace: Workspace;
let folder: string;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  us = emulator.clusters.us as RunningCluster;
  folder = temporaryFolder('snapshots');
  provider = await serveProvider({ VAULT_ADDR: us.address, VAULT_TOKEN: us.rootToken });
  workspace = new Workspace({
    files: mirror ? { 'settings.tfrc': mirrorSettings(mirror, PLACED_PROVIDERS) } : {},
    env: provider.env,
  });
});
afterEach(async () => {
  await workspace.dispose();
  await provider.close();
  await emulator.close();
});

async function pass(seconds: number): Promise<void> {
  emulator.clock.advance(seconds * 1000);
  await emulator.clock.settled();
}

describe.each(switches)('an app with resources of %s, through the real terraform', (resources) => {
  const env: Record<string, string> =
    resources === ResourceProvider.UPSTREAM ? { TF_CLI_CONFIG_FILE: 'settings.tfrc' } : {};
  const run = async (...args: string[]) => {
    const result = await workspace.runWith(env, ...args);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result.stdout;
  };

  test('snapshots are taken and checked, and a failure is reported', async () => {
    emulator.clock.freeze();
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: resources });
      const hourly = new AutoSnapshot(stack, 'Hourly', {
        cluster,
        snapshotName: 'hourly',
        interval: Duration.hours(1),
        pathPrefix: folder,
        retain: 2,
        storage: SnapshotStorage.local({ maxSpace: Size.bytes(200_000) }),
      });
      hourly.addHealthCheck();
    });
    await run('init', '-upgrade', '-no-color');
    await run('validate', '-no-color');
    await run('apply', '-auto-approve', '-no-color');
    expect(await read('config/hourly')).toMatchObject({
      interval: 3600,
      retain: 2,
      local_max_space: 200_000,
    });

    await pass(3 * 3600);
    expect(readdirSync(folder)).toHaveLength(2);
    const healthy = await run('plan', '-no-color');
    expect(healthy).toContain('Plan: 0 to add, 0 to change, 0 to destroy.');
    expect(healthy).not.toContain('Warning');

    rmSync(folder, { recursive: true });
    await pass(3600);
    const failing = await run('plan', '-no-color');
    expect(failing).toContain('Warning: Check block assertion failed');
    expect(failing.replace(/\s+/g, ' ')).toContain(
      'automated snapshot "hourly" is not healthy: the last attempt failed',
    );

    await run('destroy', '-auto-approve', '-no-color');
    expect(await read('config/hourly')).toBeUndefined();
  });
});

test.each(switches)(
  'with resources of %s, the provider accepts every argument of a storage',
  async (resources) => {
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: resources });
      const secret = VaultSecret.fromVariable('secret');
      // hashicorp/vault would store this secret in the state, so the constructs refuse it there.
      const otherSecret = resources === ResourceProvider.VAULTADMIN ? secret : undefined;
      const storages = {
        local: SnapshotStorage.local({ maxSpace: Size.bytes(1) }),
        s3: SnapshotStorage.s3({
          bucket: 'b',
          region: 'r',
          accessKeyId: 'a',
          secretAccessKey: secret,
          sessionToken: otherSecret,
          endpoint: 'e',
          disableTls: true,
          forcePathStyle: true,
          encryption: S3Encryption.kms('k'),
          autoload: false,
        }),
        azureBlob: SnapshotStorage.azureBlob({
          container: 'c',
          accountName: 'a',
          accountKey: otherSecret,
          environment: 'AZUREPUBLICCLOUD',
          endpoint: 'e',
          authMode: AzureAuthMode.MANAGED,
          clientId: 'c',
          autoload: false,
        }),
        gcs: SnapshotStorage.gcs({
          bucket: 'b',
          serviceAccountKey: otherSecret,
          endpoint: 'e',
          disableTls: true,
          autoload: false,
        }),
      };
      for (const [id, storage] of Object.entries(storages)) {
        const interval = Duration.hours(1);
        new AutoSnapshot(stack, id, { cluster, interval, pathPrefix: 'p/', storage }).addHealthCheck({
          maxIntervals: 3,
          maxErrors: 1,
        });
      }
    });
    const env: Record<string, string> =
      resources === ResourceProvider.UPSTREAM ? { TF_CLI_CONFIG_FILE: 'settings.tfrc' } : {};
    for (const args of [['init', '-upgrade'], ['validate']]) {
      expect(await workspace.runWith(env, ...args, '-no-color')).toMatchObject({ code: 0, stderr: '' });
    }
  },
);

test.each(switches)(
  'with resources of %s, a secret is not stored, and is rotated by its version',
  async (resources) => {
    const synthesize = (secretsVersion: number) =>
      synthesizeInto(workspace, (stack) => {
        const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: resources });
        new AutoSnapshot(stack, 'Offsite', {
          cluster,
          snapshotName: 'offsite',
          interval: Duration.hours(24),
          pathPrefix: 'us/',
          storage: SnapshotStorage.s3({
            bucket: 'backups',
            region: 'eu-west-1',
            accessKeyId: 'AKIAEXAMPLE',
            secretAccessKey: VaultSecret.fromVariable('s3_key'),
            secretsVersion,
          }),
        });
      });
    if (mirror && resources === ResourceProvider.UPSTREAM) {
      workspace.write('upstream.tfrc', mirrorSettings(mirror));
      workspace.env.TF_CLI_CONFIG_FILE = 'upstream.tfrc';
    }
    const canaries = new Canaries(workspace, { s3_key: 'canary-s3-key-1' });
    const succeed = async (...args: string[]) => {
      const result = await canaries.run(...args);
      expect(result).toMatchObject({ code: 0 });
      return result.stdout;
    };
    synthesize(1);
    await workspace.must('init', '-no-color');
    await succeed('apply', '-auto-approve', '-no-color');
    expect(await read('config/offsite')).toMatchObject({ aws_secret_access_key: 'canary-s3-key-1' });
    expect(await succeed('plan', '-detailed-exitcode', '-no-color')).toContain('No changes.');

    canaries.plant({ s3_key: 'canary-s3-key-2' });
    synthesize(2);
    await succeed('plan', '-out=rotation.tfplan', '-no-color');
    await succeed('show', '-json', 'rotation.tfplan');
    await succeed('apply', '-no-color', 'rotation.tfplan');
    expect(await read('config/offsite')).toMatchObject({ aws_secret_access_key: 'canary-s3-key-2' });
    expect(await succeed('plan', '-detailed-exitcode', '-no-color')).toContain('No changes.');
    expect(canaries.sightings()).toEqual([]);
  },
);

async function read(path: string): Promise<unknown> {
  const response = await fetch(`${us.address}/v1/sys/storage/raft/snapshot-auto/${path}`, {
    headers: { 'X-Vault-Token': us.rootToken },
  });
  if (response.status === 404) return undefined;
  return ((await response.json()) as { data: unknown }).data;
}
