/**
 * The provider that is started by hand, for debuggers, under the address that configurations use.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(__dirname, '..', '..', 'lib', 'src', 'provider', 'main.js');

/** Returns the address under which a provider that was started by hand is announced. */
async function announcedAddress(...args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      const [, announced] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(printed) ?? [];
      if (announced !== undefined) return Object.keys(JSON.parse(announced) as object);
    }
    throw new Error(`ended without: ${printed}`);
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

test('a reattached provider has the usual address, or the given one', async () => {
  expect(await announcedAddress('--reattach')).toEqual(['vault-admin.internal/cdktf/vaultadmin']);
  expect(await announcedAddress('--reattach=app.terraform.io/acme/vaultadmin')).toEqual([
    'app.terraform.io/acme/vaultadmin',
  ]);
});

test.each(['acme/vaultadmin', ''])('the address %j is refused', (address) => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, `--reattach=${address}`], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout:
      `The provider could not start: Error: --reattach: ${JSON.stringify(address)} is not a valid address of the ` +
      'provider; allowed: HOST/NAMESPACE/vaultadmin in lower case, with letters, digits and "-"; ' +
      'write for example "app.terraform.io/acme/vaultadmin"\n',
  });
});
