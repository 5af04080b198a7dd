import type { Stack } from '../support';
import { address, CONFIG, expression, onServer, snapshot, startSnapshotStack } from './support';

let stack: Stack;
beforeAll(async () => {
  stack = await startSnapshotStack();
});
afterEach(async () => {
  stack.resources('');
  expect((await stack.run('apply')).code).toBe(0);
});
afterAll(() => stack.close());

const local = { local: { local_max_space: 1_000_000 } };

/**
 * Applies a configuration, and returns the planned changes. Also checks that the next plan has no
 * changes.
 */
async function apply(hcl: string) {
  stack.resources(hcl);
  const { code, errors, planned } = await stack.run('apply');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect((await stack.run('plan')).planned).toEqual({});
  return planned;
}

test('an interval may be written in every form, and another form of the same time is not a change', async () => {
  const written = { text: '24h', number: 86_400, digits: '86400', days: '1d', parts: '23h60m' };
  const intervals = (values: object) =>
    Object.entries(values)
      .map(([name, interval]) => snapshot(name, { interval: interval as string, blocks: local }))
      .join('');

  await apply(intervals(written));
  for (const name of Object.keys(written)) {
    expect(await onServer(stack, name)).toMatchObject({ interval: 86_400 });
    expect((await stack.workspace.state())[address(name)]).toMatchObject({
      interval: String(written[name as keyof typeof written]),
    });
  }
  expect(
    await apply(intervals({ text: 86_400, number: '24h', digits: '1d', days: '1440m', parts: 86_400 })),
  ).toEqual({});
  expect(await apply(intervals({ ...written, text: '25h' }))).toEqual({ [address('text')]: 'update' });
  expect(await onServer(stack, 'text')).toMatchObject({ interval: 90_000 });
});

test('a changed storage type is changed in place, and the server keeps no field of the former type', async () => {
  const s3 = {
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: 'secret',
    aws_s3_force_path_style: true,
  };
  const azure = {
    azure_container_name: 'backups',
    azure_account_name: 'account',
    azure_account_key: 'secret',
    azure_auth_mode: 'shared',
  };
  const gcs = { google_gcs_bucket: 'backups', google_endpoint: 'gcs.example:4443', autoload_enabled: true };
  const steps = [
    ['local', 'local', { local_max_space: 1_000_000 }],
    ['aws_s3', 'aws-s3', s3],
    ['azure_blob', 'azure-blob', azure],
    ['google_gcs', 'google-gcs', gcs],
    ['local', 'local', { local_max_space: 2_000_000 }],
    ['aws_s3', 'aws-s3', { aws_s3_bucket: 'backups', aws_s3_region: 'eu-west-1' }],
  ] as const;

  for (const [i, [block, storage_type, fields]] of steps.entries()) {
    const planned = await apply(snapshot('nightly', { blocks: { [block]: fields } }));
    expect(planned).toEqual({ [address('nightly')]: i === 0 ? 'create' : 'update' });
    const set = Object.entries((await onServer(stack, 'nightly'))!).filter(([, value]) => value !== false);
    expect(Object.fromEntries(set)).toEqual({
      name: 'nightly',
      interval: 86_400,
      retain: 1,
      path_prefix: '/snapshots/',
      file_prefix: 'vault-snapshot',
      storage_type,
      ...fields,
    });
    expect((await stack.workspace.state())[address('nightly')]).toMatchObject({
      storage_type,
      [block]: fields,
    });
  }
});

test('fields that are removed from a block are cleared on the server', async () => {
  const key = { azure_account_key: 'key' };
  const container = { azure_container_name: 'backups' };
  const more = {
    azure_account_name: 'account',
    azure_auth_mode: 'shared',
    azure_client_id: 'client',
    autoload_enabled: true,
  };
  await apply(snapshot('nightly', { blocks: { azure_blob: { ...container, ...key, ...more } } }));
  expect(await onServer(stack, 'nightly')).toMatchObject(more);
  expect(await apply(snapshot('nightly', { blocks: { azure_blob: { ...container, ...key } } }))).toEqual({
    [address('nightly')]: 'update',
  });
  const stored = await onServer(stack, 'nightly');
  expect(stored).toMatchObject({ ...container, ...key, autoload_enabled: false });
  for (const field of ['azure_account_name', 'azure_auth_mode', 'azure_client_id']) {
    expect(stored).not.toHaveProperty(field);
  }
});

test('a storage type that was changed by hand is changed back', async () => {
  await apply(snapshot('nightly', { blocks: local }));
  await stack.ask('POST', `${CONFIG}/nightly`, {
    storage_type: 'aws-s3',
    aws_s3_bucket: 'foreign',
    aws_s3_region: 'eu-west-1',
  });
  const plan = await stack.workspace.plan();
  expect(plan.resource_drift?.[0]?.change.after).toMatchObject({
    storage_type: 'aws-s3',
    local: null,
    aws_s3: { aws_s3_bucket: 'foreign' },
  });
  expect(await apply(snapshot('nightly', { blocks: local }))).toEqual({ [address('nightly')]: 'update' });
  expect(await onServer(stack, 'nightly')).toMatchObject({
    storage_type: 'local',
    local_max_space: 1_000_000,
  });
});

test('a changed name replaces the configuration', async () => {
  const named = (name: string) =>
    snapshot('nightly', { blocks: local }).replace('name = "nightly"', `name = "${name}"`);
  await apply(named('nightly'));
  expect(await apply(named('weekly'))).toEqual({ [address('nightly')]: 'replace' });
  expect(await onServer(stack, 'nightly')).toBeUndefined();
  expect(await onServer(stack, 'weekly')).toBeDefined();
});

test('a block whose content is known only during the apply is planned and written', async () => {
  await apply(
    `resource "terraform_data" "space" {\n  input = 1000000\n}\n${snapshot('nightly', {
      blocks: { local: { local_max_space: expression('terraform_data.space.output') } },
    })}`,
  );
  expect(await onServer(stack, 'nightly')).toMatchObject({ local_max_space: 1_000_000 });
});

test('arguments in ignore_changes are not written', async () => {
  const ignoring = (attributes: object, ...ignored: string[]) =>
    snapshot('nightly', { ...attributes, blocks: local }).replace(
      /}\n$/,
      `  lifecycle {\n    ignore_changes = [${ignored.join(', ')}]\n  }\n}\n`,
    );
  await apply(ignoring({ retain: 3 }, 'retain'));
  await stack.ask('POST', `${CONFIG}/nightly`, { retain: 7 });
  expect(await apply(ignoring({ retain: 4, interval: '12h' }, 'retain'))).toEqual({
    [address('nightly')]: 'update',
  });
  expect(await onServer(stack, 'nightly')).toMatchObject({ retain: 7, interval: 43_200 });
});

test('an apply creates a configuration that was deleted between the plan and the apply', async () => {
  await apply(snapshot('nightly', { blocks: local }));
  stack.resources(snapshot('nightly', { retain: 5, blocks: local }));
  await stack.workspace.plan();
  await stack.ask('DELETE', `${CONFIG}/nightly`);
  await stack.workspace.must('apply', '-input=false', 'tfplan');
  expect(await onServer(stack, 'nightly')).toMatchObject({ retain: 5, local_max_space: 1_000_000 });
});
