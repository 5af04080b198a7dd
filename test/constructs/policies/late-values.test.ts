import { DataResource, Fn, Lazy, TerraformVariable, Token, type TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PolicyStatement,
  VaultCluster,
  ResourceProvider,
  type PolicyStatementProps,
} from '../../../constructs';
import { parseAclPolicy } from '../../../src/model';
import { TRIED_PROVIDERS, useLateStack } from '../support/late-stack';
import { synthesizeInto } from '../support/stack-workspace';
import { onlyResource, synthesize } from '../support/synthesize';

const READ = [Capability.READ];
const INJECTION = 'x" { capabilities=["read"] } path "sys/*" { capabilities=["read","sudo"] } path "y';

/** Values with special characters of HCL but not of paths, which have to arrive unchanged. */
const HARMLESS: Readonly<Record<string, string>> = {
  plain: 'platform',
  nested: 'platform/api',
  quotes: INJECTION.replace(/[*{}]/g, '.'),
  single: "it's",
  backslash: 'a\\" b\\\\',
  escapes: '\\u002a \\x2a \\052 \\n',
  lines: 'one\ntwo\r\n# three\u2028four\u0085',
  tab: 'a\tb',
  dollar: 'a$b$$c',
  percent: '%2a%2b %d',
  comment: 'a /* b */ / / c # d'.replaceAll('*', '.'),
  heredoc: '<<EOT\nEOT\n',
  html: '<&>',
  unicode: 'ü漢😀',
  null: 'a\u0001b',
};

/** Values that would change the meaning of a path. */
const WIDENING: Readonly<Record<string, string>> = {
  injection: INJECTION,
  star: '*',
  stars: 'a*b',
  plus: '+',
  segment: 'a/+/b',
  identity: '{{identity.entity.name}}',
  half: '{',
  closing: 'a}',
  interpolation: 'x${"',
  empty: '',
  line: 'safe\n*',
  slash: '/',
  leading: '/a',
  trailing: 'a/',
  double: 'a//b',
  dot: 'a/./b',
  dots: '..',
  parent: 'a/../b',
};

/** The keys of values that have a special meaning in parameters as well. */
const WILD = ['injection', 'star', 'stars', 'line'];

/** The places in which wildcards have a meaning. */
const PLACES: Readonly<Record<string, (value: string) => Partial<PolicyStatementProps>>> = {
  path: (value) => ({ paths: [`secret/data/${value}/*`] }),
  allowed: (value) => ({ allowedParameters: { p: [value] } }),
  denied: (value) => ({ deniedParameters: { p: [value] } }),
  allowed_name: (value) => ({ allowedParameters: { [value]: [] } }),
  denied_name: (value) => ({ deniedParameters: { [value]: [] } }),
};

interface Diagnosed {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  /** The address `resource.TYPE.NAME…`. */
  readonly snippet: { readonly context: string };
}

