import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommanderError } from 'commander';
import { program } from '../../../src/cli/program';
import { Api } from '../../emulator/support/api';

const root = join(__dirname, '..', '..', '..');
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** Starts the built command, because its sources would take seconds to load. */
function start(...args: string[]): { child: ChildProcess; output: () => string; errors: () => string } {
  const child = spawn(process.execPath, [join(root, 'lib/src/cli/main.js'), 'emulator', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return { child, output: () => output, errors: () => errors };
}

async function finish(
  command: ReturnType<typeof start>,
): Promise<{ code: number | null; output: string; errors: string }> {
  const [code] = (await once(command.child, 'close')) as [number | null];
  return { code, output: command.output(), errors: command.errors() };
}

/** Runs the command in this process. For arguments that are refused before anything is started. */
async function refuse(...args: string[]): Promise<{ code: number | undefined; output: string }> {
  let output = '';
  const write = (text: string) => (output += text);
  const root = program();
  for (const command of [root, ...root.commands])
    command.configureOutput({ writeOut: write, writeErr: write });
  const code = await root.parseAsync(['emulator', ...args], { from: 'user' }).then(
    () => undefined,
    (error: CommanderError) => error.exitCode,
  );
  return { code, output };
}

describe('cdktf-vault-admin emulator', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'the command prints its clusters as JSON, answers requests, and ends on %s',
    async (signal) => {
      const command = start(
        '--cluster',
        'us',
        '--cluster',
        'eu',
        '--root-token',
        'root',
        '--server-version',
        '1.14.2+ent',
        '--json',
      );
      await once(command.child.stdout!, 'data');
      const { clusters } = JSON.parse(command.output()) as {
        clusters: Record<string, { address: string; root_token: string }>;
      };
      expect(Object.keys(clusters)).toEqual(['us', 'eu']);
      expect(clusters.us).toEqual({
        address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        root_token: 'root',
        unseal_key: expect.any(String),
      });
      expect((await new Api(clusters.eu?.address ?? '').get('sys/health')).body).toMatchObject({
        cluster_name: 'eu',
        version: '1.14.2+ent',
      });
      command.child.kill(signal);
      expect(await finish(command)).toMatchObject({ code: 0, errors: '' });
    },
  );

  it('the command prints its clusters as text', async () => {
    const command = start('--root-token', 'root', '--tls', '--standbys', '1');
    await once(command.child.stdout!, 'data');
    command.child.kill('SIGTERM');
    const { code, output } = await finish(command);
    expect(code).toBe(0);
    expect(output).toMatch(
      /^cluster default\n {2}address {5}https:\/\/127\.0\.0\.1:\d+\n {2}standby {5}https:\/\/127\.0\.0\.1:\d+\n {2}root token {2}root\n/,
    );
    expect(output).toMatch(/ {2}CA {10}\/.*\n/);
    expect(output).toContain('Ctrl-C stops them.');
  });

  it('the command prints its addresses and tokens', async () => {
    const { code, output } = await refuse('--help');
    expect(code).toBe(0);
    for (const flag of [
      '--cluster',
      '--root-token',
      '--server-version',
      '--dialect',
      '--tls',
      '--unavailable',
      '--data',
      '--json',
    ]) {
      expect(output).toContain(flag);
    }
  });

  it.each([
    [['--cluster', 'a b'], 'Allowed is NAME or NAME=PORT'],
    [['--cluster', 'a=70000'], 'Allowed are ports from 0 to 65535.'],
    [['--cluster', 'a', '--cluster', 'a'], 'Cluster "a" is given twice.'],
    [['--standbys', '12'], 'Allowed are 0 to 9.'],
    [['--server-version', '1.2'], 'allowed are 1.13 to 2.x'],
    [['--dialect', 'klingon'], 'Allowed choices are vault, neutral.'],
    [['--root-token', 'a b'], 'Allowed are printable characters without spaces.'],
    [['--unavailable', 'soon'], 'Allowed are durations from 0, such as 300ms or 5s.'],
    [['--unavailable', '-1s'], 'Allowed are durations from 0, such as 300ms or 5s.'],
    [['--assume', 'statusRoot'], 'Allowed are NAME=ALTERNATIVE, and the file of a report.'],
    [
      ['--assume', 'moonPhase=full'],
      'assumption "moonPhase" is unknown; allowed are addressesAfterDemotion, ',
    ],
    [
      ['--assume', 'statusRoot=often'],
      'assumption "statusRoot" has no alternative "often"; allowed are reported, absent.',
    ],
    [['--color'], "unknown option '--color'"],
    [['more'], "unexpected argument 'more': 'emulator' takes no arguments"],
  ])('the command refuses %j with the allowed values', async (args, text) => {
    const { code, output } = await refuse(...args);
    expect(code).toBe(1);
    expect(output).toContain(text);
    expect(output).toContain('(use --help for usage)');
  });

  it('the command ends with the shell that npm started it in', async () => {
    const shell = spawn('sh', ['-c', '"$0" lib/src/cli/main.js emulator --json; :', process.execPath], {
      cwd: root,
      env: { ...process.env, npm_command: 'run-script' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(shell);
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const { clusters } = JSON.parse(line.toString()) as { clusters: Record<string, { address: string }> };
    const api = new Api(clusters.default?.address ?? '');
    expect((await api.get('sys/health')).status).toBe(200);
    shell.kill('SIGTERM');
    // The pipe closes when the last process that has it open has ended.
    await once(shell.stdout, 'close');
    await expect(api.get('sys/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('the error about a port that is in use says how to choose another one', async () => {
    const first = start('--cluster', 'a', '--json');
    await once(first.child.stdout!, 'data');
    const { clusters } = JSON.parse(first.output()) as { clusters: Record<string, { address: string }> };
    const port = new URL(clusters.a?.address ?? '').port;
    const { code, errors } = await finish(start('--cluster', `b=${port}`));
    expect([code, errors]).toEqual([
      1,
      `vault-admin: port ${port} is in use; choose another with --cluster NAME=PORT\n`,
    ]);
  });
});
