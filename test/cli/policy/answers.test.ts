import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { ended, startVaultAdmin, vaultAdmin } from '../support/cli';

const OLD =
  'path "secret/data/*" { capabilities = ["read"] }\npath "kv/team/+" { capabilities = ["deny"] }\n';
const NEW = `${OLD}path "secret/data/prod/*" { capabilities = ["read", "update"] }
path "kv/*" { capabilities = ["list"] }
path "sys/seal" { capabilities = ["update"] }
`;

const BY_RULES = 'By the rules of server version 1.21.0 (the default).\n';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('policy');
  mkdirSync(join(folder, 'old'));
  mkdirSync(join(folder, 'new'));
  writeFileSync(join(folder, 'old', 'app.hcl'), OLD);
  writeFileSync(join(folder, 'new', 'app.hcl'), NEW);
  writeFileSync(join(folder, 'new', 'ops.hcl'), 'path "sys/health" { capabilities = ["read"] }\n');
  writeFileSync(join(folder, 'broken.hcl'), 'path "a" {\n  capabilities = ["raed"]\n}\n');
});

function policy(...args: readonly string[]) {
  return vaultAdmin(['policy', ...args], {}, folder);
}

describe('can', () => {
  test.each([
    [['read', 'secret/data/app', 'old'], 0, 'read secret/data/app  allowed\n'],
    [
      ['update', 'secret/data/app', 'old/app.hcl'],
      1,
      'update secret/data/app  denied: The rule does not grant "update".\n',
    ],
    [['list', 'other', 'old'], 1, 'list other/  denied: No rule matches the path.\n'],
    [
      ['update', 'sys/seal', 'new', '--policy', 'app'],
      1,
      'update sys/seal  denied: The path also requires the capability "sudo".\n',
    ],
  ])('policy can %j exits with %d', async (args, code, stdout) => {
    expect(await policy('can', ...args)).toEqual({ code, stdout: stdout + BY_RULES, stderr: '' });
  });

  test('policy can refuses a file name after --policy, and the error names the command that may be meant', async () => {
    const { code, stdout, stderr } = await policy('can', 'read', 'a', '--policy', 'broken.hcl');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'no policies specified\nTo do: write "broken.hcl" at the end, without --policy, which chooses policies by their names.',
    );
  });
});

describe('policies that do not parse', () => {
  beforeAll(() => {
    mkdirSync(join(folder, 'faulty'));
    writeFileSync(join(folder, 'faulty', 'app.hcl'), OLD);
    writeFileSync(join(folder, 'faulty', 'a.hcl'), 'path "kv/a" {\n  capabilities = "read"\n}\n');
    writeFileSync(join(folder, 'faulty', 'b.hcl'), 'path "kv/b/*" {\n  capabilities = [read]\n}\n');
  });
  const [A, B] = [
    /^vault-admin: faulty\/a\.hcl:2:18: the policy/m,
    /^vault-admin: faulty\/b\.hcl:2:19: the policy/m,
  ];

  test.each([
    [['can', 'read', 'secret/data/x', 'faulty'], 0, 'read secret/data/x  allowed'],
    [['can', 'read', 'kv/c', 'faulty'], 1, 'read kv/c  denied'],
    [['can', 'list', 'kv/a', 'faulty'], 2, 'list kv/a/  denied'],
    [['why', 'read', 'kv/b/x', 'faulty'], 2, 'read kv/b/x is denied'],
    [['list', 'faulty'], 2, 'secret/data/*  read'],
    [['diff', 'faulty', 'new'], 2, '+ list  kv/*'],
    [
      ['upgrade', '--from', '1.18', '--to', '1.21', 'faulty'],
      2,
      'The meaning of the policies does not change.',
    ],
  ])(
    '%j reports all such policies, answers from the others, and exits with 2 if the answer depends on such a policy',
    async (args, code, text) => {
      const ended = await policy(...args);
      expect(ended.code).toBe(code);
      expect(ended.stdout).toContain(text);
      expect(ended.stderr).toMatch(A);
      expect(ended.stderr).toMatch(B);
    },
  );

  test('a policy whose path is written with an escape may decide on the path that it means', async () => {
    writeFileSync(join(folder, 'escaped.hcl'), 'path "\\u0073ecret/x" { capabilities = ["reed"] }\n');
    const { code, stderr } = await policy('can', 'read', 'secret/x', 'escaped.hcl');
    expect(code).toBe(2);
    expect(stderr).toContain('the answer is for the other policies, and depends on "escaped" as well\n');
  });

  test('a policy that begins with a byte order mark is reported with what to do', async () => {
    writeFileSync(join(folder, 'marked.hcl'), '\uFEFFpath "a" { capabilities = ["read"] }\n');
    expect((await policy('lint', 'marked.hcl')).stdout).toContain(
      'marked.hcl:1:1: error: the server refuses the policy: the text begins with a byte order mark (U+FEFF) ' +
        '[refused]\n    To do: save the file as UTF-8 without a byte order mark.\n',
    );
  });

  test('such policies are ignored if they are not chosen, and are not compared', async () => {
    expect(await policy('list', '--policy', 'app', 'faulty')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await policy('diff', 'old/app.hcl', 'faulty/a.hcl');
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: `The policies allow the same requests.\n\n${BY_RULES}`,
    });
  });
});

