import { computingTime } from '../../../support/computing-time';
import { lintAclPolicy, type LintOptions } from '../../../../src/model';

function found(text: string, options?: LintOptions): readonly string[] {
  return lintAclPolicy(text, options).map(({ id, line, column }) => `${id} ${line}:${column}`);
}

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`;
}

const KV2 = rule('secret/data/app/*', 'read') + rule('secret/metadata/app/*', 'list');

describe('a rule that cannot work', () => {
  test.each<[string, string, readonly string[], string, string]>([
    [
      'an empty path',
      'empty-path',
      [rule('', 'read')],
      rule('a', 'read'),
      'write the mount and the path below it',
    ],
    [
      'no capabilities',
      'no-capabilities',
      [rule('a'), 'path "a" {}'],
      rule('a', 'deny'),
      'add capabilities, or "deny" to refuse requests regardless of other policies',
    ],
    [
      'a system path that is misspelt',
      'unknown-system-path',
      [rule('sys/mount', 'read'), rule('sys/mount/kv', 'update')],
      rule('sys/mounts', 'read') +
        rule('sys/mount*', 'read') +
        rule('sys/plugins/x', 'read') +
        rule('sys/+/x', 'read'),
      'write "sys/mounts"',
    ],
    [
      'a template that selects nothing',
      'unknown-template',
      [rule('secret/data/{{identity.entity.alias.auth_1.name}}/*', 'read')],
      rule(
        'secret/data/{{identity.entity.aliases.auth_1.name}}/{{ identity.groups.names.a.id }}/{{time.now}}',
        'read',
      ),
      'write {{identity.entity.aliases.auth_1.name}}',
    ],
    [
      'sudo that is missing',
      'sudo-missing',
      [rule('sys/seal', 'update'), rule('sys/audit/*', 'read'), rule('sys/raw/x', 'read')],
      rule('sys/seal', 'update', 'sudo') +
        rule('sys/audit/*', 'deny') +
        rule('sys/*', 'read') +
        rule('sys/leases/renew', 'update'),
      'add "sudo", or remove the rule',
    ],
    [
      'lists below data/',
      'kv2-list-on-data',
      [rule('secret/data/app/*', 'read', 'list')],
      rule('secret/data/app/*', 'read', 'list') +
        rule('secret/metadata/*', 'list') +
        rule('other/data/x', 'list'),
      'grant "list" on "secret/metadata/app/*"',
    ],
    [
      'a path of KV 2 without data/',
      'kv2-without-data',
      [KV2 + rule('secret/web/*', 'read')],
      KV2 +
        rule('secret/*', 'read') +
        rule('secret/+/x', 'list') +
        rule('secret/delete/app', 'update') +
        rule('other/app', 'read') +
        rule('kv/data/app', 'read', 'list') +
        rule('kv/app', 'read', 'list'),
      'write "secret/data/web/*"',
    ],
    [
      'a final slash',
      'final-slash',
      [rule('kv/app/', 'read'), rule('kv/app/', 'list', 'create'), rule('kv/+/', 'delete')],
      rule('kv/app/', 'list') +
        rule('kv/app/*', 'read') +
        rule('sys/policies/acl/', 'read', 'list') +
        rule('kv/b/', 'deny'),
      'write "kv/app", or "kv/app/*" for everything below it',
    ],
    [
      'a list of an endpoint that is read',
      'read-missing',
      [rule('sys/mounts', 'list'), rule('sys/auth/', 'list')],
      rule('sys/mounts', 'read', 'list') + rule('sys/policies/acl', 'list'),
      'grant "read" on "sys/mounts"',
    ],
    [
      'a create on an endpoint that needs update',
      'update-missing',
      [
        rule('pki/issue/web', 'create'),
        rule('auth/token/create', 'create'),
        rule('transit/decrypt/key', 'read'),
      ],
      rule('pki/issue/web', 'update') +
        rule('pki/roles/web', 'create') +
        rule('pki/cert/ca', 'read') +
        rule('transit/keys/key', 'create') +
        rule('auth/token/lookup-self', 'read'),
      'grant "update"',
    ],
    [
      'a rule that a pattern replaces everywhere',
      'never-decides',
      [rule('*', 'deny') + rule('+/*', 'read')],
      rule('+/b/*', 'read') + rule('a/*', 'deny'),
      'remove this rule, or change the others',
    ],
    [
      'a rule with a deny for the same path',
      'denied-beside',
      [rule('a', 'read') + rule('a', 'deny')],
      rule('a', 'read') + rule('a/*', 'deny'),
      'remove one of the two',
    ],
    [
      'parameters that exclude each other',
      'unusable-capability',
      ['path "a" { capabilities = ["update"] required_parameters = ["p"] denied_parameters = { p = [] } }'],
      'path "a" { capabilities = ["update"] required_parameters = ["p"] denied_parameters = { p = ["x"] } }',
      'correct the constraints',
    ],
  ])('is reported with a correction: %s', (_what, id, bad, good, cure) => {
    for (const text of bad) {
      expect({ text, ids: lintAclPolicy(text).map((finding) => finding.id) }).toEqual({
        text,
        ids: expect.arrayContaining([id]) as unknown,
      });
    }
    expect(lintAclPolicy(bad[0]!).find((finding) => finding.id === id)?.cure).toBe(cure);
    expect(lintAclPolicy(good, { ignore: ['redundant'] })).toEqual([]);
  });

  test('has the findings that fit the kinds of the mounts', () => {
    const text = rule('team/data/app', 'read', 'list');
    expect(found(text)).toEqual([]);
    expect(found(text, { mounts: new Map([['team', 'kv-2']]) })).toEqual(['kv2-list-on-data 1:6']);
    const usual = rule('secret/data/app', 'read', 'list');
    expect(found(usual, { mounts: new Map([['secret', 'kv-1']]) })).toEqual([]);
    const forBoth = rule('team/data/app', 'read') + rule('team/app', 'read');
    expect(found(forBoth, { mounts: new Map([['team', 'kv-2']]) })).toEqual([]);
  });
});

test('a selector with a placeholder is not reported as one that selects nothing', () => {
  const ids = (accessor: string) =>
    lintAclPolicy(rule(`kv/{{identity.entity.aliases.${accessor}.name}}/x`, 'read')).map(({ id }) => id);

  expect(ids('<<.Accessor>>')).toEqual(['placeholder']);
  expect(ids('<accessor>')).toEqual(['placeholder']);
  expect(ids('a.b')).toEqual(['unknown-template']);
});

test('a path with a placeholder such as %s may stand for different paths', () => {
  const ids = (path: string) => lintAclPolicy(rule(path, 'read') + rule(path, 'list')).map(({ id }) => id);

  expect(ids('sys/mounts/%s')).toEqual(['placeholder', 'placeholder']);
  expect(ids('kv/%stuff')).toEqual(['repeated-path']);
});

test('a denial that another rule overrules on some of its paths is reported with them', () => {
  const finding = (text: string) => lintAclPolicy(text).map(({ id, line, problem }) => [id, line, problem]);

  expect(finding(rule('kv/app/*', 'read') + rule('kv/+/admin', 'deny'))).toEqual([
    ['deny-overruled', 2, 'the rule for "kv/app/*" permits kv/app/admin, which this one would deny'],
  ]);
  expect(lintAclPolicy(rule('a/+/b/*', 'deny') + rule('a/*', 'read')).map(({ id }) => id)).toEqual([
    'never-decides',
  ]);
  // An exception within the denied paths, and a denial that decides on all of them.
  expect(finding(rule('kv/*', 'deny') + rule('kv/app', 'read'))).toEqual([]);
  expect(finding(rule('kv/*', 'read') + rule('kv/+/admin', 'deny'))).toEqual([]);
  expect(finding(rule('kv/app/*', 'deny') + rule('kv/+/admin', 'read'))).toEqual([]);
  expect(finding(rule('kv/+/admin', 'deny') + rule('kv/app/*', 'deny'))).toEqual([]);
});

test.each([
  [rule('+/sys/mounts', 'read') + rule('+/data/*', 'read'), []],
  [rule('+/sys/mounts', 'read') + rule('secret/data/a', 'read') + rule('secret/sys/mounts', 'list'), []],
  [rule('secret/data/**', 'read'), ['literal-wildcard: write "secret/data/*"']],
  [rule('secret/data/*/a/**', 'read'), ['literal-wildcard: write "secret/data/+/a/*"']],
  [rule('secret/data/x*/a/**', 'read'), ['literal-wildcard: write "+" for any one segment']],
  [
    rule('kv/a/**', 'read') + rule('kv/+/b', 'update'),
    [
      'literal-wildcard: write "kv/a/*"; it decides in place of "kv/+/b" then, so add the capabilities needed there',
    ],
  ],
  [KV2 + rule('secret/meta/app/*', 'list'), ['kv2-without-data: write "secret/metadata/app/*"']],
  [KV2 + rule('secret/datta/app', 'read'), ['kv2-without-data: write "secret/data/app"']],
  [KV2 + rule('secret/conf/app', 'read'), ['kv2-without-data: write "secret/data/conf/app"']],
])('the correction fits the intended path: %s', (text, cures) => {
  expect(lintAclPolicy(text).map(({ id, cure }) => `${id}: ${cure}`)).toEqual(cures);
});

test('a capability that cannot work is an error if it is the only one of its rule, and otherwise a warning', () => {
  const severities = (text: string) => lintAclPolicy(text).map(({ severity }) => severity);
  expect(severities(rule('secret/data/x', 'read', 'list'))).toEqual(['warning']);
  expect(severities(rule('secret/data/x', 'list'))).toEqual(['error']);
  expect(severities(rule('kv/x/', 'read', 'list'))).toEqual(['warning']);
  expect(severities(rule('kv/x/', 'read'))).toEqual(['error']);
});

test('a rule that is probably not intended is a warning, and a remark is a note', () => {
  const text = [
    rule('a', 'read'),
    rule('a', 'list'),
    rule('*', 'read'),
    rule('sys/health', 'read'),
    rule('auth/userpass/login/jo', 'update'),
    rule('secret/data/<team>/x', 'read'),
    rule('{{ .Values.mount }}/{{team}}', 'read'),
  ].join('');
  expect(found(text)).toEqual([
    'repeated-path 2:6',
    'everything 3:6',
    'open-path 4:6',
    'open-path 5:6',
    'placeholder 6:6',
    'placeholder 7:6',
  ]);
  expect(found(text, { ignore: ['open-path', 'everything'] })).toEqual([
    'repeated-path 2:6',
    'placeholder 6:6',
    'placeholder 7:6',
  ]);
});

describe('an expression of Terraform', () => {
  test('stands for a text if it is in quotes', () => {
    expect(found('path "${var.mount}/data/app" { capabilities = ["raed"] }')).toEqual(['refused 1:48']);
    expect(found('path "${var.mount["a"]}/data/app" { capabilities = ["read"] }')).toEqual([]);
    expect(
      found('path "sys/seal" { capabilities = ["update"] }\npath "${x}" { capabilities = ["read"] }'),
    ).toEqual(['sudo-missing 1:6']);
  });

  test.each([
    'path "a" { capabilities = ["${join(",", var.capabilities)}"] }',
    'path "a" { capabilities = ["read"]\n min_wrapping_ttl = "${var.ttl}" }',
    'path "a" { policy = "${var.policy}" }',
    'path "kv/{{identity.entity.aliases.${var.accessor}.name}}" { capabilities = ["read"] }',
    '${local.everything}',
  ])('hides everything that depends on its value: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('outside of quotes hides the findings that depend on it', () => {
    const text = [
      'path "sys/seal" {',
      '  capabilities = ${jsonencode(var.capabilities)}',
      '}',
      '%{ for name in var.names ~}',
      'path "secret/data/${name}" { capabilities = ["read"] }',
      '%{ endfor ~}',
      'path "sys/mount" { capabilities = ["read"] }',
    ].join('\n');
    expect(found(text)).toEqual(['unknown-system-path 7:6']);
  });

  test('hides nothing if it is in a comment', () => {
    const text = [
      '# Secrets of ${var.team}',
      'path "a/${var.team}" { capabilities = ["read"] }',
      '/* the same,',
      '   once more for "${var.team} */',
      'path "a/${var.team}" { capabilities = ["list"] }',
      '// ${var.team}',
      'path "sys/mount" { capabilities = ["read"] }',
    ].join('\n');
    expect(found(text)).toEqual(['repeated-path 5:6', 'unknown-system-path 7:6']);
  });

  test('keeps the positions of the text after it if it is a value', () => {
    expect(found('path "a" { required_parameters = ${var.names} capabilities = ["raed"] }')).toEqual([
      'refused 1:63',
    ]);
  });
});

describe('a policy that the server refuses', () => {
  test.each([
    ['path "a" { capabilities = ["read", "raed"] }', '1:36', 'write "read"'],
    ['path "a" { capabilities = ["liste"] }', '1:28', 'write "list"'],
    ['path "a" { capabilities = ["write"] }', '1:28', 'write "create" and "update"'],
    ['path "a" {\n capability = ["read"]\n}', '2:2', 'write capabilities'],
    ['paths "a" { capabilities = ["read"] }', '1:1', 'write path'],
    ['path = "x" {\n capabilities = ["read"]\n}', '1:12', 'remove the "=" after path'],
    ['path "a" {\n capabilities = "read"\n}', '2:17', 'write the value as a list: ["…"]'],
    ['path "a" {\n capabilities = [read]\n}', '2:18', 'put each word of the list in double quotes'],
    ['path "a" {\n capabilities = ["read" "list"]\n}', '2:25', 'separate the values of the list with commas'],
    ['path "a" {\n capabilities: ["read"]\n}', '2:14', 'write "=" instead of ":"'],
    ["path 'a' {}", '1:6', 'write double quotes'],
    [
      'path "a" {\n}\npath "b" {\n capabilities = ["read"]\n\npath "c" {\n}\n',
      '3:1',
      'close the block with "}"',
    ],
    ['{"path": {"a": {"capabilities": ["raed"]}}}', '1:34', 'write "read"'],
    ['{"path": {"a": {"capabilities": "read"}}}', '1:11', 'write the value as a list: ["…"]'],
    [
      'path "a/+*" { capabilities = ["read"] }',
      '1:6',
      'write "+/*" for a segment and all below it, or "*" for any suffix',
    ],
  ])('has one finding, with position and correction: %s', (text, place, cure) => {
    const [finding, ...others] = lintAclPolicy(text);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: 'refused', severity: 'error', cure });
    expect(`${finding?.line}:${finding?.column}`).toBe(place);
    expect(finding?.problem).not.toContain('line 0');
  });
});

test.each([1_000])('%d paths that are prefixes of one another are examined in time', async (count) => {
  const text = Array.from({ length: count }, (_, index) =>
    rule(`a/${'b'.repeat(index % 500)}${index}*`, 'read'),
  ).join('');
  const took = await computingTime(() => expect(found(text)).toEqual(['redundant 506:6', 'redundant 556:6']));
  expect(took).toBeLessThan(10_000);
});

test('too many rules for the same paths are not searched for dead ones', () => {
  const dead = rule('*', 'deny') + rule('+/*', 'read');
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const bits = index.toString(2).padStart(10, '0');
      return rule(`${bits.replaceAll('1', '+/').replaceAll('0', 'a/')}*`, 'read');
    }).join('');
  const ids = (text: string) => [...new Set(lintAclPolicy(text).map(({ id }) => id))];
  expect(ids(dead + others(10))).toEqual(['everything', 'never-decides', 'redundant']);
  expect(ids(dead + others(1_000))).toEqual(['too-complex', 'everything']);
  const ignore = ['too-complex', 'everything'];
  expect(lintAclPolicy(dead + others(1_000), { ignore })).toEqual([]);
});
