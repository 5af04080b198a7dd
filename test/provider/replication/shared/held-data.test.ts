import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VaultClient } from '../../../../src/client';
import { startEmulator, type Emulator } from '../../../../src/emulator';
import { heldData } from '../../../../src/provider/replication/shared/held-data';

let emulator: Emulator;
let client: VaultClient;
const folder = mkdtempSync(join(tmpdir(), 'held-data-'));
beforeEach(async () => {
  emulator = await startEmulator({ clusters: { eu: 0 } });
  const { address, rootToken } = emulator.clusters.eu!;
  client = new VaultClient({ address, token: rootToken });
});
afterEach(async () => {
  await client.close();
  await emulator.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a new cluster holds nothing', async () => {
  expect(await heldData(client, {})).toEqual([]);
});

test('everything that would be erased is named', async () => {
  await client.write('sys/mounts/kv', { type: 'kv' });
  await client.write('sys/auth/people', { type: 'userpass' });
  await client.policies.acl.write('operator', { policy: 'path "kv/*" { capabilities = ["read"] }' });
  await client.write('sys/namespaces/team', {});
  await client.write('sys/storage/raft/snapshot-auto/config/daily', {
    interval: '24h',
    storage_type: 'local',
    path_prefix: folder,
    local_max_space: 1_000_000,
  });
  expect(await heldData(client, {})).toEqual([
    'secrets engine "kv/"',
    'auth method "people/"',
    'policy "operator"',
    'namespace "team/"',
    'automated snapshot "daily"',
  ]);
});
