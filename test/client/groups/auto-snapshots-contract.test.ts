import type { AutoSnapshotFields, VaultClient } from '../../../src/client';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { temporaryFolder } from '../../support/temporary-folder';
import { connect, failureOf } from '../support/client';

const local: AutoSnapshotFields = {
  interval: '24h',
  path_prefix: '/snapshots',
  storage_type: 'local',
  local_max_space: 100_000_000,
};
const s3: AutoSnapshotFields = {
  interval: 3600,
  path_prefix: 'vault',
  storage_type: 'aws-s3',
  aws_s3_bucket: 'backups',
  aws_s3_region: 'eu-west-1',
  aws_access_key_id: 'AKIA',
  aws_secret_access_key: 'secret',
};

describe.each(['vault', 'neutral'] as const)('a server in the dialect %s', (dialect) => {
  let emulator: Emulator;
  let autoSnapshots: VaultClient['autoSnapshots'];

  beforeEach(async () => {
    emulator = await startEmulator({ dialect });
    emulator.clock.freeze();
    const { address, rootToken: token } = emulator.clusters.default!;
    autoSnapshots = connect({ address }, { token, dialect }).autoSnapshots;
  });
  afterEach(() => emulator.close());

  test('a configuration is written, read, listed and deleted', async () => {
    expect(await autoSnapshots.read('nightly')).toBeUndefined();
    expect(await autoSnapshots.status('nightly')).toBeUndefined();
    expect((await autoSnapshots.list()).data.keys).toEqual([]);

    await autoSnapshots.write('nightly', local);
    const defaults = { retain: 1, file_prefix: 'vault-snapshot' };
    expect((await autoSnapshots.read('nightly'))?.data).toEqual({
      name: 'nightly',
      ...local,
      ...defaults,
      interval: 86_400,
    });
    expect((await autoSnapshots.list()).data.keys).toEqual(['nightly']);

    await autoSnapshots.delete('nightly');
    await autoSnapshots.delete('nightly');
    expect(await autoSnapshots.read('nightly')).toBeUndefined();
  });

  test('an update keeps the fields that it leaves out, and clears the empty ones', async () => {
    await autoSnapshots.write('nightly', s3);
    await autoSnapshots.write('nightly', { retain: 7, aws_access_key_id: '' });
    const stored = (await autoSnapshots.read('nightly'))?.data;
    expect(stored).toMatchObject({ retain: 7, aws_s3_bucket: 'backups', aws_secret_access_key: 'secret' });
    expect(stored).not.toHaveProperty('aws_access_key_id');

    await autoSnapshots.write('nightly', { ...local, aws_secret_access_key: '' });
    await autoSnapshots.write('nightly', { storage_type: 'aws-s3', aws_s3_bucket: 'b', aws_s3_region: 'r' });
    expect((await autoSnapshots.read('nightly'))?.data).not.toHaveProperty('aws_secret_access_key');
    await autoSnapshots.delete('nightly');
  });

  test('the status describes the written snapshot', async () => {
    const folder = temporaryFolder('snapshots');
    try {
      await autoSnapshots.write('nightly', { ...local, path_prefix: folder });
      expect((await autoSnapshots.status('nightly'))?.data).toEqual({
        next_snapshot_start: expect.stringMatching(/^2/) as unknown,
      });
      emulator.clock.advance(86_400_000);
      await emulator.clock.settled();
      const { data } = (await autoSnapshots.status('nightly'))!;
      expect(data).toMatchObject({ consecutive_errors: 0 });
      expect(data.last_snapshot_url).toMatch(`file://${folder}/vault-snapshot-`);
      expect(Date.parse(data.next_snapshot_start!) - Date.parse(data.last_snapshot_start!)).toBe(86_400_000);
      expect(data).not.toHaveProperty('last_snapshot_error');
    } finally {
      await autoSnapshots.delete('nightly');
    }
  });

  test("a refusal has the server's text without secrets", async () => {
    const encryptedTwice = { aws_s3_enable_kms: true, aws_s3_server_side_encryption: true };
    const error = await failureOf(
      autoSnapshots.write('nightly', { ...s3, ...encryptedTwice, aws_secret_access_key: 'canary-secret' }),
    );
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
    const field = dialect === 'vault' ? 'aws_s3_enable_kms' : 'provA_s3_enable_kms';
    expect(error.errors[0]).toContain(`cannot be used with ${field}`);
    expect(JSON.stringify(error) + error.message).not.toContain('canary');
    expect(await autoSnapshots.read('nightly')).toBeUndefined();
  });
});

test('the endpoints except the status require sudo, and they exist only in the root namespace', async () => {
  await using emulator = await startEmulator();
  const { address, rootToken: token } = emulator.clusters.default;
  const root = connect({ address }, { token });
  await root.autoSnapshots.write('nightly', local);
  const rules = '{ capabilities = ["create", "read", "update", "delete", "list"] }';
  await root.policies.acl.write('no-sudo', { policy: `path "sys/storage/raft/*" ${rules}` });
  const { auth } = await root.write('auth/token/create', { policies: ['no-sudo'] });
  const { autoSnapshots } = connect({ address }, { token: auth!.token });

  const calls = [
    autoSnapshots.read('nightly'),
    autoSnapshots.write('nightly', local),
    autoSnapshots.list(),
    autoSnapshots.delete('nightly'),
  ];
  for (const call of calls) expect((await failureOf(call)).code).toBe('denied');
  expect((await autoSnapshots.status('nightly'))?.data).toHaveProperty('next_snapshot_start');

  await root.write('sys/namespaces/team');
  const below = root.withNamespace('team').autoSnapshots;
  expect((await failureOf(below.read('nightly'))).code).toBe('unsupported_path');
});
