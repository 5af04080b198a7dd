import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { block, startStack, type Report, type Stack } from '../support';

const LOADS = 'sys/storage/raft/snapshot-load';
const CONFIGS = 'sys/storage/raft/snapshot-auto/config';
const TYPE = 'vaultadmin_snapshot_load';
const CANARY = 'canary-of-yesterday';
const hour = 3_600_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await stack.ask('POST', 'sys/mounts/kv', { type: 'kv' });
  await stack.ask('POST', 'kv/app/db', { password: CANARY, port: 5432 });
  stack.workspace.write('snapshots/.keep', '');
  await configure('local', { storage_type: 'local', path_prefix: folder(), local_max_space: 1e9 });
  stack.emulator.clock.advance(1000 * hour);
  await stack.emulator.clock.settled();
});
afterAll(() => stack.close());

const folder = () => join(stack.workspace.folder, 'snapshots');
const configure = (name: string, fields: object) =>
  stack.ask('POST', `${CONFIGS}/${name}`, { interval: '1000h', ...fields });
const snapshotFile = () =>
  join(
    folder(),
    readdirSync(folder()).find((name) => name.endsWith('.snap'))!,
  );
const loadedIds = async () =>
  ((await stack.ask('GET', `${LOADS}?list=true`)).data?.['keys'] ?? []) as readonly string[];

/** Returns the planned changes without ephemeral resources, which only OpenTofu lists. */
function changes({ planned }: Report) {
  return Object.fromEntries(Object.entries(planned).filter(([address]) => !address.startsWith('ephemeral.')));
}

/** A loaded snapshot, and a secret in it whose value has to be the given one. */
function proof(password: string, path = 'kv/app/db', file = snapshotFile()): string {
  return `
    ${block('resource', TYPE, { file })}
    ephemeral "vaultadmin_recovered_secret" "db" {
      snapshot_id = ${TYPE}.it.snapshot_id
      path        = "${path}"
      lifecycle {
        postcondition {
          condition     = self.data["password"] == "${password}" && jsondecode(self.data_json).port == 5432
          error_message = "the secret is not in the snapshot"
        }
      }
    }`;
}

test('a snapshot is loaded and read from, loaded again when it is lost or expired, and unloaded', async () => {
  stack.resources(proof(CANARY));
  await stack.must('apply');
  const [id] = await loadedIds();
  const state = await stack.workspace.state();
  expect(state[`${TYPE}.it`]).toEqual({
    id: `us//${id}`,
    cluster: 'us',
    snapshot_id: id,
    status: 'ready',
    auto_snapshot: null,
    url: null,
    file: snapshotFile(),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    timeouts: null,
  });
  await stack.ask('POST', 'kv/app/db', { password: 'canary-of-today', port: 1 });
  expect(changes(await stack.must('plan'))).toEqual({});
  expect((await stack.ask('GET', 'kv/app/db')).data).toEqual({ password: 'canary-of-today', port: 1 });

  // The snapshot is lost, because another node of the cluster becomes active.
  stack.emulator.replication.crash('us');
  stack.resources(proof('canary-of-today'));
  const lost = await stack.run('apply');
  expect(changes(lost)).toEqual({ [`${TYPE}.it`]: 'replace' });
  expect(lost.errors.map(({ summary }) => summary)).toEqual(['Resource postcondition failed']);
  expect(await loadedIds()).not.toContain(id);

  stack.emulator.clock.advance(73 * hour);
  stack.resources(proof(CANARY));
  expect(changes(await stack.must('apply'))).toEqual({ [`${TYPE}.it`]: 'create' });

  stack.resources(proof(CANARY, 'kv/app/other'));
  const missing = await stack.run('plan');
  expect(missing.errors[0]).toMatchObject({
    summary: expect.stringMatching(
      /^secret "kv\/app\/other" in snapshot ".*" on cluster "us" does not exist$/,
    ),
    line: 'path        = "kv/app/other"',
  });

  for (const name of readdirSync(stack.workspace.folder)) {
    if (/\.tfstate/.test(name))
      expect(readFileSync(join(stack.workspace.folder, name), 'utf8')).not.toContain(CANARY);
  }
  // Terraform opens ephemeral resources during a destroy as well.
  stack.resources(proof(CANARY));
  await stack.must('destroy');
  expect(await loadedIds()).toEqual([]);
});

