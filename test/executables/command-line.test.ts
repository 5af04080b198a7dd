/** The features that only the command line as an executable without Node has. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, relative } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { ownExecutable } from '../../src/cli/policy/http/sender-command';
import { programsIfAvailable, warnNotTried } from '../support/executable';
import { temporaryFolder } from '../support/temporary-folder';
import { platform } from '../support/terraform';
import { ended, printed, type Ended } from '../cli/support/cli';

const folder = temporaryFolder('vault-admin');

const programs = programsIfAvailable();
const built = programs && join(programs, 'vault-admin', platform());
const ifBuilt = built === undefined ? describe.skip : describe;
if (built === undefined) {
  warnNotTried(
    'the command line as an executable without Node',
    'It needs package registries that have the runtime, and glibc of Debian 12.',
  );
}
const executable = join(built ?? '', 'vault-admin');

type Environment = Readonly<Record<string, string>>;
const WITHOUT_PROGRAMS: Environment = { PATH: '' };

function start(args: readonly string[], env: Environment = {}, program = executable): ChildProcess {
  return spawn(program, args, {
    cwd: folder,
    env: { ...WITHOUT_PROGRAMS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function run(args: readonly string[], env: Environment = {}): Promise<Ended> {
  return ended(start(args, env));
}

async function stopped(command: ChildProcess): Promise<number | null> {
  const closed = once(command, 'close');
  command.kill('SIGTERM');
  const [code] = (await closed) as [number | null];
  return code;
}

const acl = (name: string, capabilities: string) => {
  const file = join(folder, `${name}.hcl`);
  writeFileSync(file, `path "secret/data/app" {\n  capabilities = [${capabilities}]\n}\n`);
  return file;
};

ifBuilt('the executable of the command line', () => {
  test('the executable prints its version, and help with the name that people start', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${PROVIDER_VERSION}\n`, stderr: '' });
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: vault-admin \[options\] \[command\]\n/);
    expect(stdout).not.toContain('npx');
  });

  test('the executable checks and compares policies', async () => {
    const [narrow, wide] = [acl('narrow', '"read"'), acl('wide', '"read", "delete"')];
    expect(await run(['policy', 'lint', narrow])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 errors') as string,
    });
    expect(await run(['policy', 'can', 'delete', 'secret/data/app', narrow])).toMatchObject({ code: 1 });
    expect(await run(['policy', 'can', 'delete', 'secret/data/app', wide])).toMatchObject({ code: 0 });
    const { code, stdout } = await run(['policy', 'diff', narrow, wide, '--fail-on', 'widening']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\+ delete +secret\/data\/app$/m);
  });

  test('the executable has all time zones, whatever the language of the system', async () => {
    const policies = join(folder, 'zones');
    mkdirSync(join(policies, 'test', 'hours'), { recursive: true });
    writeFileSync(join(policies, 'hours.sentinel'), 'import "time"\n\nmain = rule { time.now.hour is 9 }\n');
    writeFileSync(
      join(policies, 'test', 'hours', 'pass.hcl'),
      'import "plugin" "time" {\n  config = {\n    timezone = "Asia/Tokyo"\n    fixed_time = "2024-07-01T00:30:00Z"\n  }\n}\n',
    );
    for (const LC_ALL of ['C', 'de_DE.UTF-8'])
      expect(await run(['policy', 'test', policies], { LC_ALL })).toMatchObject({ code: 0 });
  });

  test('the executable draws the plan of a replication set', async () => {
    const plan = join(folder, 'plan.json');
    const change = {
      actions: ['create'],
      before: null,
      after: { primary: 'us', secondaries: { eu: { everything: true } }, steps: ['us: enable as primary'] },
    };
    const set = { address: 'vaultadmin_perf_replication_set.world', mode: 'managed' };
    const resource_changes = [{ ...set, type: 'vaultadmin_perf_replication_set', change }];
    writeFileSync(plan, JSON.stringify({ format_version: '1.2', resource_changes }));
    const { code, stdout, stderr } = await run(['plan-picture', plan, '--format', 'mermaid']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('us<br/>enable as primary');
  });

  test('the executable completes its own name in a shell', async () => {
    const { code, stdout } = await run(['completion', 'bash']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^complete .* vault-admin cdktf-vault-admin$/m);
  });

  describe('a Sentinel policy that sends a request', () => {
    let server: Server;
    let policy: string;
    beforeAll(async () => {
      server = createServer((_, response) => response.end('{"open": true}'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      policy = join(folder, 'asks.sentinel');
      writeFileSync(
        policy,
        `import "http"\nimport "json"\n\nmain = rule { json.unmarshal(http.get("http://127.0.0.1:${port}/").body).open }\n`,
      );
      writeFileSync(join(folder, 'request.json'), '{"path":"secret/data/app","operation":"read"}');
    });
    afterAll(() => void server.close());

    test('the executable starts itself to send the request', async () => {
      const args = ['policy', 'eval', policy, '--request', join(folder, 'request.json'), '--allow-http'];
      expect(await run(args)).toMatchObject({ code: 0, stderr: '' });
    });

    test('the executable starts itself also with the glibc beside it, as on systems with musl', async () => {
      const glibc = join(built!, 'glibc');
      const loader = join(
        glibc,
        readdirSync(glibc).find((file) => file.startsWith('ld-'))!,
      );
      const args = ['policy', 'eval', policy, '--request', join(folder, 'request.json'), '--allow-http'];
      const all = ['--library-path', glibc, join(built!, 'program'), ...args];
      expect(await ended(start(all, {}, loader))).toMatchObject({ code: 0, stderr: '' });
    });
  });

  test('the executable starts itself by its script if its process is that of a loader', () => {
    expect(ownExecutable('/opt/vault-admin/program')).toBe('/opt/vault-admin/program');
    expect(ownExecutable('/opt/vault-admin/glibc/ld-linux-x86-64.so.2')).toBe('/opt/vault-admin/vault-admin');
  });

  describe('commands on an emulator of the executable', () => {
    let emulator: ChildProcess;
    let env: Environment;
    beforeAll(async () => {
      emulator = start(['emulator', '--cluster', 'us', '--root-token', 'root']);
      const address = await printed(emulator, /address +(http:\S+)\n[^]*ready/);
      env = { VAULT_ADDR: address, VAULT_TOKEN: 'root' };
      await fetch(`${address}/v1/sys/policies/acl/ops`, {
        method: 'POST',
        headers: { 'X-Vault-Token': 'root' },
        body: JSON.stringify({ policy: readFileSync(acl('ops', '"read"'), 'utf8') }),
      });
    });
    afterAll(async () => {
      expect(await stopped(emulator)).toBe(0);
    });

    test('the executable shows the status of the emulator', async () => {
      const { code, stdout } = await run(['status', '--json'], env);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ clusters: [{ name: 'default' }] });
    });

    test.each([
      ['svg', /^<svg [^]*<title>Replication of default<\/title>/],
      ['mermaid', /^[^]*\bflowchart\b/],
    ])('the executable draws the status of the emulator as %s', async (format, picture) => {
      const { code, stdout } = await run(['status', '--format', format], env);
      expect(code).toBe(0);
      expect(stdout).toMatch(picture);
    });

    test('the executable checks the set-up for the emulator', async () => {
      const { code, stdout } = await run(['doctor'], env);
      expect(stdout).toContain('ok       cluster "default": its token is "root", with root\n');
      expect(stdout).toContain('problem  Terraform: not found');
      expect(code).toBe(1);
    });

    test('the executable compares the emulator with the assumptions', async () => {
      const { code, stdout } = await run(['verify'], env);
      expect(stdout).toMatch(/ as assumed, 0 different, \d+ not seen\n$/);
      expect(code).toBe(0);
    });

    test.each([
      ['an app', [], 'main.ts', /from 'cdktf-vault-admin'/],
      [
        'plain Terraform',
        ['--hcl'],
        'default/acl-policies.tf',
        /^resource "vaultadmin_acl_policy" "acl_ops" \{$/m,
      ],
    ])('the executable writes %s for the objects on the emulator', async (_, more, file, content) => {
      const output = mkdtempSync(join(folder, 'adopted-'));
      rmSync(output, { recursive: true });
      expect(await run(['adopt', '--output', output, ...more], env)).toMatchObject({ code: 0 });
      expect(readFileSync(join(output, file), 'utf8')).toMatch(content);
    });

    test('the executable serves the status page, with all files of the page', async () => {
      const page = start(['status', '--web'], env);
      try {
        const address = await printed(page, /(http:\S+)/);
        for (const [name, part] of [
          ['', '<title>Vault clusters</title>'],
          ['page.js', './show.js'],
          ['show.js', 'uplot'],
          ['page.css', '#verdict'],
          ['uplot.js', 'uPlot'],
          ['uplot.css', '.uplot'],
        ] as const) {
          const response = await fetch(new URL(name, address));
          expect([name, response.status]).toEqual([name, 200]);
          expect(await response.text()).toContain(part);
        }
      } finally {
        expect(await stopped(page)).toBe(0);
      }
    });
  });

  test('the executable has the licences of everything that it contains, and a bill of materials', () => {
    const notices = readFileSync(join(built!, 'NOTICES.txt'), 'utf8');
    const bill = JSON.parse(readFileSync(join(built!, '..', 'sbom.cdx.json'), 'utf8')) as {
      metadata: { component: { name: string } };
      components: { name: string; version: string }[];
    };
    expect(bill.metadata.component.name).toBe('vault-admin');
    const names = bill.components.map(({ name }) => name);
    const libraries = ['commander', 'uplot', 'undici', 'find-my-way', '@aws-sdk/client-s3'];
    for (const name of [...libraries, 'Bun', 'JavaScriptCore', 'glibc']) expect(names).toContain(name);
    for (const { name, version } of bill.components) expect(notices).toContain(`${name} ${version} (`);
  });

  describe('a start by a link', () => {
    const bin = join(folder, 'bin');
    beforeAll(() => mkdirSync(bin));
    const version = (program: string, cwd = folder) =>
      spawnSync(program, ['--version'], { cwd, env: WITHOUT_PROGRAMS, encoding: 'utf8' }).stdout;

    test('the executable starts by a link with an absolute target', () => {
      symlinkSync(executable, join(bin, 'absolute'));
      expect(version(join(bin, 'absolute'))).toBe(`${PROVIDER_VERSION}\n`);
    });

    test('the executable starts by a link with a relative target, through a second link and a linked folder, from another folder', () => {
      symlinkSync(relative(realpathSync(bin), realpathSync(dirname(built!))), join(bin, 'folder'));
      symlinkSync(join('folder', basename(built!), 'vault-admin'), join(bin, 'relative'));
      symlinkSync('relative', join(bin, 'chained'));
      expect(version(join(bin, 'chained'))).toBe(`${PROVIDER_VERSION}\n`);
      expect(version('./chained', bin)).toBe(`${PROVIDER_VERSION}\n`);
    });

    test('the executable starts by a link in a folder that has another file named program', () => {
      writeFileSync(join(bin, 'program'), '#!/bin/sh\necho another\n', { mode: 0o755 });
      symlinkSync(executable, join(bin, 'vault-admin'));
      expect(version(join(bin, 'vault-admin'))).toBe(`${PROVIDER_VERSION}\n`);
    });
  });

  describe('no foreign code runs', () => {
    const foreign = join(folder, 'foreign.js');
    const trace = join(folder, 'trace');
    beforeAll(() => writeFileSync(foreign, `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`));

    test.each<[name: string, value: string]>([
      ['BUN_OPTIONS', `--preload ${foreign}`],
      ['BUN_BE_BUN', '1'],
      ['BUN', 'BE_BUN=1'],
      ['BUN', `OPTIONS=--preload ${foreign}`],
      ['BUN_INSPECT_PRELOAD', foreign],
      ['NODE_OPTIONS', `--require ${foreign}`],
      ['BASH_FUNC_exec%%', `() { > ${trace}; }`],
      ['BASH_FUNC_readlink%%', `() { > ${trace}; }`],
    ])('if %s is %s', (name, value) => {
      expect(startedIn(folder, { [name]: value })).toBe(`${PROVIDER_VERSION}\n`);
      expect(existsSync(trace)).toBe(false);
    });

    test('the program does not start if a variable names other code for its functions', async () => {
      expect(await run(['--version'], { BUN_JSC_functionOverrides: foreign })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: invalid JSC environment variable\n/) as string,
      });
    });

    test.each([
      ['.env', `BUN_OPTIONS="--preload ${foreign}"\n`],
      ['bunfig.toml', `preload = [${JSON.stringify(foreign)}]\n`],
    ])('if %s is in the folder of the process', (file, content) => {
      const cwd = mkdtempSync(join(folder, 'cwd-'));
      writeFileSync(join(cwd, file), content);
      expect(startedIn(cwd)).toBe(`${PROVIDER_VERSION}\n`);
      expect(existsSync(trace)).toBe(false);
    });

    function startedIn(cwd: string, env: Environment = {}): string {
      return spawnSync(executable, ['--version'], {
        cwd,
        env: { ...WITHOUT_PROGRAMS, ...env },
        encoding: 'utf8',
      }).stdout;
    }
  });

  test('the executable reads no variables from a file .env in its folder', async () => {
    const file = join(folder, '.env');
    writeFileSync(file, 'VAULT_ADDR=http://127.0.0.1:1\n');
    try {
      expect((await run(['doctor'])).stdout).toContain('no address is configured');
    } finally {
      rmSync(file);
    }
  });
});
