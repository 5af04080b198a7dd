import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { block, type Stack } from '../support';
import { CONFIG, snapshot, startSnapshotStack, STATUS } from './support';

const HOUR = 3_600_000;

let folder: string;
let stack: Stack;
beforeEach(async () => {
  folder = temporaryFolder('snapshots');
  stack = await startSnapshotStack();
  stack.emulator.clock.freeze();
});
afterEach(() => stack.close());

/** A configuration that writes a snapshot every hour. */
function hourly(space = 100_000_000): string {
  return snapshot('hourly', {
    interval: '1h',
    path_prefix: folder,
    blocks: { local: { local_max_space: space } },
  });
}

const check = `
check "snapshots" {
  data "vaultadmin_auto_snapshot_status" "hourly" {
    name = vaultadmin_auto_snapshot.hourly.name
  }
  assert {
    condition     = data.vaultadmin_auto_snapshot_status.hourly.healthy
    error_message = "Snapshots: \${join("; ", data.vaultadmin_auto_snapshot_status.hourly.problems)}"
  }
}
`;

/** Advances the emulator's clock, and waits for the snapshots that are due by then. */
async function pass(milliseconds: number): Promise<void> {
  stack.emulator.clock.advance(milliseconds);
  await stack.emulator.clock.settled();
}

/** The attributes of the data source. */
async function status(attributes: object = {}): Promise<Record<string, unknown>> {
  stack.resources(
    `${hourly()}${block('data', 'vaultadmin_auto_snapshot_status', { name: 'hourly', ...attributes })}
    output "it" {
      value = data.vaultadmin_auto_snapshot_status.it
    }`,
  );
  const { planned_values: values } = (await stack.workspace.plan()) as {
    planned_values?: { outputs: { it: { value: Record<string, unknown> } } };
  };
  return values!.outputs.it.value;
}

const now = () => new Date(stack.emulator.clock.now()).toISOString().replace(/\.\d+Z$/, '');

test('the status data source shows no snapshot, the first snapshot, and the first failure', async () => {
  stack.resources(hourly());
  await stack.must('apply');
  expect(await status()).toMatchObject({
    id: 'us//hourly',
    cluster: 'us',
    interval: '3600',
    healthy: true,
    state: 'waiting',
    problems: [],
    next_snapshot_start: expect.any(String) as unknown,
    last_snapshot_end: null,
    consecutive_errors: null,
  });

  await pass(HOUR);
  const [file] = readdirSync(folder);
  expect(await status()).toMatchObject({
    healthy: true,
    state: 'ok',
    problems: [],
    last_snapshot_start: expect.stringContaining(now()) as unknown,
    last_snapshot_error: null,
    last_snapshot_url: `file://${join(folder, file!)}`,
    consecutive_errors: 0,
    loaded_snapshot_id: null,
  });

  // no more space
  await stack.ask('POST', `${CONFIG}/hourly`, { local_max_space: 1 });
  await pass(2 * HOUR);
  const failing = await status();
  expect(failing).toMatchObject({
    healthy: false,
    state: 'failing',
    consecutive_errors: 1,
    problems: [expect.stringMatching(/^the last attempt failed: /)],
  });
  expect(failing.problems).toEqual([`the last attempt failed: ${failing.last_snapshot_error as string}`]);
  expect(await status({ max_errors: 1 })).toMatchObject({ healthy: true, state: 'ok', problems: [] });
});

test(`a configuration is overdue once more than the allowed intervals have passed on the server's clock`, async () => {
  stack.resources(hourly());
  await stack.must('apply');
  await pass(HOUR);
  // A sealed server takes no snapshots.
  await stack.ask('PUT', 'sys/seal');
  await pass(2.5 * HOUR);
  await stack.ask('PUT', 'sys/unseal', { key: stack.emulator.clusters.us!.unsealKey });
  expect(await status()).toMatchObject({
    healthy: false,
    state: 'overdue',
    problems: [expect.stringMatching(/^the last attempt ended at .* ago; snapshots are due every 1h0m0s$/)],
  });
  expect(await status({ max_intervals: 3 })).toMatchObject({ healthy: true, state: 'ok' });
});

test('a check block on the status warns while snapshots fail, and is never an error', async () => {
  const warnings = async () => {
    const { code, errors, warnings } = await stack.run('plan');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    return warnings.map(({ detail }) => detail);
  };
  stack.resources(hourly() + check);
  await stack.workspace.apply();
  expect(await warnings()).toEqual([]);

  await pass(HOUR);
  expect(await warnings()).toEqual([]);

  stack.resources(hourly(1) + check);
  await stack.workspace.apply();
  await pass(HOUR);
  expect(await warnings()).toEqual([expect.stringMatching(/^Snapshots: the last attempt failed: /)]);

  stack.resources(hourly() + check);
  await stack.workspace.apply();
  await pass(HOUR);
  expect(await warnings()).toEqual([]);
});