describe.each(TRIED_PROVIDERS)(
  'a late value with resources of %s, through the real terraform',
  (resources) => {
    const use = useLateStack(resources);

    /** Returns a value that only Terraform knows: in the plan, or after its source was applied. */
    const late = (
      stack: TerraformStack,
      values: TerraformVariable,
      name: string,
      known: 'plan' | 'apply',
    ) => {
      if (known === 'plan') return Fn.lookup(values.value, name) as string;
      // One resource makes all values: the framework starts terraform for each at synthesis.
      const made =
        (stack.node.tryFindChild('made') as DataResource | undefined) ??
        new DataResource(stack, 'made', { input: values.value });
      return Fn.lookup(made.output, name) as string;
    };

    /** Declares a policy with a value in its path, its parameters and its comment. */
    const policyWith = (stack: TerraformStack, cluster: VaultCluster, name: string, value: string) => {
      const statement = new PolicyStatement({
        paths: [`secret/data/${value}/*`],
        capabilities: READ,
        allowedParameters: { [`p-${value}`]: [value] },
        requiredParameters: [value],
        comment: `for ${value}`,
      });
      new AclPolicy(stack, name, { cluster, policyName: name, statements: [statement] });
    };

    const give = (values: Readonly<Record<string, string>>) =>
      use().workspace.write('terraform.tfvars.json', { values });

    const policy = async (name: string) =>
      parseAclPolicy((await use().policies<{ policy: string }>(`/${name}`)).policy).rules;

    test('the value arrives unchanged from plan or apply, with wildcards if the code permits them', async () => {
      const { workspace, clusterIn } = use();
      const patterns = {
        star: 'team-*',
        plus: 'a/+/b',
        identity: '{{identity.entity.name}}',
        injection: INJECTION,
      };
      synthesizeInto(workspace, (stack) => {
        const cluster = clusterIn(stack);
        const values = new TerraformVariable(stack, 'values', { type: 'map(string)' });
        for (const name of Object.keys(HARMLESS)) {
          for (const known of ['plan', 'apply'] as const) {
            policyWith(stack, cluster, `${name}-${known}`, late(stack, values, name, known));
          }
        }
        for (const name of Object.keys(patterns)) {
          const value = PolicyStatement.pattern(late(stack, values, `pattern-${name}`, 'plan'));
          const statement = new PolicyStatement({ paths: [`secret/data/${value}`], capabilities: READ });
          new AclPolicy(stack, `pattern-${name}`, {
            cluster,
            policyName: `pattern-${name}`,
            statements: [statement],
          });
        }
      });
      const named = Object.entries(patterns).map(([name, value]) => [`pattern-${name}`, value]);
      give({ ...HARMLESS, ...(Object.fromEntries(named) as Record<string, string>) });
      await workspace.init();
      const { code, stderr } = await workspace.run('apply', '-auto-approve', '-no-color');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      for (const [name, value] of Object.entries(HARMLESS)) {
        for (const known of ['plan', 'apply']) {
          expect(await policy(`${name}-${known}`)).toEqual([
            expect.objectContaining({
              path: `secret/data/${value}/*`,
              capabilities: ['read'],
              // The server writes names of parameters in lower case.
              allowedParameters: { [`p-${value.toLowerCase()}`]: [value] },
              requiredParameters: [value],
            }),
          ]);
        }
      }
      for (const [name, value] of Object.entries(patterns)) {
        expect(await policy(`pattern-${name}`)).toEqual([
          expect.objectContaining({ path: `secret/data/${value}`, capabilities: ['read'] }),
        ]);
      }
    });

    test.each(['plan', 'apply'] as const)(
      'the value causes an error at the %s exactly if it would widen a rule',
      async (known) => {
        const { workspace, clusterIn, policies } = use();
        synthesizeInto(workspace, (stack) => {
          const cluster = clusterIn(stack);
          const values = new TerraformVariable(stack, 'values', { type: 'map(string)' });
          for (const name of Object.keys(WIDENING)) {
            const value = late(stack, values, name, known);
            for (const [place, props] of Object.entries(PLACES)) {
              const statement = new PolicyStatement({ paths: ['a'], capabilities: READ, ...props(value) });
              const policyName = `${place}-${name}`;
              new AclPolicy(stack, policyName, { cluster, policyName, statements: [statement] });
            }
          }
        });
        give(WIDENING);
        await workspace.init();
        const { code, stdout } = await workspace.run('apply', '-auto-approve', '-json');
        expect(code).toBe(1);
        const refused: string[] = [];
        for (const line of stdout.split('\n').filter(Boolean)) {
          const { diagnostic } = JSON.parse(line) as { diagnostic?: Diagnosed };
          if (diagnostic?.severity !== 'error') continue;
          expect(diagnostic.summary).toBe('Resource precondition failed');
          expect(diagnostic.detail).toContain(', write PolicyStatement.pattern(value) in the app.');
          refused.push(diagnostic.snippet.context.split('.')[2]!);
        }
        const names = Object.keys(WIDENING).flatMap((name) =>
          Object.keys(PLACES).map((place) => `${place}-${name}`),
        );
        const expected = names.filter(
          (name) => name.startsWith('path-') || WILD.includes(name.split('-')[1]!),
        );
        expect(refused.sort()).toEqual(expected.sort());
        const { keys } = await policies<{ keys: string[] }>('?list=true');
        const written = known === 'plan' ? [] : names.filter((name) => !expected.includes(name));
        expect(keys.sort()).toEqual(['default', 'root', ...written].sort());
      },
    );

    test('the value causes an error if it equals the name of another parameter', async () => {
      const { workspace, clusterIn } = use();
      synthesizeInto(workspace, (stack) => {
        const name = new TerraformVariable(stack, 'name', { type: 'string' }).stringValue;
        const cluster = clusterIn(stack);
        const deniedParameters = { password: [], '$${x}': [], [`pass${name}`]: ['x'] };
        const statement = new PolicyStatement({ paths: ['a'], capabilities: READ, deniedParameters });
        new AclPolicy(stack, 'P', { cluster, policyName: 'p', statements: [statement] });
      });
      await workspace.init();
      const plan = (name: string) => workspace.run('plan', '-no-color', `-var=name=${name}`);
      expect((await plan('Word')).stderr).toMatch(/name of\s+another parameter/);
      expect((await plan('phrase')).stderr).toBe('');
    });
  },
);

/** Returns the policy of a stack with one statement. */
function written(props: (stack: TerraformStack) => PolicyStatementProps): Record<string, unknown> {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
    new AclPolicy(scope, 'P', { cluster, statements: [new PolicyStatement(props(scope))] });
  });
  return onlyResource(stack, 'vaultadmin_acl_policy');
}

