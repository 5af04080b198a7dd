/**
 * Tests the wheels as users install them: the guide `python.md`, the example, the code of the
 * guides, and errors.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inFolder, readStack, type StackJson } from '../constructs/support/synthesize';
import { textsOf } from '../docs/support/page';
import { appsOf, programsOf, runApp } from '../docs/support/programs';
import { expectPrinted, follow } from '../docs/support/reader';
import { Terminal } from '../docs/support/terminal';
import { ROOT } from '../package/support/tarball';
import { keepMypyCache, mypyCache, pythonOrReason } from './support/environment';

const PAGE = 'docs/guides/python.md';
/** The time limit in milliseconds. It includes `npm run flavours` if nothing is built yet. */
const TIMEOUT = 900_000;
const LARGEST_WHEEL = 2_200_000;

/** The pages whose code exists in Python as well. */
const PAGES = [
  'audit-devices',
  'namespaces',
  'auto-snapshots',
  'emulator',
  'first-policy',
  'managed-keys',
  'policies-that-answer',
  'registry',
  'replication',
  'several-clusters',
].map((guide) => `docs/guides/${guide}.md`);

/** The packages that pip has to install with each wheel. */
const REQUIREMENTS = {
  cdktf: [
    'cdktf-cdktf-provider-vault <16.0.0,>=15.6.1',
    'cdktf <0.22.0,>=0.21.0',
    'constructs <11.0.0,>=10.6.0',
  ],
  cdktn: ['cdktn-provider-vault <19.0.0,>=18.0.0', 'cdktn <0.27.0,>=0.24.0', 'constructs <11.0.0,>=10.6.0'],
};
const FLAVOURS = Object.keys(REQUIREMENTS) as (keyof typeof REQUIREMENTS)[];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const environment = pythonOrReason();
const whereThereIsPython = 'missing' in environment ? describe.skip : describe;

