import { TerraformVariable, Token } from 'cdktf';
import {
  EgpPolicy,
  EnforcementLevel,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  VaultResources,
} from '../../../constructs';
import { onlyResource, synthesize } from '../support/synthesize';

const TEXT = 'import "time"\n\nmain = rule {\n  time.now.hour >= 9\n}\n';
const document = SentinelDocument.fromText(TEXT);

describe.each([
  { kind: VaultResources.UPSTREAM, prefix: 'vault', provider: 'vault.us', cluster: {} },
  {
    kind: VaultResources.VAULTADMIN,
    prefix: 'vaultadmin',
    provider: 'vaultadmin',
    cluster: { cluster: 'us' },
  },
])('with resources of $kind', ({ kind, prefix, provider, cluster: clusterArgument }) => {
  test('an RGP policy becomes one resource', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resources: kind });
      const policy = new RgpPolicy(scope, 'BusinessHours', {
        cluster,
        policyName: 'business-hours',
        namespace: 'team',
        document,
        enforcementLevel: EnforcementLevel.SOFT_MANDATORY,
      });
      expect(policy.node.defaultChild).toBe(policy.resource);
    });
    expect(onlyResource(stack, `${prefix}_rgp_policy`)).toEqual({
      ...clusterArgument,
      provider,
      name: 'business-hours',
      namespace: 'team',
      policy: TEXT,
      enforcement_level: 'soft-mandatory',
    });
  });

  test('an EGP policy becomes one resource', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resources: kind });
      const policy = new EgpPolicy(scope, 'BusinessHours', {
        cluster,
        policyName: 'business-hours',
        document,
        enforcementLevel: EnforcementLevel.HARD_MANDATORY,
        paths: ['secret/*', 'sys/mounts'],
      });
      expect(policy.node.defaultChild).toBe(policy.resource);
    });
    expect(onlyResource(stack, `${prefix}_egp_policy`)).toEqual({
      ...clusterArgument,
      provider,
      name: 'business-hours',
      policy: TEXT,
      enforcement_level: 'hard-mandatory',
      paths: ['secret/*', 'sys/mounts'],
    });
  });

  test('references get to Terraform: text, level and paths', () => {
    const stack = synthesize((scope) => {
      const value = (name: string, type: string) => new TerraformVariable(scope, name, { type });
      new EgpPolicy(scope, 'P', {
        cluster: new VaultCluster(scope, 'Cluster', { resources: kind }),
        document: SentinelDocument.fromText(`${value('header', 'string').stringValue}\n${TEXT}`),
        enforcementLevel: value('level', 'string').stringValue as EnforcementLevel,
        paths: Token.asList(value('paths', 'list(string)').value),
      });
    });
    expect(onlyResource(stack, `${prefix}_egp_policy`)).toMatchObject({
      policy: `\${var.header}\n${TEXT}`,
      enforcement_level: '${var.level}',
      paths: '${var.paths}',
    });
  });
});

test('policies that are there already are referred to by their names', () => {
  const stack = synthesize((scope) => {
    expect(RgpPolicy.fromPolicyName(scope, 'Rgp', 'business-hours').policyName).toBe('business-hours');
    expect(EgpPolicy.fromPolicyName(scope, 'Egp', 'break-glass').policyName).toBe('break-glass');
  });
  expect(stack.resource).toBeUndefined();
});
