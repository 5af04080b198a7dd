import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdminAlone } from '../support/cli';

const READ = 'path "secret/data/app" {\n  capabilities = ["read"]\n}\n';
const BOTH = READ.replace('"read"', '"read", "update"');

let folder: string;
function git(...args: readonly string[]): void {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...settings, ...args], { cwd: folder, stdio: 'pipe' });
}

beforeAll(() => {
  folder = temporaryFolder('revision');
  mkdirSync(join(folder, 'policies'));
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'policies/app.hcl'), READ);
  writeFileSync(
    join(folder, 'policies/ops.tf'),
    `resource "vault_policy" "ops" {\n  name   = "ops"\n  policy = file("\${path.module}/app.hcl")\n}\n`,
  );
  symlinkSync('/etc/hostname', join(folder, 'policies/link.hcl'));
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'old');
  writeFileSync(join(folder, 'policies/app.hcl'), BOTH);
  git('commit', '-qam', 'two');
});

const temporary = () => readdirSync(folder).filter((name) => name.startsWith('vault-admin-'));
const run = (...args: readonly string[]) => vaultAdminAlone(['policy', ...args], { TMPDIR: folder }, folder);

test('diff compares a range of revisions, with policies in Terraform files that read others', async () => {
  const { stdout, stderr, code } = await run('diff', 'old..', 'policies', '--json');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const { policies } = JSON.parse(stdout) as Report;
  const found = policies.map(({ changes }) => changes.map((each) => each.operation));
  expect(found).toEqual([['update']]);
  expect(temporary()).toEqual([]);
});

interface Report {
  readonly policies: readonly {
    readonly changes: readonly { readonly operation: string }[];
  }[];
}

test.each(['policies/../policies/app.hcl', './policies/app.hcl'])(
  '%s is read as a path, and not as a range',
  async (path) => {
    const { stdout, code } = await run('diff', path, 'policies/app.hcl');
    expect(stdout).toMatch(/nothing else|No difference|same requests/i);
    expect(code).toBe(0);
  },
);

test('diff compares a file of a revision with the file in the folder', async () => {
  const { stdout, code } = await run(
    'diff',
    'old:policies/app.hcl',
    'policies/app.hcl',
    '--fail-on',
    'widening',
  );
  expect(stdout).toMatch(/\+ update {2}secret\/data\/app/);
  expect(code).toBe(1);
});

test('policy can answers from a revision, and links in the revision are not followed', async () => {
  const { stdout, code } = await run('can', 'update', 'secret/data/app', 'old:policies');
  expect(stdout).toMatch(/denied/);
  expect(code).toBe(1);
  const lint = await run('lint', 'old:policies', '--format', 'github', '--fail-on', 'warning');
  expect(lint.code).toBe(0);
});

test.each([
  ['none:policies', /^vault-admin: none:policies could not be read from the Git repository: fatal: /],
  [
    'main:none',
    /main:none could not be read from the Git repository: fatal: path 'none' does not exist in 'main'/,
  ],
  ['--upload-pack=x:y', /unknown option/],
])('%s is an error that names the reason of Git', async (source, reason) => {
  const { stderr, code } = await run('lint', source);
  expect(stderr).toMatch(reason);
  expect(code).toBe(2);
});

test('an error names the revision instead of the temporary folder', async () => {
  git('checkout', '-q', '-b', 'empty');
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/a.txt'), '');
  mkdirSync(join(folder, 'bad'));
  writeFileSync(join(folder, 'bad/a.hcl'), READ.replace('read', 'raed'));
  git('add', '.');
  git('commit', '-qm', 'three');
  const { stderr, code } = await run('lint', 'HEAD:other');
  const { stdout } = await run('lint', 'HEAD:bad');
  expect(stdout).toMatch(/^HEAD:bad\/a\.hcl:2:/);
  expect(stderr).toMatch(/^vault-admin: HEAD:other contains no ACL policy/);
  expect(code).toBe(2);
});

describe('Sentinel policies of a revision', () => {
  beforeAll(() => {
    git('checkout', '-q', '-b', 'sentinel', 'main');
    mkdirSync(join(folder, 'rules/test/hours'), { recursive: true });
    writeFileSync(join(folder, 'rules/hours.sentinel'), 'main = rule   { request.pth is "a" }\n');
    writeFileSync(
      join(folder, 'rules/test/hours/read.hcl'),
      'global "request" {\n  value = { pth = "b" }\n}\ntest {\n  rules = { main = false }\n}\n',
    );
    writeFileSync(join(folder, 'rules/app.hcl'), READ);
    writeFileSync(
      join(folder, 'rules/app.test.hcl'),
      'token "app" {\n  denied {\n    update = "secret/data/app"\n  }\n}\n',
    );
    git('add', '.');
    git('commit', '-qm', 'rules');
    git('checkout', '-q', 'main');
  });

  test('check prints the places in the revision', async () => {
    const { stdout, code } = await run('check', 'sentinel:rules', 'sentinel:rules/hours.sentinel');
    expect(stdout.match(/^.*\[unknown-field\]$/gm)).toEqual([
      expect.stringMatching(/^sentinel:rules\/hours\.sentinel:1:25: warning: request has no "pth"/),
    ]);
    expect(code).toBe(0);
    expect(temporary()).toEqual([]);
  });

  test('fmt --check lists policies of the revision, and fmt cannot change them', async () => {
    const { stdout, code } = await run('fmt', '--check', 'sentinel:rules');
    expect({ stdout, code }).toEqual({ stdout: 'sentinel:rules/hours.sentinel\n', code: 1 });
    const changed = await run('fmt', 'sentinel:rules');
    expect(changed.stderr).toMatch(/^vault-admin: sentinel:rules is a revision, which cannot be changed/);
    expect(changed.code).toBe(2);
  });

  test.each([
    ['sentinel:rules', 2],
    ['sentinel:./rules', 2],
    ['sentinel:', 2],
    ['sentinel:rules/hours.sentinel', 1],
    ['sentinel:./rules/app.test.hcl', 1],
  ])('the tests of %s run in the revision', async (source, passed) => {
    const { stdout, stderr, code } = await run('test', source, '--json');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ passed, failed: 0 });
    expect(temporary()).toEqual([]);
  });

  test('test refuses a revision without tests', async () => {
    const { stderr, code } = await run('test', 'old:policies');
    expect(stderr).toMatch(/^vault-admin: old:policies: there are no tests and no Sentinel policies/);
    expect(code).toBe(2);
  });
});
