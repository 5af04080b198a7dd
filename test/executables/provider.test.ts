/**
 * The executable without Node: the features that only it has. With `TEST_PROVIDER=executable` the
 * other tests use it as well.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { SecureClientSessionOptions } from 'node:http2';
import { delimiter, dirname, join } from 'node:path';
import { createCertificate } from '../../src/plugin/wire/certificate';
import { PROVIDER_VERSION } from '../../src/provider';
import { ProtocolClient } from '../plugin/support/client';
import { GREETING, ProviderPrograms } from '../plugin/support/process';
import { executableIfAvailable, warnNotTried } from '../support/executable';
import { temporaryFolder } from '../support/temporary-folder';
import { aclPolicy, startStack } from '../provider/support';

const NAME = `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`;
const folder = temporaryFolder('executable');

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

  describe('a connection of the executable', () => {
    let programs: ProviderPrograms;
    beforeAll(() => {
      programs = new ProviderPrograms(executable);
    });
    afterAll(() => programs.dispose());

    const schema = (connected: ProtocolClient) => connected.call('getProviderSchema', {});

    test('the socket can be opened by the user alone, and is removed when the executable ends', async () => {
      const { handshake, ended } = programs.greet();
      const fields = await handshake;
      expect(statSync(fields[3]!).mode & 0o777).toBe(0o700);
      const connected = await ProtocolClient.connect(fields[3]!, programs.tls(fields));
      connected.callRaw('/plugin.GRPCController/Shutdown', Buffer.alloc(0)).catch(() => {});
      expect((await ended).code).toBe(0);
      expect(existsSync(fields[3]!)).toBe(false);
      connected.close();
    });

    test('clients with another certificate, with none, and without TLS are refused', async () => {
      const fields = await programs.greet().handshake;
      const answered = await ProtocolClient.connect(fields[3]!, programs.tls(fields));
      expect(Object.keys((await schema(answered)).resourceSchemas)).toContain('vaultadmin_acl_policy');
      const connect = (tls?: SecureClientSessionOptions) =>
        ProtocolClient.connect(fields[3]!, tls).then((connected) =>
          schema(connected).finally(() => connected.close()),
        );
      await expect(connect(programs.tls(fields, createCertificate()))).rejects.toThrow();
      await expect(connect({ ca: programs.tls(fields).ca })).rejects.toThrow();
      await expect(connect()).rejects.toThrow();
      expect(Object.keys((await schema(answered)).resourceSchemas)).toContain('vaultadmin_acl_policy');
      answered.close();
    });

    test('the handshake has a port if the path of a socket would be too long, and no certificate without TLS', async () => {
      const socketFolder = join(folder, 'x'.repeat(100));
      mkdirSync(socketFolder);
      const ports = { PLUGIN_MIN_PORT: '20000', PLUGIN_MAX_PORT: '29999' };
      const { handshake } = programs.start({ ...GREETING, PLUGIN_UNIX_SOCKET_DIR: socketFolder, ...ports });
      const fields = await handshake;
      expect(fields[2]).toBe('tcp');
      expect(fields[3]).toMatch(/^127\.0\.0\.1:2\d{4}$/);
      expect(fields[5]).toBe('');
      expect(readdirSync(socketFolder)).toEqual([]);
    });

    test('the executable without TLS answers on its socket', async () => {
      const fields = await programs.start(GREETING).handshake;
      const connected = await ProtocolClient.connect(fields[3]!);
      expect(Object.keys((await schema(connected)).resourceSchemas)).toContain('vaultadmin_acl_policy');
      connected.close();
    });

    test('a start in a folder that does not exist prints an error', async () => {
      const missing = join(folder, 'missing');
      const { code, stdout } = await programs.greet({ PLUGIN_UNIX_SOCKET_DIR: missing }).ended;
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^The provider could not start: Error: .*\/missing\/plugin\w+ .*; set PLUGIN_UNIX_SOCKET_DIR to a folder that exists and can be written to\n$/,
      );
    });
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
      ['BUN', 'BE_BUN=1'],
      ['BUN', '1'],
      ['BUN', `OPTIONS=--preload ${foreign}`],
      ['UN_OPTIONS', `--preload ${foreign}`],
      ['BUN_INSPECT_PRELOAD', foreign],
      ['BUN_BYTECODE_ORDER_OUT', trace],
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
