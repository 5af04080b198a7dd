import {
  AUTO_SNAPSHOT_BACKENDS,
  fromProduct,
  SNAPSHOT_STORAGE_TYPES,
  type FieldValues,
  type SnapshotStorageTypeName,
} from '../../../src/model';
import type { Stack } from '../support';
import { address, CONFIG, onServer, snapshot, startSnapshotStack, type Snapshot } from './support';

interface Life {
  /**
   * The storage block at first, and later. The server has to clear a field that only the first
   * block has.
   */
  readonly first: FieldValues;
  readonly second: FieldValues;
  /** The fields that a test changes by hand. */
  readonly byHand: FieldValues;
}

const lives: Readonly<Record<SnapshotStorageTypeName, Life>> = {
  local: {
    first: { local_max_space: 1_000_000 },
    second: { local_max_space: 2_000_000 },
    byHand: { interval: '13h', retain: 9, file_prefix: 'foreign', local_max_space: 5 },
  },
  'aws-s3': {
    first: {
      aws_s3_bucket: 'backups',
      aws_s3_region: 'eu-west-1',
      aws_access_key_id: 'AKIA',
      aws_secret_access_key: 'secret-1',
      aws_session_token: 'session-1',
      aws_s3_endpoint: 'minio.example:9000',
      aws_s3_disable_tls: true,
      aws_s3_force_path_style: true,
      aws_s3_enable_kms: true,
      aws_s3_kms_key: 'alias/backup',
    },
    second: { aws_s3_bucket: 'others', aws_s3_region: 'eu-west-2', aws_s3_server_side_encryption: true },
    byHand: { aws_s3_bucket: 'foreign', aws_s3_endpoint: 'foreign:1', aws_s3_server_side_encryption: false },
  },
  'azure-blob': {
    first: {
      azure_container_name: 'backups',
      azure_account_name: 'account',
      azure_account_key: 'secret-1',
      azure_blob_environment: 'AZUREUSGOVERNMENTCLOUD',
      azure_endpoint: 'azurite.example:10000',
    },
    second: { azure_container_name: 'backups', azure_auth_mode: 'managed', azure_client_id: 'client' },
    byHand: { azure_auth_mode: 'environment', azure_client_id: '' },
  },
  'google-gcs': {
    first: {
      google_gcs_bucket: 'backups',
      google_service_account_key: '{"type": "service_account"}',
      google_endpoint: 'gcs.example:4443',
      google_disable_tls: true,
    },
    second: { google_gcs_bucket: 'backups', autoload_enabled: true },
    byHand: { google_endpoint: 'foreign:1', autoload_enabled: false },
  },
};
/** Each configuration has the name of its storage type. */
const names = SNAPSHOT_STORAGE_TYPES;
const common = { interval: '12h', retain: 3, path_prefix: '/vault/', file_prefix: 'nightly' };

/** Returns the block of a storage type by its name, at first or later. */
function blockOf(
  type: SnapshotStorageTypeName,
  stage: 'first' | 'second',
): Readonly<Record<string, FieldValues>> {
  return { [AUTO_SNAPSHOT_BACKENDS[type].block]: lives[type][stage] };
}

/** All configurations with their first blocks, or with their later ones. */
function all(stage: 'first' | 'second', attributes: Snapshot): string {
  return names.map((name) => snapshot(name, { ...attributes, blocks: blockOf(name, stage) })).join('');
}

