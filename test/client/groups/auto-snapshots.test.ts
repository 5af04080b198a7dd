import { AUTO_SNAPSHOT_BACKENDS } from '../../../src/model';
import type { AutoSnapshotFields } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const MISSING: Reply = { status: 404, json: { errors: [] } };
const CONFIG = '/v1/sys/storage/raft/snapshot-auto/config';
const STATUS = '/v1/sys/storage/raft/snapshot-auto/status';

const common = { interval: 86_400, retain: 3, path_prefix: 'vault/', file_prefix: 'nightly' };

/** One configuration for each storage type, with every field. */
const cases: readonly (Required<Pick<AutoSnapshotFields, 'interval'>> & AutoSnapshotFields)[] = [
  { ...common, storage_type: 'local', local_max_space: 262_144_000 },
  {
    ...common,
    storage_type: 'aws-s3',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: 'secret',
    aws_session_token: 'session',
    aws_s3_endpoint: 'minio:9000',
    aws_s3_disable_tls: true,
    aws_s3_force_path_style: true,
    aws_s3_enable_kms: true,
    aws_s3_server_side_encryption: false,
    aws_s3_kms_key: 'alias/backup',
    autoload_enabled: true,
  },
  {
    ...common,
    storage_type: 'azure-blob',
    azure_container_name: 'backups',
    azure_account_name: 'account',
    azure_account_key: 'secret',
    azure_blob_environment: 'AZUREPUBLICCLOUD',
    azure_endpoint: 'azurite:10000',
    azure_auth_mode: 'shared',
    azure_client_id: 'client',
    autoload_enabled: false,
  },
  {
    ...common,
    storage_type: 'google-gcs',
    google_gcs_bucket: 'backups',
    google_service_account_key: '{"type":"service_account"}',
    google_endpoint: 'gcs:4443',
    google_disable_tls: true,
    autoload_enabled: false,
  },
];

/** The prefixes of names in the neutral dialect, by their prefixes in the dialect of Vault. */
const PREFIXES = { aws: 'provA', azure: 'provB', google: 'provC' };

/** Returns a configuration in the form in which a server in the neutral dialect returns it. */
function neutral(fields: AutoSnapshotFields): object {
  const renamed = (name: string) =>
    name.replace(/^(aws|azure|google)(?=[-_])/, (prefix) => PREFIXES[prefix as keyof typeof PREFIXES]);
  const names = Object.entries(fields).map(([name, value]) => [renamed(name), value as unknown]);
  return { ...Object.fromEntries(names), storage_type: renamed(fields.storage_type) } as object;
}

describe.each(cases)('the storage type $storage_type', (fields) => {
  test('the case has every field of the model', () => {
    const { definition } = AUTO_SNAPSHOT_BACKENDS[fields.storage_type];
    expect(['name', ...Object.keys(fields)].sort()).toEqual(Object.keys(definition.fields).sort());
  });

  test.each([
    ['vault', fields],
    ['neutral', neutral(fields)],
  ] as const)('a configuration is read and written in the dialect %s', async (dialect, onServer) => {
    const server = await serve([{ status: 204 }, { json: envelope(onServer, { warnings: ['w'] }) }]);
    const { autoSnapshots } = connect(server, { dialect });

    expect(await autoSnapshots.write('nightly', fields)).toEqual({
      status: 204,
      requestId: '',
      data: {},
      warnings: [],
    });
    const response = await autoSnapshots.read('nightly');
    expect(response?.data).toEqual({ name: 'nightly', ...fields });
    expect(response?.warnings).toEqual(['w']);

    const [written, read] = server.requests;
    expect(written).toMatchObject({ method: 'POST', url: `${CONFIG}/nightly` });
    expect(JSON.parse(written!.body)).toEqual(onServer);
    expect(read).toMatchObject({ method: 'GET', url: `${CONFIG}/nightly` });
  });
});

test('missing configurations are undefined, and missing lists are empty', async () => {
  const { autoSnapshots } = connect(await serve(MISSING));
  expect(await autoSnapshots.read('nightly')).toBeUndefined();
  expect(await autoSnapshots.status('nightly')).toBeUndefined();
  expect((await autoSnapshots.list()).data.keys).toEqual([]);
});

