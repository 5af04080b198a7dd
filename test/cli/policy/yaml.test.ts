import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlPolicies } from '../../../src/cli/policy/yaml/yaml-policies';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('yaml-policies');
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function found(text: string) {
  return yamlPolicies(write('a.yaml', text)).map(({ name, text: policy, at }) => ({
    name,
    text: policy,
    at: at({ line: 2, column: 3 }),
  }));
}

const RULE = 'path "a" {\n  capabilities = ["read"]\n}\n';
const indented = (columns: number) => RULE.replace(/^(?=.)/gm, ' '.repeat(columns));

describe('policies in files of YAML', () => {
  test('policies are read from the configuration of bank-vaults, with blocks, quoted texts and an alias', () => {
    expect(
      found(
        `# of vault-configurer\npolicies:\n  - name: Readers\n    rules: &rules |\n${indented(6)}` +
          `  - name: quoted\n    rules: "path \\"a\\" { }"\n  - name: plain\n    rules: path "a" { }\n` +
          '  - rules: *rules\n    name: again\n  - name: none\n  - 5\nauth: []\n',
      ),
    ).toEqual([
      { name: 'readers', text: RULE, at: { line: 6, column: 9 } },
      { name: 'quoted', text: 'path "a" { }', at: { line: 9, column: 12 } },
      { name: 'plain', text: 'path "a" { }', at: { line: 11, column: 14 } },
      { name: 'again', text: RULE, at: { line: 6, column: 9 } },
    ]);
  });

  test('policies are read from a Vault resource of Kubernetes among other documents', () => {
    expect(
      found(
        'kind: ConfigMap\napiVersion: v1\npolicies: [{name: x, rules: y}]\n---\napiVersion: vault.banzaicloud.com/v1alpha1\nkind: Vault\n' +
          `spec:\n  externalConfig:\n    policies:\n      - name: app\n        rules: |-\n${indented(10)}`,
      ),
    ).toEqual([{ name: 'app', text: RULE.trimEnd(), at: { line: 13, column: 13 } }]);
  });

  test('policies of vault-config-operator are read under the names that they have on the server', () => {
    const head =
      'apiVersion: redhatcop.redhat.io/v1alpha1\nkind: Policy\nmetadata:\n  name: Resource\nspec:\n';
    expect(
      found(
        `${head}  policy: |\n${indented(4)}---\n${head}  name: own\n  type: acl\n  policy: |2\n${indented(4)}---\n` +
          `${head}  type: rgp\n  policy: main = true\n---\n${head.replace('redhatcop', 'other')}  policy: x\n`,
      ).map(({ name, at }) => [name, at]),
    ).toEqual([
      ['resource', { line: 8, column: 7 }],
      ['own', { line: 20, column: 7 }],
    ]);
  });

  test.each(['', 'a: b\n', 'policies: {}\n', 'policies:\n  - a\n', '{{ if .Values.x }}\n', 'a: [\n'])(
    'the text %j has no policy',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  test('a text that is not YAML is an error with its place, if it may have policies', () => {
    expect(() => found('policies:\n  - name: [\n')).toThrow(
      'it is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] (line 3, column 1)',
    );
  });

  test('aliases are not expanded', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]\n`,
    );
    expect(found(`l0: &l0 [x, x]\n${levels.join('')}policies: *l30\n`)).toEqual([]);
  });
});

describe('policy commands on files of YAML', () => {
  const policy = (...args: readonly string[]) => vaultAdmin(['policy', ...args], {}, folder);
  const MISTAKE =
    'apiVersion: redhatcop.redhat.io/v1alpha1\nkind: Policy\nmetadata:\n  name: app\nspec:\n  policy: |\n' +
    '    path "secret/${env `TEAM`}/*" {\n      capabilities = ["raed"]\n    }\n';

  test('lint and check report the line of the file', async () => {
    write('app.yaml', MISTAKE);
    write('values.yml', 'replicas: 3\n');
    const linted = await policy('lint', '.', '--format', 'github');
    expect(linted.stdout.split('\n')[0]).toMatch(
      /^::error file=app.yaml,line=8,col=23,title=app%3A refused::path/,
    );
    const checked = await policy('check', '.', '--format', 'github');
    expect(checked.stdout.split('\n')[0]).toMatch(
      /^::error file=app.yaml,line=8,col=23,title=app.yaml%3A acl-error::path/,
    );
  });

  test('policies in YAML are read by can and diff', async () => {
    write('new.yaml', `policies:\n- name: app\n  rules: |\n${indented(4)}`);
    write('app.hcl', RULE);
    expect((await policy('can', 'read', 'a', 'new.yaml')).code).toBe(0);
    expect((await policy('can', 'update', 'a', 'new.yaml')).code).toBe(1);
    expect((await policy('diff', 'app.hcl', 'new.yaml')).code).toBe(0);
  });

  test('a file of YAML without a policy is refused if it is given by name', async () => {
    write('values.yaml', 'replicas: 3\n');
    expect((await policy('lint', 'values.yaml')).stderr).toMatch(
      /^vault-admin: values\.yaml contains no ACL policy/,
    );
  });
});
