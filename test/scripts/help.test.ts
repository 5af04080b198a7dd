import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Runs the last program of a script, without the preparations before it. */
function run(script: string, ...args: readonly string[]) {
  const [program, ...words] = scripts[script]!.split(' && ').at(-1)!.split(' ');
  expect(program).toBe('node');
  return spawnSync(process.execPath, [...words, ...args], { cwd: ROOT, encoding: 'utf8' });
}

/**
 * Returns the lines of a description that end too early, because the first word of the next line
 * would fit.
 */
function shortLines(help: string): readonly string[] {
  const lines = help.slice(0, help.indexOf('\nOptions:')).split('\n');
  return lines.filter((line, index) => {
    const [word = ''] = (lines[index + 1] ?? '').split(' ');
    return line !== '' && word !== '' && `${line} ${word}`.length <= 80;
  });
}

test.each([
  ['bench', '--rounds <NUMBER>, --count <NUMBER>, --large, --write, -h, --help'],
  ['executables', '--program <NAME>, --output <FOLDER>, --recording, -h, --help'],
  [
    'explore',
    '--bound <NAME>, --start <NAME>, --verbose, --write, --keep, --plant <NAME>, --out <FOLDER>, --replay <FILE>, --replay-ends <NUMBER>, -h, --help',
  ],
  ['flavours', '-h, --help'],
  ['foreign', '--only <REGEX>, --jobs <NUMBER>, --failures, -h, --help'],
  ['fuzz', '--minutes <NUMBER>, --seed <SEED>, -h, --help'],
  ['kills', '--rounds <NUMBER>, -h, --help'],
  ['lint-rates', '--missed, -h, --help'],
  ['matrix', '--short, -h, --help'],
  ['mutate', '--decide, --sample <NUMBER>, --seed <NUMBER>, --skip <NUMBER>, -h, --help'],
  ['promises', '--only <NUMBERS>, -h, --help'],
  ['release', '--executables <FOLDER>, --output <FOLDER>, --publisher <FILE>, -h, --help'],
  ['start', '--verbose, -h, --help'],
  ['test:executable', '--all, -h, --help'],
  ['vscode', '-h, --help'],
  ['walks', '--walks <NUMBER>, --seed <NUMBER>, --provider, -h, --help'],
  ['worlds', '--rounds <NUMBER>, --seed <NUMBER>, -h, --help'],
])(
  'npm run %s prints its usage in full lines, and refuses an unknown option with one line that lists its options',
  (script, options) => {
    const help = run(script, '--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain(
      `Usage: npm ${script === 'start' ? 'start' : `run ${script}`} -- [options]`,
    );
    expect(shortLines(help.stdout)).toEqual([]);
    expect(run(script, '--no-such')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error: unknown option '--no-such'; options: ${options}\n`,
    });
  },
);

test('a value that is not a number is refused with one line', () => {
  expect(run('worlds', '--rounds', 'many')).toMatchObject({
    status: 1,
    stderr:
      "error: option '--rounds <NUMBER>' argument 'many' is invalid. allowed: a number; options: --rounds <NUMBER>, --seed <NUMBER>, -h, --help\n",
  });
});

test.each([
  'assumptions',
  'control-api',
  'decisions',
  'lint-rules',
  'provider-docs',
  'replication-states',
  'schemas',
  'settings-table',
])('the script generate-%s.mjs refuses an option, and a second file, before it writes anything', (name) => {
  const folder = temporaryFolder('generate');
  const refusal = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts', `generate-${name}.mjs`), ...args],
      { cwd: folder, encoding: 'utf8' },
    );
    return [status, stdout, stderr];
  };
  expect(refusal('--check')).toEqual([1, '', "error: unknown option '--check'\n"]);
  expect(refusal('a', 'b')).toEqual([1, '', 'error: too many arguments. Expected 1 argument but got 2.\n']);
  expect(readdirSync(folder)).toEqual([]);
});
