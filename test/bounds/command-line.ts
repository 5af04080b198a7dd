import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatAcl } from '../../src/policy/format-acl';
import { readAclTests } from '../../src/cli/policy/acl-tests/read-tests';
import { readBaseline } from '../../src/cli/policy/answers/accepted';
import { limitedSet } from '../../src/cli/policy/answers/agent-limits';
import { withoutIgnored } from '../../src/policy/accepted-findings';
import { changesInPlan } from '../../src/cli/plan/read-plan';
import { setsIn } from '../../src/cli/plan-picture/sets-in-plan';
import { permittedText } from '../../src/cli/policy/answers/messages';
import { identityInFile } from '../../src/cli/policy/sources/identity';
import { isLiteral, literalOf } from '../../src/cli/stacks/blocks';
import { readPgpKey } from '../../src/cli/init/pgp-keys';
import { readSetup } from '../../src/cli/init/setup-file';
import { stacksIn } from '../../src/cli/stacks/stacks';
import { objectsInState } from '../../src/cli/stacks/states';
import { terraformPolicies } from '../../src/policy/terraform/terraform-policies';
import { yamlPolicies } from '../../src/cli/policy/yaml/yaml-policies';
import { terraformParts } from '../../src/policy/terraform/strings';
import { AclPolicySet, explainRequest, parseAclPolicy, permittedBy } from '../../src/model';
import { aclFilesIn, beginningOf, isOfOtherTool } from '../../src/policy/acl-files';
import { SourceText } from '../../src/sentinel/source/source-text';
import { temporaryFolder } from '../support/temporary-folder';
import { type Bound, fields, lists, row, times } from './rows';

const folder = temporaryFolder('bounds');

function details(size: number): string {
  return JSON.stringify(
    Array.from({ length: size }, (_, index) => ({
      type: 'vault:path_access',
      path: `kv/data/a${index}`,
      capabilities: ['read'],
    })),
  );
}

function limitsOfDetails(file: string) {
  const set = limitedSet(new AclPolicySet([]), undefined, { authorizationDetails: file });
  return explainRequest(set, { operation: 'read', path: 'kv/data/none' });
}

function fileOf(name: string, text: (size: number) => string): (size: number) => string {
  return (size) => {
    const file = join(folder, `${size}-${name}`);
    writeFileSync(file, text(size));
    return file;
  };
}

const resources = (size: number) =>
  times(
    size,
    (index) =>
      `resource "vault_policy" "p${index}" {\n  name   = "n${index}"\n  policy = <<EOT\npath "a${index}" { capabilities = ["read"] }\nEOT\n}\n`,
  );
const aclTests = (size: number) =>
  times(size, (index) => `token "t${index}" {\n allowed {\n  read = ["a/${index}", "b"]\n }\n}\n`);
const known = (size: number) =>
  `[${times(size, (index) => `{"policy":"p","id":"open-path","path":"a/${index}"}`, ',')}]`;
const deepKnown = (levels: number) => `[{"policy":"p","id":"i","path":"a","more":${lists(levels)}}]`;
const document = (size: number) =>
  `data "vault_policy_document" "d" {\n rule {\n  path = "a"\n  capabilities = [${times(size, () => '"read"', ',')}]\n }\n}\n`;
const changes = (size: number) =>
  JSON.stringify({
    format_version: '1.2',
    resource_changes: Array.from({ length: size }, (_, index) => ({
      address: `a.b[${index}]`,
      type: 'vaultadmin_perf_replication_set',
      change: { actions: ['create'], before: null, after: { primary: 'us', secondaries: { eu: {} } } },
    })),
  });
const policy = (size: number) =>
  times(size, (index) => `path "a${index}" { # why\n capabilities = ["read"] }\n`);

const pgpKey = (size: number) =>
  `-----BEGIN PGP PUBLIC KEY BLOCK-----\n${times(size, () => 'Comment: a\n')}\n${times(size, () => 'mQENBGVh\n')}=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n`;
const setup = (size: number) =>
  `{"auth":{"type":"jwt","write":{${times(size, (index) => `"role/${index}":{}`, ',')}}}}`;

const expressions = (levels: number) => `${'${'.repeat(levels)}${'}'.repeat(levels)}`;
const deepResource = (levels: number) =>
  `resource "vault_policy" "a" {\n  policy = ${'jsonencode('.repeat(levels)}"a"${')'.repeat(levels)}\n}\n`;
const deepChange = (levels: number) => {
  const change = `{"actions":["create"],"after":${lists(levels)},"after_sensitive":${lists(levels)}}`;
  return `{"format_version":"1.2","resource_changes":[{"mode":"managed","type":"vaultadmin_perf_replication_set","change":${change}}]}`;
};

