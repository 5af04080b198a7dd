import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { startStack } from '../../provider/support';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

const POLICY = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';
const CANARY = 'canary-secret-in-a-state';

let emulator: Emulator;
let folder: string;
let us: Api;
beforeEach(async () => {
  folder = temporaryFolder('unmanaged');
  emulator = await startEmulator({ clusters: { us: 0 }, unavailableMs: 0 });
  us = new Api(emulator.clusters.us!.address, emulator.clusters.us!.rootToken);
  await us.post('sys/namespaces/team', {});
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  await us.post('sys/policies/acl/vaultadmin-switchover', { policy: POLICY });
  await us.post('sys/policies/acl/vaultadmin-takeover', { policy: POLICY });
  await us.post('sys/policies/acl/app', { policy: POLICY }, { namespace: 'team' });
  const rule = { policy: 'main = rule { true }', enforcement_level: 'advisory' };
  await us.post('sys/policies/rgp/hours', rule);
  await us.post('sys/policies/egp/net', { ...rule, paths: ['kv/*'] });
  const key = { kms_key: 'alias/a', key_type: 'RSA', key_bits: 2048, access_key: 'A', secret_key: CANARY };
  await us.post('sys/managed-keys/awskms/signing', key);
  await us.post('sys/storage/raft/snapshot-auto/config/nightly', {
    storage_type: 'local',
    interval: 3600,
    path_prefix: '/snapshots/',
    local_max_space: 1_000_000,
  });
  await us.post('sys/audit/log', { type: 'syslog' });
  await us.post('sys/replication/performance/primary/enable', {});
  await us.post('sys/replication/performance/primary/secondary-token', { id: 'eu' });
  await us.post('sys/replication/performance/primary/paths-filter/eu', { mode: 'deny', paths: ['us-only/'] });
});
afterEach(() => emulator.close());

const unmanaged = (...args: readonly string[]) =>
  vaultAdmin(
    ['status', '--unmanaged', '--namespace', '*', ...args],
    {
      VAULTADMIN_US_ADDR: emulator.clusters.us!.address,
      VAULTADMIN_US_TOKEN: emulator.clusters.us!.rootToken,
    },
    folder,
  );

function file(content: unknown, name = 'state.json'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const ALL = [
  'vaultadmin_namespace us//team',
  'vaultadmin_acl_policy us//ops',
  'vaultadmin_acl_policy us/team//app',
  'vaultadmin_rgp_policy us//hours',
  'vaultadmin_egp_policy us//net',
  'vaultadmin_managed_key us//awskms/signing',
  'vaultadmin_auto_snapshot us//nightly',
  'vaultadmin_audit_device us//log',
  'vaultadmin_perf_replication_set us',
  'vaultadmin_perf_replication_paths_filter us//eu',
];

const resource = (type: string, attributes: object, provider = 'vaultadmin') => ({
  mode: 'managed',
  type,
  name: 'it',
  provider: `provider["example.com/a/${provider}"]`,
  instances: [{ attributes }],
});

const OWN = [
  resource('vaultadmin_namespace', { cluster: 'us', namespace: null, path: 'team' }),
  resource('vaultadmin_acl_policy', { cluster: 'us', namespace: null, name: 'ops' }),
  resource('vaultadmin_acl_policy', { cluster: 'us', namespace: 'team', name: 'app' }),
  resource('vaultadmin_rgp_policy', { cluster: 'us', namespace: null, name: 'hours' }),
  resource('vaultadmin_egp_policy', { cluster: 'us', namespace: null, name: 'net' }),
  resource('vaultadmin_managed_key', {
    cluster: 'us',
    namespace: null,
    name: 'signing',
    pkcs11: null,
    awskms: { secret_key: CANARY },
  }),
  resource('vaultadmin_auto_snapshot', { cluster: 'us', namespace: null, name: 'nightly' }),
  resource('vaultadmin_audit_device', { cluster: 'us', namespace: null, path: 'log', type: 'syslog' }),
  resource('vaultadmin_perf_replication_set', { primary: 'us', secondaries: { eu: { id: null } } }),
];

test('every object that no state declares is shown, and the exit code is 1', async () => {
  const { code, stdout, stderr } = await unmanaged('--state', file({ version: 4, resources: [] }));
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const lines = stdout.split('\n').flatMap((line) => /^! not managed: (.*)/.exec(line)?.[1] ?? []);
  expect(lines.sort()).toEqual([...ALL].sort());
  expect(stdout).toContain('10 objects are in no state and no stack. To do: ');
});

test('nothing is shown if states declare everything, in files of several forms', async () => {
  const [first, ...others] = OWN;
  const state = file({ version: 4, resources: others });
  const shown = file(
    {
      format_version: '1.0',
      values: {
        root_module: {
          child_modules: [
            { resources: [{ mode: 'managed', type: first!.type, values: first!.instances[0]!.attributes }] },
          ],
        },
      },
    },
    'shown.json',
  );
  expect(await unmanaged('--state', state, shown)).toEqual({
    code: 0,
    stdout: 'Every object that was read is in a state or a stack.\n',
    stderr: '',
  });
  const { code, stdout } = await unmanaged('--state', state, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    unmanaged: [{ resource: 'vaultadmin_namespace', import_id: 'us//team' }],
    left_out: [],
    not_read: [],
  });
});

