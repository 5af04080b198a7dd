/** Findings of `policy lint` that comments or a baseline accept. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

const MISTAKEN = 'path "sys/mount" {\n  capabilities = ["read"]\n}\n';
const OPEN = 'path "sys/health" {\n  capabilities = ["read"]\n}\n';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('accepted');
});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function lint(...args: readonly string[]) {
  return vaultAdmin(['policy', 'lint', ...args], {}, folder);
}

async function idsOf(text: string, ...args: readonly string[]): Promise<readonly string[]> {
  write('p.hcl', text);
  const { stdout } = await lint('p.hcl', '--json', ...args);
  const { findings } = JSON.parse(stdout) as { findings: readonly { id: string; line: number }[] };
  return findings.map(({ id, line }) => `${line} ${id}`);
}

describe('comments that accept findings', () => {
  test.each([
    ['above the rule', `# vault-admin: ignore unknown-system-path: a plugin has it\n${MISTAKEN}`],
    [
      'above another comment',
      `// vault-admin: ignore unknown-system-path a plugin has it\n# see there\n${MISTAKEN}`,
    ],
    ['beside the path', MISTAKEN.replace('{\n', '{ # vault-admin: ignore unknown-system-path: it is\n')],
  ])('a comment %s accepts a finding', async (_where, text) => {
    expect(await idsOf(MISTAKEN)).toEqual(['1 unknown-system-path']);
    expect(await idsOf(text)).toEqual([]);
  });

  test('a comment accepts nothing of other rules', async () => {
    const text = `# vault-admin: ignore unknown-system-path: it is\n${MISTAKEN}path "sys/polices" {\n  capabilities = ["read"]\n}\n`;
    expect(await idsOf(text)).toEqual(['5 unknown-system-path']);
  });

  test('a comment without a reason accepts nothing, and is an error', async () => {
    expect(await idsOf(`# vault-admin: ignore unknown-system-path\n${MISTAKEN}`)).toEqual([
      '2 unknown-system-path',
      '1 ignore-without-reason',
    ]);
    expect((await lint('p.hcl')).stdout).toContain(
      'p.hcl:1:1: error: the comment gives no reason to ignore unknown-system-path [ignore-without-reason]\n' +
        '    To do: write "# vault-admin: ignore unknown-system-path: REASON".\n',
    );
  });

  test('a comment that names an unknown finding is an error', async () => {
    expect(await idsOf(`# vault-admin: ignore open-paths: why not\n${OPEN}`)).toEqual([
      '2 open-path',
      '1 ignore-unknown',
    ]);
  });

  test('a comment that no longer accepts a finding has a warning, which can be ignored', async () => {
    const text = `# vault-admin: ignore open-path: once\n${MISTAKEN.replace('mount', 'mounts')}`;
    expect(await idsOf(text)).toEqual(['1 ignore-unused']);
    expect(await idsOf(text, '--ignore', 'ignore-unused')).toEqual([]);
  });

  test('a comment in a policy within Terraform is found at its line', async () => {
    write(
      'main.tf',
      `resource "vault_policy" "p" {\n  name   = "p"\n  policy = <<EOT\n# vault-admin: ignore open-path\n${OPEN}EOT\n}\n`,
    );
    expect((await lint('main.tf')).stdout).toContain('main.tf:4:1: error: the comment gives no reason');
  });
});

describe('baselines of findings', () => {
  test('a baseline contains the findings of the time when it is written, and later findings are reported', async () => {
    write('p.hcl', MISTAKEN);
    expect(await lint('p.hcl', '--write-baseline', 'known.json')).toEqual({
      code: 0,
      stdout: '1 finding written to known.json\n',
      stderr: '',
    });
    expect(JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'))).toEqual([
      { policy: 'p', id: 'unknown-system-path', path: 'sys/mount' },
    ]);
    write('p.hcl', `\n${MISTAKEN}path "sys/polices" {\n  capabilities = ["read"]\n}\n`);
    const { code, stdout } = await lint('p.hcl', '--baseline', 'known.json');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^p\.hcl:5:6: error: path "sys\/polices"/);
    expect(stdout).toContain('1 policy: 1 error, 0 warnings, 0 notes\n');
  });

  test('a baseline accepts a finding only as often as the baseline contains it', async () => {
    write('known.json', '[{"policy": "p", "id": "unknown-system-path", "path": "sys/mount"}]');
    write('a/p.hcl', MISTAKEN);
    write('b/p.hcl', MISTAKEN);
    expect((await lint('a', 'b', '--baseline', 'known.json')).stdout).toContain('2 policies: 1 error');
  });

  test('a warning advises to write a baseline again if some of its findings are gone', async () => {
    write('known.json', '[{"policy": "p", "id": "unknown-system-path", "path": "sys/mount"}]');
    write('p.hcl', MISTAKEN.replace('mount', 'mounts'));
    expect(await lint('p.hcl', '--baseline', 'known.json')).toMatchObject({
      code: 0,
      stdout:
        '1 finding of the baseline no longer found: write it again with --write-baseline\n' +
        '1 policy: 0 errors, 0 warnings, 0 notes\n',
    });
  });

  test.each([
    ['{}', 'known.json is not a baseline'],
    ['[{"policy": 1}]', 'known.json is not a baseline'],
    ['[', 'known.json cannot be read: '],
  ])('a baseline with the text %s is an error', async (text, message) => {
    write('known.json', text);
    write('p.hcl', MISTAKEN);
    const { code, stderr } = await lint('p.hcl', '--baseline', 'known.json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});

test('lint fails for a warning with --fail-on warning', async () => {
  write('p.hcl', 'path "*" {\n  capabilities = ["read"]\n}\n');
  expect(await lint('p.hcl')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 errors, 1 warning') as string,
  });
  expect(await lint('p.hcl', '--fail-on', 'warning')).toMatchObject({ code: 1 });
});

test('an app without ACL policies has no findings', async () => {
  write('cdktf.out/stacks/one/cdk.tf.json', '{"resource": {"vault_mount": {"kv": {"path": "kv"}}}}');
  expect(await lint('cdktf.out')).toEqual({
    code: 0,
    stdout: '0 policies: 0 errors, 0 warnings, 0 notes\n',
    stderr: '',
  });
});

test('--explain prints the meaning of a finding', async () => {
  expect(await lint('--explain', 'open-path')).toEqual({
    code: 0,
    stdout:
      'open-path: The server answers such requests without a token, so no policy applies to them.\n\n' +
      'For example:\n  path "sys/health" {\n    capabilities = ["read"]\n  }\n\n' +
      'Instead:\n  path "sys/mounts" {\n    capabilities = ["read"]\n  }\n',
    stderr: '',
  });
  expect(await lint('--explain', 'open')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown finding "open"') as string,
  });
});