describe.each(['vault', 'neutral'] as const)('configurations in the dialect %s', (dialect) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startSnapshotStack({ dialect });
  });
  afterAll(() => stack.close());

  /** Plans and applies. The only warnings are those of secrets that the state stores. */
  async function apply() {
    const report = await stack.run('apply');
    expect(report).toMatchObject({ code: 0, errors: [] });
    for (const { summary } of report.warnings) expect(summary).toMatch(/is stored in the state$/);
    return report;
  }

  test('a configuration of each storage type is created, updated, repaired, created again and destroyed', async () => {
    // A create sends two requests for each configuration: one to see that the name is free, one to
    // write.
    stack.resources(all('first', common));
    const created = await apply();
    expect(created.planned).toEqual(Object.fromEntries(names.map((name) => [address(name), 'create'])));
    expect(created.requests).toEqual(
      ['GET', 'POST'].flatMap((method) => names.map((name) => `${method} ${CONFIG}/${name}`)).sort(),
    );
    for (const name of names) {
      const fields = { ...common, interval: 43_200, storage_type: name, ...lives[name].first };
      expect(await onServer(stack, name, dialect)).toMatchObject({ name, ...fields });
    }

    // An unchanged plan sends one request for each configuration.
    const unchanged = await stack.run('plan');
    expect(unchanged).toMatchObject({ code: 0, planned: {} });
    expect(unchanged.requests).toEqual(names.map((name) => `GET ${CONFIG}/${name}`).sort());

    // An update reads the fields on the server first, to clear those that are removed.
    stack.resources(all('second', { interval: '24h', path_prefix: '/vault/' }));
    const updated = await apply();
    expect(updated.planned).toEqual(Object.fromEntries(names.map((name) => [address(name), 'update'])));
    expect(updated.warnings).toEqual([]);
    expect(updated.requests.filter((request) => request.endsWith('/aws-s3'))).toEqual([
      `GET ${CONFIG}/aws-s3`,
      `GET ${CONFIG}/aws-s3`,
      `POST ${CONFIG}/aws-s3`,
    ]);
    await expectSecond();
    expect((await stack.must('plan')).planned).toEqual({});

    // Changes by hand are shown and repaired.
    for (const name of names) {
      const translated = fromProduct(dialect, 'auto_snapshot').fields(lives[name].byHand);
      expect((await stack.ask('POST', `${CONFIG}/${name}`, translated)).status).toBe(204);
    }
    const drifted = await stack.workspace.plan();
    expect(drifted.resource_drift?.map((change) => change.address).sort()).toEqual(names.map(address).sort());
    const after = (name: string) =>
      drifted.resource_drift?.find((change) => change.address === address(name))?.change.after;
    expect(after('local')).toMatchObject({ interval: '46800', retain: 9, file_prefix: 'foreign' });
    expect(after('aws-s3')).toMatchObject({
      aws_s3: {
        aws_s3_bucket: 'foreign',
        aws_s3_endpoint: 'foreign:1',
        aws_s3_server_side_encryption: false,
      },
    });
    await stack.must('apply');
    await expectSecond();

    // Configurations that were deleted by hand are created again.
    await stack.ask('DELETE', `${CONFIG}/google-gcs`);
    expect((await stack.must('apply')).planned).toEqual({ [address('google-gcs')]: 'create' });
    await expectSecond();

    // destroy
    const destroyed = await stack.must('destroy');
    expect(destroyed.requests).toEqual(
      ['DELETE', 'GET'].flatMap((method) => names.map((name) => `${method} ${CONFIG}/${name}`)).sort(),
    );
    expect(await stack.addresses()).toEqual([]);
    for (const name of names) expect(await onServer(stack, name, dialect)).toBeUndefined();
  });

  /** The server and the state have the later values, and no secret of the first ones. */
  async function expectSecond(): Promise<void> {
    const state = await stack.workspace.state();
    for (const name of names) {
      const stored = await onServer(stack, name, dialect);
      const set = Object.entries(stored!).filter(([, value]) => value !== false);
      expect(Object.fromEntries(set)).toEqual({
        name,
        interval: 86_400,
        retain: 1,
        path_prefix: '/vault/',
        file_prefix: 'vault-snapshot',
        storage_type: name,
        ...lives[name].second,
      });
      expect(state[address(name)]).toMatchObject({
        id: `us//${name}`,
        cluster: 'us',
        namespace: null,
        name,
        interval: '24h',
        retain: 1,
        path_prefix: '/vault/',
        file_prefix: 'vault-snapshot',
        storage_type: name,
        ...blockOf(name, 'second'),
      });
    }
  }
});
