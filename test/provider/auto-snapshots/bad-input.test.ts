import type { Message, Stack } from '../support';
import { address, expression, snapshot, startSnapshotStack, type Snapshot } from './support';

const local = { local_max_space: 1_000_000 };
const s3 = { aws_s3_bucket: 'backups', aws_s3_region: 'eu-west-1' };
const azure = { azure_container_name: 'backups', azure_account_name: 'account' };
const gcs = { google_gcs_bucket: 'backups' };
const SERVICE_ACCOUNT = JSON.stringify({ type: 'service_account' });

const on = {
  local: (fields: object, common: Snapshot = {}): Snapshot => ({
    ...common,
    blocks: { local: { ...local, ...fields } },
  }),
  s3: (fields: object, common: Snapshot = {}): Snapshot => ({
    ...common,
    blocks: { aws_s3: { ...s3, ...fields } },
  }),
  azure: (fields: object, common: Snapshot = {}): Snapshot => ({
    ...common,
    blocks: { azure_blob: { ...azure, ...fields } },
  }),
  gcs: (fields: object, common: Snapshot = {}): Snapshot => ({
    ...common,
    blocks: { google_gcs: { ...gcs, ...fields } },
  }),
};

interface Case {
  readonly good: Snapshot;
  readonly bad: Snapshot;
  /** The message for the bad configuration, after its title. */
  readonly problem: string;
  readonly detail: string;
  readonly line: string;
}

