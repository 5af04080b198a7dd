import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
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
  type IVaultCluster,
} from '../../../constructs';
import { declaredPolicies } from '../../../constructs/policies/private/declared-policies';
import { policiesAt } from '../../../src/cli/policy/sources/files';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;

beforeEach(() => (folder = temporaryFolder('large-text')));

const RULE = 'path "secret/${team}/*" {\n  capabilities = ["read"]\n}\n';
const LARGE = RULE.repeat(400);

function synthesize(
  resources: ResourceProvider,
  declare: (stack: TerraformStack, cluster: IVaultCluster) => void,
) {
  const app = new App({ outdir: folder });
  const stack = new TerraformStack(app, 'one');
  declare(
    stack,
    new VaultCluster(stack, 'Us', {
      name: 'us',
      address: 'https://us.example.com',
      resourceProvider: resources,
    }),
  );
  app.synth();
  const json = JSON.parse(readFileSync(join(folder, 'stacks', 'one', 'cdk.tf.json'), 'utf8')) as {
    resource: Record<string, Record<string, { policy: string }>>;
  };
  const texts = Object.values(json.resource).flatMap((ofType) =>
    Object.values(ofType).map(({ policy }) => policy),
  );
  return { stack, texts };
}

/** Returns the file that an expression reads. */
function fileOf(expression: string | undefined): string {
  const path = /^\$\{file\("\$\{path\.module\}\/(.*)"\)\}$/.exec(expression ?? '')?.[1];
  return readFileSync(join(folder, 'stacks', 'one', path ?? 'none'), 'utf8');
}

test.each([ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN])(
  'a large text is in a file beside the stack, byte for byte: %s',
  (resources) => {
    const file = join(folder, 'large.hcl');
    writeFileSync(file, LARGE);
    const sentinel = `${'# about this rule\n'.repeat(1000)}main = rule { true }\n`;
    const document = SentinelDocument.fromText(sentinel);
    const { texts } = synthesize(resources, (stack, cluster) => {
      const enforcementLevel = EnforcementLevel.ADVISORY;
      new AclPolicy(stack, 'A', { cluster, policyName: 'a', document: PolicyDocument.fromFile(file) });
      new RgpPolicy(stack, 'R', { cluster, policyName: 'r', document, enforcementLevel });
      new EgpPolicy(stack, 'E', {
        cluster,
        policyName: 'e',
        document,
        enforcementLevel,
        paths: ['secret/*'],
      });
    });
    expect(texts.map(fileOf).sort()).toEqual([LARGE, sentinel, sentinel].sort());
  },
);

test('a large text contains the statements that were added later', () => {
  const { texts } = synthesize(ResourceProvider.UPSTREAM, (stack, cluster) => {
    const policy = new AclPolicy(stack, 'A', { cluster, policyName: 'a' });
    for (let team = 0; team < 400; team += 1) {
      policy.addStatements(
        new PolicyStatement({ paths: [`secret/team-${team}/*`], capabilities: [Capability.READ] }),
      );
    }
  });
  expect(fileOf(texts[0]).match(/^path /gm)).toHaveLength(400);
});

test.each([
  ['is small', RULE.replaceAll('${', '$${')],
  ['has Terraform expressions', `${LARGE.replaceAll('${team}', 'x')}# \${terraform.workspace}\n`],
])('a text that %s stays in the stack', (_which, text) => {
  const { texts } = synthesize(ResourceProvider.UPSTREAM, (stack, cluster) => {
    new AclPolicy(stack, 'A', { cluster, policyName: 'a', document: PolicyDocument.fromText(text) });
  });
  expect(texts).toEqual([text]);
});

test('code that reads the policies of a stack gets the text of the file', () => {
  const { stack } = synthesize(ResourceProvider.VAULTADMIN, (scope, cluster) => {
    const document = PolicyDocument.fromText(LARGE.replaceAll('${', '$${'));
    new AclPolicy(scope, 'A', { cluster, policyName: 'a', document });
  });
  const escaped = LARGE.replaceAll('${', '$${');
  expect(declaredPolicies(stack).map((policy) => policy.arguments.policy)).toEqual([escaped]);
  expect(policiesAt(folder).map(({ name, text }) => [name, text])).toEqual([['a', escaped]]);
});

test('a synthesis removes the files of texts that the app no longer has', () => {
  const text = LARGE.replaceAll('${team}', 'x');
  const declare = (texts: Readonly<Record<string, string>>) =>
    synthesize(ResourceProvider.VAULTADMIN, (scope, cluster) => {
      for (const [id, each] of Object.entries(texts)) {
        const document = PolicyDocument.fromText(each);
        new AclPolicy(scope, id, { cluster, policyName: id.toLowerCase(), document });
      }
    });
  const placed = () => readdirSync(join(folder, 'stacks', 'one', 'texts')).sort();
  declare({ A: text, B: text, C: text });
  const [a, b, c] = placed();
  expect(placed()).toEqual([a, b, c]);
  writeFileSync(join(folder, 'stacks', 'one', 'texts', 'notes.md'), 'not ours');

  declare({ A: text, B: RULE.replaceAll('${', '$${') });
  expect(placed()).toEqual([a, 'notes.md'].sort());
});