test('a token without sudo reads the status if the interval is given', async () => {
  await stack.ask('POST', `${CONFIG}/hourly`, {
    storage_type: 'local',
    interval: '1h',
    path_prefix: folder,
    local_max_space: 100_000_000,
  });
  await pass(HOUR);
  await stack.ask('PUT', 'sys/policies/acl/watch', {
    policy: `path "${STATUS}/*" { capabilities = ["read"] }`,
  });
  const { auth } = await stack.ask('POST', 'auth/token/create', { policies: ['watch'] });
  stack.configure(
    `provider "vaultadmin" {
      clusters = { us = { address = "${stack.emulator.clusters.us!.address}", token = "${auth!.client_token}" } }
    }`,
  );
  const data = (attributes: object) =>
    block('data', 'vaultadmin_auto_snapshot_status', { name: 'hourly', ...attributes });

  stack.resources(data({ interval: '1h' }));
  await stack.must('plan');
  stack.resources(data({}));
  const { code, errors } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors.map(({ summary }) => summary)).toEqual([
    'cannot read automated snapshot "hourly" on cluster "us": permission denied',
  ]);
});

test('an unreadable status is an error', async () => {
  const errorsOf = async (attributes: object) => {
    stack.resources(block('data', 'vaultadmin_auto_snapshot_status', attributes));
    const { errors } = await stack.run('plan');
    return errors.map(({ summary, detail }) => `${summary}\n${detail}`);
  };
  expect(await errorsOf({ name: 'nobody' })).toEqual([
    `automated snapshot "nobody" on cluster "us" does not exist
Looked in the namespace of the cluster's settings.
To do: check the cluster, the namespace and the name, or create the object first.`,
  ]);
  expect(await errorsOf({ name: 'hourly', interval: 'often' })).toEqual([
    expect.stringContaining(
      'automated snapshot "hourly": interval is not a valid duration\nReceived: "often".\n',
    ),
  ]);
  expect(await errorsOf({ name: 'hourly', max_intervals: 0 })).toEqual([
    expect.stringContaining('max_intervals must be at least 1, got 0'),
  ]);
  stack.emulator.faults.inject({ path: `${STATUS}/*`, status: 403, errors: ['permission denied'] });
  expect(await errorsOf({ name: 'hourly' })).toEqual([
    expect.stringContaining(
      'cannot read the status of automated snapshot "hourly" on cluster "us": permission denied',
    ),
  ]);
});

test('the data sources return one configuration, and the list of all configurations', async () => {
  const s3 = {
    storage_type: 'aws-s3',
    interval: 60,
    path_prefix: 'vault',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: 'canary',
  };
  await stack.ask('POST', `${CONFIG}/b`, s3);
  await stack.ask('POST', `${CONFIG}/a`, { ...s3, aws_s3_endpoint: '' });
  stack.resources(
    `${block('data', 'vaultadmin_auto_snapshot', { name: 'b' })}${block('data', 'vaultadmin_auto_snapshots', {})}
    output "one" {
      value = data.vaultadmin_auto_snapshot.it
    }
    output "all" {
      value = data.vaultadmin_auto_snapshots.it
    }`,
  );
  const plan = await stack.workspace.plan();
  expect(JSON.stringify(plan)).not.toContain('canary');
  const { outputs } = plan.planned_values as { outputs: Record<string, { value: unknown }> };
  expect(outputs.one?.value).toEqual({
    id: 'us//b',
    cluster: 'us',
    namespace: null,
    name: 'b',
    interval: '60',
    retain: 1,
    path_prefix: 'vault',
    file_prefix: 'vault-snapshot',
    storage_type: 'aws-s3',
    local: null,
    azure_blob: null,
    google_gcs: null,
    aws_s3: {
      aws_s3_bucket: 'backups',
      aws_s3_region: 'eu-west-1',
      aws_access_key_id: 'AKIA',
      aws_s3_endpoint: null,
      aws_s3_disable_tls: false,
      aws_s3_force_path_style: false,
      aws_s3_enable_kms: false,
      aws_s3_server_side_encryption: false,
      aws_s3_kms_key: null,
      autoload_enabled: false,
    },
  });
  expect(outputs.all?.value).toEqual({ cluster: 'us', namespace: null, names: ['a', 'b'] });
});