/** Every condition that a plan refuses, by the name of the configuration that breaks it. */
const refused: Readonly<Record<string, Case>> = {
  interval_of_nothing: {
    good: on.local({}, { interval: 1 }),
    bad: on.local({}, { interval: 0 }),
    problem: 'interval must be at least one second',
    detail:
      'Received: "0".\nAllowed: whole seconds, at least one: 3600, "90m" or "24h".\nTo do: set it to the time between two snapshots.',
    line: 'interval = 0',
  },
  interval_of_words: {
    good: on.local({}, { interval: '90m' }),
    bad: on.local({}, { interval: 'daily' }),
    problem: 'interval cannot be read: time: invalid duration "daily"',
    detail:
      'Received: "daily".\nAllowed: whole seconds, at least one: 3600, "90m" or "24h".\nTo do: set it to a duration.',
    line: 'interval = "daily"',
  },
  retain_nothing: {
    good: on.local({}, { retain: 1 }),
    bad: on.local({}, { retain: 0 }),
    problem: 'retain must be at least 1',
    detail:
      'Received: 0.\nAllowed: the number of snapshots to keep, 1 or more.\nTo do: set it to 1 or more, or remove it for the default of 1.',
    line: 'retain = 0',
  },
  no_path: {
    good: on.local({}, { path_prefix: '/snapshots' }),
    bad: on.local({}, { path_prefix: '' }),
    problem: 'path_prefix must not be empty',
    detail: 'Received: "".\nTo do: set it to the directory, or the prefix within the bucket.',
    line: 'path_prefix = ""',
  },
  no_file: {
    good: on.local({}, { file_prefix: 'nightly' }),
    bad: on.local({}, { file_prefix: '' }),
    problem: 'file_prefix must not be empty',
    detail: 'Received: "".\nTo do: set it to a prefix, or remove it for the default.',
    line: 'file_prefix = ""',
  },
  file_in_folder: {
    good: on.local({}, { file_prefix: 'nightly' }),
    bad: on.local({}, { file_prefix: 'a/nightly' }),
    problem: 'file_prefix must not contain a slash',
    detail:
      'Received: "a/nightly".\nAllowed: the beginning of a file name within path_prefix.\nTo do: write "nightly", and the rest in path_prefix.',
    line: 'file_prefix = "a/nightly"',
  },
  no_space: {
    good: on.local({ local_max_space: 1 }),
    bad: on.local({ local_max_space: 0 }),
    problem: 'local_max_space must be positive',
    detail:
      'Received: 0.\nAllowed: the maximum number of bytes that all snapshots may take.\nTo do: set it to the number of bytes that all snapshots may take.',
    line: 'local_max_space = 0',
  },
  no_s3_bucket: {
    good: on.s3({ aws_s3_bucket: 'b' }),
    bad: on.s3({ aws_s3_bucket: '' }),
    problem: 'aws_s3_bucket must not be empty',
    detail: 'Received: "".\nTo do: set it to the name of the bucket.',
    line: 'aws_s3_bucket = ""',
  },
  no_s3_region: {
    good: on.s3({ aws_s3_region: 'r' }),
    bad: on.s3({ aws_s3_region: '' }),
    problem: 'aws_s3_region must not be empty',
    detail: 'Received: "".\nTo do: set it to the region of the bucket.',
    line: 'aws_s3_region = ""',
  },
  encrypted_twice: {
    good: on.s3({ aws_s3_server_side_encryption: false, aws_s3_enable_kms: true }),
    bad: on.s3({ aws_s3_server_side_encryption: true, aws_s3_enable_kms: true }),
    problem: 'aws_s3_server_side_encryption cannot be used with aws_s3_enable_kms',
    detail:
      'Received: true for both.\nAllowed: one of the two: encryption with AES256, or with a KMS key.\nTo do: remove one of them.',
    line: 'aws_s3_server_side_encryption = true',
  },
  kms_key_unused: {
    good: on.s3({ aws_s3_kms_key: 'alias/backup', aws_s3_enable_kms: true }),
    bad: on.s3({ aws_s3_kms_key: 'alias/backup' }),
    problem: 'aws_s3_kms_key is used only when aws_s3_enable_kms is true',
    detail: 'Received: "alias/backup".\nTo do: set aws_s3_enable_kms to true, or remove aws_s3_kms_key.',
    line: 'aws_s3_kms_key = "alias/backup"',
  },
  no_container: {
    good: on.azure({ azure_auth_mode: 'environment' }),
    bad: on.azure({ azure_auth_mode: 'environment', azure_container_name: '' }),
    problem: 'azure_container_name must not be empty',
    detail: 'Received: "".\nTo do: set it to the name of the container.',
    line: 'azure_container_name = ""',
  },
  no_slash_azure: {
    good: on.azure({ azure_auth_mode: 'environment' }, { path_prefix: 'vault/' }),
    bad: on.azure({ azure_auth_mode: 'environment' }, { path_prefix: 'vault' }),
    problem: 'path_prefix must end with a slash for this storage type',
    detail: 'Received: "vault".\nTo do: write "vault/".',
    line: 'path_prefix = "vault"',
  },
  unknown_mode: {
    good: on.azure({ azure_auth_mode: 'managed', azure_client_id: 'c' }),
    bad: on.azure({ azure_auth_mode: 'magic' }),
    problem: 'azure_auth_mode must be one of the allowed values',
    detail:
      'Received: "magic".\nAllowed: "shared", "managed", "environment".\nTo do: use one of the allowed values.',
    line: 'azure_auth_mode = "magic"',
  },
  shared_without_key: {
    good: on.azure({
      azure_auth_mode: 'shared',
      azure_account_key_wo: 'account-key-1',
      azure_account_key_wo_version: 1,
    }),
    bad: on.azure({ azure_auth_mode: 'shared' }),
    problem: 'azure_account_key is required when azure_auth_mode is shared',
    detail:
      'To do: set azure_account_key, or another azure_auth_mode.\n' +
      'azure_account_key is stored in the state; azure_account_key_wo, with azure_account_key_wo_version, is not.',
    line: 'azure_blob {',
  },
  managed_without_client: {
    good: on.azure({ azure_auth_mode: 'managed', azure_client_id: 'c' }),
    bad: on.azure({ azure_auth_mode: 'managed' }),
    problem: 'azure_client_id is required when azure_auth_mode is managed',
    detail: 'To do: set azure_client_id, or another azure_auth_mode.',
    line: 'azure_blob {',
  },
  no_gcs_bucket: {
    good: on.gcs({ google_gcs_bucket: 'b' }),
    bad: on.gcs({ google_gcs_bucket: '' }),
    problem: 'google_gcs_bucket must not be empty',
    detail: 'Received: "".\nTo do: set it to the name of the bucket.',
    line: 'google_gcs_bucket = ""',
  },
  no_slash_gcs: {
    good: on.gcs({}, { path_prefix: 'vault/' }),
    bad: on.gcs({}, { path_prefix: 'vault' }),
    problem: 'path_prefix must end with a slash for this storage type',
    detail: 'Received: "vault".\nTo do: write "vault/".',
    line: 'path_prefix = "vault"',
  },
  key_is_no_json: {
    good: on.gcs({
      google_service_account_key_wo: SERVICE_ACCOUNT,
      google_service_account_key_wo_version: 1,
    }),
    bad: on.gcs({ google_service_account_key_wo: 'canary', google_service_account_key_wo_version: 1 }),
    problem: 'google_service_account_key must be the JSON text of a service account key',
    detail: 'To do: use the whole key file from Google; newlines and quotes may have to be escaped.',
    line: 'google_service_account_key_wo = "canary"',
  },
  secret_given_twice: {
    good: on.gcs({
      google_service_account_key_wo: SERVICE_ACCOUNT,
      google_service_account_key_wo_version: 1,
    }),
    bad: on.gcs({
      google_service_account_key: SERVICE_ACCOUNT,
      google_service_account_key_wo: SERVICE_ACCOUNT,
      google_service_account_key_wo_version: 1,
    }),
    problem: 'google_service_account_key and google_service_account_key_wo cannot be used together',
    detail: 'To do: leave out google_service_account_key, which is stored in the state.',
    line: `google_service_account_key = ${JSON.stringify(SERVICE_ACCOUNT)}`,
  },
  secret_without_version: {
    good: on.gcs({
      google_service_account_key_wo: SERVICE_ACCOUNT,
      google_service_account_key_wo_version: 1,
    }),
    bad: on.gcs({ google_service_account_key_wo: SERVICE_ACCOUNT }),
    problem: 'google_service_account_key_wo requires google_service_account_key_wo_version',
    detail:
      'google_service_account_key_wo is not stored, so Terraform cannot detect changes: a new version writes the value again.\n' +
      'To do: set google_service_account_key_wo_version = 1, and increase it whenever the secret changes.',
    line: `google_service_account_key_wo = ${JSON.stringify(SERVICE_ACCOUNT)}`,
  },
  no_block: {
    good: on.local({}),
    bad: {},
    problem: 'storage_type must come from one block',
    detail:
      'Received: none.\nAllowed: one of the blocks local, aws_s3, azure_blob, google_gcs.\nTo do: add one of them.',
    line: 'resource "vaultadmin_auto_snapshot" "no_block" {',
  },
  two_blocks: {
    good: on.s3({}),
    bad: { blocks: { local, google_gcs: gcs } },
    problem: 'storage_type must come from one block',
    detail:
      'Received: local, google_gcs.\nAllowed: one of the blocks local, aws_s3, azure_blob, google_gcs.\nTo do: remove all of them but one.',
    line: 'resource "vaultadmin_auto_snapshot" "two_blocks" {',
  },
};

