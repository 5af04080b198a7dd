import { Fn, TerraformOutput, TerraformResource, TerraformStack, TerraformVariable, Token } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PolicyDocument,
  PolicyStatement,
  UnknownPolicySyntax,
  VaultCluster,
  ResourceProvider,
  type VaultClusterProps,
} from '../../../constructs';
import { patternOf } from '../../../constructs/private/late-rules';
import { onlyResource, resources, synthesize, synthesizeApp, warnings } from '../support/synthesize';

const read = (...paths: string[]) => new PolicyStatement({ paths, capabilities: [Capability.READ] });
const TEXT = 'path "secret/*" { capabilities = ["read"] }';

describe('the resource of an AclPolicy', () => {
  test('the resource belongs to hashicorp/vault', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us' });
      const document = PolicyDocument.fromText(TEXT);
      new AclPolicy(scope, 'Readers', { cluster, policyName: 'readers', namespace: 'team', document });
    });
    expect(stack.resource).toEqual({
      vault_policy: {
        Readers: {
          '//': { metadata: { path: 'stack/Readers/Resource', uniqueId: 'Readers' } },
          provider: 'vault.us',
          name: 'readers',
          namespace: 'team',
          policy: TEXT,
          allow_overwrite: false,
        },
      },
    });
  });

  test('the resource belongs to vaultadmin, with the cluster', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', {
        name: 'us',
        resourceProvider: ResourceProvider.VAULTADMIN,
      });
      const document = PolicyDocument.fromText(TEXT);
      new AclPolicy(scope, 'Readers', { cluster, policyName: 'readers', namespace: 'team', document });
    });
    expect(stack.resource).toEqual({
      vaultadmin_acl_policy: {
        Readers: {
          '//': { metadata: { path: 'stack/Readers/Resource', uniqueId: 'Readers' } },
          provider: 'vaultadmin',
          cluster: 'us',
          name: 'readers',
          namespace: 'team',
          policy: TEXT,
        },
      },
    });
  });
});

describe('an unknown capability', () => {
  const withText =
    (text: string, props: VaultClusterProps = {}) =>
    (scope: TerraformStack) => {
      const cluster = new VaultCluster(scope, 'Cluster', props);
      const document = PolicyDocument.fromText(text);
      new AclPolicy(scope, 'Ops', { cluster, policyName: 'ops', document });
    };
  const scan = 'path "kv/*" { capabilities = ["scan"] }';
  const toWarn = { unknownPolicySyntax: UnknownPolicySyntax.WARN };

  test.each([scan, scan.replace('kv', '${var.mount}')])('an unknown capability is an error: %s', (text) => {
    expect(() => synthesize(withText(text))).toThrow(
      'remove "scan": OpenBao has it, Vault does not; or, if your server supports it, set unknownPolicySyntax of ' +
        'the cluster to "warn"',
    );
  });

  test('an unknown capability is a warning if the cluster accepts it, and the provider gets the same setting', () => {
    expect(warnings(withText(scan, toWarn))).toEqual([
      expect.stringMatching(
        /document uses syntax that is not known: path "kv\/\*": invalid capability "scan"/,
      ),
    ]);
    const { provider } = synthesize(
      withText(scan, { ...toWarn, resourceProvider: ResourceProvider.VAULTADMIN }),
    );
    expect(provider).toEqual({
      vaultadmin: [{ clusters: { default: { unknown_policy_syntax: 'warn' } } }],
    });
    const late = withText(scan.replace('kv', '${var.mount}'), toWarn);
    expect(() => synthesize(late)).not.toThrow();
  });

  test('an unknown capability is an error if its spelling is similar to a known one', () => {
    const misspelled = withText('path "kv/*" { capabilities = ["raed"] }', toWarn);
    expect(() => synthesize(misspelled)).toThrow('invalid capability "raed"');
  });
});

describe('a policy that already exists', () => {
  const making = (resources: ResourceProvider, allowOverwrite?: boolean) =>
    synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: resources });
      new AclPolicy(scope, 'Ops', { cluster, policyName: 'ops', statements: [read('kv/*')], allowOverwrite });
    });

  test.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('with hashicorp/vault and allowOverwrite %s, the resource has allow_overwrite %s', (given, written) => {
    const stack = making(ResourceProvider.UPSTREAM, given);
    expect(onlyResource(stack, 'vault_policy')).toMatchObject({ allow_overwrite: written });
  });

  test('the policy is never overwritten with vaultadmin', () => {
    const stack = making(ResourceProvider.VAULTADMIN, false);
    expect(onlyResource(stack, 'vaultadmin_acl_policy')).not.toHaveProperty('allow_overwrite');
    expect(() => making(ResourceProvider.VAULTADMIN, true)).toThrow(
      '[stack/Ops] ACL policy "ops": allowOverwrite is true; allowed: false, since the provider vaultadmin never overwrites a ' +
        'policy that it did not create; import the policy, or set resourceProvider: ResourceProvider.UPSTREAM on the VaultCluster',
    );
  });
});

