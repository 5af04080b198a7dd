import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { VaultClient } from '../../../../src/client';
import { startEmulator, type Emulator } from '../../../../src/emulator';
import { heldData } from '../../../../src/provider/replication/shared/held-data';
import { temporaryFolder } from '../../../support/temporary-folder';

let emulator: Emulator;
let client: VaultClient;
const folder = temporaryFolder('held-data');
beforeEach(async () => {
  emulator = await startEmulator({ clusters: { eu: 0 }, auditFolder: folder });
  const { address, rootToken } = emulator.clusters.eu!;
  client = new VaultClient({ address, token: rootToken });
});
afterEach(async () => {
  await client.close();
  await emulator.close();
});

test('a new cluster holds no data', async () => {
  expect(await heldData(client, {})).toEqual([]);
});

test('all data that a join would erase is listed by name', async () => {
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
  await client.write('identity/group', { name: 'admins' });
  await client.write('sys/config/cors', { enabled: true, allowed_origins: ['https://vault.test'] });
  await client.write('sys/audit/file', { type: 'file', options: { file_path: join(folder, 'audit.log') } });
  expect(await heldData(client, {})).toEqual([
    'secrets engine "kv/"',
    'auth method "people/"',
    'policy "operator"',
    'namespace "team/"',
    'automated snapshot "daily"',
    'audit device "file/"',
    'CORS setting "allowed_origins"',
    'identity groups (1)',
  ]);
});

/** The lists of a server by path, with the entries that every server has. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  'sys/policies/password': ['strong'],
  'sys/quotas/rate-limit': ['slow'],
  'sys/quotas/lease-count': ['few'],
  'auth/token/roles': ['ci'],
  'identity/mfa/method': ['6a8a7c1f'],
  'identity/mfa/login-enforcement': ['totp'],
  'identity/oidc/key': ['default', 'own'],
  'identity/oidc/role': ['app'],
  'identity/oidc/provider': ['default'],
  'identity/oidc/scope': ['groups'],
  'identity/oidc/client': ['web'],
  'identity/oidc/assignment': ['allow_all', 'staff'],
};

test('kinds of data that the emulator does not have are listed by name as well', async () => {
  const server = createServer(({ url }, response) => {
    const keys = LISTED[new URL(url!, 'http://host').pathname.replace(/^\/v1\/|\/$/g, '')];
    response.statusCode = keys === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(keys === undefined ? { errors: [] } : { data: { keys } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const other = new VaultClient({ address: `http://127.0.0.1:${port}`, token: 'any' });
  try {
    expect(await heldData(other, {})).toEqual([
      'password policy "strong"',
      'rate limit quota "slow"',
      'lease count quota "few"',
      'token role "ci"',
      'MFA methods (1)',
      'MFA login enforcement "totp"',
      'OIDC key "own"',
      'OIDC role "app"',
      'OIDC scope "groups"',
      'OIDC client "web"',
      'OIDC assignment "staff"',
    ]);
  } finally {
    await other.close();
    server.close();
  }
});

test('the data of a cluster that may not be read is an error, so that the cluster does not count as empty', async () => {
  emulator.faults.inject({ path: 'sys/audit', status: 403, errors: ['permission denied'] });
  await expect(heldData(client, {})).rejects.toMatchObject({ code: 'denied' });
});
