import type { Message, Stack } from '../support';
import { address, expression, snapshot, startSnapshotStack, type Snapshot } from './support';

const SERVICE_ACCOUNT = JSON.stringify({ type: 'service_account' });

/** The required fields of each storage block. */
const LEAST = {
  local: { local_max_space: 1_000_000 },
  aws_s3: { aws_s3_bucket: 'backups', aws_s3_region: 'eu-west-1' },
  azure_blob: { azure_container_name: 'backups', azure_account_name: 'account' },
  google_gcs: { google_gcs_bucket: 'backups' },
};

function on(block: keyof typeof LEAST, fields: object, common: Snapshot = {}): Snapshot {
  return { ...common, blocks: { [block]: { ...LEAST[block], ...fields } } };
}

interface Case {
  readonly good: Snapshot;
  readonly bad: Snapshot;
  /** The message for the bad configuration, without the title of the object. */
  readonly problem: string;
  readonly detail: string;
  readonly line: string;
}

/**
 * One condition of each kind, by the name of the configuration that breaks it: on an attribute of
 * the resource, on an attribute of a block, on a missing attribute, and on a write-only secret. The
 * tests of the model have all conditions.
 */
const refused: Readonly<Record<string, Case>> = {
  file_in_folder: {
    good: on('local', {}, { file_prefix: 'nightly' }),
    bad: on('local', {}, { file_prefix: 'a/nightly' }),
    problem: 'file_prefix must not contain a slash',
    detail:
      'Received: "a/nightly".\nAllowed: the beginning of a file name within path_prefix.\nTo do: write "nightly", and the rest in path_prefix.',
    line: 'file_prefix = "a/nightly"',
  },
  encrypted_twice: {
    good: on('aws_s3', { aws_s3_server_side_encryption: false, aws_s3_enable_kms: true }),
    bad: on('aws_s3', { aws_s3_server_side_encryption: true, aws_s3_enable_kms: true }),
    problem: 'aws_s3_server_side_encryption cannot be used with aws_s3_enable_kms',
    detail:
      'Received: true for both.\nAllowed: one of the two: encryption with AES256, or with a KMS key.\nTo do: remove one of them.',
    line: 'aws_s3_server_side_encryption = true',
  },
  shared_without_key: {
    good: on('azure_blob', {
      azure_auth_mode: 'shared',
      azure_account_key_wo: 'account-key-1',
      azure_account_key_wo_version: 1,
    }),
    bad: on('azure_blob', { azure_auth_mode: 'shared' }),
    problem: 'azure_account_key is required when azure_auth_mode is shared',
    detail:
      'To do: set azure_account_key, or another azure_auth_mode.\n' +
      'azure_account_key is stored in the state; azure_account_key_wo, with azure_account_key_wo_version, is not.',
    line: 'azure_blob {',
  },
  key_is_no_json: {
    good: on('google_gcs', {
      google_service_account_key_wo: SERVICE_ACCOUNT,
      google_service_account_key_wo_version: 1,
    }),
    bad: on('google_gcs', {
      google_service_account_key_wo: 'canary',
      google_service_account_key_wo_version: 1,
    }),
    problem: 'google_service_account_key must be the JSON text of a service account key',
    detail: 'To do: use the whole key file from Google; newlines and quotes may have to be escaped.',
    line: 'google_service_account_key_wo = "canary"',
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

  test.each(Object.entries(refused))(
    'a configuration that breaks the condition %s is an error',
    (name, { problem, detail, line }) => {
      expect(errors.filter(({ summary }) => summary.startsWith(titleOf(name)))).toEqual([
        { summary: titleOf(name) + problem, detail, line },
      ]);
    },
  );

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
  stack.resources(snapshot('it', on('local', {})).replace('name = "it"', 'name = "a/b c"'));
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
  ['aws_access_key_id', on('aws_s3', { aws_access_key_id: 'AKIA' }), 'aws_secret_access_key is missing'],
  ['azure_account_key', on('azure_blob', {}), 'snapshots fail because there are no credentials'],
])('a plan warns of %s', async (field, attributes, problem) => {
  stack.resources(snapshot('it', attributes));
  const { code, warnings } = await stack.run('plan');
  expect(code).toBe(0);
  // Terraform validates the configuration several times.
  expect([...new Set(warnings.map(({ summary }) => summary))]).toEqual([
    expect.stringMatching(`^automated snapshot "it": ${field} .*${problem}$`),
  ]);
});

test('a plan succeeds if values are not known yet', async () => {
  const later = expression('terraform_data.later.output');
  stack.resources(
    'resource "terraform_data" "later" {\n  input = "later"\n}\n' +
      snapshot(
        'it',
        on('google_gcs', { google_gcs_bucket: later }, { interval: later, path_prefix: later }),
      ) +
      snapshot('secret', on('azure_blob', { azure_auth_mode: later, azure_account_key: later })),
  );
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [] });
});

test('a create of a configuration that exists is refused', async () => {
  const path = 'sys/storage/raft/snapshot-auto/config/taken';
  const body = { storage_type: 'local', interval: 60, path_prefix: '/theirs', local_max_space: 1 };
  expect((await stack.ask('POST', path, body)).status).toBe(204);
  stack.resources(snapshot('taken', on('local', {})));
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'automated snapshot "taken" on cluster "us" already exists',
  ]);
  expect(errors[0]!.detail).toContain("terraform import vaultadmin_auto_snapshot.NAME 'us//taken'");
  expect((await stack.ask('GET', path)).data).toMatchObject({ path_prefix: '/theirs' });
});
