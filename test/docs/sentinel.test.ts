/**
 * Follows the page `sentinel`: its files are written to a folder, and its commands are run there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { vaultAdmin } from '../cli/support/cli';
import { temporaryFolder } from '../support/temporary-folder';
import { blocksOf, ROOT } from './support/page';

const PAGE = 'docs/guides/sentinel.md';

let folder = '';
beforeAll(() => {
  folder = temporaryFolder('guide-sentinel');
  for (const { language, text } of blocksOf(PAGE)) {
    const name = /^(?:#|\/\/) (\S+\.(?:sentinel|hcl|ts))\n/.exec(text)?.[1];
    if (language === 'sh' || name === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'request.json'), '{"request": {"operation": "update"}}');
});

/** The commands of the page that have to fail, because their request is made at night. */
const DENIED = /policy eval hours/;

const commands = blocksOf(PAGE)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'));

test('the page has the expected number of commands', () => {
  expect(commands.length).toBe(8);
});

test.each(commands)('the command gives the result that the page shows: %s', async (command) => {
  const args = command.replace(/\s+#.*$/, '').split(/\s+/);
  expect(args.slice(0, 2)).toEqual(['npx', 'cdktf-vault-admin']);
  const { code, stderr } = await vaultAdmin(args.slice(2), {}, folder);
  expect({ code, stderr }).toEqual({ code: DENIED.test(command) ? 1 : 0, stderr: '' });
});

test('the tests in TypeScript pass with the runner of Node.js', () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'cdktf-vault-admin'));
  const written = blocksOf(PAGE).filter(({ language }) => language === 'ts');
  const program = written.map(({ text }) => text).join('\n');
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  writeFileSync(join(folder, 'policies.test.js'), outputText);
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=tap', 'policies.test.js'],
    {
      cwd: folder,
      encoding: 'utf8',
      // With this variable, the runner of Node.js would refuse to run within another runner.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    },
  );
  expect({ status, ended: stdout.match(/^# (?:pass|fail) .*$/gm) }).toEqual({
    status: 0,
    ended: ['# pass 2', '# fail 0'],
  });
});
