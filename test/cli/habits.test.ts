import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../../src/cli/program';
import { styleFor } from '../../src/cli/output/style';
import { temporaryFolder } from '../support/temporary-folder';
import { vaultAdminAlone } from './support/cli';

const ROOT = join(__dirname, '..', '..');
const COMMANDS = program().commands.map((command) => command.name());
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

test.each(['doctor', 'adopt', 'status --json', 'policy lint a.hcl', 'policy can read a b.hcl'])(
  '%s in a folder that was deleted ends with one error, without an answer',
  (args) => {
    const folder = temporaryFolder('deleted');
    const admin = `'${process.execPath}' '${join(ROOT, 'lib', 'src', 'cli', 'main.js')}'`;
    const line = `cd '${folder}' && mkdir gone && cd gone && rmdir ../gone && ${admin} ${args}`;
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([
      3,
      '',
      'vault-admin: the current folder does not exist any more: change to another folder, or to the new one at its path (cd "$PWD")\n',
    ]);
  },
);

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('%j lists the commands', async (args) => {
    const { code, stdout, stderr } = await vaultAdminAlone(args, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  test.each(COMMANDS)(
    'the help of %s is the same for each way to request it, and fits a terminal',
    async (command) => {
      const asked = await Promise.all(
        [
          [command, '--help'],
          [command, '-h'],
          ['help', command],
        ].map((args) => vaultAdminAlone(args, {})),
      );
      expect(new Set(asked.map(({ stdout }) => stdout)).size).toBe(1);
      expect(asked.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
      const { stdout } = asked[0]!;
      expect(stdout).toContain('\nExit codes:\n  0  ');
      expect(stdout).toContain('\n  2  the command line or the settings are not valid; nothing was done\n');
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test('the help of each command of policy fits a terminal', async () => {
    const policy = program().commands.find((command) => command.name() === 'policy')!;
    expect(policy.commands.length).toBeGreaterThan(0);
    for (const command of policy.commands) {
      const { stdout } = await vaultAdminAlone(['policy', command.name(), '--help'], {});
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test('the help is printed as an error if no command is given', async () => {
    const { code, stdout, stderr } = await vaultAdminAlone([], {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: cdktf-vault-admin [options] [command]');
  });
});

test.each(['--version', '-V', 'version'])('%s is the version of the package', async (flag) => {
  expect(await vaultAdminAlone([flag], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  [['statsu'], "vault-admin: unknown command 'statsu'\n(Did you mean status?)\n"],
  [['status', '--josn'], "vault-admin: unknown option '--josn'\n(Did you mean --json?)\n"],
  [['doctor', '--output', 'out'], "vault-admin: option '--output' is now called '--stacks <FOLDER>'\n"],
  [['completion'], "vault-admin: missing required argument 'SHELL'\n"],
])('%j is refused, and the error names what may have been meant', async (args, message) => {
  const { code, stdout, stderr } = await vaultAdminAlone(args, {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(`${message}(use --help for usage)\n`);
});

describe('output', () => {
  /** Runs a line in a shell, in which `$ADMIN` is the command. */
  function shell(line: string) {
    const ADMIN = `${process.execPath} ${join(ROOT, 'lib/src/cli/main.js')}`;
    const env = { PATH: process.env.PATH, ADMIN };
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { env, encoding: 'utf8' });
    return { stdout, stderr };
  }

  test.each([
    ['', true],
    ['--no-color', false],
  ])('output with FORCE_COLOR=1 and the option "%s" is colored: %s', (option, isColored) => {
    const { stdout } = shell(`echo 'path "v1/a" {}' | FORCE_COLOR=1 $ADMIN policy lint - ${option}`);
    expect(stdout).toContain('warning');
    expect(stdout.includes('\u001b[')).toBe(isColored);
  });

  test.each(['--help', 'help status', 'completion bash'])(
    'the output of %s may be cut off by a pipe without an error',
    (args) => {
      const { stdout, stderr } = shell(`$ADMIN ${args} | true; echo "\${PIPESTATUS[0]}"`);
      expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
    },
  );

  test('output that cannot be written is an error with the reason', () => {
    const { stdout, stderr } = shell('$ADMIN --help >/dev/full; echo $?');
    expect({ stdout, stderr }).toEqual({
      stdout: '3\n',
      stderr: 'vault-admin: the output could not be written: ENOSPC: no space left on device, write\n',
    });
  });
});

describe('colors', () => {
  test.each([
    ['are used on a terminal', true, {}, true],
    ['are not used in a pipe', false, {}, false],
    ['are not used on a terminal without colors', true, { TERM: 'dumb' }, false],
    ['are not used with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['are used with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['are used with FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, true],
    ['are not used with FORCE_COLOR=0 on a terminal', true, { FORCE_COLOR: '0' }, false],
    ['are not used with NO_COLOR and FORCE_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('colors %s', (_where, isTTY, env, colored) => {
    expect(styleFor({ isTTY }, env).bad('x') !== 'x').toBe(colored);
  });
});
