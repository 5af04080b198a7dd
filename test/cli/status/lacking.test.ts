import { join } from 'node:path';
import type { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';
import { startPair, type Pair } from '../support/pair';

const REPLICATION = 'sys/replication/performance';

let folder: string;
let pair: Pair;

beforeEach(async () => {
  folder = temporaryFolder('lacking');
  pair = await startPair({ auditFolder: folder });
  const { us } = pair;
  await us.put('sys/policies/acl/monitor', {
    policy: 'path "*" { capabilities = ["read", "list", "sudo", "update"] }',
  });
  await us.put('sys/auth/userpass', { type: 'userpass' });
  await us.put('auth/userpass/users/ann', { password: 'pw', token_policies: ['monitor'] });
  await us.put('sys/storage/raft/snapshot-auto/config/nightly', {
    interval: '24h',
    storage_type: 'local',
    path_prefix: folder,
    local_max_space: 1_000_000,
  });
  await us.put('sys/audit/local', {
    type: 'file',
    local: true,
    options: { file_path: join(folder, 'a.log') },
  });
  await us.put('sys/audit/shared', { type: 'file', options: { file_path: join(folder, 'b.log') } });
});
afterEach(() => pair.emulator.close());

async function tokenOf(api: Api): Promise<string> {
  const { body } = await api.put('auth/userpass/login/ann', { password: 'pw' });
  return (body as { auth: { client_token: string } }).auth.client_token;
}

async function switchOver({ us, eu }: Pair): Promise<void> {
  const [old, next] = [us.as(await tokenOf(us)), eu.as(await tokenOf(eu))];
  await old.put(`${REPLICATION}/primary/demote`);
  await next.put(`${REPLICATION}/secondary/promote`);
  const { body } = await next.put(`${REPLICATION}/primary/secondary-token`, { id: 'us' });
  const { token } = (body as { wrap_info: { token: string } }).wrap_info;
  await old.put(`${REPLICATION}/secondary/update-primary`, { token });
}

async function status(...args: readonly string[]) {
  const env = {
    ...pair.env,
    VAULTADMIN_US_TOKEN: await tokenOf(pair.us),
    VAULTADMIN_EU_TOKEN: await tokenOf(pair.eu),
  };
  return vaultAdmin(['status', ...args], env);
}

test('a primary is not compared with itself before a switchover', async () => {
  expect((await status()).stdout).not.toContain('lacks');
});

test('status shows, after a switchover, what the new primary lacks and the old one has', async () => {
  await switchOver(pair);
  const { stdout } = await status();
  expect(stdout).toMatch(/^eu .*\n {2}primary of set/m);
  expect(stdout.match(/^.*lacks.*$/gm)).toEqual([
    '  lacks what secondary us has: automated snapshot nightly, audit device local',
  ]);
  const { clusters } = JSON.parse((await status('--json')).stdout) as {
    clusters: readonly { name: string; lacking?: unknown }[];
  };
  expect(clusters.map(({ name, lacking }) => [name, lacking])).toEqual([
    ['eu', [{ than: 'us', auto_snapshots: ['nightly'], audit_devices: ['local'] }]],
    ['us', undefined],
  ]);
});

test('a cluster whose objects cannot be read is not compared', async () => {
  await switchOver(pair);
  const env = { ...pair.env, VAULTADMIN_US_TOKEN: '', VAULTADMIN_EU_TOKEN: await tokenOf(pair.eu) };
  const { stdout } = await vaultAdmin(['status', '--public'], env);
  expect(stdout).toContain('no token is given');
  expect(stdout).not.toContain('lacks');
});
