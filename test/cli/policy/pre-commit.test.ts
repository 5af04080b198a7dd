import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, textsOf } from '../../docs/support/page';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files: string;
  readonly exclude: string;
}

const HOOKS = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];
const GOOD = 'path "a" {\n  capabilities = ["read"]\n}\n';
const FILES: Readonly<Record<string, string>> = {
  'policies/good.hcl': GOOD,
  'policies/bad.hcl': 'path "b" { capabilities = ["raed"] }\n',
  'policies/wide.hcl': 'path "c" {\ncapabilities=["read"]\n}\n',
  'policies/rgp.sentinel': 'main = rule { true }\n',
  'policies/test/rgp/a.hcl': '',
  'terragrunt.hcl': 'include {}\n',
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('pre-commit');
  mkdirSync(join(folder, 'policies', 'test', 'rgp'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});

/** Runs a hook as pre-commit does, with those of the changed files that the hook is for. */
async function run(id: string, changed: readonly string[]) {
  const { entry, files, exclude, language } = HOOKS.find((hook) => hook.id === id)!;
  expect(language).toBe('system');
  const [npx, option, name, ...args] = entry.split(' ');
  expect([npx, option, name]).toEqual(['npx', '--no-install', 'cdktf-vault-admin']);
  const passed = changed.filter((file) => file.match(files) && !file.match(exclude));
  return { passed, ...(await vaultAdmin([...args, ...passed], {}, folder)) };
}

test.each([
  ['policy-lint', 1, ['policies/good.hcl', 'policies/bad.hcl', 'policies/wide.hcl']],
  [
    'policy-check',
    1,
    ['policies/good.hcl', 'policies/bad.hcl', 'policies/wide.hcl', 'policies/rgp.sentinel'],
  ],
  [
    'policy-format',
    2,
    ['policies/good.hcl', 'policies/bad.hcl', 'policies/wide.hcl', 'policies/rgp.sentinel'],
  ],
])('the hook %s exits with %d for policies of which one is not valid', async (id, code, passed) => {
  expect(await run(id, Object.keys(FILES))).toMatchObject({ code, passed });
});

test.each(['policy-lint', 'policy-check', 'policy-format'])(
  'the hook %s accepts a valid policy',
  async (id) => {
    expect(await run(id, ['policies/good.hcl'])).toMatchObject({ code: 0, passed: ['policies/good.hcl'] });
  },
);

test('the hook policy-format rewrites a policy, which pre-commit then reports', async () => {
  expect(await run('policy-format', ['policies/wide.hcl'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'policies', 'wide.hcl'), 'utf8')).toBe(GOOD.replace('"a"', '"c"'));
});

test('the guide names hooks that exist', () => {
  const [text] = textsOf('docs/guides/policies-that-answer.md', 'yaml', 1);
  const { repos } = parse(text!) as { repos: { hooks: { id: string }[] }[] };
  expect(repos.flatMap(({ hooks }) => hooks.map(({ id }) => id))).toEqual(HOOKS.map(({ id }) => id));
});
