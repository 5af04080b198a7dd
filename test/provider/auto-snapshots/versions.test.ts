import type { Stack } from '../support';
import { address, onServer, snapshot, startSnapshotStack } from './support';

let stack: Stack;
afterEach(() => stack.close());

const gcs = { google_gcs_bucket: 'backups', autoload_enabled: true };
const azure = { azure_container_name: 'backups', azure_auth_mode: 'managed', azure_client_id: 'client' };
const withLaterFields =
  snapshot('gcs', { blocks: { google_gcs: gcs } }) + snapshot('azure', { blocks: { azure_blob: azure } });

async function plan(serverVersion: string) {
  stack = await startSnapshotStack({ serverVersion });
  stack.resources(withLaterFields);
  return stack.run('plan');
}

test('fields that a server of 1.17 lacks are errors that name the required version', async () => {
  const { code, errors, requests } = await plan('1.17.3+ent');
  expect(code).toBe(1);
  expect([...errors].sort((a, b) => a.summary.localeCompare(b.summary))).toEqual([
    {
      summary: 'automated snapshot "azure": azure_auth_mode requires Vault 1.18 or later',
      detail:
        'Received: cluster "us", which runs 1.17.3+ent.\nTo do: leave azure_auth_mode out, or upgrade the cluster first.',
      line: 'azure_auth_mode = "managed"',
    },
    {
      summary: 'automated snapshot "azure": azure_client_id requires Vault 1.18 or later',
      detail:
        'Received: cluster "us", which runs 1.17.3+ent.\nTo do: leave azure_client_id out, or upgrade the cluster first.',
      line: 'azure_client_id = "client"',
    },
    {
      summary: 'automated snapshot "gcs": autoload_enabled requires Vault 1.21 or later',
      detail:
        'Received: cluster "us", which runs 1.17.3+ent.\nTo do: leave autoload_enabled out, or upgrade the cluster first.',
      line: 'autoload_enabled = true',
    },
  ]);
  expect(requests).toEqual(['GET sys/health', 'GET sys/health']);
});

test('a server of 1.20 lacks one of the fields', async () => {
  const { errors } = await plan('1.20.0+ent');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'automated snapshot "gcs": autoload_enabled requires Vault 1.21 or later',
  ]);
});

test.each(['1.21.0+ent', '2.0.0+ent'])('a server of %s has all of the fields', async (serverVersion) => {
  expect(await plan(serverVersion)).toMatchObject({ code: 0, errors: [] });
  await stack.must('apply');
  expect(await onServer(stack, 'azure')).toMatchObject(azure);
  // A plan without changes does not ask for the version.
  expect((await stack.must('plan')).requests).not.toContain('GET sys/health');
});

test(`a plan succeeds if the server's version cannot be determined`, async () => {
  stack = await startSnapshotStack({ serverVersion: '1.17.0+ent', settings: ', max_retries = 0' });
  stack.emulator.faults.inject({ path: 'sys/health', drop: 'before' });
  stack.resources(withLaterFields);
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [] });
});

test('a configuration without the later fields works on an old server', async () => {
  stack = await startSnapshotStack({ serverVersion: '1.13.0+ent' });
  const blocks = { azure_blob: { azure_container_name: 'b', azure_account_key: 'key' } };
  stack.resources(
    snapshot('azure', { blocks }) +
      snapshot('off', { blocks: { google_gcs: { ...gcs, autoload_enabled: false } } }),
  );
  expect((await stack.run('apply')).code).toBe(0);
  expect((await stack.run('plan')).planned).toEqual({});
  stack.resources(snapshot('azure', { retain: 2, blocks }));
  expect((await stack.run('apply')).planned).toEqual({
    [address('azure')]: 'update',
    [address('off')]: 'delete',
  });
  expect((await stack.run('plan')).planned).toEqual({});
});

test('a configuration in a namespace other than the root and the administrative one is refused', async () => {
  stack = await startSnapshotStack();
  await stack.ask('PUT', 'sys/namespaces/team');
  stack.resources(snapshot('it', { namespace: 'team', blocks: { local: { local_max_space: 1_000_000 } } }));
  const { errors } = await stack.run('apply');
  expect(errors[0]!.detail).toContain('that the namespace is the root or the administrative one');
  expect(await stack.addresses()).toEqual([]);
});

test('an open-source server is reported, because it has no automated snapshots', async () => {
  stack = await startSnapshotStack({ serverVersion: '1.21.0' });
  stack.resources(snapshot('it', { blocks: { local: { local_max_space: 1_000_000 } } }));
  const { errors } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual([
    'cannot create automated snapshot "it" on cluster "us": the server does not support this',
  ]);
  expect(errors[0]!.detail).toContain('runs the Enterprise edition, which every automated snapshot requires');
});