const identity = (size: number) =>
  JSON.stringify({
    entity: {
      id: 'e',
      name: 'n',
      aliases: Array.from({ length: size }, (_, index) => ({ name: `a${index}` })),
    },
    groups: Array.from({ length: size }, (_, index) => ({ id: `g${index}`, metadata: { m: String(index) } })),
  });

/** Returns a function that writes the output folder of an app with one stack of the given size. */
function outputOf(json: (size: number) => string): (size: number) => string {
  return (size) => {
    const output = mkdtempSync(join(folder, 'out-'));
    const stack = join(output, 'stacks', 'it');
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, 'cdk.tf.json'), json(size));
    return output;
  };
}
const stack = (size: number) =>
  JSON.stringify({
    resource: { vault_policy: fields(size, (index) => ({ name: `a${index}`, policy: 'path "a" {}' })) },
  });

const state = (size: number) =>
  JSON.stringify({
    version: 4,
    resources: Array.from({ length: size }, (_, index) => ({
      mode: 'managed',
      type: 'vault_policy',
      provider: 'provider["registry.terraform.io/hashicorp/vault"].us',
      instances: [{ attributes: { name: `a${index}` } }],
    })),
  });
const deepModule = (levels: number) => {
  const module = `${'{"child_modules":['.repeat(levels)}{}${']}'.repeat(levels)}`;
  return `{"format_version":"1.0","values":{"root_module":${module}}}`;
};

/**
 * Returns the given number of differences within one rule, whose limit has the same number of
 * values.
 */
function permittedParts(size: number) {
  const values = times(size, (index) => `"v${index}"`, ',');
  const text = `path "a" { capabilities = ["update"]\n allowed_parameters = { p = [${values}] } }`;
  const [change] = permittedBy(new AclPolicySet([{ name: 'it', policy: parseAclPolicy(text) }]));
  return Array.from({ length: size }, () => change!);
}

const yamlConfiguration = (size: number) =>
  `policies:\n${times(size, (index) => `  - name: p${index}\n    rules: |\n      path "a" {\n      }\n`)}`;
const yamlAliases = (size: number) =>
  `a: &a0 [x]\npolicies:\n${times(size, (index) => `  - name: &a${index + 1} [*a${index}, *a${index}]\n    rules: *a${index}\n`)}`;

