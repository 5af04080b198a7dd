import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let emulator: Emulator;
let folder: string;
beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 }, rootToken: 'root' });
  folder = temporaryFolder('one-off');
  writeFileSync(join(folder, 'token'), 'root\n');
});
afterAll(() => emulator.close());

test.each([
  ['no other setting', {}],
  [
    'an environment that describes other clusters',
    {
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_TOKEN: 'other',
      VAULTADMIN_EU_ADDR: 'http://127.0.0.1:1',
      VAULTADMIN_EU_TOKEN: 'other',
    },
  ],
])('--address and --token-file name the server and its token: %s', async (_, env) => {
  const { address } = emulator.clusters.us!;
  const options = ['--address', address, '--token-file', join(folder, 'token')];
  const { code, stdout } = await vaultAdmin(['status', ...options], env);
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'all is well' });
  expect(stdout).toContain(`default  ${address}`);

  const policies = await vaultAdmin(['policy', 'list', '--cluster', 'us', ...options], env);
  expect(policies.code).toBe(0);
});
