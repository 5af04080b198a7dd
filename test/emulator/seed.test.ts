import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, type Seed, SeedError, startEmulator } from '../../src/emulator';
import { temporaryFolder } from '../support/temporary-folder';
import { Api } from './support/api';

const POLICY = 'path "secret/*" { capabilities = ["read"] }';
const SEED: Seed = {
  clusters: {
    us: [
      { path: 'sys/policies/acl/ops', body: { policy: POLICY } },
      { path: 'sys/policies/acl/a b%?#', namespace: 'team/sub', body: { policy: POLICY } },
      { path: 'sys/mounts/secret', body: { type: 'kv', options: { version: '2' } } },
      { path: 'sys/mounts/us-only', body: { type: 'kv' } },
      { path: 'us-only/a', body: { b: 'c' } },
      { path: 'secret/data/app', body: { data: { colour: 'red' } } },
      { path: 'sys/auth/userpass', body: { type: 'userpass' } },
      { path: 'auth/userpass/users/ann', body: { password: 'pw', token_policies: ['ops'] } },
      {
        path: 'sys/managed-keys/pkcs11/signing',
        body: { library: 'hsm', slot: '1', key_label: 'k', mechanism: '0x0001' },
        secrets: ['pin'],
      },
    ],
    eu: [
      {
        path: 'sys/storage/raft/snapshot-auto/config/hourly',
        body: { interval: '1h', storage_type: 'local', path_prefix: '/tmp', local_max_space: 1_000_000 },
      },
    ],
  },
  sets: [
    { primary: 'us', secondaries: [{ cluster: 'eu', paths_filter: { mode: 'deny', paths: ['us-only/'] } }] },
  ],
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('seed');
});

const apiOf = ({ clusters }: Emulator, name = 'us') => {
  const { address, rootToken } = clusters[name]!;
  return new Api(address, rootToken);
};

function fileOf(content: unknown): string {
  const file = join(folder, 'seed.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a seed creates policies, mounts, users, keys and a set', async () => {
  await using emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, seed: SEED });
  const us = apiOf(emulator);
  expect((await us.get('sys/policies/acl/ops')).body.data.policy).toBe(POLICY);
  expect((await us.get('sys/policies/acl/a%20b%25%3F%23', { namespace: 'team/sub' })).body.data.policy).toBe(
    POLICY,
  );
  expect((await us.get('secret/data/app')).body.data.data).toEqual({ colour: 'red' });
  expect((await us.get('sys/managed-keys/pkcs11/signing')).body.data).toMatchObject({ pin: 'redacted' });

  // The secondary has the replicated data except what its filter withholds, and its local data.
  const login = { token: '' };
  const ann = await apiOf(emulator, 'eu').post('auth/userpass/login/ann', { password: 'pw' }, login);
  const eu = new Api(emulator.clusters.eu.address, ann.body.auth.client_token);
  expect((await eu.get('secret/data/app')).body.data.data).toEqual({ colour: 'red' });
  expect((await eu.get('us-only/a')).status).toBe(403);
  expect((await us.get('sys/replication/performance/status')).body.data).toMatchObject({
    mode: 'primary',
    known_secondaries: ['eu'],
  });
  // The log contains only the requests of this test, and the seed's token was revoked.
  expect(emulator.requests.list({ cluster: 'eu' }).map(({ path }) => path)).toEqual([
    'auth/userpass/login/ann',
    'secret/data/app',
    'us-only/a',
  ]);
  expect((await us.list('auth/token/accessors')).body.data.keys).toHaveLength(1);
});

test('a seed in a file does not change clusters that are in the data folder', async () => {
  const seed = { clusters: { us: [{ path: 'sys/policies/acl/ops', body: { policy: POLICY } }] } };
  const options = { clusters: { us: 0 }, dataFolder: join(folder, 'data') };
  {
    await using emulator = await startEmulator({ ...options, seed: fileOf({ estate: seed }) });
    await apiOf(emulator).delete('sys/policies/acl/ops');
  }
  await using emulator = await startEmulator({ ...options, seed: fileOf(seed) });
  expect((await apiOf(emulator).get('sys/policies/acl/ops')).status).toBe(404);
});

test.each<[unknown, string]>([
  ['{', 'cannot read the seed FILE: '],
  [
    [],
    'FILE is not a seed: "clusters" is missing; allowed: an object of lists of writes, by the names of the clusters',
  ],
  [{ clusters: { us: {} } }, 'FILE is not a seed: "clusters.us" is not a list; allowed: a list of writes'],
  [
    { clusters: { us: [{ path: 'a' }, { body: {} }] } },
    'FILE is not a seed: "clusters.us[1]" is not a write',
  ],
  [{ clusters: {}, sets: [{ primary: 'us' }] }, 'FILE is not a seed: "sets" has something else'],
  [
    { clusters: { 'u s': [] } },
    'FILE is not a seed: the cluster name "u s"; allowed: letters, digits, "-" and "_"',
  ],
  [{ clusters: { ap: [] } }, 'the seed has a cluster "ap", which the emulator does not have'],
  [
    { clusters: { us: [{ path: 'sys/policies/acl/x', body: {}, namespace: 'n' }] } },
    'cluster "us" refuses the write to sys/policies/acl/x in namespace "n" of the seed: 400 (',
  ],
  [
    { clusters: { us: [{ path: 'nothing/here' }] } },
    'cluster "us" refuses the write to nothing/here of the seed: 404 (no handler for route "nothing/here". route entry not found.)',
  ],
])('the seed %j is refused', async (content, message) => {
  const file = fileOf(content);
  const error: unknown = await startEmulator({ clusters: { us: 0 }, seed: file }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SeedError);
  expect((error as Error).message.slice(0, message.replace('FILE', file).length)).toBe(
    message.replace('FILE', file),
  );
});