describe.each([
  { kind: ResourceProvider.UPSTREAM, type: 'vault_policy' },
  { kind: ResourceProvider.VAULTADMIN, type: 'vaultadmin_acl_policy' },
])('an AclPolicy with resources of $kind', ({ kind, type }) => {
  const policyText = (build: (scope: TerraformStack, cluster: VaultCluster) => void) =>
    onlyResource(
      synthesize((scope) => build(scope, new VaultCluster(scope, 'Cluster', { resourceProvider: kind }))),
      type,
    ).policy;

  test('statements can be added at its creation and later, through the policy and through its document', () => {
    const text = policyText((scope, cluster) => {
      const document = new PolicyDocument({ statements: [read('a')] });
      const policy = new AclPolicy(scope, 'P', { cluster, document, statements: [read('b')] });
      policy.addStatements(read('c'), read('d'));
      document.addStatements(read('e'));
      expect(policy.document).toBe(document);
    });
    expect(text).toBe(['a', 'b', 'c', 'd', 'e'].map((path) => block(path)).join('\n'));
  });

  test('references in paths, parameters and text are passed to Terraform', () => {
    const text = policyText((scope, cluster) => {
      const team = new TerraformVariable(scope, 'team', { type: 'string' }).stringValue;
      const statement = new PolicyStatement({
        paths: [`secret/data/${team}/*`, Fn.join('/', ['secret', team])],
        capabilities: [Capability.CREATE],
        allowedParameters: { owner: [team] },
      });
      new AclPolicy(scope, 'P', { cluster, statements: [statement] });
    });
    const escaped = (value: string, plain: string) =>
      String.raw`${'${'}replace(trimsuffix(trimprefix(jsonencode(regex("${plain}", tostring(${value}))), "\""), "\""), "$", "\\u0024")}`;
    const segments = patternOf('path', { before: '', after: '' })!;
    expect(text).toContain(`path "secret/data/${escaped('var.team', segments)}/*" {`);
    expect(text).toContain(`path "${escaped('join("/", ["secret", var.team])', segments)}" {`);
    expect(text).toContain(`"owner" = ["${escaped('var.team', '^[^*]*$')}"]`);
  });

  test('a text or a name that only Terraform knows is not checked', () => {
    const text = policyText((scope, cluster) => {
      const variable = new TerraformVariable(scope, 'text', { type: 'string' }).stringValue;
      const document = PolicyDocument.fromText(variable);
      new AclPolicy(scope, 'P', { cluster, policyName: `Team-${variable}`, document });
    });
    expect(text).toBe('${var.text}');
  });

  test('resources that use its name wait for it', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: kind });
      const policy = new AclPolicy(scope, 'P', {
        cluster,
        policyName: 'p',
        document: PolicyDocument.fromText(TEXT),
      });
      new TerraformOutput(scope, 'name', { value: policy.policyName });
    });
    const [logicalId] = Object.keys(resources(stack, type));
    expect(stack.output).toEqual({ name: { value: `\${${type}.${logicalId}.name}` } });
  });

  test('another stack can use its name', () => {
    const stacks = synthesizeApp((app) => {
      const cluster = new VaultCluster(app, 'Cluster', { resourceProvider: kind });
      const first = new TerraformStack(app, 'first');
      const policy = new AclPolicy(first, 'P', { cluster, document: PolicyDocument.fromText(TEXT) });
      new TerraformOutput(new TerraformStack(app, 'second'), 'name', { value: policy.policyName });
    });
    expect(JSON.stringify(stacks.second?.output)).toMatch(/\$\{data\.terraform_remote_state\./);
  });

  test('its resource is its default child, and can be adjusted', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: kind });
      const policy = new AclPolicy(scope, 'P', { cluster, document: PolicyDocument.fromText(TEXT) });
      expect(policy.node.defaultChild).toBe(policy.resource);
      expect(TerraformResource.isTerraformResource(policy.resource)).toBe(true);
      policy.resource.addOverride('lifecycle.prevent_destroy', true);
    });
    expect(onlyResource(stack, type).lifecycle).toEqual({ prevent_destroy: true });
  });
});

test('the default name is made from the path of the construct', () => {
  const stacks = synthesizeApp((app) => {
    const cluster = new VaultCluster(app, 'Cluster');
    const stack = new TerraformStack(app, 'Team_A');
    new AclPolicy(stack, 'App Readers', { cluster, statements: [read('a')] });
  });
  expect(onlyResource(stacks.Team_A ?? fail(), 'vault_policy').name).toBe('team-a-app-readers');
});

test('two policies may have one name in different namespaces and on different clusters', () => {
  const stack = synthesize((scope) => {
    const us = new VaultCluster(scope, 'Us', { name: 'us', address: 'https://us' });
    const eu = new VaultCluster(scope, 'Eu', { name: 'eu', address: 'https://eu' });
    new AclPolicy(scope, 'A', { cluster: us, policyName: 'readers', statements: [read('a')] });
    new AclPolicy(scope, 'B', {
      cluster: us,
      policyName: 'readers',
      namespace: 'b',
      statements: [read('a')],
    });
    new AclPolicy(scope, 'C', { cluster: eu, policyName: 'readers', statements: [read('a')] });
  });
  expect(Object.keys(resources(stack, 'vault_policy'))).toHaveLength(3);
});

test('an imported policy has its name, and writes no resource', () => {
  const stack = synthesize((scope) => {
    const policy = AclPolicy.fromPolicyName(scope, 'Default', 'default');
    expect(policy.policyName).toBe('default');
    expect(Token.isUnresolved(policy.policyName)).toBe(false);
  });
  expect(stack.resource).toBeUndefined();
  expect(stack.provider).toBeUndefined();
});

function block(path: string): string {
  return `path "${path}" {\n  capabilities = ["read"]\n}\n`;
}

function fail(): never {
  throw new Error('the stack is missing');
}

test('an AclPolicy fails for a namespace that no server can have', () => {
  const build = () =>
    synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      const document = PolicyDocument.fromText(TEXT);
      new AclPolicy(scope, 'P', { cluster, policyName: 'p', namespace: 'team/../x', document });
    });
  expect(build).toThrow(
    'ACL policy "p": namespace cannot be the path of a namespace; received "team/../x"; allowed: names ',
  );
});