test('a snapshot that cannot be loaded is refused with the reason, and the server keeps no part of it', async () => {
  const garbage = join(folder(), 'garbage');
  writeFileSync(garbage, 'no snapshot');
  const pipe = join(folder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const sparse = join(folder(), 'sparse');
  writeFileSync(sparse, '');
  truncateSync(sparse, 2 ** 40);
  await configure('new', {
    storage_type: 'local',
    path_prefix: folder(),
    local_max_space: 1e9,
  });
  const load = (name: string, attributes: object) => block('resource', TYPE, attributes, name);
  stack.resources(
    load('both', { file: 'a', auto_snapshot: 'b' }) +
      load('none', {}) +
      load('alone', { url: 'c', file: 'd' }),
  );
  expect((await stack.run('plan')).errors.map(({ summary }) => summary).sort()).toEqual([
    'loaded snapshot: auto_snapshot is missing',
    'loaded snapshot: auto_snapshot must not be set together with file',
    'loaded snapshot: url has no effect without auto_snapshot',
  ]);

  stack.resources(
    load('local', { auto_snapshot: 'local' }) +
      load('new', { auto_snapshot: 'new' }) +
      load('unknown', { auto_snapshot: 'unknown' }) +
      load('missing', { file: join(folder(), 'missing') }) +
      load('pipe', { file: pipe }) +
      load('device', { file: '/dev/zero' }) +
      load('sparse', { file: sparse }) +
      load('garbage', { file: garbage }),
  );
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary.replaceAll(folder(), '…')).sort()).toEqual([
    'automated snapshot "unknown" on cluster "us" does not exist',
    'cannot load snapshot file "/dev/zero" on cluster "us": the file cannot be read',
    'cannot load snapshot file "…/garbage" on cluster "us": the snapshot ended in the status "error"',
    'cannot load snapshot file "…/missing" on cluster "us": the file cannot be read',
    'cannot load snapshot file "…/pipe" on cluster "us": the file cannot be read',
    'cannot load snapshot file "…/sparse" on cluster "us": the file cannot be read',
    'cannot load snapshot of "local" on cluster "us": the server does not load snapshots from its local directory',
    'cannot load snapshot of "new" on cluster "us": no snapshot has been written yet',
  ]);
  expect(await loadedIds()).toEqual([]);
  stack.resources('');
  await stack.must('apply');
});

