import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const LIB = join(__dirname, '..', '..', 'lib');
const COMMANDER = /\/node_modules\/commander\//;

/**
 * The modules that every command loads: the definition of the command line, without the code of its
 * commands.
 */
const WORDS = [
  'src/cli/adopt/command.js',
  'src/cli/adopt/kinds.js',
  'src/cli/completion/command.js',
  'src/cli/completion/scripts.js',
  'src/cli/doctor/command.js',
  'src/cli/emulator/command.js',
  'src/cli/errors.js',
  'src/cli/exit-codes.js',
  'src/cli/init/command.js',
  'src/cli/main.js',
  'src/cli/output/help.js',
  'src/cli/output/lists.js',
  'src/cli/output/picture-formats.js',
  'src/cli/output/print.js',
  'src/cli/output/style.js',
  'src/cli/plan-picture/command.js',
  'src/cli/policy/command.js',
  'src/cli/policy/commands/check-command.js',
  'src/cli/policy/commands/diff-command.js',
  'src/cli/policy/commands/eval-command.js',
  'src/cli/policy/commands/fmt-command.js',
  'src/cli/policy/commands/from-audit-command.js',
  'src/cli/policy/commands/language-server-command.js',
  'src/cli/policy/commands/lint-command.js',
  'src/cli/policy/commands/list-command.js',
  'src/cli/policy/commands/request-command.js',
  'src/cli/policy/commands/test-command.js',
  'src/cli/policy/commands/upgrade-command.js',
  'src/cli/policy/source-options.js',
  'src/cli/program.js',
  'src/cli/status/command.js',
  'src/cli/verify/command.js',
  'src/emulator/assume/index.js',
  'src/emulator/core/flavour.js',
  'src/model/acl/reasoning/compared-operations.js',
  'src/model/acl/settings.js',
  'src/model/durations.js',
  'src/model/messages/index.js',
  'src/model/provider-source.js',
  'src/model/versions.js',
  'src/provider/about.js',
  'src/text/late-pattern.js',
  'src/text/nearest.js',
  'src/text/visible.js',
];

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('loading');
  writeFileSync(
    join(folder, 'record.cjs'),
    "process.on('exit', () => require('fs').writeFileSync(process.env.RECORD, Object.keys(require.cache).join('\\n')));\n",
  );
});

/** Returns the files that a command loads, except those of commander. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const record = join(folder, 'loaded');
  spawnSync(process.execPath, ['-r', join(folder, 'record.cjs'), join(LIB, 'src/cli/main.js'), ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RECORD: record,
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_MAX_RETRIES: '0',
    },
  });
  return readFileSync(record, 'utf8')
    .split('\n')
    .filter((file) => file !== join(folder, 'record.cjs') && !COMMANDER.test(file))
    .map((file) => relative(LIB, file))
    .filter((file) => file !== join('..', 'package.json'))
    .sort();
}

test.each([
  [['--version']],
  [['--help']],
  [['help', 'adopt']],
  [['status', '--help']],
  [['emulator', '--help']],
  [['completion', 'bash']],
  [['doctor', '--unknown']],
])('%j loads only the definition of the command line', (args) => {
  expect(loadedBy(...args)).toEqual(WORDS);
});

test.each([
  [
    'status',
    /^(src\/(certificates|client|files|inventory|model|plugin|provider|sentinel|text|view|cli\/(status|clusters|stacks|output|groups\.js$))|constructs\/(placement|private))/,
  ],
  [
    'doctor',
    /^(src\/(certificates|client|files|inventory|model|plugin|provider|sentinel|text|cli\/(doctor|clusters|stacks|output|groups\.js$))|constructs\/(placement|private))/,
  ],
  [
    'adopt',
    /^(src\/(certificates|client|files|inventory|model|plugin|provider|sentinel|text|cli\/(adopt|clusters|stacks|output))|constructs\/(placement|private))\//,
  ],
])('%s loads no other command, and does not load the emulator', (command, own) => {
  const loaded = loadedBy(command);
  expect(loaded.filter((file) => /node_modules\/cdktf\//.test(file))).toEqual([]);
  const further = loaded.filter((file) => !WORDS.includes(file) && !file.startsWith('..'));
  expect(further.length).toBeGreaterThan(0);
  expect(further.filter((file) => !own.test(file))).toEqual([]);
});