export const COMMAND_LINE_BOUNDS: readonly Bound[] = [
  row(
    'policy',
    'permittedText, of a limit that many patterns have',
    permittedParts,
    (parts) => parts.map((change) => permittedText([change], false)),
    { sizes: [64, 512] },
  ),
  row('file', 'identityInFile', fileOf('identity.json', identity), identityInFile, {
    nested: (levels) =>
      identityInFile(
        fileOf('deep-identity.json', () => `{"entity":{"metadata":{"a":${lists(levels)}}}}`)(levels),
      ),
    deepest: 997,
  }),
  row('file', 'limitedSet', fileOf('claim.json', details), limitsOfDetails, {
    nested: (levels) =>
      limitsOfDetails(
        fileOf(
          'deep-claim.json',
          () =>
            `[{"type":"vault:path_access","path":"a","capabilities":[],"allowed_parameters":{"p":${lists(levels)}}}]`,
        )(levels),
      ),
    deepest: 997,
  }),
  row('file', 'readPgpKey', fileOf('key.asc', pgpKey), readPgpKey),
  row('file', 'readSetup', fileOf('setup.json', setup), readSetup, {
    nested: (levels) =>
      readSetup(fileOf('deep-setup.json', () => `{"autopilot":{"a":${lists(levels)}}}`)(levels)),
    deepest: 998,
    // Short files are parsed without a search for deep nesting.
    sizes: [256, 1024],
  }),
  row('file', 'stacksIn', outputOf(stack), stacksIn, {
    size: 'stack',
    nested: (levels) => stacksIn(outputOf(() => `{"data":{"a":${lists(levels)}}}`)(levels)),
    deepest: 998,
  }),
  row('file', 'objectsInState', fileOf('state.json', state), objectsInState, {
    nested: (levels) => objectsInState(fileOf('deep-state.json', deepModule)(levels)),
    deepest: 498,
  }),
  row('file', 'terraformParts', resources, terraformParts, {
    nested: (levels) =>
      terraformParts(`a = ${'"${'.repeat(levels)}${'}"'.repeat(levels)}\n${'b {\n'.repeat(levels)}`),
    deepest: Infinity,
  }),
  row('file', 'terraformParts, of open heredocs', (size) => 'a = <<A\n'.repeat(size), terraformParts),
  row('file', 'terraformParts, of open braces', (size) => 'a "b" {\n'.repeat(size), terraformParts, {}),
  row('file', 'terraformParts, of open expressions', (size) => 'a = "${\n'.repeat(size), terraformParts),
  row('file', 'terraformPolicies', fileOf('r.tf', resources), terraformPolicies, {
    nested: (levels) => terraformPolicies(fileOf('deep.tf', deepResource)(levels)),
    deepest: Infinity,
  }),
  row('file', 'yamlPolicies', fileOf('p.yaml', yamlConfiguration), yamlPolicies, {
    nested: (levels) =>
      yamlPolicies(
        fileOf('n.yaml', (depth) => `policies: ${'['.repeat(depth)}x${']'.repeat(depth)}\n`)(levels),
      ),
    deepest: 98,
  }),
  row(
    'file',
    'yamlPolicies, of documents',
    fileOf('d.yaml', (size) => `${yamlConfiguration(1)}---\n`.repeat(size)),
    yamlPolicies,
  ),
  row('file', 'yamlPolicies, of aliases', fileOf('a.yaml', yamlAliases), yamlPolicies),
  row('file', 'terraformPolicies, of a document', fileOf('d.tf', document), terraformPolicies),
  // The value is nested in the plan, its changes, one of them, and its `after`.
  row('plan', 'changesInPlan', fileOf('plan.json', changes), changesInPlan, {
    nested: (levels) => changesInPlan(fileOf('deep.json', deepChange)(levels)),
    deepest: 996,
  }),
  row('plan', 'setsIn', fileOf('sets.json', changes), (file) => setsIn(changesInPlan(file)), {
    nested: (levels) => setsIn(changesInPlan(fileOf('deep-sets.json', deepChange)(levels))),
    deepest: 996,
  }),
  row('file', 'isLiteral', (size) => '$${$%%{'.repeat(size), isLiteral, {
    nested: (levels) => isLiteral(expressions(levels)),
    deepest: Infinity,
  }),
  row('file', 'literalOf', (size) => '$${$%%{'.repeat(size), literalOf, {
    nested: (levels) => literalOf(expressions(levels)),
    deepest: Infinity,
  }),
  row('file', 'readAclTests', aclTests, (text) => readAclTests(new SourceText('a.test.hcl', text)), {
    nested: (levels) =>
      readAclTests(
        new SourceText(
          'a.test.hcl',
          `token "t" {\nrequest {\noperation = "read"\npath = "a"\nexpect = "denied"\ndata = {\na = ${lists(levels)}\n}\n}\n}\n`,
        ),
      ),
    deepest: 197,
  }),
  row('file', 'readBaseline', fileOf('known.json', known), readBaseline, {
    nested: (levels) => readBaseline(fileOf('deep-known.json', deepKnown)(levels)),
    deepest: 998,
  }),
  row(
    'policy',
    'withoutIgnored',
    (size) => '# vault-admin: ignore open-path: it is\n'.repeat(size),
    (text) => withoutIgnored(text, [], []),
    {
      nested: (levels) => withoutIgnored(`# vault-admin: ignore open-path: ${lists(levels)}`, [], []),
      deepest: Infinity,
    },
  ),
  row('policy', 'formatAcl', policy, formatAcl, {
    nested: (levels) => formatAcl(`path "a" {\n allowed_parameters = { p = ${lists(levels)} }\n}\n`),
    deepest: Infinity,
  }),
  row('policy', 'beginningOf', (size) => '# a\n/* b */ ${c} '.repeat(size), beginningOf, {
    nested: (levels) => beginningOf(expressions(levels)),
    deepest: Infinity,
  }),
  row('policy', 'beginningOf, of open comments', (size) => '/* ${'.repeat(size), beginningOf),
  row(
    'file',
    'aclFilesIn',
    (size) => {
      const files = mkdtempSync(join(folder, 'policies-'));
      for (let index = 0; index < size; index++) writeFileSync(join(files, `p${index}.hcl`), 'path "a" {}');
      return files;
    },
    (files) => aclFilesIn(files),
    { sizes: [16, 128] },
  ),
  row(
    'file',
    'isOfOtherTool',
    fileOf('x.json', (size) => `{"a":[${times(size, String, ',')}]}`),
    (file) => isOfOtherTool(file, 'x.json'),
    {
      nested: (levels) => isOfOtherTool(fileOf('deep-x.json', lists)(levels), 'x.json'),
      deepest: Infinity,
    },
  ),
];
