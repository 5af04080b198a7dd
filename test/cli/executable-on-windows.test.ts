/** The command line as an executable for Windows, started through Wine. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator';
import { PROVIDER_VERSION } from '../../src/provider';
import { temporaryFolder } from '../support/temporary-folder';
import { disposeWine, prepareWine } from '../support/wine';
import { ended, printed, type Ended } from './support/cli';

const folder = temporaryFolder('windows');
const wine = prepareWine(folder, 'vault-admin');
afterAll(() => disposeWine(wine, folder));
const ifWine = wine === undefined ? describe.skip : describe;

/** Returns the path of a file as programs for Windows see it. */
const onWindows = (file: string) => `Z:${file.replaceAll('/', '\\')}`;

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { command, env: ofWine, folder: place } = wine!;
  return spawn(command, [join(place, 'vault-admin.exe'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...ofWine, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
const run = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> =>
  ended(start(args, env));

ifWine('on Wine, the executable of the command line', () => {
  test('the executable for Windows prints its version', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${PROVIDER_VERSION}\n` });
  });

  test('the executable for Windows checks a policy in a file', async () => {
    const file = join(folder, 'narrow.hcl');
    writeFileSync(file, 'path "secret/data/app" {\n  capabilities = ["read"]\n}\n');
    const can = (capability: string) =>
      run(['policy', 'can', capability, 'secret/data/app', onWindows(file)]);
    expect(await can('read')).toMatchObject({ code: 0 });
    expect(await can('delete')).toMatchObject({ code: 1 });
  });

  test('the executable for Windows shows the status of a cluster, and writes plain Terraform for what it has', async () => {
    await using emulator = await startEmulator({ clusters: { us: 0 } });
    const { address, rootToken } = emulator.clusters.us;
    const env = { VAULT_ADDR: address, VAULT_TOKEN: rootToken };
    const { stdout } = await run(['status', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ clusters: [{ name: 'default' }] });
    const output = join(folder, 'adopted');
    await fetch(`${address}/v1/sys/policies/acl/ops`, {
      method: 'POST',
      headers: { 'X-Vault-Token': rootToken },
      body: '{"policy": "path \\"a\\" { capabilities = [\\"read\\"] }"}',
    });
    expect(await run(['adopt', '--hcl', '--output', onWindows(output)], env)).toMatchObject({ code: 0 });
    expect(readFileSync(join(output, 'default', 'acl-policies.tf'), 'utf8')).toMatch(/name += "ops"/);
  });

  test('the executable for Windows runs an emulator', async () => {
    const emulator = start(['emulator', '--cluster', 'us', '--root-token', 'root']);
    try {
      const address = await printed(emulator, /address +(http:\S+)\r?\n[^]*ready/);
      expect((await fetch(`${address}/v1/sys/health`)).status).toBe(200);
    } finally {
      emulator.kill('SIGTERM');
    }
  });

  test('the executable for Windows runs no foreign code', async () => {
    const trace = join(folder, 'trace');
    const foreign = join(folder, 'foreign.js');
    writeFileSync(foreign, `require('node:fs').writeFileSync(${JSON.stringify(onWindows(trace))}, '')`);
    for (const [name, value] of [
      ['BUN_OPTIONS', `--preload ${onWindows(foreign)}`],
      ['BUN_INSPECT_PRELOAD', onWindows(foreign)],
      ['BUN_BE_BUN', '1'],
      ['BUN', 'BE_BUN=1'],
    ] as const)
      expect([name, (await run(['--version'], { [name]: value })).stdout]).toEqual([
        name,
        `${PROVIDER_VERSION}\n`,
      ]);
    const otherFunctions = await run(['--version'], { BUN_JSC_functionOverrides: onWindows(foreign) });
    expect(otherFunctions.stdout).toBe('');
    expect(otherFunctions.stderr).toContain('invalid JSC environment variable');
    expect(existsSync(trace)).toBe(false);
  });
});
