import { AclPolicy, PolicyDocument, VaultCluster, ResourceProvider } from '../../../constructs';
import { AclPolicy as OwnPolicy } from '../../../constructs/generated/providers/vaultadmin/acl-policy';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Workspace } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { mirrorSettings, PLACED_PROVIDERS, synthesizeInto } from '../support/stack-workspace';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const testWithUpstream = mirror ? test : test.skip;

const POLICY = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';

let emulator: Emulator;
let workspace: Workspace;
beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, rootToken: 'root' });
  workspace = new Workspace({
    files: mirror ? { 'settings.tfrc': mirrorSettings(mirror, PLACED_PROVIDERS) } : {},
    env: { VAULT_ADDR: addressOf('us'), VAULT_TOKEN: 'root', TF_CLI_CONFIG_FILE: 'settings.tfrc' },
  });
});
afterEach(async () => {
  await workspace.dispose();
  await emulator.close();
});

function addressOf(name: 'us' | 'eu'): string {
  return (emulator.clusters[name] as RunningCluster).address;
}

async function policiesOn(name: 'us' | 'eu'): Promise<readonly string[]> {
  const response = await fetch(`${addressOf(name)}/v1/sys/policies/acl?list=true`, {
    headers: { 'X-Vault-Token': 'root' },
  });
  return ((await response.json()) as { data: { keys: string[] } }).data.keys;
}

testWithUpstream(
  'two providers of one cluster write to the same server, and are refused if their settings differ',
  async () => {
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Us', { name: 'us' });
      const document = PolicyDocument.fromText(POLICY);
      new AclPolicy(stack, 'Theirs', { cluster, policyName: 'theirs', document });
      const provider = cluster.providerFor(stack, ResourceProvider.VAULTADMIN);
      new OwnPolicy(stack, 'Ours', { provider, cluster: 'us', name: 'ours', policy: POLICY });
    });
    await workspace.init();
    const apply = ['apply', '-auto-approve', '-input=false', '-no-color'];

    for (const [own, problem] of [
      [{ VAULTADMIN_US_ADDR: addressOf('eu') }, 'VAULTADMIN_US_ADDR differs from VAULT_ADDR'],
      [{ VAULTADMIN_US_NAMESPACE: 'team' }, 'VAULTADMIN_US_NAMESPACE is set, and VAULT_NAMESPACE is not'],
    ] as const) {
      const refused = await workspace.runWith(own, ...apply);
      expect(refused.code).toBe(1);
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(`cluster "us": ${problem}`);
    }
    expect([await policiesOn('us'), await policiesOn('eu')]).toEqual([
      ['default', 'root'],
      ['default', 'root'],
    ]);

    await workspace.must(...apply);
    expect([await policiesOn('us'), await policiesOn('eu')]).toEqual([
      ['default', 'ours', 'theirs', 'root'],
      ['default', 'root'],
    ]);
  },
);

test('the block of vaultadmin has usual_environment if hashicorp/vault uses the same cluster', () => {
  const blocks = (resources: ResourceProvider) => {
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Us', { name: 'us', resourceProvider: resources });
      new AclPolicy(stack, 'P', { cluster, policyName: 'p', document: PolicyDocument.fromText(POLICY) });
      cluster.providerFor(stack, ResourceProvider.VAULTADMIN);
    });
    const stack = JSON.parse(workspace.read('cdk.tf.json')) as { provider: { vaultadmin: unknown } };
    return stack.provider.vaultadmin;
  };
  expect(blocks(ResourceProvider.UPSTREAM)).toEqual([{ clusters: { us: { usual_environment: true } } }]);
  expect(blocks(ResourceProvider.VAULTADMIN)).toEqual([{ clusters: { us: {} } }]);
});
