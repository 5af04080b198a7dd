/** Applies the examples on the pages about the provider, and imports the applied objects. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newerTerraform, newerTerraformMissing } from '../support/newer-terraform';
import { startS3Server } from '../../src/emulator';
import { POLICY, startStack, type Stack } from '../provider/support';
import { blocksOf, ROOT } from './support/page';

const OBJECTS = [
  'acl_policy',
  'rgp_policy',
  'egp_policy',
  'auto_snapshot',
  'audit_device',
  'managed_key',
  'namespace',
];
const STEPS = ['perf_replication_primary', 'perf_replication_paths_filter', 'perf_replication_secondary'];
const SECRETS = { TF_VAR_hsm_pin: '1234-5678', TF_VAR_backup_secret_key: 'wJalrXUtnFEMI' };

const newer = newerTerraform();
if (newer === undefined) console.warn(newerTerraformMissing());
const withNewer = newer === undefined ? test.skip : test;

let stack: Stack | undefined;
afterEach(() => stack?.close());

/**
 * The blocks of a page in Terraform's language: the example, then imports by id and by identity.
 */
function page(kind: string, name: string): readonly string[] {
  const blocks = blocksOf(`docs/${kind}/${name}.md`).filter(({ language }) => language === 'terraform');
  return blocks.map(({ text }) => text);
}

function pagesOf(kind: string): readonly string[] {
  return readdirSync(join(ROOT, 'docs', kind)).map((file) => file.replace(/\.md$/, ''));
}

function examples(kind: string, names: readonly string[] = pagesOf(kind)): string {
  return names.map((name) => page(kind, name)[0]!).join('\n');
}

/**
 * Replaces the parts of an example that the emulator does not have: a folder for logs, and an
 * address with a DNS name.
 */
function onEmulator(hcl: string): string {
  return hcl.replace('/var/log/vault/audit.log', 'discard').replace(/^ *primary_cluster_addr .*\n/m, '');
}

async function applied(made: Stack, hcl: string) {
  made.resources(onEmulator(hcl));
  expect(await made.run('apply')).toMatchObject({ code: 0, errors: [] });
}

async function startObjects(binary?: string): Promise<Stack> {
  stack = await startStack({ env: () => SECRETS, binary });
  await stack.ask('POST', 'sys/namespaces/admin', {});
  await stack.ask('POST', 'sys/namespaces/teams', {});
  await applied(stack, examples('resources', OBJECTS));
  return stack;
}

/** Plans the examples with their imports in an empty state. Returns the planned changes. */
async function plannedImports(made: Stack, names: readonly string[], which: 1 | 2) {
  const everything = names.map((name) => page('resources', name)[0]!);
  const imports = names.map((name) => page('resources', name)[which]!);
  made.workspace.remove('terraform.tfstate');
  made.resources(onEmulator([...everything, ...imports].join('\n')));
  const { code, errors, planned } = await made.run('plan');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return planned;
}

test('every page of the provider has an example', () => {
  const kinds = [
    'resources',
    'data-sources',
    'ephemeral-resources',
    'list-resources',
    'actions',
    'functions',
  ];
  const counts = Object.fromEntries(kinds.map((kind) => [kind, pagesOf(kind).length]));
  expect(counts).toEqual({
    resources: 12,
    'data-sources': 18,
    'ephemeral-resources': 3,
    'list-resources': 11,
    actions: 6,
    functions: 5,
  });
  for (const kind of kinds) for (const name of pagesOf(kind)) expect(page(kind, name)[0]).toBeDefined();
});

test('objects, data sources and functions are applied, and the objects imported by their ids', async () => {
  const made = await startObjects();
  const data = pagesOf('data-sources').filter((name) => !name.startsWith('perf_replication'));
  const all = [examples('resources', OBJECTS), examples('data-sources', data), examples('functions')];
  await applied(made, all.join('\n'));
  expect(outputsOf((await made.workspace.must('output', '-json')).stdout)).toMatchObject({
    import_id: 'us/team//ops',
    parsed_import_id: { cluster: 'us', namespace: 'team', name: 'ops' },
    mount: 'secret/',
    guarded_paths: { 'office-only': ['secret/*'] },
    nightly_bucket: 'example-backups',
    aws_keys: ['codesign'],
  });

  expect(await plannedImports(made, OBJECTS, 1)).toEqual(IMPORTED);
});

/**
 * The first plan of each object of the examples. The example of managed keys imports only one of
 * its two keys, and plans an update of that key because of `test_sign`.
 */
