import { TerraformStack, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  Capability,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  PolicyStatement,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
  type VaultClusterProps,
} from '../../constructs';
import { failure, type Build } from './support/bad-input';
import { synthesizeApp, warnings } from './support/synthesize';

const hcl = (text: string) => PolicyDocument.fromText(text);
const GOOD = hcl('path "secret/*" { capabilities = ["read"] }');
const SENTINEL = SentinelDocument.fromText('main = rule { true }');
const { ADVISORY } = EnforcementLevel;

const acl =
  (policyName: string, document: PolicyDocument): Build =>
  (stack, cluster) =>
    new AclPolicy(stack, 'P', { cluster, policyName, document });
const egp =
  (...paths: string[]): Build =>
  (stack, cluster) =>
    new EgpPolicy(stack, 'P', {
      cluster,
      policyName: 'p',
      document: SENTINEL,
      enforcementLevel: ADVISORY,
      paths,
    });

const KNOWN_AT_ONCE: Record<string, [Build, string]> = {
  'an upper-case name': [
    acl('Readers', GOOD),
    '[stack/P] ACL policy "Readers": policyName must be lower case; received "Readers"; ' +
      'allowed: lower-case letters, since the server converts names to lower case; write "readers"',
  ],
  'an unknown capability': [
    acl('p', hcl('path "a" { capabilities = ["raed"] }')),
    '[stack/P] ACL policy "p": document cannot be parsed: path "a": invalid capability "raed" (line 1, column 28); ' +
      'received "raed"; allowed: "deny", "create", "read", "update", "delete", "list", "sudo", "patch", ' +
      '"subscribe", "recover"; write "read"',
  ],
  'an unknown enforcement level': [
    (stack, cluster) =>
      new RgpPolicy(stack, 'P', {
        cluster,
        policyName: 'p',
        document: SENTINEL,
        enforcementLevel: 'hard' as EnforcementLevel,
      }),
    '[stack/P] RGP policy "p": enforcementLevel must be one of the allowed values; received "hard"; ' +
      'allowed: "advisory", "soft-mandatory", "hard-mandatory"; write "hard-mandatory"',
  ],
  'a Sentinel document with a bracket that does not close': [
    (stack, cluster) =>
      new RgpPolicy(stack, 'P', {
        cluster,
        policyName: 'p',
        document: SentinelDocument.fromText('main = rule { (true }'),
        enforcementLevel: ADVISORY,
      }),
    '[stack/P] RGP policy "p": document cannot be parsed: expected ")" to close "(" of line 1, found "}" ' +
      '(line 1, column 21); received "main = rule { (true }"; ' +
      'correct it or, if your server supports more of Sentinel, add the line "# vault-admin: unchecked"',
  ],
  'an EGP policy with a glob in the middle, and whatever else is wrong with its paths': [
    egp('secret/*/app', '/sys/mounts'),
    '[stack/P] EGP policy "p": paths contains a path with a "*" before its end; received "secret/*/app"; ' +
      'allowed: one "*", as the last character; write "secret/*", or list the paths individually\n' +
      '[stack/P] EGP policy "p": paths contains a path with a leading slash; received "/sys/mounts"; ' +
      'allowed: paths without "/v1/" and without a leading slash; write "sys/mounts"',
  ],
};

const KNOWN_AT_THE_END: Record<string, [Build, string]> = {
  'an unknown capability in a statement': [
    (stack, cluster) =>
      new AclPolicy(stack, 'P', {
        cluster,
        policyName: 'p',
        statements: [new PolicyStatement({ paths: ['a'], capabilities: ['raed' as Capability] })],
      }),
    '[stack/P] ACL policy "p": document cannot be parsed: path "a": invalid capability "raed" (line 2, column 19); ' +
      'received "raed"; allowed: "deny", "create", "read", "update", "delete", "list", "sudo", "patch", ' +
      '"subscribe", "recover"; write "read"',
  ],
  'an unknown capability beside a path that Terraform completes': [
    (stack, cluster) =>
      new AclPolicy(stack, 'P', {
        cluster,
        policyName: 'p',
        statements: [
          new PolicyStatement({
            paths: [`${new TerraformVariable(stack, 'mount', {}).stringValue}/data/app`],
            capabilities: ['raed' as Capability],
          }),
        ],
      }),
    '[stack/P] ACL policy "p": document cannot be parsed: path "${...}/data/app": invalid capability "raed" ' +
      '(line 2, column 19); received "raed"; allowed: "deny", "create", "read", "update", "delete", "list", ' +
      '"sudo", "patch", "subscribe", "recover"; write "read"',
  ],
  'an unclosed block in a text with an expression': [
    acl('p', hcl('path "${var.mount}/data/app" {\n  capabilities = ["read"]\n')),
    '[stack/P] ACL policy "p": document cannot be parsed: "}" is missing at the end of the block (line 1, column 1); ' +
      'close the block with "}"',
  ],
  'a document that no statement was added to': [
    (stack, cluster) => new AclPolicy(stack, 'P', { cluster, policyName: 'p' }),
    '[stack/P] ACL policy "p": document must not be empty; received ""; ' +
      'set statements or document, or call addStatements; a document with only a comment grants nothing',
  ],
  'two constructs that write the same policy': [
    (stack, cluster) => {
      for (const id of ['P', 'Q']) {
        new AclPolicy(stack, id, { cluster, policyName: 'p', namespace: 'team', document: GOOD });
      }
    },
    '[stack/Q] ACL policy "p" on cluster "default" in namespace "team" is written by [stack/P] already; ' +
      'give one of the two another policyName, or refer to the other one with fromPolicyName',
  ],
};