describe('templates in policies', () => {
  beforeAll(() => {
    writeFileSync(
      join(folder, 'own.hcl'),
      'path "secret/data/{{identity.entity.aliases.auth_oidc_1.name}}/*" { capabilities = ["read"] }\n',
    );
    const aliases = [{ mount_accessor: 'auth_oidc_1', name: 'jo@example.com' }];
    writeFileSync(join(folder, 'jo.json'), JSON.stringify({ entity: { name: 'jo', aliases } }));
    writeFileSync(join(folder, 'not-jo.json'), JSON.stringify({ name: 'jo' }));
  });

  test('a decision without an identity says that it may depend on the identity', async () => {
    expect(await policy('can', 'read', 'secret/data/jo@example.com/a', 'own.hcl')).toEqual({
      code: 1,
      stdout:
        'read secret/data/jo@example.com/a  denied: No rule matches the path.\n' +
        'It may depend on the identity of the token: "secret/data/{{identity.entity.aliases.auth_oidc_1.name}}/*"\n' +
        `To do: specify an identity (--identity, or --cluster with --entity).\n${BY_RULES}`,
      stderr: '',
    });
  });

  test('templates are filled in from an identity in a file', async () => {
    const identity = ['own.hcl', '--identity', 'jo.json'];
    expect((await policy('can', 'read', 'secret/data/jo@example.com/a', ...identity)).stdout).toBe(
      `read secret/data/jo@example.com/a  allowed\n${BY_RULES}`,
    );
    expect((await policy('list', ...identity)).stdout).toBe(
      `secret/data/jo@example.com/*  read\n\n${BY_RULES}`,
    );
  });

  test('a rule is left out if a setting of the server forbids the slash in a value of its template', async () => {
    const aliases = [{ mount_accessor: 'auth_oidc_1', name: 'jo/x' }];
    writeFileSync(join(folder, 'slash.json'), JSON.stringify({ entity: { name: 'jo', aliases } }));
    const asked = ['can', 'read', 'secret/data/jo/x/a', 'own.hcl', '--identity', 'slash.json'];
    const setting = ['--server-setting', 'deny_slash_in_templated_paths'];
    expect((await policy(...asked)).stdout).toBe(`read secret/data/jo/x/a  allowed\n${BY_RULES}`);
    expect((await policy(...asked, ...setting)).stdout).toBe(
      `read secret/data/jo/x/a  denied: No rule matches the path.\n${BY_RULES.replace(/\.\n$/, ', with deny_slash_in_templated_paths.\n')}`,
    );
    const unknown = await policy(...asked, '--server-setting', 'deny_slashes');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(
      'Allowed are legacy_exact_matching_on_list, new_per_element_matching_on_list, deny_slash_in_templated_paths, allow_wildcards_in_identity_templates, allow_slashes_in_identity_templates.',
    );
  });

  test('diff uses the settings of the server', async () => {
    const aliases = [{ mount_accessor: 'auth_oidc_1', name: 'jo/x' }];
    writeFileSync(join(folder, 'slash.json'), JSON.stringify({ entity: { name: 'jo', aliases } }));
    writeFileSync(join(folder, 'none.hcl'), 'path "own/x" { capabilities = ["read"] }\n');
    const own = 'path "own/{{identity.entity.aliases.auth_oidc_1.name}}/*" { capabilities = ["read"] }\n';
    writeFileSync(join(folder, 'some.hcl'), `path "own/x" { capabilities = ["read"] }\n${own}`);
    const diff = [
      'diff',
      'none.hcl',
      'some.hcl',
      '--together',
      '--fail-on',
      'change',
      '--identity',
      'slash.json',
    ];
    expect(await policy(...diff)).toMatchObject({ code: 1 });
    expect(await policy(...diff, '--server-setting', 'deny_slash_in_templated_paths')).toMatchObject({
      code: 0,
    });
  });

  test.each([
    ['missing.json', 'missing.json cannot be read: '],
    ['not-jo.json', 'not-jo.json is not an identity\nExpected: {"entity": '],
  ])('%s is refused', async (file, message) => {
    const { code, stderr } = await policy('list', 'own.hcl', '--identity', file);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('why prints the rules that deny a request, and the reasons why other rules do not decide', async () => {
  const { code, stdout } = await policy('why', 'list', 'kv/team/app', 'new');
  expect(code).toBe(1);
  expect(stdout).toBe(`list kv/team/app/ is denied.
The rule denies everything.

The deciding rule:
  path "kv/team/+"  deny  (app)

Other matching rules, which have no effect:
  path "kv/*"  list  (app): its first "+" or "*" comes earlier

${BY_RULES}`);
});

test('why --json decides as a server of 2.0.3 or later', async () => {
  const { code, stdout } = await policy(
    'why',
    'list',
    'kv/team/app',
    'new',
    '--server-version',
    '2.1.0',
    '--json',
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    request: { operation: 'list', path: 'kv/team/app/' },
    allowed: true,
    needsSudo: false,
    checks: [],
    unfilled: [],
    open: [
      'Releases of 2026 changed which of several matching rules decides on a list: since when is not documented for this line.',
    ],
    rule: { path: 'kv/*', capabilities: ['list'], policies: ['app'] },
    others: [{ rule: { path: 'kv/team/+', capabilities: ['deny'], policies: ['app'] }, lostBy: 'slash' }],
    policiesThatAllowIt: ['app'],
    serverVersion: '2.1.0',
  });
});

test('list prints what policies allow below a path', async () => {
  expect(await policy('list', 'new', '--under', 'secret/')).toEqual({
    code: 0,
    stdout: `secret/data/*  read (app)\nsecret/data/prod/*  update (app)\n\n${BY_RULES}`,
    stderr: '',
  });
});

describe('diff', () => {
  test('diff prints newly allowed requests, by policy', async () => {
    const { code, stdout } = await policy('diff', 'old', 'new', '--fail-on', 'widening');
    expect(code).toBe(1);
    expect(stdout).toBe(`! app may now seal the cluster: update sys/seal

app
+ list  kv/*  except kv/team/+/
    for example list kv/example/
    decided by no rule, then by "kv/*"
+ update  secret/data/prod/*
    for example update secret/data/prod/example
    decided by "secret/data/*", then by "secret/data/prod/*"
+ update  sys/seal
    for example update sys/seal
    decided by no rule, then by "sys/seal"

ops
+ read  sys/health
    for example read sys/health
    decided by no rule, then by "sys/health"

${BY_RULES}`);
  });

  test('diff prints the loss of a further check as a widening', async () => {
    const factor = 'factor "ops" { identity { group_names = ["managers"] approvals = 1 } }';
    writeFileSync(
      join(folder, 'checked.hcl'),
      `path "secret/data/prod" { capabilities = ["update"] control_group = { ${factor} } }`,
    );
    writeFileSync(join(folder, 'unchecked.hcl'), 'path "secret/data/prod" { capabilities = ["update"] }');
    const { code, stdout } = await policy('diff', 'checked.hcl', 'unchecked.hcl', '--fail-on', 'widening');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `~ update  secret/data/prod
    no longer has to pass control group "ops" (1 approval of "managers")
    for example update secret/data/prod
    decided by "secret/data/prod", then by "secret/data/prod"

${BY_RULES}`,
    });
    expect((await policy('diff', 'unchecked.hcl', 'checked.hcl', '--fail-on', 'widening')).code).toBe(0);
    expect((await policy('diff', 'unchecked.hcl', 'checked.hcl', '--fail-on', 'change')).code).toBe(1);
  });

  test('diff --policy prints a policy that only the new side has', async () => {
    const { code, stdout } = await policy('diff', 'old', 'new', '--policy', 'ops');
    expect(code).toBe(0);
    expect(stdout).toContain('+ read  sys/health');
  });

  test('a diff of a narrowing does not fail', async () => {
    const { code, stdout } = await policy('diff', 'new', 'old', '--fail-on', 'widening', '--json');
    expect(code).toBe(0);
    const { policies } = JSON.parse(stdout) as {
      policies: { name: string; changes: { becomes: string }[] }[];
    };
    expect(policies.map(({ name }) => name)).toEqual(['app', 'ops']);
    expect(new Set(policies.flatMap(({ changes }) => changes.map(({ becomes }) => becomes)))).toEqual(
      new Set(['denied']),
    );
  });

  test('diff prints that equal policies allow the same requests', async () => {
    expect(await policy('diff', 'old', 'old', '--fail-on', 'widening')).toEqual({
      code: 0,
      stdout: `The policies allow the same requests.\n\n${BY_RULES}`,
      stderr: '',
    });
  });

  test.each([
    ['sensitive', 'path "secret/data/prod/x" { capabilities = ["read"] }', 0],
    ['sensitive', 'path "sys/policies/acl/app" { capabilities = ["update"] }', 1],
    ['widening', 'path "secret/data/prod/x" { capabilities = ["read", "list"] }', 1],
    ['widening', 'path "kv/x" { capabilities = ["deny"] }', 0],
    ['change', 'path "secret/data/*" { capabilities = ["deny"] }', 1],
  ])('diff --fail-on %s with the further rule %s exits with %d', async (kind, more, code) => {
    writeFileSync(join(folder, 'more.hcl'), OLD + more);
    expect((await policy('diff', 'old/app.hcl', 'more.hcl', '--fail-on', kind)).code).toBe(code);
  });

  test('diff prints the limits that differ, requests that no pattern describes, and at most five exceptions', async () => {
    const limited = (more: string) =>
      `path "kv/app" {\n  capabilities = ["update"]\n  allowed_parameters = { ttl = ["1h"${more}] }\n}\n` +
      'path "team/+" { capabilities = ["deny"] }\n';
    writeFileSync(join(folder, 'limits-1.hcl'), limited(''));
    writeFileSync(
      join(folder, 'limits-2.hcl'),
      `${limited(', "2h"')}path "team/web*" { capabilities = ["read"] }\npath "n/*" { capabilities = ["list"] max_wrapping_ttl = "1m" }\n` +
        Array.from({ length: 8 }, (_, index) => `path "n/${index}/*" { capabilities = ["deny"] }\n`).join(''),
    );
    const { stdout } = await policy('diff', 'limits-1.hcl', 'limits-2.hcl');
    expect(stdout)
      .toBe(`! the token may now use paths that "team/+" denies, as "team/web*" takes precedence: team/web<any but "/">

+ update  kv/app  (in part)
    allowed_parameters "ttl": ["1h"], then ["1h","2h"]
    for example update kv/app ttl="2h"
    decided by "kv/app", then by "kv/app"
+ list  n/*  except n/0/+/*, n/1/+/*, n/2/+/*, n/3/+/*, n/4/+/* and 3 more (all: --json)
    with max_wrapping_ttl 60 s
    for example list n/example/ wrapped for 60 s
    decided by no rule, then by "n/*"
+ read  team/web*
    for example read team/webexample
    decided by "team/+", then by "team/web*"

${BY_RULES}`);
  });

  test.each<[what: string, argument: string, shown: string]>([
    [
      'values',
      `allowed_parameters = { p = [${Array.from({ length: 9 }, (_, index) => `"v${index}"`).join(', ')}] }`,
      'with allowed_parameters "p" ["v0","v1","v2","v3","v4" and 4 more (all: --json)]',
    ],
    [
      'a long value',
      `denied_parameters = { p = ["${'x'.repeat(500)}"] }`,
      'with denied_parameters "p" [1 long text (all: --json)]',
    ],
    [
      'parameters',
      `denied_parameters = { ${Array.from({ length: 8 }, (_, index) => `p${index} = []`).join('\n')} }`,
      `with ${Array.from({ length: 5 }, (_, index) => `denied_parameters "p${index}" any value`).join(', ')} and 3 more (all: --json)`,
    ],
    [
      'checks',
      `mfa_methods = [${Array.from({ length: 8 }, (_, index) => `"m${index}"`).join(', ')}]`,
      `after ${Array.from({ length: 5 }, (_, index) => `MFA method "m${index}"`).join('; ')} and 3 more (all: --json)`,
    ],
  ])('list shows the first of many limits: %s', async (_what, argument, shown) => {
    writeFileSync(join(folder, 'long.hcl'), `path "kv/x" {\n capabilities = ["update"]\n ${argument}\n}\n`);
    expect((await policy('list', 'long.hcl')).stdout).toBe(`kv/x  update  ${shown}\n\n${BY_RULES}`);
  });

  test('diff prints the values that differ first, if there are many', async () => {
    const values = Array.from({ length: 9 }, (_, index) => `"v${index}"`);
    const limited = (all: readonly string[]) =>
      `path "kv/x" {\n capabilities = ["update"]\n allowed_parameters = { p = [${all.join(', ')}] }\n}\n`;
    writeFileSync(join(folder, 'before.hcl'), limited(values));
    writeFileSync(join(folder, 'after.hcl'), limited([...values, '"new"']));
    expect((await policy('diff', 'before.hcl', 'after.hcl')).stdout).toContain(
      '    allowed_parameters "p": ["v0","v1","v2","v3","v4" and 4 more (all: --json)], then ["new","v0","v1","v2","v3" and 5 more (all: --json)]\n',
    );
  });

  test('list names the policy that grants each capability, with its limits', async () => {
    mkdirSync(join(folder, 'granting'));
    writeFileSync(join(folder, 'granting', 'a.hcl'), 'path "kv/x" { capabilities = ["read"] }');
    writeFileSync(
      join(folder, 'granting', 'b.hcl'),
      'path "kv/x" { capabilities = ["update"]\n min_wrapping_ttl = 5\n required_parameters = ["p"] }',
    );
    expect((await policy('list', 'granting')).stdout).toBe(
      `kv/x  read (a), update (b)  with required_parameters ["p"], min_wrapping_ttl 5 s\n\n${BY_RULES}`,
    );
    const { allowed } = JSON.parse((await policy('list', 'granting', '--json')).stdout) as {
      allowed: object[];
    };
    expect(allowed).toMatchObject([
      { operation: 'read', grantedBy: ['a'] },
      {
        operation: 'update',
        grantedBy: ['b'],
        after: { limits: { requiredParameters: ['p'], minWrappingTtl: 5 } },
      },
    ]);
  });

  test('diff reads the policies of stacks', async () => {
    const stack = join(folder, 'out', 'stacks', 'us');
    mkdirSync(stack, { recursive: true });
    const resource = { vaultadmin_acl_policy: { app: { name: 'app', policy: NEW } } };
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ resource }));
    const { stdout } = await policy('diff', 'old', 'out');
    expect(stdout.match(/^[+-].*/gm)).toEqual([
      '+ list  kv/*  except kv/team/+/',
      '+ update  secret/data/prod/*',
      '+ update  sys/seal',
    ]);
  });
});