const IMPORTED = {
  'data.vaultadmin_auto_snapshot_status.nightly': 'read',
  'vaultadmin_acl_policy.ops': 'import',
  'vaultadmin_audit_device.file': 'import',
  'vaultadmin_auto_snapshot.nightly': 'import',
  'vaultadmin_egp_policy.office_only': 'import',
  'vaultadmin_managed_key.codesign': 'create',
  'vaultadmin_managed_key.signing': 'update',
  'vaultadmin_acl_policy.team_readers': 'create',
  'vaultadmin_namespace.team': 'import',
  'vaultadmin_rgp_policy.business_hours': 'import',
};

test('the steps of replication are applied, and imported by their ids', async () => {
  const made = (stack = await startStack({ clusters: { us: 0, eu: 0 }, leaping: true }));
  const ephemerals = examples('ephemeral-resources', [
    'perf_replication_public_key',
    'perf_replication_secondary_token',
  ]);
  await applied(made, examples('resources', STEPS) + ephemerals);
  const data = pagesOf('data-sources').filter((name) => name.startsWith('perf_replication'));
  await applied(made, examples('resources', STEPS) + ephemerals + examples('data-sources', data));
  expect(outputsOf((await made.workspace.must('output', '-json')).stdout)).toMatchObject({
    secondaries: ['eu'],
  });
});

test('the example of a set is applied', async () => {
  stack = await startStack({ clusters: { us: 0, eu: 0, ap: 0 }, leaping: true });
  await applied(stack, examples('resources', ['perf_replication_set']));
  expect(Object.values((await stack.run('plan')).planned)).toEqual([]);
});

test('the examples load a snapshot from a bucket, and read and recover a secret', async () => {
  const made = (stack = await startStack({ binary: newer }));
  await using bucket = await startBucket();
  await made.ask('POST', 'sys/mounts/secret', { type: 'kv' });
  await made.ask('POST', 'secret/canary', { value: 'sings' });
  await made.ask('POST', 'secret/app/db', { password: 'before' });
  await made.ask('POST', 'sys/storage/raft/snapshot-auto/config/nightly', bucket.configuration);
  made.emulator.clock.advance(24 * 3600 * 1000);
  await made.emulator.clock.settled();

  const load = page('resources', 'snapshot_load')[0]!;
  await applied(made, load + page('ephemeral-resources', 'recovered_secret')[0]!);
  if (newer === undefined) return;
  await made.ask('POST', 'secret/app/db', { password: 'after' });
  made.resources(load + page('actions', 'snapshot_recover')[0]!);
  await made.must('apply', '-invoke=action.vaultadmin_snapshot_recover.db');
  const { data } = await made.ask('GET', 'secret/app/db-before');
  expect(data).toEqual({ password: 'before' });
});

/** Starts an S3-compatible service and a configuration of snapshots that writes to it. */
async function startBucket() {
  const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' };
  const server = await startS3Server({ credentials, buckets: ['example-backups'] });
  return {
    configuration: {
      interval: '24h',
      path_prefix: 'vault/nightly',
      storage_type: 'aws-s3',
      aws_s3_bucket: 'example-backups',
      aws_s3_region: 'eu-west-1',
      aws_s3_endpoint: server.address,
      aws_s3_force_path_style: true,
      aws_access_key_id: credentials.accessKeyId,
      aws_secret_access_key: credentials.secretAccessKey,
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

test('the example of the provider is valid', async () => {
  stack = await startStack({ provider: () => '' });
  stack.workspace.remove('provider.tf');
  stack.resources(blocksOf('docs/index.md').find(({ language }) => language === 'terraform')!.text);
  await stack.workspace.must('validate', '-no-color');
});

withNewer('objects are imported by their identities, listed, and acted upon', async () => {
  const made = await startObjects(newer);
  expect(await plannedImports(made, OBJECTS, 2)).toEqual(IMPORTED);

  await made.ask('PUT', 'sys/policies/acl/team-a', { policy: POLICY }, { namespace: 'teams' });
  made.workspace.write('lists.tfquery.hcl', examples('list-resources', OBJECTS));
  const { stdout } = await made.workspace.must('query', '-json');
  expect(stdout).toContain('"id":"us/teams//team-a"');
  made.workspace.remove('lists.tfquery.hcl');

  const actions = pagesOf('actions').filter((name) => name !== 'snapshot_recover');
  made.resources(examples('actions', actions));
  const { auth } = await made.ask('POST', 'auth/token/create', {});
  const { accessor } = auth as unknown as { accessor: string };
  for (const action of ['token_revoke_accessor.leaked', 'managed_key_test_sign.signing'])
    await made.must('apply', `-invoke=action.vaultadmin_${action}`, `-var=leaked_accessor=${accessor}`);
  const { keys } = (await made.ask('LIST', 'auth/token/accessors')).data as { keys: readonly string[] };
  expect(keys).not.toContain(accessor);
});

function outputsOf(json: string): Readonly<Record<string, unknown>> {
  const outputs = JSON.parse(json) as Record<string, { readonly value: unknown }>;
  return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
}