let stack: Stack;
beforeAll(async () => {
  stack = await startSnapshotStack();
});
afterAll(() => stack.close());

const titleOf = (name: string) => `automated snapshot ${JSON.stringify(name)}: `;

function resources(which: 'good' | 'bad'): string {
  return Object.entries(refused)
    .map(([name, cases]) => snapshot(name, cases[which]))
    .join('');
}

describe('a plan of configurations that break a condition each', () => {
  let errors: readonly Message[];
  beforeAll(async () => {
    stack.resources(resources('bad'));
    const report = await stack.run('plan');
    expect(report.code).toBe(1);
    expect(report.requests).toEqual([]);
    errors = report.errors;
  });

  test.each(Object.entries(refused))('an error for the condition: %s', (name, { problem, detail, line }) => {
    expect(errors.filter(({ summary }) => summary.startsWith(titleOf(name)))).toEqual([
      { summary: titleOf(name) + problem, detail, line },
    ]);
  });

  test('the plan has no other error, and shows no secret', () => {
    expect(errors).toHaveLength(Object.keys(refused).length);
    expect(errors.map(({ summary, detail }) => summary + detail).join()).not.toContain('canary');
  });
});

test('a configuration that meets the condition is planned, for each condition', async () => {
  stack.resources(resources('good'));
  const names = Object.keys(refused);
  expect((await stack.must('plan')).planned).toEqual(
    Object.fromEntries(names.map((name) => [address(name), 'create'])),
  );
});

test('a name that cannot be part of a path is refused', async () => {
  stack.resources(snapshot('it', on.local({})).replace('name = "it"', 'name = "a/b c"'));
  const { errors } = await stack.run('plan');
  expect(errors).toEqual([
    {
      summary: 'automated snapshot "a/b c": name is not valid as part of a path',
      detail:
        'Received: "a/b c".\nAllowed: letters, digits and "_", between them also "-" and ".".\nTo do: choose another name.',
      line: 'name = "a/b c"',
    },
  ]);
});

test.each([
  ['aws_access_key_id', on.s3({ aws_access_key_id: 'AKIA' }), 'aws_secret_access_key is missing'],
  ['azure_account_key', on.azure({}), 'snapshots fail because there are no credentials'],
])('a plan warns of %s', async (field, attributes, problem) => {
  stack.resources(snapshot('it', attributes));
  const { code, warnings } = await stack.run('plan');
  expect(code).toBe(0);
  // Terraform validates the configuration several times.
  expect([...new Set(warnings.map(({ summary }) => summary))]).toEqual([
    expect.stringMatching(`^automated snapshot "it": ${field} .*${problem}$`),
  ]);
});

test('a plan succeeds where values are not known yet', async () => {
  const later = expression('terraform_data.later.output');
  stack.resources(
    'resource "terraform_data" "later" {\n  input = "later"\n}\n' +
      snapshot('it', on.gcs({ google_gcs_bucket: later }, { interval: later, path_prefix: later })) +
      snapshot('secret', on.azure({ azure_auth_mode: later, azure_account_key: later })),
  );
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [] });
});

test('a create of a configuration that exists is refused', async () => {
  const path = 'sys/storage/raft/snapshot-auto/config/taken';
  const body = { storage_type: 'local', interval: 60, path_prefix: '/theirs', local_max_space: 1 };
  expect((await stack.ask('POST', path, body)).status).toBe(204);
  stack.resources(snapshot('taken', on.local({})));
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'automated snapshot "taken" on cluster "us" already exists',
  ]);
  expect(errors[0]!.detail).toContain("terraform import vaultadmin_auto_snapshot.NAME 'us//taken'");
  expect((await stack.ask('GET', path)).data).toMatchObject({ path_prefix: '/theirs' });
});