describe('upgrade', () => {
  test('upgrade prints the policies whose meaning changes', async () => {
    const { code, stdout } = await policy('upgrade', '--from', '1.21.0', '--to', '2.1', 'new');
    expect(code).toBe(1);
    expect(stdout.match(/^([a-z]+|[+-].*)$/gm)).toEqual([
      'app',
      '- list  kv/team/',
      'app',
      '+ list  kv/team/+/',
    ]);
  });

  test('upgrade prints a request for each change that is not about a rule', async () => {
    writeFileSync(
      join(folder, 'old-style.hcl'),
      'path "kv//a" {\n  capabilities = ["read"]\n  capabilities = ["read"]\n}\n' +
        'path "kv/{{identity.entity.name}}/*" { capabilities = ["update"] }\n',
    );
    const { code, stdout } = await policy('upgrade', '--from', '1.18', '--to', '2.1', 'old-style.hcl');
    expect(code).toBe(1);
    expect(stdout)
      .toBe(`old-style: the server no longer accepts requests for "kv//a", which is not in canonical form
    for example read kv//a
old-style: the rule "kv/{{identity.entity.name}}/*" is ignored if a value in it contains "*" or "+", such as "+"
- update  kv/+/*  except kv//a
    for example update kv/example/example
    decided by "kv/+/*", then by no rule
old-style: the server refuses the policy: The argument "capabilities" at 3:3 was already set. Each argument can only be defined once
    for example update kv/{{identity.entity.name}}/example
`);
  });

  test('upgrade exits with 0 if no meaning changes', async () => {
    expect(await policy('upgrade', '--from', '1.18', '--to', '1.21', 'new')).toEqual({
      code: 0,
      stdout: 'The meaning of the policies does not change.\n',
      stderr: '',
    });
  });

  test.each([
    [['--to', '2.1', 'new'], '--from is required without --cluster'],
    [['--from', 'old', '--to', '2.1', 'new'], '"old" is not a valid version'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await policy('upgrade', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('lint', () => {
  test('lint prints each finding with its place and cure', async () => {
    writeFileSync(join(folder, 'mount.hcl'), 'path "sys/mount" { capabilities = ["read"] }\n');
    expect(await policy('lint', 'mount.hcl', 'broken.hcl')).toEqual({
      code: 1,
      stdout: `mount.hcl:1:6: error: path "sys/mount": the path "sys/mount" does not exist [unknown-system-path]
    To do: write "sys/mounts".
broken.hcl:2:19: error: path "a": the server refuses the policy: invalid capability "raed" [refused]
    To do: write "read".
2 policies: 2 errors, 0 warnings, 0 notes
`,
      stderr: '',
    });
  });

  test('lint reads standard input, and accepts its arguments after an option that may be repeated', async () => {
    const child = startVaultAdmin(['policy', 'lint', '--ignore', 'everything', '-'], {}, folder, 'pipe');
    child.stdin?.end('path "*" { capabilities = ["read"] }\npath "sys/mount" { capabilities = ["read"] }\n');
    const { code, stdout } = await ended(child);
    expect({ code, first: stdout.split('\n')[0] }).toEqual({
      code: 1,
      first: 'stdin:2:6: error: path "sys/mount": the path "sys/mount" does not exist [unknown-system-path]',
    });
    expect(await policy('can', '--policy', 'app', 'read', 'secret/data/a', 'old')).toMatchObject({ code: 0 });
    expect(await policy('can', '--data', 'a=1', '--data', 'b=2', 'read', 'kv/a', 'old')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^read kv\/a a="1" b="2" {2}denied/) as unknown,
    });
  });

  test('lint exits with 0 if all findings are notes', async () => {
    const { code, stdout } = await policy('lint', 'new/ops.hcl', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ id: 'open-path', policy: 'ops', line: 1 }] });
    expect((await policy('lint', 'new/ops.hcl', '--ignore', 'open-path')).stdout).toBe(
      '1 policy: 0 errors, 0 warnings, 0 notes\n',
    );
  });

  test('lint knows the mounts that the same stack declares', async () => {
    const stack = join(folder, 'mounts', 'stacks', 'us');
    mkdirSync(stack, { recursive: true });
    const withPath = (path: string) => ({
      name: 'app',
      policy: `path "${path}" { capabilities = ["read"] }`,
    });
    const resource = {
      vault_mount: {
        two: { path: 'team/apps', type: 'kv', options: { version: '2' } },
        one: { path: 'old', type: 'kv' },
        late: { path: 'late', type: '${var.type}' },
      },
      vault_policy: { a: withPath('team/apps/web'), b: withPath('old/web'), c: withPath('late/web') },
    };
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ resource }));
    const { code, stdout } = await policy('lint', 'mounts', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: [{ id: 'kv2-without-data', path: 'team/apps/web' }],
    });
  });

  test('lint refuses an unknown id', async () => {
    const { code, stderr } = await policy('lint', 'new', '--ignore', 'open');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown finding "open"\nAllowed: refused, ');
  });
});

