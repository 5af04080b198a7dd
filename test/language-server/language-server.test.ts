import { once } from 'node:events';
import { Editor } from './client';

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(async () => {
  expect(await editor.stop()).toBe(0);
});

const URI = 'file:///policies/ops.hcl';
let opened = 0;
/** Returns the address of a document that no other test has. */
const fresh = (name = 'ops.hcl') => URI.replace('ops.hcl', `${++opened}/${name}`);

const LISTED = 'path "sys/mounts" {\n  capabilities = ["list"]\n}\n';

test('an ACL policy has the findings of "policy lint", at the path of the rule, with a link to the explanation', async () => {
  const [finding, ...others] = await editor.open(fresh(), LISTED);
  expect(others).toEqual([]);
  expect(finding).toEqual({
    range: { start: { line: 0, character: 5 }, end: { line: 0, character: 17 } },
    severity: 1,
    source: 'vault-admin',
    code: 'read-missing',
    codeDescription: { href: expect.stringMatching(/^file:\/\/.*\/docs\/reference\/lint\.md#read-missing$/) },
    message: 'the path can be read, but not listed. To do: grant "read" on "sys/mounts".',
  });
});

test('a policy that the server refuses has a finding at the place of the fault', async () => {
  const findings = await editor.open(fresh(), 'path "a/😀" { capabilities = ["raed"] }\n');
  expect(findings.map(({ code, range }) => [code, range.start])).toEqual([
    ['refused', { line: 0, character: expect.any(Number) }],
  ]);
});

test('a finding that a comment accepts with a reason is not shown', async () => {
  const text = `# vault-admin: ignore read-missing: tried on a server\n${LISTED}`;
  expect(await editor.open(fresh(), text)).toEqual([]);
});

test('a Sentinel policy has the findings of "policy check" with their range', async () => {
  const text = 'main = rule { request.path is "/secret/data/app" }\n';
  const [finding] = await editor.open(fresh('a.sentinel'), text, 'sentinel');
  expect(finding).toMatchObject({ code: 'impossible-value', severity: 2, range: { start: { line: 0 } } });
  expect(finding!.message).toMatch(/request\.path never begins with a slash/);
});

test.each([
  ['sentinel.hcl', 'policy "a" { source = "a.sentinel" }\n'],
  ['main.hcl', 'resource "x" "y" {}\n'],
  ['ops.test.hcl', 'token "a" {}\n'],
])('%s, a file of another tool, has no findings', async (name, text) => {
  expect(await editor.open(fresh(name), text)).toEqual([]);
});

describe('a Terraform file', () => {
  const TERRAFORM = `resource "vault_policy" "ops" {
  name   = "ops"
  policy = <<-EOT
    path "sys/mounts" {
      capabilities = ["list"]
    }
    path "secret/data/\${var.team}/*" {
      capabilities = ["read"]
    }
  EOT
}

data "vault_policy_document" "web" {
  rule {
    path         = "sys/mount"
    capabilities = ["read"]
  }
}

resource "vault_rgp_policy" "hours" {
  name              = "hours"
  enforcement_level = "soft-mandatory"
  policy            = <<EOT
main = rule { request.path is "/secret" }
EOT
}
`;
  const open = async () => {
    const uri = fresh('main.tf');
    return { uri, findings: await editor.open(uri, TERRAFORM, 'terraform') };
  };

  test('has the findings of its policies, in heredocs at the path of the rule', async () => {
    const { findings } = await open();
    expect(
      findings
        .map(({ code, range: { start, end } }) => [
          code,
          start.line,
          start.character,
          end.line,
          end.character,
        ])
        .sort(),
    ).toEqual([
      ['impossible-value', 23, 30, 23, 39],
      ['read-missing', 3, 9, 3, 21],
      ['unknown-system-path', 14, 19, 14, 30],
    ]);
  });

  test('has hovers, completion and quick fixes in heredocs, and none outside', async () => {
    const { uri } = await open();
    expect(await editor.hover(uri, { line: 4, character: 25 })).toMatchObject({
      contents: { value: '`list` permits lists.' },
      range: { start: { line: 4, character: 22 }, end: { line: 4, character: 28 } },
    });
    expect(await editor.hover(uri, { line: 23, character: 16 })).toMatchObject({
      range: { start: { line: 23, character: 14 } },
    });
    for (const line of [1, 2, 9, 14]) expect(await editor.hover(uri, { line, character: 20 })).toBeNull();
    const offers = await editor.complete(uri, { line: 3, character: 14 });
    expect(offers!.find(({ label }) => label === 'mounts')).toMatchObject({
      textEdit: { range: { start: { line: 3, character: 14 }, end: { line: 3, character: 14 } } },
    });
    const [fix, ...others] = await editor.fixes(uri);
    expect(others).toEqual([]);
    expect(editor.edited(uri, fix!.edit!.changes![uri]!)).toBe(
      TERRAFORM.replace('["list"]', '["list", "read"]'),
    );
    expect(await editor.format(uri)).toEqual([]);
  });

  test('the file has no findings without a policy', async () => {
    expect(await editor.open(fresh('vpc.tf'), 'resource "x" "y" { a = "path" }\n', 'terraform')).toEqual([]);
  });
});

test('findings are updated with each change of the document', async () => {
  const uri = fresh();
  expect(await editor.open(uri, LISTED)).toHaveLength(1);
  expect(await editor.change(uri, LISTED.replace('list', 'read'))).toEqual([]);
});

test.each([
  ['another path', 'path "sys/mount" {\n  capabilities = ["read"]\n}\n'],
  ['a further capability', 'path "sys/raw/*" {\n  capabilities = ["read"]\n}\n'],
  ['the capability that is needed instead', LISTED],
  [
    'a new rule',
    'path "secret/data/a" {\n  capabilities = ["read"]\n}\npath "secret/data/app/*" {\n  capabilities = ["read", "list"]\n}\npath "secret/metadata/x" {\n  capabilities = ["read"]\n}\n',
  ],
  [
    'no rule at all',
    'path "sys/health" {\n  capabilities = ["read"]\n}\npath "secret/data/a" {\n  capabilities = ["read"]\n}\n',
  ],
])('a quick fix that writes %s removes its finding', async (_, text) => {
  const uri = fresh();
  const before = await editor.open(uri, text);
  const [fix, ...others] = await editor.fixes(uri);
  expect(others).toEqual([]);
  const [{ code } = {}] = fix!.diagnostics!;
  expect(before.map((each) => each.code)).toContain(code);
  const after = await editor.change(uri, editor.edited(uri, fix!.edit!.changes![uri]!));
  expect(after.map((each) => each.code)).not.toContain(code);
});

test('a hover over a path shows its endpoints, the capabilities of their operations, and the rules that decide', async () => {
  const uri = fresh();
  await editor.open(
    uri,
    'path "sys/policies/acl/*" {\n  capabilities = ["read"]\n}\npath "sys/policies/acl/ops" {\n  capabilities = ["update"]\n}\n',
  );
  const hover = await editor.hover(uri, { line: 0, character: 10 });
  expect(hover).toEqual({
    contents: {
      kind: 'markdown',
      value: [
        'Endpoints, and the capability that each operation needs:',
        '- `sys/policies/acl`: list: "list". Manages ACL policies.',
        '- `sys/policies/acl/+`: delete: "delete", read: "read", write: "update". Manages ACL policies.',
        'Other rules of this policy decide on a part of the paths:',
        '- `sys/policies/acl/ops`',
      ]
        .join('\n')
        .replace('policies.\nOther', 'policies.\n\nOther')
        .replaceAll(':\n', ':\n\n'),
    },
    range: { start: { line: 0, character: 5 }, end: { line: 0, character: 25 } },
  });
});

test('a hover over a capability shows what it permits', async () => {
  const uri = fresh();
  await editor.open(uri, LISTED);
  expect(await editor.hover(uri, { line: 1, character: 21 })).toMatchObject({
    contents: { value: '`list` permits lists.' },
  });
});

test('a hover over a name of Sentinel shows its fields', async () => {
  const uri = fresh('b.sentinel');
  await editor.open(uri, 'main = rule { request.connection.remote_addr is "10.0.0.1" }\n', 'sentinel');
  expect(await editor.hover(uri, { line: 0, character: 24 })).toMatchObject({
    contents: { value: '`request.connection` has `remote_addr`.' },
  });
});

/** Returns the labels that are offered where a `|` stands. */
async function offered(text: string, name = 'ops.hcl', languageId = 'hcl'): Promise<readonly string[]> {
  const uri = fresh(name);
  const [before = ''] = text.split('|');
  await editor.open(uri, text.replace('|', ''), languageId);
  const line = before.split('\n').length - 1;
  const items = await editor.complete(uri, { line, character: before.split('\n').at(-1)!.length });
  return items!
    .toSorted((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
    .map(({ label }) => label);
}

test('paths are completed segment by segment, also in a text that does not parse yet', async () => {
  expect(await offered('path "|')).toEqual(expect.arrayContaining(['sys/', 'auth/', 'identity/']));
  expect(await offered('path "auth/|')).toEqual(expect.arrayContaining(['token/', 'approle/']));
  expect(await offered('path "sys/policies/|" {')).toEqual([
    'acl',
    'acl/',
    'egp',
    'egp/',
    'password',
    'password/',
    'rgp',
    'rgp/',
  ]);
  expect(await offered('path "sys/policies/acl/|"')).toEqual(['+']);
  const others = 'path "secret/data/a" {}\npath "secret/metadata/a" {}\n';
  expect(await offered(`${others}path "secret/|`)).toEqual(expect.arrayContaining(['data/', 'metadata/']));
});

test('capabilities are offered with those first that the path needs', async () => {
  const offers = await offered('path "sys/policies/acl/a" {\n  capabilities = ["|"]\n}\n');
  expect(offers.slice(0, 3).sort()).toEqual(['delete', 'read', 'update']);
  expect(offers).toContain('deny');
});

test('arguments are offered within a rule, and "path" outside', async () => {
  expect(await offered('path "a" {\n  cap|\n}\n')).toContain('capabilities');
  expect(await offered('|')).toEqual(['path']);
});

test.each([
  'required_parameters = ["|"]',
  'allowed_parameters = { "|" = [] }',
  'denied_parameters = {\n | \n}',
])('the parameters of the endpoint are offered in %s', async (argument) => {
  const offers = await offered(`path "auth/token/create" {\n  ${argument}\n}\n`);
  expect(offers).toEqual(expect.arrayContaining(['policies', 'ttl']));
});

test('no parameters are offered as values of a parameter', async () => {
  const text = 'path "auth/token/create" {\n  allowed_parameters = { "ttl" = ["|"] }\n}\n';
  expect(await offered(text)).toEqual([]);
});

test('imports and fields of values are offered in Sentinel', async () => {
  expect(await offered('import "|"\n', 'c.sentinel', 'sentinel')).toContain('sockaddr');
  expect(await offered('main = rule { request.|', 'c.sentinel', 'sentinel')).toContain('operation');
  expect(await offered('import "strings"\nmain = strings.|', 'c.sentinel', 'sentinel')).toContain(
    'has_prefix',
  );
});

test.each([
  ['a.hcl', 'path "a"{\ncapabilities=["read","list"]\n}\n'],
  ['a.sentinel', 'main=rule{\ntrue\n}\n'],
])('formatting %s a second time changes nothing', async (name, text) => {
  const uri = fresh(name);
  await editor.open(uri, text, name.endsWith('sentinel') ? 'sentinel' : 'hcl');
  const edits = await editor.format(uri);
  expect(edits).toHaveLength(1);
  await editor.change(uri, editor.edited(uri, edits));
  expect(await editor.format(uri)).toEqual([]);
});

test('a policy that does not parse is not formatted', async () => {
  const uri = fresh();
  await editor.open(uri, 'path "a" {');
  expect(await editor.format(uri)).toEqual([]);
});

test('a position outside the document has no hover', async () => {
  const uri = fresh();
  await editor.open(uri, LISTED);
  expect(await editor.hover(uri, { line: 1e6, character: 1e6 })).toBeNull();
});

test('requests about a closed document have an empty answer, and its findings are withdrawn', async () => {
  const uri = fresh();
  await editor.open(uri, LISTED);
  await editor.close(uri);
  await editor.withdrawn(uri);
  expect(await editor.hover(uri, { line: 0, character: 8 })).toBeNull();
  expect(await editor.complete(uri, { line: 0, character: 8 })).toBeNull();
});

test('a document of more than a million characters has only the finding that it is too long', async () => {
  const findings = await editor.open(fresh(), LISTED.repeat(22_000));
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['too-long', 3]]);
});

test('a document with more than a thousand findings shows a thousand, and the number of the others', async () => {
  const findings = await editor.open(fresh(), LISTED.repeat(600));
  expect(findings).toHaveLength(1001);
  expect(findings.at(-1)).toMatchObject({
    code: 'not-shown',
    message: '199 more findings are not shown: see "policy lint" or "policy check".',
  });
});

test('columns after characters of two UTF-16 units are counted in units, as in editors', async () => {
  const [finding] = await editor.open(
    fresh(),
    '/* 😀😀 */ path "sys/mounts" {\n  capabilities = ["list"]\n}\n',
  );
  expect(finding!.range).toEqual({ start: { line: 0, character: 16 }, end: { line: 0, character: 28 } });
});

test('the server still answers after a message that is not JSON', async () => {
  const other = await Editor.start();
  other.server.stdin.write('Content-Length: 5\r\n\r\n{"a":');
  const uri = fresh();
  expect(await other.open(uri, LISTED)).toHaveLength(1);
  expect(await other.stop()).toBe(0);
});

test('a request with an unknown method is refused, and the next request is answered', async () => {
  await expect(editor.connection.sendRequest('textDocument/none', {})).rejects.toThrow(/Unhandled method/);
  expect(await editor.open(fresh(), LISTED)).toHaveLength(1);
});

test('the server ends when its standard input is closed without a request to exit', async () => {
  const other = await Editor.start();
  other.server.stdin.end();
  const [code] = await once(other.server, 'exit');
  expect(code).toBe(1);
});