test('the resources of hashicorp/vault declare objects, on the cluster that their alias names', async () => {
  const upstream = [
    resource('vault_namespace', { namespace: null, path: 'team/' }, 'vault'),
    resource('vault_policy', { namespace: null, name: 'ops' }, 'vault'),
    resource('vault_policy', { namespace: 'team', name: 'app' }, 'vault'),
    resource('vault_rgp_policy', { name: 'hours' }, 'vault'),
    resource('vault_egp_policy', { name: 'net' }, 'vault'),
    resource('vault_managed_keys', { aws: [{ name: 'signing', secret_key: CANARY }] }, 'vault'),
    resource('vault_raft_snapshot_agent_config', { name: 'nightly' }, 'vault'),
    resource('vault_audit', { path: 'log/', type: 'syslog' }, 'vault'),
    resource('vaultadmin_perf_replication_primary', { cluster: 'us' }),
    resource('vaultadmin_perf_replication_paths_filter', { cluster: 'us', secondary_id: 'eu' }),
  ];
  expect((await unmanaged('--state', file({ version: 4, resources: upstream }))).code).toBe(0);

  const elsewhere = upstream.map((each) => ({
    ...each,
    provider: each.type.startsWith('vault_') ? `${each.provider}.eu` : each.provider,
  }));
  const { stdout } = await unmanaged('--state', file({ version: 4, resources: elsewhere }));
  expect(stdout).toContain('8 objects are in no state and no stack.');
});

test('a data source declares no object, and a name with what Terraform escapes declares one', async () => {
  await us.delete('sys/policies/acl/ops');
  await us.post('sys/policies/acl/%24%7Ba%7D', { policy: POLICY });
  const escaped = resource('vaultadmin_acl_policy', { cluster: 'us', namespace: null, name: '${a}' });
  expect((await unmanaged('--state', file({ version: 4, resources: [...OWN, escaped] }))).code).toBe(0);
  const data = { ...escaped, mode: 'data' };
  const { stdout } = await unmanaged('--state', file({ version: 4, resources: [...OWN, data] }));
  expect(stdout).toContain('! not managed: vaultadmin_acl_policy us//${a}\n');
});

test.each([
  [[], 'nothing to compare the clusters with'],
  [['--state', 'missing.json'], 'missing.json cannot be read'],
  [['--state', 'broken.json'], 'broken.json cannot be read: it is not valid JSON'],
  [['--state', 'other.json'], 'other.json is not a state of Terraform'],
  [['--state', 'upstream.json'], 'does not contain the aliases of hashicorp/vault'],
])('the arguments %j are refused', async (args, text) => {
  writeFileSync(join(folder, 'broken.json'), `{"secret": "${CANARY}", nonsense`);
  file({ resource_changes: [] }, 'other.json');
  const resources = [{ mode: 'managed', type: 'vault_policy', values: { name: 'ops' } }];
  file({ format_version: '1.0', values: { root_module: { resources } } }, 'upstream.json');
  const { code, stdout, stderr } = await unmanaged(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(text);
  expect(stderr).not.toContain(CANARY);
});

test('--state without --unmanaged is refused', async () => {
  const { code, stderr } = await vaultAdmin(['status', '--state', 'a'], {});
  expect(code).toBe(2);
  expect(stderr).toContain('add --unmanaged, or leave out --state');
});

test('objects that could not be read are reported, with exit code 3 if nothing is unmanaged', async () => {
  const state = file({ version: 4, resources: OWN });
  const auditor = 'path "sys/policies/*" { capabilities = ["read", "list"] }';
  await us.post('sys/policies/acl/auditor', { policy: auditor });
  const own = resource('vaultadmin_acl_policy', { cluster: 'us', namespace: null, name: 'auditor' });
  const { body } = await us.post('auth/token/create', { policies: ['auditor'] });
  const { code, stdout } = await vaultAdmin(
    ['status', '--unmanaged', '--state', state, file({ version: 4, resources: [own] }, 'more.json')],
    {
      VAULTADMIN_US_ADDR: emulator.clusters.us!.address,
      VAULTADMIN_US_TOKEN: (body as { auth: { client_token: string } }).auth.client_token,
    },
    folder,
  );
  expect(code).toBe(3);
  expect(stdout).toContain('? not read: us: managed keys: ');
  expect(stdout).toMatch(
    /\nNot everything could be read: whether each object is in a state or a stack could not be determined\.\n$/,
  );
});

test('a state that Terraform has written declares the objects in it', async () => {
  await using stack = await startStack();
  stack.resources(`
      resource "vaultadmin_namespace" "team" { path = "team" }
      resource "vaultadmin_acl_policy" "app" {
        namespace = vaultadmin_namespace.team.path_fq
        name      = "app"
        policy    = "# nothing"
      }
    `);
  await stack.must('apply');
  await stack.ask('POST', 'team/sys/policies/acl/stray', { policy: POLICY });
  const { address, rootToken } = stack.emulator.clusters.us!;
  const pulled = (await stack.workspace.must('state', 'pull')).stdout;
  writeFileSync(join(folder, 'pulled.json'), pulled);
  const shown = (await stack.workspace.must('show', '-json')).stdout;
  writeFileSync(join(folder, 'shown.json'), shown);
  for (const state of ['pulled.json', 'shown.json']) {
    const { code, stdout } = await vaultAdmin(
      ['status', '--unmanaged', '--namespace', '*', '--state', state],
      { VAULTADMIN_US_ADDR: address, VAULTADMIN_US_TOKEN: rootToken },
      folder,
    );
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^! not managed: vaultadmin_acl_policy us\/team\/\/stray\n1 object is in no state and no stack\. /,
      ),
    });
  }
});
