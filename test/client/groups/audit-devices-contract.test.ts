import type { VaultClient } from '../../../src/client';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { connect, failureOf } from '../support/client';

let emulator: Emulator;
let auditDevices: VaultClient['auditDevices'];

beforeEach(async () => {
  emulator = await startEmulator();
  const { address, rootToken: token } = emulator.clusters.default!;
  auditDevices = connect({ address }, { token }).auditDevices;
});
afterEach(() => emulator.close());

test('a device is enabled, read, listed and disabled', async () => {
  expect(await auditDevices.read('team/log')).toBeUndefined();
  expect((await auditDevices.list()).data.keys).toEqual([]);

  const fields = { type: 'syslog', description: 'd', local: true, tag: 't', hmac_accessor: false } as const;
  await auditDevices.write('team/log', fields);
  expect((await auditDevices.read('team/log'))?.data).toEqual({ path: 'team/log', ...fields });
  expect((await auditDevices.list()).data.keys).toEqual(['team/log']);

  await auditDevices.delete('team/log');
  await auditDevices.delete('team/log');
  expect(await auditDevices.read('team/log')).toBeUndefined();
});

test('a second device at the same path is refused', async () => {
  await auditDevices.write('once', { type: 'syslog' });
  expect(await failureOf(auditDevices.write('once', { type: 'syslog' }))).toMatchObject({
    code: 'invalid_request',
    errors: ['path already in use'],
  });
});

test.each(['', 'file/', '/file'])('the path %j is not valid for a device', async (path) => {
  expect(await failureOf(auditDevices.read(path))).toMatchObject({ code: 'invalid_request' });
});