test('an error names the snapshot that is loaded already, which can be imported', async () => {
  const { address, rootToken } = stack.emulator.clusters['us']!;
  await fetch(`${address}/v1/${LOADS}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': rootToken },
    body: readFileSync(snapshotFile()),
  });
  const [id] = await loadedIds();
  stack.resources(block('resource', TYPE, { file: snapshotFile() }));
  const { errors } = await stack.run('apply');
  expect(errors[0]!.summary).toMatch(/another snapshot is loaded$/);
  expect(errors[0]!.detail).toContain(`terraform import vaultadmin_snapshot_load.NAME 'us//${id}'`);
  await stack.workspace.must('import', '-no-color', `${TYPE}.it`, `us//${id}`);
  expect((await stack.must('apply')).planned).toEqual({ [`${TYPE}.it`]: 'update' });
  expect((await stack.must('plan')).planned).toEqual({});
  await stack.must('destroy');
});

test('a load that the user stops while it is waited for is reported as stopped, and the next apply loads again', async () => {
  const begin = { method: 'POST', path: LOADS };
  const before = stack.emulator.requests.list(begin).length;
  stack.resources(block('resource', TYPE, { file: snapshotFile() }));
  const apply = stack.workspace.start('apply', '-auto-approve', '-input=false', '-no-color');
  await until(() => stack.emulator.requests.list(begin).length > before);
  process.kill(-apply.process.pid!, 'SIGINT');
  const { code, stderr } = await apply.result;
  expect(code).toBe(1);
  expect(stderr).toMatch(/cannot (read|load) .*: stopped/);
  expect(stderr).not.toContain('unexpectedly');
  expect((await stack.must('apply')).planned).toEqual({ [`${TYPE}.it`]: 'replace' });
  await stack.must('destroy');
});

test('a server without loaded snapshots is an error, and the present secret is not returned in place of the recovered one', async () => {
  await using older = await startStack({ serverVersion: '1.19.5+ent' });
  await older.ask('POST', 'sys/mounts/kv', { type: 'kv' });
  await older.ask('POST', 'kv/app/db', { password: 'present' });
  older.resources(
    'ephemeral "vaultadmin_recovered_secret" "db" {\n  snapshot_id = "x"\n  path = "kv/app/db"\n}\n',
  );
  const { errors } = await older.run('plan');
  expect(errors).toEqual([
    expect.objectContaining({
      summary:
        'secret "kv/app/db" in snapshot "x" on cluster "us": the server must be Vault Enterprise 1.20 or later',
      detail: expect.stringContaining('Received: version "1.19.5+ent".'),
    }),
  ]);
});

test.each<[kind: string, version: string, path: string, summary: string, detail: string]>([
  [
    'whose path lacks data/, before 2.1',
    '1.21.0+ent',
    'kv/app/db',
    'cannot read secret "kv/app/db" in snapshot "ID" on cluster "us": the server must be Vault 2.1 or later',
    'Mount "kv/" is version 2 of the KV secrets engine, with its secrets below "kv/data/". The server has version ' +
      '"1.21.0+ent".\n' +
      'Cannot read kv/app/db on ADDRESS: the server answered 405 (unsupported operation). The endpoint does not ' +
      'support this operation.\n' +
      'Request: GET /v1/kv/app/db (status 405, tried once).\n' +
      'To do: set path to "kv/data/app/db", and upgrade the cluster, or restore the snapshot on another cluster, and read ' +
      'the secret there.',
  ],
  [
    'whose path lacks data/, in 2.1',
    '2.1.0+ent',
    'kv/app/db',
    'cannot read secret "kv/app/db" in snapshot "ID" on cluster "us": the path lacks "data/"',
    'Mount "kv/" is version 2 of the KV secrets engine, with its secrets below "kv/data/".\n' +
      'Cannot read kv/app/db on ADDRESS: the server answered 405 (unsupported operation). The endpoint does not ' +
      'support this operation.\n' +
      'Request: GET /v1/kv/app/db (status 405, tried once).\n' +
      'To do: set path to "kv/data/app/db".',
  ],
  [
    'that does not exist, in 2.1',
    '2.1.0+ent',
    'kv/data/app/none',
    'secret "kv/data/app/none" in snapshot "ID" on cluster "us" does not exist',
    'The snapshot contains nothing at this path, or the mount has been disabled since then.\n' +
      'To do: check the path, or load an earlier snapshot.',
  ],
  [
    'on a mount that does not exist',
    '2.1.0+ent',
    'none/app/db',
    'cannot read secret "none/app/db" in snapshot "ID" on cluster "us": no secrets engine is mounted there',
    'The path begins with that of a mount, which must still be the one in the snapshot.\n' +
      'Cannot read none/app/db on ADDRESS: the server answered 404 (no handler for route "none/app/db". route entry ' +
      'not found.). This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only ' +
      'be called from the root or the administrative namespace.\n' +
      'Request: GET /v1/none/app/db (status 404, tried once).\n' +
      'To do: check the path. Or, if the mount has been disabled since then, restore the snapshot on another cluster, ' +
      'and read the secret there.',
  ],
  [
    'of a secrets engine that snapshots do not recover',
    '2.1.0+ent',
    'sys/policies/acl/default',
    'cannot read secret "sys/policies/acl/default" in snapshot "ID" on cluster "us": the server does not offer this ' +
      'path of snapshots',
    'Servers support it for version 1 of the KV secrets engine, for the secrets of version 2 from Vault 2.1 on, ' +
      'cubbyholes, and some paths of other engines.\n' +
      'Cannot read sys/policies/acl/default on ADDRESS: the server answered 405 (unsupported operation). The endpoint ' +
      'does not support this operation.\n' +
      'Request: GET /v1/sys/policies/acl/default (status 405, tried once).\n' +
      'To do: check the path: secrets of KV version 2 are below data/ of their mount. Or restore the snapshot on ' +
      'another cluster, and read the secret there.',
  ],
])(
  'a recovered secret %s, is an error that names the path or the version',
  async (_kind, serverVersion, path, summary, detail) => {
    await using server = await startStack({ serverVersion });
    await server.ask('POST', 'sys/mounts/kv', { type: 'kv', options: { version: '2' } });
    await server.ask('POST', 'kv/data/app/db', { data: { password: CANARY } });
    const { address, rootToken } = server.emulator.clusters.us!;
    const headers = { 'x-vault-token': rootToken };
    const snapshot = await fetch(`${address}/v1/sys/storage/raft/snapshot`, { headers });
    const loading = await fetch(`${address}/v1/${LOADS}`, {
      ...{ method: 'POST', headers, body: await snapshot.arrayBuffer() },
    });
    const { data } = (await loading.json()) as { data: { snapshot_id: string } };
    server.emulator.clock.advance(hour);
    await server.emulator.clock.settled();
    server.resources(
      `ephemeral "vaultadmin_recovered_secret" "it" {\n  snapshot_id = "${data.snapshot_id}"\n  path = "${path}"\n}\n`,
    );
    const { errors } = await server.run('plan');
    const shown = (text: string) => text.replaceAll(data.snapshot_id, 'ID').replaceAll(address, 'ADDRESS');
    expect(errors.map((each) => [shown(each.summary), shown(each.detail)])).toEqual([[summary, detail]]);
  },
);

test('a secret of KV version 2 is read from a snapshot as the secret alone', async () => {
  await using newer = await startStack({ serverVersion: '2.1.0+ent' });
  const versions = async (value: string) =>
    newer.ask('POST', 'kv/data/app/db', { data: { password: value, port: 5432 } });
  await newer.ask('POST', 'sys/mounts/kv', { type: 'kv', options: { version: '2' } });
  await versions(CANARY);
  newer.workspace.write('snapshots/.keep', '');
  const at = join(newer.workspace.folder, 'snapshots');
  const local = { interval: '1h', storage_type: 'local', path_prefix: at, local_max_space: 1e9 };
  await newer.ask('POST', `${CONFIGS}/local`, local);
  newer.emulator.clock.advance(hour);
  await newer.emulator.clock.settled();
  await versions('canary-of-today');
  const file = join(
    at,
    readdirSync(at).find((name) => name.endsWith('.snap'))!,
  );
  newer.resources(proof(CANARY, 'kv/data/app/db', file));
  await newer.must('apply');
});
