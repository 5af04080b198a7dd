import { join } from 'node:path';
import type { TerraformStack } from 'cdktf';
import {
  AclPolicy,
  AuditDevice,
  AuditLog,
  AutoSnapshot,
  Duration,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  RgpPolicy,
  SentinelDocument,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  type VaultClusterProps,
} from '../../../constructs';
import { startEmulator } from '../../../src/emulator';
import { actions, Workspace } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { mirrorSettings, PLACED_PROVIDERS, synthesizeInto } from '../support/stack-workspace';
import { synthesize } from '../support/synthesize';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const testWithUpstream = mirror ? test : test.skip;

const acl = (policyName: string) => ({
  policyName,
  document: PolicyDocument.fromText('path "secret/*" { capabilities = ["read"] }'),
});

function everything(props: VaultClusterProps) {
  return (stack: TerraformStack): void => {
    const cluster = new VaultCluster(stack, 'Cluster', props);
    const sentinel = {
      cluster,
      document: SentinelDocument.fromText('main = rule { true }'),
      enforcementLevel: EnforcementLevel.ADVISORY,
    };
    new AclPolicy(stack, 'A', { cluster, ...acl('a') });
    new RgpPolicy(stack, 'B', { ...sentinel, policyName: 'b' });
    new EgpPolicy(stack, 'C', { ...sentinel, policyName: 'c', paths: ['kv/*'] });
    new AutoSnapshot(stack, 'D', {
      cluster,
      snapshotName: 'd',
      interval: Duration.hours(1),
      pathPrefix: '/snapshots',
      storage: SnapshotStorage.local({ maxSpace: Size.gibibytes(1) }),
    });
    new AuditDevice(stack, 'E', {
      cluster,
      path: 'log',
      description: 'for tests',
      log: AuditLog.file({ filePath: 'discard' }),
    });
  };
}

function movedOf(build: (stack: TerraformStack) => void): unknown {
  return (synthesize(build) as { readonly moved?: unknown }).moved;
}

test('each resource of vaultadmin has a moved block that names the resource of hashicorp/vault', () => {
  expect(movedOf(everything({ resourceProvider: ResourceProvider.VAULTADMIN }))).toEqual([
    { from: 'vault_policy.A', to: 'vaultadmin_acl_policy.A' },
    { from: 'vault_rgp_policy.B', to: 'vaultadmin_rgp_policy.B' },
    { from: 'vault_egp_policy.C', to: 'vaultadmin_egp_policy.C' },
    { from: 'vault_raft_snapshot_agent_config.D', to: 'vaultadmin_auto_snapshot.D' },
    { from: 'vault_audit.E', to: 'vaultadmin_audit_device.E' },
  ]);
});

test.each<VaultClusterProps>([
  { resourceProvider: ResourceProvider.VAULTADMIN, moveFromUpstream: false },
  { resourceProvider: ResourceProvider.UPSTREAM },
])('resources with %j have no moved block', (props) => {
  expect(movedOf(everything(props))).toBeUndefined();
});

test('a resource that the app moves keeps the block of the app, and a renamed one has its new name in its block', () => {
  const moved = movedOf((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
    new AclPolicy(stack, 'New', { cluster, ...acl('a') }).resource.moveFromId('vaultadmin_acl_policy.Old');
    new AclPolicy(stack, 'Named', { cluster, ...acl('b') }).resource.overrideLogicalId('other');
    const target = new AclPolicy(stack, 'Target', { cluster, ...acl('c') });
    target.resource.addMoveTarget('target');
    new AclPolicy(stack, 'Source', { cluster, ...acl('d') }).resource.moveTo('target');
  });
  expect(moved).toEqual([
    { from: 'vaultadmin_acl_policy.Old', to: 'vaultadmin_acl_policy.New' },
    { from: 'vault_policy.other', to: 'vaultadmin_acl_policy.other' },
    { from: 'vaultadmin_acl_policy.Source', to: 'vaultadmin_acl_policy.Target' },
  ]);
});

testWithUpstream(
  'a switch from hashicorp/vault to vaultadmin changes only the state, and nothing on the server',
  async () => {
    const emulator = await startEmulator({ rootToken: 'root' });
    const { address } = emulator.clusters.default;
    const workspace = new Workspace({
      files: {
        'settings.tfrc': mirrorSettings(mirror!, PLACED_PROVIDERS),
        [join(PLACED_PROVIDERS, '.keep')]: '',
      },
      env: { VAULT_ADDR: address, VAULT_TOKEN: 'root', TF_CLI_CONFIG_FILE: 'settings.tfrc' },
    });
    try {
      synthesizeInto(workspace, everything({ resourceProvider: ResourceProvider.UPSTREAM }));
      await workspace.init();
      await workspace.apply();

      synthesizeInto(workspace, everything({ resourceProvider: ResourceProvider.VAULTADMIN }));
      await workspace.init('-upgrade');
      expect(actions(await workspace.plan())).toEqual({
        'vaultadmin_acl_policy.A': 'no-op',
        'vaultadmin_audit_device.E': 'no-op',
        'vaultadmin_auto_snapshot.D': 'no-op',
        'vaultadmin_egp_policy.C': 'no-op',
        'vaultadmin_rgp_policy.B': 'no-op',
      });
      emulator.requests.clear();
      await workspace.apply();
      const writes = emulator.requests
        .list()
        .filter(({ method, path }) => method !== 'GET' && path.startsWith('sys'));
      expect(writes).toEqual([]);
      // The provider hashicorp/vault is no longer needed.
      await workspace.init();
      expect(Object.values(actions(await workspace.plan()))).toEqual(Array(5).fill('no-op'));
    } finally {
      await workspace.dispose();
      await emulator.close();
    }
  },
);
