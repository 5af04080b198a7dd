import { TerraformVariable, Token } from 'cdktf';
import {
  AclPolicy,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
} from '../../../constructs';
import { onlyResource, synthesize } from '../support/synthesize';

const TEXT = 'import "time"\n\nmain = rule {\n  time.now.hour >= 9\n}\n';
const document = SentinelDocument.fromText(TEXT);

test('a policy may use the Sentinel of its server', () => {
  const declare = (serverVersion: string, text: string) => () =>
    synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', serverVersion });
      const enforcementLevel = EnforcementLevel.ADVISORY;
      new RgpPolicy(scope, 'Hours', { cluster, document: SentinelDocument.fromText(text), enforcementLevel });
    });
  const defined = 'main = rule { request.data.x is defined }';
  expect(declare('1.13', defined)).toThrow(
    'RGP policy "stack-hours": document is too new for the server: "is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 at most (line 1, column 15)',
  );
  expect(declare('1.14', defined)).not.toThrow();
  expect(declare('1.13', 'main = rule { true }')).not.toThrow();
  expect(declare('yesterday', defined)).toThrow(
    'Vault cluster: serverVersion is "yesterday"; allowed: 1.11 or later; write for example "1.16"',
  );
});

describe.each([
  { kind: ResourceProvider.UPSTREAM, prefix: 'vault', provider: 'vault.us', cluster: {} },
  {
    kind: ResourceProvider.VAULTADMIN,
    prefix: 'vaultadmin',
    provider: 'vaultadmin',
    cluster: { cluster: 'us' },
  },
])('a Sentinel policy with resources of $kind', ({ kind, prefix, provider, cluster: clusterArgument }) => {
  test('an RGP becomes one resource', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resourceProvider: kind });
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

  test('an EGP becomes one resource', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us', resourceProvider: kind });
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

  test('references in text, level and paths are passed to Terraform', () => {
    const stack = synthesize((scope) => {
      const value = (name: string, type: string) => new TerraformVariable(scope, name, { type });
      new EgpPolicy(scope, 'P', {
        cluster: new VaultCluster(scope, 'Cluster', { resourceProvider: kind }),
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

test('imported policies have their names', () => {
  const stack = synthesize((scope) => {
    expect(RgpPolicy.fromPolicyName(scope, 'Rgp', 'business-hours').policyName).toBe('business-hours');
    expect(EgpPolicy.fromPolicyName(scope, 'Egp', 'break-glass').policyName).toBe('break-glass');
  });
  expect(stack.resource).toBeUndefined();
});

describe("a hard-mandatory EGP of hashicorp/vault that refuses Terraform's own requests", () => {
  const build = (text: string, props: object = {}, resources = ResourceProvider.UPSTREAM) =>
    synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: resources });
      new AclPolicy(scope, 'Ops', {
        cluster,
        policyName: 'ops',
        document: PolicyDocument.fromText('path "a" { capabilities = ["read"] }'),
      });
      new EgpPolicy(scope, 'Guard', {
        cluster,
        policyName: 'guard',
        document: SentinelDocument.fromText(text),
        enforcementLevel: EnforcementLevel.HARD_MANDATORY,
        paths: ['sys/*', 'auth/*'],
        ...props,
      });
    });
  const DENIES_OPS =
    'main = rule when request.path is "sys/policies/acl/ops" { request.operation is "read" }';

  test('the policy is an error that names the requests', () => {
    expect(() => build(DENIES_OPS)).toThrow(
      'EGP policy "guard" refuses requests from Terraform itself: update sys/policies/acl/ops, delete sys/policies/acl/ops; ' +
        'once the policy is in force, this app can no longer change it; allow them in the policy, start with ' +
        'EnforcementLevel.ADVISORY, or, if this is intended or Terraform has a root token, confirm it with confirmLockOut: "guard"',
    );
    expect(() => build('main = false')).toThrow('read auth/token/lookup-self, update auth/token/create, ');
  });

  test.each<[string, string, object]>([
    ['confirmed by name', DENIES_OPS, { confirmLockOut: 'guard' }],
    ['advisory', DENIES_OPS, { enforcementLevel: EnforcementLevel.ADVISORY }],
    ['on other paths', DENIES_OPS, { paths: ['secret/*'] }],
    ['in another namespace', DENIES_OPS, { namespace: 'team', paths: ['sys/policies/acl/*'] }],
    ['about the token, which is unknown at synthesis', 'main = rule { token.display_name is "ops" }', {}],
  ])('the policy is no error if it is %s', (_what, text, props) => {
    expect(() => build(text, props)).not.toThrow();
  });

  test('the policy is no error before the plan with vaultadmin, and the provider gets the confirmation', () => {
    expect(() => build(DENIES_OPS, {}, ResourceProvider.VAULTADMIN)).not.toThrow();
    const stack = build(DENIES_OPS, { confirmLockOut: 'guard' }, ResourceProvider.VAULTADMIN);
    expect(onlyResource(stack, 'vaultadmin_egp_policy')).toMatchObject({ confirm_lock_out: 'guard' });
  });
});