test('a policy of OpenBao is read by the rules of OpenBao, and the filter of a list is a further check', async () => {
  const filter = 'kv/data/app/{{ .key }}';
  writeFileSync(
    join(folder, 'bao.hcl'),
    `path "kv/metadata/app/*" {\n  capabilities = ["list", "scan"]\n  pagination_limit = 10\n  list_scan_response_keys_filter_path = ${JSON.stringify(filter)}\n}\n`,
  );
  const asked = ['list', 'kv/metadata/app', 'bao.hcl', '--server-version'];
  expect((await policy('can', ...asked, '2.1')).code).toBe(2);
  expect(await policy('can', ...asked, 'openbao-2.6')).toEqual({
    code: 0,
    stdout: 'list kv/metadata/app/  allowed\nBy the rules of server version openbao-2.6 (as given).\n',
    stderr: '',
  });
  expect((await policy('why', ...asked, 'openbao-2.6')).stdout).toContain(
    `It must also pass: the filter of its keys by ${JSON.stringify(filter)}.`,
  );
  writeFileSync(
    join(folder, 'bao.test.hcl'),
    'sources = ["bao.hcl"]\nserver_version = "openbao-2.6"\ntoken "a" {\n  policies = ["bao"]\n  allowed { list = "kv/metadata/app" }\n}\n',
  );
  expect((await policy('test', 'bao.test.hcl')).code).toBe(0);
});

