/** Findings of `policy lint` that depend on other files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('together');
});

async function linted(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout, code } = await vaultAdmin(['policy', 'lint', ...args], {}, folder);
  return { lines: stdout.split('\n').filter((line) => /^\S*:\d+:\d+: /.test(line)), code };
}

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} {\n  capabilities = ${JSON.stringify(capabilities)}\n}\n`;
}

const FILES = {
  'a.hcl': rule('kv/data/app', 'read') + rule('kv/data/web', 'read'),
  'b.hcl': rule('kv/data/app', 'deny') + rule('kv/data/web*', 'read'),
};

test('lint --together reports rules that rules of other files deny or make redundant, with their places', async () => {
  const { lines, code } = await linted(FILES, 'a.hcl', 'b.hcl', '--together');
  expect(lines).toEqual([
    'a.hcl:1:6: error: path "kv/data/app": another rule for the same path denies everything: b.hcl:1:6 [denied-beside]',
    'a.hcl:4:6: note: path "kv/data/web": without this rule, all requests would be decided in the same way, by "kv/data/web*" (b.hcl:4:6) [redundant]',
  ]);
  expect(code).toBe(1);
  expect((await linted(FILES, 'a.hcl', 'b.hcl')).lines).toEqual([]);
});

test('lint --together leaves out findings that are ignored, by option or by comment', async () => {
  const files = {
    ...FILES,
    'a.hcl': `# vault-admin: ignore denied-beside: only for some tokens\n${FILES['a.hcl']}`,
  };
  const { lines, code } = await linted(files, 'a.hcl', 'b.hcl', '--together', '--ignore', 'redundant');
  expect({ lines, code }).toEqual({ lines: [], code: 0 });
});

test('lint --together reports no rule as redundant if a file does not parse', async () => {
  const { lines } = await linted(
    { ...FILES, 'c.hcl': 'path "x" {' },
    'a.hcl',
    'b.hcl',
    'c.hcl',
    '--together',
  );
  expect(lines.map((line) => / \[(.*)\]$/.exec(line)?.[1])).toEqual(['denied-beside', 'refused']);
});

test('an expression in a file is literal if Terraform reads the file without filling it in', async () => {
  const text = rule('kv/data/${var.team}', 'read');
  const reading = (call: string) =>
    `resource "vault_policy" "app" {\n  name   = "app"\n  policy = ${call}\n}\n`;
  const literal = await linted(
    { 'app.hcl': text, 'main.tf': reading('file("${path.module}/app.hcl")') },
    '.',
  );
  expect(literal.lines).toEqual([
    'app.hcl:1:6: warning: path "kv/data/${var.team}": nothing fills in "${var.team}": the server takes it literally [literal-expression]',
  ]);
  for (const call of [
    'templatefile("app.hcl", { var = { team = "x" } })',
    'templatestring(file("app.hcl"), {})',
    'replace(file("app.hcl"), "$${var.team}", "x")',
  ]) {
    expect([call, (await linted({ 'main.tf': reading(call) }, '.')).lines]).toEqual([call, []]);
  }
  expect((await linted({ 'main.tf': '' }, 'app.hcl')).lines).toEqual([]);
});

test('a policy with an expression outside of quotes is refused if nothing fills it in', async () => {
  const text = 'path "kv/data/a" {\n  capabilities = ${jsonencode(var.list)}\n}\n';
  const { lines } = await linted(
    { 'app.hcl': text, 'main.tf': 'resource "vault_policy" "app" {\n  policy = file("app.hcl")\n}\n' },
    '.',
  );
  expect(lines.map((line) => / \[(.*)\]$/.exec(line)?.[1])).toEqual(['refused']);
});
