import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

test.each([
  ['promises', 'scripts/promises/run.mjs', '--only <NUMBERS>'],
  ['bench', 'lib/bench/run.js', '--rounds <NUMBER>'],
])(
  'npm run %s -- --help prints its options, and an unknown option is refused without a stack trace',
  (name, file, option) => {
    const run = (argument: string) =>
      spawnSync(process.execPath, [join(ROOT, file), argument], { encoding: 'utf8' });
    const help = run('--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain(`Usage: npm run ${name} -- [options]`);
    expect(help.stdout).toContain(option);
    expect(run('--no-such')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: "error: unknown option '--no-such'\n",
    });
  },
);