describe.each([ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN])(
  'an app with resources of %s',
  (resources) => {
    test.each(Object.keys(KNOWN_AT_ONCE))('%s causes an error', (what) => {
      const [build, message] = KNOWN_AT_ONCE[what] as [Build, string];
      expect(failure(resources, build)).toBe(message);
    });

    test.each(Object.keys(KNOWN_AT_THE_END))('%s is an error of the synthesis', (what) => {
      const [build, message] = KNOWN_AT_THE_END[what] as [Build, string];
      expect(failure(resources, build)).toBe(message);
    });
  },
);

test('two stacks that write the same policy are an error, and policies of two kinds may have one name', () => {
  const build = () =>
    synthesizeApp((app) => {
      const cluster = new VaultCluster(app, 'Cluster');
      const first = new TerraformStack(app, 'first');
      new AclPolicy(first, 'P', { cluster, policyName: 'p', document: GOOD });
      new RgpPolicy(first, 'R', { cluster, policyName: 'p', document: SENTINEL, enforcementLevel: ADVISORY });
      new AclPolicy(new TerraformStack(app, 'second'), 'P', { cluster, policyName: 'p', document: GOOD });
    });
  expect(build).toThrow(
    /^\[second\/P\] ACL policy "p" on cluster "default" is written by \[first\/P\] already/,
  );
});

describe('one policy in two stacks, each with its own handle', () => {
  const build = (first: VaultClusterProps, second: VaultClusterProps) => () =>
    synthesizeApp((app) => {
      for (const [id, props] of Object.entries({ first, second })) {
        const stack = new TerraformStack(app, id);
        const cluster = new VaultCluster(stack, 'Cluster', props);
        new AclPolicy(stack, 'P', { cluster, policyName: 'p', document: GOOD });
      }
    });
  const address = 'https://vault.example.com:8200';

  test.each<[VaultClusterProps, VaultClusterProps]>([
    [{ address }, { address: `${address}/` }],
    [
      { name: 'us', address },
      { name: 'primary', address, resourceProvider: ResourceProvider.VAULTADMIN },
    ],
    [{ name: 'us' }, { name: 'us' }],
    [
      { name: 'us', namespace: 'team' },
      { name: 'us', namespace: 'team/' },
    ],
  ])('the synthesis fails if the handles are for one server (%j, %j)', (first, second) => {
    expect(build(first, second)).toThrow('is written by [first/P] already');
  });

  test.each<[VaultClusterProps, VaultClusterProps]>([
    [{ address }, { address: 'https://other.example.com:8200' }],
    [
      { name: 'us', address },
      { name: 'us', address, namespace: 'team' },
    ],
    [{ name: 'us' }, { name: 'eu' }],
    // Each stack may be applied with another value of VAULT_ADDR.
    [{}, {}],
    [{ name: 'us', address }, { name: 'us' }],
  ])('the synthesis succeeds if the handles may be for two servers (%j, %j)', (first, second) => {
    expect(build(first, second)).not.toThrow();
  });
});

test('a policy that is valid but probably not intended has a warning with its construct', () => {
  const found = warnings((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster');
    const document = hcl('path "a/*/b" { capabilities = ["read"] }');
    new AclPolicy(stack, 'Text', { cluster, policyName: 'text', document });
    const statements = [new PolicyStatement({ paths: ['a/*/b'], capabilities: [Capability.READ] })];
    new AclPolicy(stack, 'Statements', { cluster, policyName: 'statements', statements });
    egp('*')(stack, cluster);
  });
  const glob = (name: string) =>
    `ACL policy "${name}": document has a "*" in the middle of a path, where it is literal; received "a/*/b"; ` +
    'allowed: "*" as the last character for any suffix, "+" for one whole segment; ' +
    'write "a/+/b" if one whole segment is meant';
  expect(found).toEqual([
    `stack/Text: ${glob('text')}`,
    `stack/Statements: ${glob('statements')}`,
    'stack/P: EGP policy "p": paths contains "*", which matches every request, including logins; received "*"; use narrower paths ' +
      'unless this is intended; a faulty policy locks out everyone except root tokens',
  ]);
});