describe('commands on a running cluster', () => {
  let emulator: Emulator;
  let api: Api;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    emulator = await startEmulator();
    const [cluster] = Object.values(emulator.clusters);
    api = new Api(cluster!.address, cluster!.rootToken);
    env = { VAULTADMIN_US_ADDR: cluster!.address, VAULTADMIN_US_TOKEN: cluster!.rootToken };
    await api.put('sys/policies/acl/app', { policy: OLD });
    await api.put('sys/policies/acl/other', { policy: 'path "other" { capabilities = ["read"] }' });
  });
  afterAll(() => emulator?.close());

  const ask = (...args: readonly string[]) => vaultAdmin(['policy', ...args], env, folder);

  test('all policies of a running cluster are compared', async () => {
    expect((await ask('can', 'read', 'other', '--cluster', 'us')).code).toBe(0);
  });

  test('the mounts of a running cluster are used by lint', async () => {
    await api.put('sys/mounts/apps', { type: 'kv', options: { version: '2' } });
    await api.put('sys/policies/acl/web', { policy: 'path "apps/web" { capabilities = ["read"] }' });
    const { code, stdout } = await ask('lint', '--cluster', 'us', '--policy', 'web');
    await api.delete('sys/policies/acl/web');
    expect(code).toBe(1);
    expect(stdout).toContain('"apps" is KV version 2, which has no path "web/" [kv2-without-data]');
  });

  test('policy can uses the policies of the token with an accessor', async () => {
    const created = await api.post('auth/token/create', { policies: ['app'] });
    const { accessor } = (created.body as { auth: { accessor: string } }).auth;
    const own = ['--cluster', 'us', '--token-accessor', accessor];
    expect((await ask('can', 'read', 'secret/data/app', ...own)).code).toBe(0);
    expect((await ask('can', 'read', 'other', ...own)).code).toBe(1);
    expect((await ask('can', 'update', 'auth/token/renew-self', ...own)).code).toBe(0);
  });

  describe('groups in other namespaces', () => {
    const MODE = 'sys/config/group-policy-application';
    const outer = { namespace: 'outer' };
    const inner = { namespace: 'outer/inner' };
    const asked = ['can', 'read', 'outer/inner/kv/a', '--cluster', 'us', '--entity', 'kim'];
    let inOuter: typeof env;

    beforeAll(async () => {
      await api.put('sys/namespaces/outer');
      await api.put('sys/namespaces/inner', {}, outer);
      const rule = 'path "kv/*" { capabilities = ["read"] }';
      await api.put('sys/policies/acl/below', { policy: rule }, inner);
      await api.put('sys/policies/acl/above', { policy: 'path "outer/own/*" { capabilities = ["read"] }' });
      const { body } = await api.post('identity/entity', { name: 'kim' }, outer);
      const { id } = (body as { data: { id: string } }).data;
      await api.post('identity/group', { policies: 'below', member_entity_ids: id }, inner);
      await api.post('identity/group', { name: 'above', policies: 'above', member_entity_ids: id });
      inOuter = { ...env, VAULTADMIN_US_NAMESPACE: 'outer' };
    });

    const can = (path: string, used: typeof env) =>
      vaultAdmin(['policy', 'can', 'read', path, '--cluster', 'us', '--entity', 'kim'], used, folder);

    test('groups below the namespace of the entity apply', async () => {
      expect(await vaultAdmin(['policy', ...asked], inOuter, folder)).toMatchObject({ code: 0, stderr: '' });
    });

    test('groups above the namespace of the entity apply only with the mode "any"', async () => {
      expect(await can('outer/own/a', inOuter)).toMatchObject({ code: 1, stderr: '' });
      await api.post(MODE, { group_policy_application_mode: 'any' });
      expect(await can('outer/own/a', inOuter)).toMatchObject({ code: 0, stderr: '' });
      await api.post(MODE, { group_policy_application_mode: 'within_namespace_hierarchy' });
    });

    test('groups that the token may not read are listed', async () => {
      await api.put(
        'sys/policies/acl/reader',
        { policy: 'path "*" { capabilities = ["read", "list"] }' },
        outer,
      );
      const created = await api.post('auth/token/create', { policies: ['reader'] }, outer);
      const { client_token } = (created.body as { auth: { client_token: string } }).auth;
      const { code, stderr } = await can('outer/own/a', { ...inOuter, VAULTADMIN_US_TOKEN: client_token });
      expect(code).toBe(1);
      const { body } = await api.get('identity/group/name/above');
      expect(stderr).toBe(
        `vault-admin: the answer is without the policies of groups in other namespaces: "${(body as { data: { id: string } }).data.id}". ` +
          'They apply if group_policy_application_mode is "any", and sys/config/group-policy-application of the root namespace cannot be read\n',
      );
    });

    test('a token has the policies that the server returns for other namespaces', async () => {
      await api.post('sys/auth/userpass', { type: 'userpass' }, outer);
      await api.put('auth/userpass/users/lou', { password: 'x' }, outer);
      const { body } = await api.put('auth/userpass/login/lou', { password: 'x' }, outer);
      const { accessor, entity_id } = (body as { auth: { accessor: string; entity_id: string } }).auth;
      await api.post('identity/group', { policies: 'below', member_entity_ids: entity_id }, inner);
      const token = ['--cluster', 'us', '--token-accessor', accessor];
      const { code } = await vaultAdmin(
        ['policy', 'can', 'read', 'outer/inner/kv/a', ...token],
        inOuter,
        folder,
      );
      expect(code).toBe(0);
    });
  });

  test('the ceiling of an agent is read beside the policies of its token', async () => {
    const created = await api.post('auth/token/create', { policies: ['app'] });
    const { accessor } = (created.body as { auth: { accessor: string } }).auth;
    const own = ['--cluster', 'us', '--token-accessor', accessor];
    const asked = ['can', 'read', 'secret/data/app', ...own];
    expect((await ask(...asked)).code).toBe(0);
    const { code, stdout } = await ask(...asked, '--ceiling', 'other');
    expect(code).toBe(1);
    expect(stdout).toContain('denied: The ceiling of the agent refuses it: No rule matches the path.');
    expect((await ask('can', 'read', 'other', ...own, '--ceiling', 'other')).stdout).toContain(
      'read other  denied: No rule matches the path.',
    );
  });

  test('an expression in a policy of a running cluster is literal', async () => {
    await api.put('sys/policies/acl/web', { policy: 'path "apps/${var.web}" { capabilities = ["read"] }' });
    const { stdout } = await ask('lint', '--cluster', 'us', '--policy', 'web');
    await api.delete('sys/policies/acl/web');
    expect(stdout).toContain(
      'nothing fills in "${var.web}": the server takes it literally [literal-expression]',
    );
  });

  test('a diff of a folder and a running cluster has only the changes of the folder', async () => {
    const { code, stdout } = await ask('diff', '--from-cluster', 'us', 'new', '--policy', 'app');
    expect(code).toBe(0);
    expect(stdout.match(/^[+-].*/gm)).toContain('+ update  secret/data/prod/*');
  });

  describe('templates in policies of a running cluster', () => {
    const TEMPLATED = 'path "secret/data/{{identity.entity.name}}/*" { capabilities = ["read"] }';
    const OF_GROUP =
      'path "kv/{{identity.groups.names.red.id}}/*" { capabilities = ["read"] }\n' +
      'path "kv/{{identity.entity.metadata.team}}/*" { capabilities = ["list"] }';
    let group: string;
    const jo = ['--cluster', 'us', '--entity', 'jo'];

    beforeAll(async () => {
      await api.put('sys/policies/acl/own', { policy: TEMPLATED });
      await api.put('sys/policies/acl/of-group', { policy: OF_GROUP });
      const entity = await api.post('identity/entity', {
        name: 'jo',
        policies: ['own'],
        metadata: { team: 'blue' },
      });
      const { id } = (entity.body as { data: { id: string } }).data;
      const made = await api.post('identity/group', {
        name: 'red',
        policies: ['of-group'],
        member_entity_ids: [id],
      });
      group = (made.body as { data: { id: string } }).data.id;
    });

    test('templates are filled in from an entity and its groups', async () => {
      expect((await ask('can', 'read', 'secret/data/jo/a', ...jo)).code).toBe(0);
      expect((await ask('can', 'read', 'secret/data/other/a', ...jo)).code).toBe(1);
      expect((await ask('list', ...jo)).stdout).toBe(
        `kv/${group}/*  read (of-group)\nkv/blue/*  list (of-group)\nsecret/data/jo/*  read (own)\n\nBy the rules of server version 1.21.0+ent (that of the cluster).\n`.replace(
          /^(.*\n)(.*\n)/,
          (both, a, b) => (`kv/${group}` < 'kv/blue' ? both : `${b}${a}`),
        ),
      );
    });

    test('diff compares the policies of an entity with those in a folder', async () => {
      mkdirSync(join(folder, 'templated'));
      writeFileSync(join(folder, 'templated', 'own.hcl'), TEMPLATED.replace('"read"', '"read", "update"'));
      writeFileSync(join(folder, 'templated', 'of-group.hcl'), OF_GROUP);
      writeFileSync(join(folder, 'templated', 'other.hcl'), 'path "b" { capabilities = ["read"] }');
      const { code, stdout } = await ask('diff', '--from-cluster', 'us', 'templated', '--entity', 'jo');
      expect(code).toBe(0);
      expect(stdout).toBe(
        '+ update  secret/data/jo/*\n    for example update secret/data/jo/example\n' +
          '    decided by "secret/data/jo/*" (own), then by "secret/data/jo/*" (own)\n\n' +
          'By the rules of server version 1.21.0+ent (that of the cluster).\n',
      );
    });

    test.each([
      [['can', 'read', 'a', '--cluster', 'us', '--entity', 'nobody'], 'entity "nobody" does not exist'],
      [['can', 'read', 'a', '--cluster', 'us', '--entity', 'a', '--role', 'b'], 'cannot be combined'],
      [
        ['diff', 'old', 'new', '--entity', 'jo'],
        '--token-accessor, --entity and --role require --from-cluster',
      ],
    ])('%j is refused', async (args, message) => {
      const { code, stderr } = await ask(...args);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    });
  });

  test.each<[Readonly<Record<string, string>>, string]>([
    [{}, '"nope" is not described by the environment: neither VAULTADMIN_NOPE_ADDR nor VAULT_ADDR is set\n'],
    [{ VAULT_ADDR: 'http://127.0.0.1:1' }, 'no token is set for cluster "nope"\nTo do: set VAULT_TOKEN.\n'],
  ])('a cluster without settings, or without a token, is refused: %j', async (known, message) => {
    const { code, stderr } = await vaultAdmin(
      ['policy', 'can', 'read', 'a', '--cluster', 'nope'],
      { HOME: folder, ...known },
      folder,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a cluster that does not answer is an error with exit code 3', async () => {
    const gone = { ...env, VAULTADMIN_US_ADDR: 'http://127.0.0.1:1', VAULT_MAX_RETRIES: '0' };
    const { code, stdout, stderr } = await vaultAdmin(
      ['policy', 'can', 'read', 'a', '--cluster', 'us'],
      gone,
      folder,
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('vault-admin: the policies of cluster us could not be read: ');
  });
});
