/** The wheel, as users of Python have it: the guide `python.md`, the example, and what may go wrong. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { textsOf } from '../docs/support/page';
import { expectPrinted, follow } from '../docs/support/reader';
import { Terminal } from '../docs/support/terminal';
import { ROOT } from '../package/support/tarball';

const PAGE = 'docs/guides/python.md';
const OLDEST_PYTHON = [3, 10] as const;
/** What `npm run flavours` may take where nothing is built yet, and pip to install the wheel. */
const TIMEOUT = 420_000;
const LARGEST_WHEEL = 1_750_000;

const missing = whatIsMissing();
if (missing)
  console.warn(`${'!'.repeat(100)}\nNOT TRIED: the package for Python. ${missing}\n${'!'.repeat(100)}`);
const whereThereIsPython = missing ? describe.skip : describe;

whereThereIsPython('the package for Python', () => {
  const terminal = new Terminal();
  let wheel: string;
  beforeAll(async () => {
    wheel = join(
      ROOT,
      execFileSync(process.execPath, ['scripts/flavours/run.mjs', 'cdktf', 'python'], {
        cwd: ROOT,
        encoding: 'utf8',
      }).trim(),
    );
    copyFileSync(wheel, join(terminal.home, basename(wheel)));
    await terminal.must('export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=1');
    await follow(PAGE, terminal, { passesOver: ({ text }) => text === promisedError });
  }, TIMEOUT);
  afterAll(() => terminal.close());

  test('has what it needs, and no more', () => {
    const printed = execFileSync('python3', ['-m', 'zipfile', '-l', wheel], { encoding: 'utf8' });
    const files = printed
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(' ')[0]!);
    const module = 'cdktf_vault_admin';
    expect(files.filter((file) => !file.includes('.dist-info/'))).toEqual([
      `${module}/__init__.py`,
      `${module}/py.typed`,
      `${module}/_jsii/__init__.py`,
      `${module}/_jsii/cdktf-vault-admin@${versionOf('package.json')}.jsii.tgz`,
      `${module}/bindings/__init__.py`,
      ...['__init__', 'command_line', 'emulator', 'node'].map((name) => `${module}_tools/${name}.py`),
      `${module}_tools/py.typed`,
      `${module}_tools/pytest_plugin.py`,
      `${module}_tools/vault-admin.js`,
    ]);
    expect(readFileSync(wheel).length).toBeLessThan(LARGEST_WHEEL);
  });

  test('the example is typed, and its tests pass: an apply on an emulator, and a plan without changes', async () => {
    cpSync(join(ROOT, 'examples', 'python'), join(terminal.folder, 'example'), { recursive: true });
    await terminal.must('cd example');
    const types = await terminal.run('mypy --strict .');
    expect(types).toEqual({ code: 0, text: 'Success: no issues found in 4 source files\n' });
    const tests = await terminal.run('pytest -q -W ignore');
    expect(tests).toEqual({ code: 0, text: expect.stringContaining('2 passed') });
    await terminal.must('cd ..');
  });

  test('errors name arguments as Python does, in the last line of the traceback', async () => {
    const app = readFileSync(join(terminal.folder, 'main.py'), 'utf8');
    writeFileSync(join(terminal.folder, 'wrong.py'), app.replace('"app-reader"', '"App-Reader"'));
    const { code, text } = await terminal.run('python wrong.py');
    expect(code).toBe(1);
    expectPrinted(text.trim().split('\n').at(-1)!, promisedError);
  });

  test('a missing Node.js is said in a sentence', async () => {
    const without = 'PATH=/nonexistent';
    const sentence =
      'Node.js was not found: there is no "node" in the PATH, and JSII_NODE is not set; install';
    const command = await terminal.run(
      `python=$PWD/.venv/bin; ${without} "$python/python" "$python/vault-admin" status`,
    );
    expect(command).toEqual({ code: 1, text: expect.stringContaining(`error: ${sentence}`) });
    const constructs = await terminal.run(`${without} .venv/bin/python -c 'import cdktf_vault_admin'`);
    expect(constructs.code).toBe(1);
    expect(constructs.text.trim().split('\n').at(-1)).toContain(sentence);
  });

  test('the provider is placed where there is no home folder', async () => {
    await terminal.must('rm -rf cdktf.out && env -u HOME python main.py');
    await terminal.must('ls cdktf.out/stacks/policies/terraform.d/plugins/*/*/*/*/*/terraform-provider-*');
    // A folder that nothing can be created in: the runtime of jsii would try without end.
    await terminal.must('HOME=/proc/none JSII_RUNTIME_PACKAGE_CACHE=disabled python main.py');
  });

  test('what has no construct is reachable', async () => {
    await terminal.must('python steps.py');
    const stack = JSON.parse(
      readFileSync(join(terminal.folder, 'cdktf.out', 'stacks', 'steps', 'cdk.tf.json'), 'utf8'),
    ) as Record<'resource' | 'data', object>;
    expect(Object.keys(stack.resource)).toEqual(['vaultadmin_perf_replication_primary']);
    expect(Object.keys(stack.data)).toEqual(['vaultadmin_perf_replication_status']);
  });
});

/** What of the error on the page is the same for every app. */
const [promisedError] = textsOf(PAGE, 'text', 1) as [string];

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version;
}

function whatIsMissing(): string | undefined {
  const [major = 0, minor = 0] = printedBy('python3', '-c', 'import sys; print(*sys.version_info[:2])')
    .split(' ')
    .map(Number);
  if (major !== OLDEST_PYTHON[0] || minor < OLDEST_PYTHON[1])
    return `There is no Python ${OLDEST_PYTHON.join('.')} or newer, by the name of "python3".`;
  if (printedBy('python3', '-c', 'import ensurepip, pip, venv; print("found")') !== 'found')
    return 'This Python lacks pip or venv.';
  if (printedBy('npm', 'view', 'jsii-pacmak', 'name') !== 'jsii-pacmak')
    return 'The registry of npm does not have jsii-pacmak, or does not answer.';
  const folder = mkdtempSync(join(tmpdir(), 'pip-'));
  printedBy('python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, 'jsii');
  const downloaded = readdirSync(folder).length;
  rmSync(folder, { recursive: true });
  return downloaded === 0 ? 'The index of pip does not have jsii, or does not answer.' : undefined;
}

/** Nothing where the program is missing, fails, or takes more than a minute. */
function printedBy(program: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout.trim() : '';
}
