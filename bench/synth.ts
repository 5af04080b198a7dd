import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { AclPolicy, PolicyDocument, VaultCluster, ResourceProvider } from '../constructs';
import { AclPolicy as AclPolicyL1 } from '../constructs/generated/providers/vaultadmin/acl-policy';
import { VaultadminProvider } from '../constructs/generated/providers/vaultadmin/provider';
import { ACL_POLICY, validate } from '../src/model';
import { race, type Medians } from './measure';

const POLICIES = 5_000;

/**
 * Measures the synthesis of many policies by the constructs, against the same stack by the
 * generated bindings. The difference includes the check of the policies' texts, which is also
 * measured alone.
 */
export async function raceSynth(rounds: number): Promise<Medians> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  const synth = (build: (stack: TerraformStack) => void) => async () => {
    const app = new App({ outdir: join(folder, 'cdktf.out') });
    build(new TerraformStack(app, 'policies'));
    app.synth();
  };
  try {
    return await race(rounds, [
      { name: 'AclPolicy', run: synth(constructs) },
      { name: 'the same L1s', run: synth(bindings) },
      { name: 'checking the texts alone', run: async () => checks() },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function constructs(stack: TerraformStack): void {
  const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
  for (let index = 0; index < POLICIES; index += 1) {
    const document = PolicyDocument.fromText(policy(index));
    new AclPolicy(stack, `Policy${index}`, { cluster, policyName: `policy-${index}`, document });
  }
}

function bindings(stack: TerraformStack): void {
  const provider = new VaultadminProvider(stack, 'Provider');
  for (let index = 0; index < POLICIES; index += 1) {
    const id = `Policy${index}`;
    const resource = new AclPolicyL1(stack, id, { provider, name: `policy-${index}`, policy: policy(index) });
    resource.moveFromId(`vault_policy.${id}`);
  }
}

function checks(): void {
  for (let index = 0; index < POLICIES; index += 1) {
    const [finding] = validate(ACL_POLICY, { name: `policy-${index}`, policy: policy(index) });
    if (finding) throw new Error(`a policy of the benchmark is refused: ${finding.rule}`);
  }
}

function policy(index: number): string {
  return `path "secret/data/team-${index}/*" {\n  capabilities = ["read", "list"]\n}\n`;
}
