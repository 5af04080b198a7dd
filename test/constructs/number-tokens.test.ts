/** Tests of texts that contain a number that only Terraform knows. */
import { App, TerraformStack, TerraformVariable, Testing, Token } from 'cdktf';
import {
  AclPolicy,
  Capability,
  EgpPolicy,
  EnforcementLevel,
  Namespace,
  PathsFilter,
  PolicyDocument,
  PolicyStatement,
  SentinelDocument,
  VaultCluster,
} from '../../constructs';

function scene() {
  const stack = new TerraformStack(new App(), 'stack');
  const cluster = new VaultCluster(stack, 'Cluster', { name: 'us' });
  return { stack, cluster, count: new TerraformVariable(stack, 'count', {}).numberValue };
}

function errorOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

type Scene = ReturnType<typeof scene>;
const READ = [Capability.READ];
const document = PolicyDocument.fromText('path "a" { capabilities = ["read"] }');
const sentinel = SentinelDocument.fromText('main = rule { true }');
const CURE =
  'allowed: text without the token of a number; write Token.asString(number) in place of the number';

test.each<[where: string, make: (scene: Scene) => unknown, message: string]>([
  [
    'the name of a policy',
    ({ stack, cluster, count }) =>
      new AclPolicy(stack, 'P', { cluster, policyName: `team-${count}`, document }),
    `[stack/P] AclPolicy: policyName is "team-NUMBER"; ${CURE}`,
  ],
  [
    'a path of a statement',
    ({ count }) => new PolicyStatement({ paths: ['b', `a/${count}/c`], capabilities: READ }),
    `PolicyStatement: paths[1] is "a/NUMBER/c"; ${CURE}`,
  ],
  [
    'a value of a parameter',
    ({ count }) =>
      new PolicyStatement({ paths: ['b'], capabilities: READ, allowedParameters: { ttl: [`${count}`] } }),
    `PolicyStatement: allowedParameters.ttl[0] is "NUMBER"; ${CURE}`,
  ],
  [
    'the text of a document',
    ({ count }) => PolicyDocument.fromText(`path "a/${count}" { capabilities = ["read"] }`),
    String.raw`PolicyDocument.fromText: text is "path \"a/NUMBER\" { capabilities = [\"read\"] }"; ${CURE}`,
  ],
  [
    'a path of an EGP',
    ({ stack, cluster, count }) =>
      new EgpPolicy(stack, 'E', {
        cluster,
        document: sentinel,
        enforcementLevel: EnforcementLevel.ADVISORY,
        paths: [`a/${count}`],
      }),
    `[stack/E] EgpPolicy: paths[0] is "a/NUMBER"; ${CURE}`,
  ],
  [
    'a path of a filter',
    ({ count }) => PathsFilter.deny([`a${count}/`]),
    `PathsFilter.deny: paths is a list; ${CURE}`,
  ],
  [
    'the path of a namespace',
    ({ stack, cluster, count }) => new Namespace(stack, 'N', { cluster, path: `team${count}` }),
    `[stack/N] Namespace: path is "teamNUMBER"; ${CURE}`,
  ],
])('a number of Terraform within %s is refused, with the way to write it', (_where, make, message) => {
  const { stack, ...given } = scene();
  const text = errorOf(() => {
    make({ stack, ...given });
    stack.prepareStack();
    stack.toTerraform();
  });
  expect(text.replaceAll(/-8\.\d+e\+298/g, 'NUMBER')).toBe(message);
});

test('a number of Terraform that was converted to text is an expression', () => {
  const { stack, cluster, count } = scene();
  new AclPolicy(stack, 'P', { cluster, policyName: `team-${Token.asString(count)}`, document });
  const { resource } = JSON.parse(Testing.synth(stack)) as {
    readonly resource: { readonly vault_policy: Readonly<Record<string, { readonly name: string }>> };
  };
  expect(Object.values(resource.vault_policy).map(({ name }) => name)).toEqual(['team-${var.count}']);
});
