import { startEmulator, type Emulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { vaultAdmin } from '../support/cli';

let emulator: Emulator;
let us: Api;
beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  us = new Api(emulator.clusters.us!.address, emulator.clusters.us!.rootToken);
  await us.post('sys/audit/team/syslog', { type: 'syslog' });
});
afterAll(() => emulator.close());

const status = (token: string, ...args: string[]) =>
  vaultAdmin(['status', ...args], { VAULT_ADDR: emulator.clusters.us!.address, VAULT_TOKEN: token });

test('status lists audit devices', async () => {
  const { rootToken } = emulator.clusters.us!;
  expect((await status(rootToken)).stdout).toContain('\n  audit device team/syslog: syslog\n');
});

test('status shows no audit devices, and reports no failure, if the token may not read them', async () => {
  const policy =
    'path "sys/managed-keys/*" { capabilities = ["list"] }\npath "sys/storage/*" { capabilities = ["list", "sudo"] }';
  await us.post('sys/policies/acl/monitoring', { policy });
  const { body } = await us.post('auth/token/create', { policies: ['monitoring'] });
  const { stdout } = await status((body as { auth: { client_token: string } }).auth.client_token);
  expect(stdout).not.toContain('audit device');
});