test('a text that the app itself produces only at synthesis is treated like a known text', () => {
  const { policy } = written(() => ({
    paths: [Lazy.stringValue({ produce: () => 'a"b' })],
    capabilities: READ,
  }));
  expect(policy).toContain(String.raw`tostring("a\"b")`);
});

test('an expression that the app writes as text is checked, and an escaped one is not', () => {
  const { policy, lifecycle } = written(() => ({ paths: ['a/${var.x}', 'b/$${var.x}'], capabilities: READ }));
  expect(policy).toContain(String.raw`path "a/${'${'}replace(`);
  expect(policy).toContain('path "b/$${var.x}" {');
  expect(lifecycle).toEqual({
    precondition: [
      {
        condition: expect.stringMatching(
          /^\$\{anytrue\(\[can\(regex\("[^"]*", tostring\(var\.x\)\)\), terraform\.workspace == ""\]\)\}$/,
        ),
        error_message:
          'The value of $${var.x} in paths is not valid; allowed: one or more segments of a path, none of them empty, ' +
          '. or .., without *, +, { and }. Correct the value. To allow other values, write PolicyStatement.pattern(value) in the app.',
      },
    ],
  });
});

test.each<[written: string, becomes: string]>([
  [
    '${var.x}',
    '${replace(trimsuffix(trimprefix(jsonencode(tostring(var.x)), "\\""), "\\""), "$", "\\\\u0024")}',
  ],
  ['${lookup({ x = var.x }, "x")}', '$${lookup({ x = var.x }, "x")}'],
  ['${ {x = var.x}.x }', '$${ {x = var.x}.x }'],
  ['${format("%s", var.x)}', '$${format("%s", var.x)}'],
  ['${var.x', '$${var.x'],
  ['$${var.x} $$${var.x}', '$${var.x} $$${var.x}'],
])('the comment %s contains no expression that could end the comment', (comment, becomes) => {
  const { policy } = written(() => ({ paths: ['a'], capabilities: READ, comment }));
  expect(policy).toBe(`# ${becomes}\npath "a" {\n  capabilities = ["read"]\n}\n`);
});

test.each<[path: string, becomes: string]>([
  ['${lookup({ x = var.x }, "x")}', '\\u0024{lookup({ x = var.x }, \\"x\\")}'],
  ['${ {x = var.x}.x }', '\\u0024{ {x = var.x}.x }'],
  ['${\nvar.x\n}', '\\u0024{\\nvar.x\\n}'],
  ['$${var.x}/$$${var.x}', '$${var.x}/$$${var.x}'],
])('the path %s contains no expression without a check', (path, becomes) => {
  const { policy } = written(() => ({ paths: [`a/${path}`], capabilities: READ }));
  expect(policy).toBe(`path "a/${becomes}" {\n  capabilities = ["read"]\n}\n`);
});

test('a policy without late values has no conditions', () => {
  expect(written(() => ({ paths: ['a/*'], capabilities: READ })).lifecycle).toBeUndefined();
});

test('two names of parameters that only Terraform knows are refused', () => {
  const statement = (prop: string) => () =>
    new PolicyStatement({
      paths: ['a'],
      capabilities: READ,
      [prop]: { '${var.a}': [], 'b-${var.b}': ['x'] },
    });
  const message =
    /^a policy statement contains several parameter names that only Terraform knows; allowed: one in /;
  expect(statement('allowedParameters')).toThrow(message);
  expect(statement('deniedParameters')).toThrow(message);
});

test('a capability that only Terraform knows is refused', () => {
  const REFUSED =
    /^a policy statement contains a capability that only Terraform knows; allowed: capabilities that/;
  const late = '${var.capability}' as Capability;
  expect(() => new PolicyStatement({ paths: ['a'], capabilities: [Capability.READ, late] })).toThrow(REFUSED);
  const factor = { name: 'managers', groupNames: ['${var.group}'] };
  const controlled = (controlledCapabilities: Capability[]) => () =>
    new PolicyStatement({
      paths: ['a'],
      capabilities: READ,
      controlGroup: { factors: [{ ...factor, controlledCapabilities }] },
    });
  expect(controlled([late])).toThrow(REFUSED);
  expect(controlled([Capability.READ])).not.toThrow();
});

test('a list, a number or an object that only Terraform knows is refused', () => {
  const REFUSED =
    /^a policy statement contains a number, a list or an object that only Terraform knows; allowed: strings/;
  const statement = (values: unknown[]) => () =>
    new PolicyStatement({ paths: ['a'], capabilities: READ, allowedParameters: { p: values } });
  expect(statement([Token.asNumber('${var.n}')])).toThrow(REFUSED);
  expect(statement(Token.asList('${var.l}'))).toThrow(REFUSED);
  expect(statement([Token.asAny('${var.o}')])).toThrow(REFUSED);
  expect(statement(['text', 1, true])).not.toThrow();
});