test('configurations are deleted and listed by their paths', async () => {
  const server = await serve([{ status: 204 }, { json: envelope({ keys: ['hourly', 'nightly'] }) }]);
  const { autoSnapshots } = connect(server);
  await autoSnapshots.delete('nightly');
  expect((await autoSnapshots.list()).data.keys).toEqual(['hourly', 'nightly']);
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `DELETE ${CONFIG}/nightly`,
    `GET ${CONFIG}?list=true`,
  ]);
});

describe('a configuration that servers return', () => {
  const stored = { ...common, storage_type: 'google-gcs', google_gcs_bucket: 'backups' };
  async function read(data: object) {
    return (await connect(await serve({ json: envelope(data) })).autoSnapshots.read('nightly'))?.data;
  }

  test('fields that are not set are left out, even if the server returns them as false', async () => {
    const empty = { google_service_account_key: '', google_endpoint: false, google_disable_tls: false };
    expect(await read({ ...stored, ...empty })).toEqual({
      name: 'nightly',
      ...stored,
      google_disable_tls: false,
    });
  });

  test('fields of other storage types, and unknown ones, are left out', async () => {
    expect(await read({ ...stored, local_max_space: 7, azure_account_key: 'secret', later: 1 })).toEqual({
      name: 'nightly',
      ...stored,
    });
  });

  test('numbers may be returned as texts', async () => {
    expect(await read({ ...stored, retain: '7' })).toMatchObject({ retain: 7 });
  });

  test.each([
    ['24h', 86_400],
    ['3600', 3600],
    [3600, 3600],
  ])('the interval %j becomes %d seconds', async (interval, seconds) => {
    expect(await read({ ...stored, interval })).toMatchObject({ interval: seconds });
  });

  test.each([{}, { storage_type: 'local' }, { storage_type: 'local', interval: 'daily' }, { interval: 60 }])(
    'the interval %j is refused',
    async (data) => {
      const server = await serve({ json: envelope(data) });
      const error = await failureOf(connect(server).autoSnapshots.read('nightly'));
      expect(error.code).toBe('unexpected_answer');
      expect(error.message).toContain(
        'the answer holds no automated snapshot with a known storage_type and an interval',
      );
    },
  );
});

describe('a status', () => {
  async function status(data: object) {
    const server = await serve({ json: envelope(data) });
    const response = await connect(server).autoSnapshots.status('nightly');
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `${STATUS}/nightly` });
    return response?.data;
  }

  test('the status after a successful snapshot is decoded', async () => {
    const told = {
      last_snapshot_start: '2026-11-21T10:00:00Z',
      last_snapshot_end: '2026-11-21T10:00:01Z',
      last_snapshot_url: 'file:///opt/vault-snapshot-1.snap',
      snapshot_start: '2026-11-21T10:00:00Z',
      snapshot_url: 'file:///opt/vault-snapshot-1.snap',
      next_snapshot_start: '2026-11-22T10:00:00Z',
      consecutive_errors: 0,
    };
    expect(await status({ ...told, last_snapshot_error: '' })).toEqual(told);
  });

  test('the status before the first attempt has no snapshot', async () => {
    expect(await status({})).toEqual({});
    expect(await status({ last_snapshot_start: '0001-01-01T00:00:00Z', last_snapshot_error: '' })).toEqual(
      {},
    );
  });
});

test.each(['', 'a/b', '/'])('the name %j is refused', async (name) => {
  const server = await serve({ status: 204 });
  const { autoSnapshots } = connect(server);
  const calls = [
    () => autoSnapshots.read(name),
    () => autoSnapshots.write(name, {}),
    () => autoSnapshots.delete(name),
    () => autoSnapshots.status(name),
  ];
  for (const call of calls) {
    expect(await failureOf(call)).toMatchObject({
      code: 'invalid_request',
      message: `${JSON.stringify(name)} cannot be the name of an automated snapshot: it is empty or holds a slash`,
    });
  }
  expect(server.requests).toHaveLength(0);
});

test('no error contains a secret, even if the server returns it', async () => {
  const server = await serve({
    status: 400,
    json: { errors: ['bad key "canary-secret" in "canary-session"'] },
  });
  const error = await failureOf(
    connect(server).autoSnapshots.write('nightly', {
      aws_secret_access_key: 'canary-secret',
      aws_session_token: 'canary-session',
    }),
  );
  expect(error.code).toBe('invalid_request');
  expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain('canary');
});
