/**
 * The executable without Node: the features that only it has. With `TEST_PROVIDER=executable` the
 * other tests use it as well.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { executableIfAvailable, warnNotTried } from '../support/executable';
import { aclPolicy, startStack } from './support';

const NAME = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
const folder = mkdtempSync(join(tmpdir(), 'executable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const one = executableIfAvailable();
const ifBuilt = one === undefined ? describe.skip : describe;
if (one === undefined) {
  warnNotTried(
    'the provider as an executable without Node',
    'It needs package registries that have the runtime, and glibc of Debian 12.',
  );
}

ifBuilt('the executable', () => {
  const executable = join(one ?? '', NAME);

  test('the executable plans and applies where the PATH contains no Node', async () => {
    await using stack = await startStack({
      executable: true,
      providerFolder: one!,
      env: () => ({ PATH: pathTo('terraform') }),
    });
    stack.resources(aclPolicy({ name: 'ops' }));
    await stack.must('apply');
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('the executable comes with the licences of everything it contains, and with a bill of materials', () => {
    const notices = readFileSync(join(one!, 'NOTICES.txt'), 'utf8');
    const bill = JSON.parse(readFileSync(join(dirname(one!), 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    expect(bill.components.map(({ name }) => name)).toEqual([
      '@bufbuild/protobuf',
      '@msgpack/msgpack',
      'decimal.js',
      'lossless-json',
      're2js',
      'undici',
      'Bun',
      'JavaScriptCore',
      'glibc',
    ]);
    for (const { name, version } of bill.components) expect(notices).toContain(`${name} ${version} (`);
    expect(notices).toContain('LGPL 2.1');
  });

  describe('the executable runs nothing but the provider', () => {
    const STARTED_BY_HAND = /^This is the Terraform provider "vaultadmin"\./;
    const foreign = join(folder, 'foreign.js');
    const trace = join(folder, 'trace');
    beforeAll(() => writeFileSync(foreign, `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`));

    test.each<[name: string, value: string]>([
      ['BUN_OPTIONS', `--preload ${foreign}`],
      ['BUN_OPTIONS', `--require=${foreign}`],
      ['BUN_BE_BUN', '1'],
      ['BUN_INSPECT_PRELOAD', foreign],
      ['BUN_INSPECT', 'ws://127.0.0.1:0/inspect'],
      ['NODE_OPTIONS', `--require ${foreign}`],
      ['ENV', foreign],
      ['BASH_ENV', foreign],
      ['BASH_FUNC_exec%%', `() { > ${trace}; }`],
      ['BASH_FUNC_export%%', `() { > ${trace}; }`],
      ['IFS', '/'],
    ])('if %s is %s', (name, value) => {
      expect(startedWith({ [name]: value }, folder)).toMatch(STARTED_BY_HAND);
      expect(existsSync(trace)).toBe(false);
    });

    test('the executable does not start if a variable names other code for its functions', () => {
      const BUN_JSC_functionOverrides = foreign;
      expect(startedWith({ BUN_JSC_functionOverrides }, folder)).toMatch(
        /^error: invalid JSC environment variable\n/,
      );
    });

    test.each([
      ['.env', `BUN_OPTIONS="--preload ${foreign}"\nTF_PLUGIN_MAGIC_COOKIE=x\n`],
      [
        'bunfig.toml',
        `preload = [${JSON.stringify(foreign)}]\n[run]\npreload = [${JSON.stringify(foreign)}]\n`,
      ],
      ['package.json', '{"type":"module","bun":{"preload":"./foreign.js"}}\n'],
      ['tsconfig.json', '{"compilerOptions":{"paths":{"node:fs":["./foreign.js"]}}}\n'],
    ])('the executable ignores %s in the folder of Terraform', (file, content) => {
      const stack = mkdtempSync(join(folder, 'stack-'));
      writeFileSync(join(stack, file), content);
      writeFileSync(join(stack, 'foreign.js'), readFileSync(foreign));
      expect(startedWith({}, stack)).toMatch(STARTED_BY_HAND);
      expect(existsSync(trace)).toBe(false);
    });
  });

  function startedWith(env: Readonly<Record<string, string>>, cwd: string): string {
    const { stderr } = spawnSync(executable, ['--version'], { cwd, env, encoding: 'utf8' });
    return stderr;
  }
});

/** Returns a folder that contains one program of the PATH. */
function pathTo(program: string): string {
  const programs = mkdtempSync(join(folder, 'programs-'));
  const [found] = process.env.PATH!.split(delimiter).filter((each) => existsSync(join(each, program)));
  symlinkSync(join(found!, program), join(programs, program));
  return programs;
}