whereThereIsPython('the packages for Python', () => {
  const { base } = environment as { base: string };
  const terminal = new Terminal();
  const wheels = FLAVOURS.map((flavour) =>
    join(ROOT, 'dist', `${flavour}_vault_admin-${version}-py3-none-any.whl`),
  );
  beforeAll(async () => {
    const build = ['scripts/flavours/run.mjs', ...FLAVOURS, 'python'];
    execFileSync(process.execPath, build, { cwd: ROOT, encoding: 'utf8' });
    for (const wheel of wheels) copyFileSync(wheel, join(terminal.home, basename(wheel)));

    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
    const standIn = `exec "${python.trim()}" "${join(__dirname, 'support', 'make_environment.py')}" "${base}" "$3"`;
    terminal.program('python3', standIn);
    await terminal.must(
      `export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20 MYPY_CACHE_DIR="${mypyCache(base, terminal.home)}"`,
    );
    await follow(PAGE, terminal, { passesOver: ({ text }) => text === promisedError });
  }, TIMEOUT);
  afterAll(() => terminal.close());

  test.each(FLAVOURS)('the wheel for %s contains what it needs, and nothing else', (flavour) => {
    const wheel = wheels[FLAVOURS.indexOf(flavour)]!;
    const printed = execFileSync('python3', ['-m', 'zipfile', '-l', wheel], { encoding: 'utf8' });
    const files = printed
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(' ')[0]!);
    const module = `${flavour}_vault_admin`;
    const about = `${module}-${version}.dist-info`;
    expect(files).toEqual([
      `${module}/__init__.py`,
      `${module}/py.typed`,
      `${module}/_jsii/__init__.py`,
      `${module}/_jsii/${flavour}-vault-admin@${version}.jsii.tgz`,
      `${module}/bindings/__init__.py`,
      ...['__init__', 'command_line', 'emulator', 'node'].map((name) => `${module}_tools/${name}.py`),
      `${module}_tools/py.typed`,
      `${module}_tools/pytest_plugin.py`,
      `${module}_tools/vault-admin.js`,
      ...['LICENSE', 'METADATA', 'WHEEL', 'entry_points.txt', 'top_level.txt', 'RECORD'].map(
        (name) => `${about}/${name}`,
      ),
    ]);
    expect(readFileSync(wheel).length).toBeLessThan(LARGEST_WHEEL);

    const [head, page] = textIn(wheel, `${about}/METADATA`).split(/\n\n([^]*)/) as [string, string];
    expect(valuesOf(head, 'Name')).toEqual([`${flavour}-vault-admin`]);
    expect(valuesOf(head, 'Version')).toEqual([version]);
    expect(valuesOf(head, 'License')).toEqual(['MIT']);
    expect(valuesOf(head, 'Requires-Python')).toEqual(['>=3.10']);
    expect(valuesOf(head, 'Requires-Dist')).toEqual([
      ...REQUIREMENTS[flavour],
      'jsii <2.0.0,>=1.140.0',
      'publication >=0.0.3',
    ]);
    expect(page).toContain(`from ${module} import AclPolicy, `);
    if (flavour !== 'cdktf') expect(page).not.toMatch(/<!--|\bcdktf\b(?!\.(?:json|out)|\/)/);
    const untranslated = /\{@link|:throws:|:param \w+: -$|efault: - |^'''[^\n]*;$/m;
    expect(docstringsOf(wheel, `${module}/__init__.py`).filter((text) => untranslated.test(text))).toEqual(
      [],
    );
    expect(textIn(wheel, `${about}/entry_points.txt`)).toBe(`[console_scripts]
${flavour}-vault-admin = ${module}_tools.command_line:main
vault-admin = ${module}_tools.command_line:main

[pytest11]
${module} = ${module}_tools.pytest_plugin
`);
  });

  test(
    'the code of the guides synthesizes the same stacks in Python, in TypeScript and on cdktn',
    async () => {
      const guides = join(terminal.folder, 'guides');
      for (const flavour of FLAVOURS) mkdirSync(join(guides, flavour), { recursive: true });
      const apps = PAGES.flatMap((page) => {
        const inPython = appsOf(page, 'python');
        const inTypeScript = appsOf(page, 'ts');
        expect([page, inPython.length]).toEqual([page, inTypeScript.length]);
        return inPython.map((python, index) => ({
          name: `${basename(page, '.md').toLowerCase().replaceAll('-', '_')}_${index}`,
          python,
          typeScript: inTypeScript[index]!,
        }));
      });
      for (const { name, python } of apps) {
        writeFileSync(join(guides, 'cdktf', `${name}.py`), python);
        writeFileSync(join(guides, 'cdktn', `${name}.py`), inWordsOf('cdktn', python));
      }
      const others = PAGES.flatMap((page) =>
        programsOf(page, 'python').filter((code) => !code.includes('App()')),
      );
      expect(others).toHaveLength(1);
      for (const [index, code] of others.entries())
        writeFileSync(join(guides, 'cdktf', `emulator_${index}.py`), code);

      const runPrograms = `python ${join(__dirname, 'support', 'run_programs.py')} *.py`;
      const printed = await terminal.run(`(cd guides/cdktf && ${runPrograms})`);
      expect(printed).toEqual({
        code: 0,
        text: '429\n200\n',
      });
      await terminal.must(`
      pip install --quiet ../cdktn_vault_admin-*.whl
      cdktn-vault-admin --version
      (cd guides/cdktn && ${runPrograms})`);

      for (const { name, typeScript } of apps) {
        const expected = inFolder((folder) => {
          runApp(typeScript, folder);
          return stacksIn(folder);
        });
        expect({ name, ...stacksIn(join(guides, 'cdktf', name)) }).toEqual({ name, ...expected });
        expect({ name, ...stacksIn(join(guides, 'cdktn', name)) }).toEqual({ name, ...expected });
      }
    },
    TIMEOUT,
  );

  test('the package is fully typed, and the tests of the example pass: an apply on an emulator, and a plan without changes', async () => {
    cpSync(join(ROOT, 'examples', 'python'), join(terminal.folder, 'example'), { recursive: true });
    const types = await terminal.run('mypy --strict example guides/cdktf');
    expect(types).toEqual({
      code: 0,
      text: expect.stringMatching(/^Success: no issues found in 1\d source files\n$/),
    });
    keepMypyCache(base, terminal.home);
    const tests = await terminal.run('cd example; pytest -q -W ignore; cd ..');
    expect(tests).toEqual({ code: 0, text: expect.stringContaining('2 passed') });
  });

  test('errors name arguments as Python does, in the last line of the traceback', async () => {
    const app = readFileSync(join(terminal.folder, 'main.py'), 'utf8');
    writeFileSync(join(terminal.folder, 'wrong.py'), app.replace('"app-reader"', '"App-Reader"'));
    const { code, text } = await terminal.run('python wrong.py');
    expect(code).toBe(1);
    expectPrinted(text.trim().split('\n').at(-1)!, promisedError);

    writeFileSync(join(terminal.folder, 'wrong_later.py'), LATE_ERRORS);
    const { text: late } = await terminal.run('python wrong_later.py');
    expect(late.trim().split('\n')).toEqual([
      expect.stringMatching(/^RuntimeError: KeySpec\.rsa received 1000; /),
      'RuntimeError: [twice/Second] ACL policy "ops" on cluster "default" is written by [twice/First] already; ' +
        'give one of the two another policy_name, or refer to the other one with from_policy_name',
      expect.stringMatching(
        /^To do: .*; or, if this is intended, suppress the rule: PolicyGuardRails\.suppress\(construct, "no-sudo", 'why'\)\.$/,
      ),
    ]);
  });

  test('a missing Node.js is reported in one sentence', async () => {
    const without = 'PATH="$PWD/missing"';
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

  test('resources without a construct can be used', () => {
    const stack = readStack(join(terminal.folder, 'cdktf.out'), 'steps');
    expect(Object.keys(stack.resource!)).toEqual(['vaultadmin_perf_replication_primary']);
    expect(Object.keys((stack as StackJson & { data: object }).data)).toEqual([
      'vaultadmin_perf_replication_status',
    ]);
  });

  test('the provider is placed without a home folder', async () => {
    await terminal.must('rm -rf cdktf.out && env -u HOME python main.py');
    await terminal.must('ls cdktf.out/stacks/policies/terraform.d/plugins/*/*/*/*/*/terraform-provider-*');
    // The runtime of jsii would retry forever, because no folder can be created below /proc.
    await terminal.must('HOME=/proc/none JSII_RUNTIME_PACKAGE_CACHE=disabled python main.py');

    const refused = await terminal.run('HOME=/dev/null python main.py');
    expect(refused).toEqual({
      code: 1,
      text: expect.stringContaining('set JSII_RUNTIME_PACKAGE_CACHE_ROOT'),
    });
    await terminal.must('HOME=/dev/null JSII_RUNTIME_PACKAGE_CACHE_ROOT="$PWD/packages" python main.py');
  });
});

/** The error that the page shows. */
const [promisedError] = textsOf(PAGE, 'text', 1) as [string];

/**
 * A program that prints the last line of three tracebacks: of a method, a check at synthesis, and
 * guard rails.
 */
const LATE_ERRORS = `
import traceback
from cdktf import App, TerraformStack
from cdktf_vault_admin import (
    AclPolicy, Capability, KeySpec, PolicyGuardRails, PolicyStatement, VaultCluster, ResourceProvider
)

def app_of(stack_name, *policies):
    app = App()
    stack = TerraformStack(app, stack_name)
    cluster = VaultCluster(stack, "Cluster", resource_provider=ResourceProvider.VAULTADMIN)
    for policy in policies:
        statement = PolicyStatement(paths=["sys/raw"], capabilities=[Capability.READ, Capability.SUDO])
        AclPolicy(stack, policy, cluster=cluster, policy_name="ops", statements=[statement])
    return app

def guarded():
    app = app_of("guarded", "Only")
    PolicyGuardRails.add_to(app)
    app.synth()

for wrong in [lambda: KeySpec.rsa(1000), lambda: app_of("twice", "First", "Second").synth(), guarded]:
    try:
        wrong()
    except RuntimeError:
        print(traceback.format_exc().rstrip().splitlines()[-1])
`;

function textIn(wheel: string, file: string): string {
  const read = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode(), end="")';
  return execFileSync('python3', ['-c', read, wheel, file], { encoding: 'utf8' });
}

function docstringsOf(wheel: string, file: string): readonly string[] {
  return textIn(wheel, file).match(/'''[^]*?'''/g) ?? [];
}

function valuesOf(head: string, field: string): readonly string[] {
  return head
    .split('\n')
    .filter((line) => line.startsWith(`${field}: `))
    .map((line) => line.slice(field.length + 2));
}

function inWordsOf(flavour: string, code: string): string {
  const rewrite = `
    import { readFileSync } from 'node:fs';
    import { FLAVOURS } from './scripts/flavours/flavours.mjs';
    process.stdout.write(FLAVOURS[process.argv[1]].rewrite(readFileSync(0, 'utf8')));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', rewrite, flavour], {
    cwd: ROOT,
    encoding: 'utf8',
    input: code,
  });
}

/**
 * Returns the stacks in a folder, without their parts that depend on the framework and the folder.
 */
function stacksIn(folder: string): Record<string, unknown> {
  return Object.fromEntries(
    readdirSync(join(folder, 'stacks')).map((name) => {
      const { terraform, ...stack } = readStack(folder, name);
      return [
        name,
        inOneNotation({ ...stack, '//': undefined, terraform: { ...terraform, backend: undefined } }),
      ];
    }),
  );
}

/**
 * Replaces the names of properties in error messages by their names in Python, since messages use
 * the names of the app's language.
 */
function inOneNotation(stack: object): object {
  const snakeCase = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return JSON.parse(JSON.stringify(stack), (name, value: unknown) =>
    name === 'error_message' && typeof value === 'string' ? snakeCase(value) : value,
  ) as object;
}
