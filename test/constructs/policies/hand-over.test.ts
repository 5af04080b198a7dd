import type { TerraformStack } from 'cdktf';
import {
  AclPolicy,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  ResourceProvider,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  VaultSecret,
} from '../../../constructs';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { Workspace } from '../../support/terraform';
import { synthesizeInto } from '../support/stack-workspace';
import { synthesize } from '../support/synthesize';

const document = PolicyDocument.fromText('path "secret/*" {\n  capabilities = ["read"]\n}\n');

describe('a policy that moves from one stack to another', () => {
  let emulator: Emulator;
  let workspaces: readonly Workspace[];

  beforeEach(async () => {
    emulator = await startEmulator({ clusters: { us: 0 } });
    workspaces = [new Workspace({}), new Workspace({})];
  });
  afterEach(async () => {
    await Promise.all(workspaces.map((workspace) => workspace.dispose()));
    await emulator.close();
  });

  const write = (workspace: Workspace, build: (stack: TerraformStack, cluster: VaultCluster) => void) =>
    synthesizeInto(workspace, (stack) => {
      const { address, rootToken } = emulator.clusters.us!;
      const resourceProvider = ResourceProvider.VAULTADMIN;
      const token = VaultSecret.fromVariable('token');
      const cluster = new VaultCluster(stack, 'us', { name: 'us', address, token, resourceProvider });
      build(stack, cluster);
      workspace.write('terraform.tfvars.json', { token: rootToken });
    });

  test('the new stack imports the policy, and the plan of the old stack warns until that stack releases it', async () => {
    const [old, next] = workspaces as [Workspace, Workspace];
    const policy = (cluster: VaultCluster) => ({ cluster, policyName: 'ops', document });
    const stays = (stack: TerraformStack, cluster: VaultCluster) =>
      new AclPolicy(stack, 'Stays', { ...policy(cluster), policyName: 'stays' });
    write(old, (stack, cluster) => {
      stays(stack, cluster);
      new AclPolicy(stack, 'Ops', policy(cluster));
    });
    await old.init();
    await old.apply();

    write(next, (stack, cluster) => new AclPolicy(stack, 'Operators', policy(cluster)).takeOver());
    await next.init();
    expect((await next.apply()).stdout).toContain('1 imported, 0 added, 0 changed, 0 destroyed');

    write(old, stays);
    const { stdout } = await old.run('plan', '-input=false', '-no-color');
    expect(stdout).toContain('Warning: objects will be deleted, also if another stack has taken them over');
    expect(stdout).toContain('from = vaultadmin_acl_policy.NAME');

    write(old, (stack, cluster) => {
      stays(stack, cluster);
      AclPolicy.release(stack, 'Ops', cluster);
    });
    const released = await old.apply();
    expect(released.stdout).not.toContain('objects will be deleted');
    expect(released.stdout).toContain('0 added, 0 changed, 0 destroyed');
    expect(Object.keys(await old.state())).toEqual(['vaultadmin_acl_policy.Stays']);
    for (const workspace of workspaces) {
      const { resource_changes: changes = [] } = await workspace.plan();
      expect(changes.map(({ change }) => change.actions)).toEqual([['no-op']]);
    }
  });
});

test.each([
  [ResourceProvider.VAULTADMIN, 'vaultadmin_acl_policy', 'vaultadmin', 'us/team//'],
  [ResourceProvider.UPSTREAM, 'vault_policy', 'vault', ''],
])(
  'with resources of %s, policies of every kind are released and imported',
  (resourceProvider, acl, prefix, at) => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resourceProvider });
      AclPolicy.release(scope, 'A', cluster);
      RgpPolicy.release(scope, 'B', cluster);
      EgpPolicy.release(scope, 'C', cluster);
      const common = { cluster, namespace: 'team' };
      const sentinel = {
        ...common,
        document: SentinelDocument.fromText('main = rule { true }'),
        enforcementLevel: EnforcementLevel.ADVISORY,
      };
      new AclPolicy(scope, 'D', { ...common, document, policyName: 'd' }).takeOver();
      new RgpPolicy(scope, 'E', { ...sentinel, policyName: 'e' }).takeOver();
      new EgpPolicy(scope, 'F', { ...sentinel, policyName: 'f', paths: ['secret/*'] }).takeOver();
    });
    const types = [acl, `${prefix}_rgp_policy`, `${prefix}_egp_policy`];
    expect(stack.removed).toEqual(
      types.map((type, index) => ({ from: `${type}.${'ABC'[index]}`, lifecycle: { destroy: false } })),
    );
    expect(stack.import).toEqual(
      types.map((type, index) => ({ to: `${type}.${'DEF'[index]}`, id: `${at}${'def'[index]}` })),
    );
  },
);
