import { newerTerraform, newerTerraformMissing } from '../support/newer-terraform';
import { asRoot, enablePrimary, enableSecondary, startClusters } from './replication/support';
import { POLICY, startStack, type Stack } from './support';

const binary = newerTerraform();
if (binary === undefined) console.warn(newerTerraformMissing());
const CANARY = 'canary-of-the-server';
const withNewer = binary === undefined ? describe.skip : describe;

interface Line {
  readonly type?: string;
  readonly '@message'?: string;
  readonly diagnostic?: { readonly severity: string; readonly summary: string };
  readonly list_resource_found?: {
    readonly resource_type: string;
    readonly display_name: string;
    readonly identity: object;
    readonly resource_object?: object;
  };
}

withNewer('under Terraform 1.14 and later', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ binary, clusters: { us: 0, eu: 0 }, serverVersion: '1.21.0+ent.hsm' });
    await makeEstate();
  });
  afterEach(() => stack.close());

  async function makeEstate(): Promise<void> {
    const sentinel = { policy: 'main = rule { true }', enforcement_level: 'advisory' };
    await stack.ask('POST', 'sys/namespaces/team', {});
    await stack.ask('POST', 'sys/namespaces/app', {}, { namespace: 'team' });
    await stack.ask('PUT', 'sys/policies/acl/ops', { policy: POLICY });
    await stack.ask('PUT', 'sys/policies/acl/ops', { policy: POLICY }, { cluster: 'eu' });
    await stack.ask('PUT', 'sys/policies/acl/dev', { policy: POLICY }, { namespace: 'team/app' });
    await stack.ask('PUT', 'sys/policies/rgp/hours', sentinel);
    await stack.ask('PUT', 'sys/policies/egp/net', { ...sentinel, paths: ['kv/*'] });
    await stack.ask('POST', 'sys/managed-keys/awskms/signing', {
      kms_key: 'alias/x',
      key_type: 'RSA',
      key_bits: '2048',
      allow_generate_key: true,
    });
    await stack.ask('POST', 'sys/managed-keys/pkcs11/hsm', {
      library: 'hsm',
      slot: '0',
      pin: CANARY,
      key_label: 'signing',
      mechanism: '0x000D',
      key_bits: 4096,
      usages: 'sign',
    });
    await stack.ask('POST', 'sys/storage/raft/snapshot-auto/config/s3', {
      storage_type: 'aws-s3',
      interval: 3600,
      path_prefix: 'vault',
      aws_s3_bucket: 'backups',
      aws_s3_region: 'eu-west-1',
      aws_access_key_id: 'AKIA',
      aws_secret_access_key: CANARY,
    });
    await stack.ask('POST', 'sys/storage/raft/snapshot-auto/config/nightly', {
      storage_type: 'local',
      interval: 3600,
      path_prefix: '/snapshots',
      local_max_space: 1_000_000,
    });
    await stack.ask('POST', 'sys/audit/log', { type: 'file', options: { file_path: 'discard' } });
    await stack.ask('POST', 'sys/replication/performance/primary/enable', {});
    // A cluster that becomes a primary does not answer for a short time.
    while ((await stack.ask('GET', 'auth/token/lookup-self')).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The results of a query, and its messages. */
  async function query(hcl: string, ...args: readonly string[]) {
    stack.workspace.write('estate.tfquery.hcl', hcl);
    const { stdout, stderr } = await stack.workspace.run('query', '-json', ...args);
    const lines = (stdout + stderr)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
    return {
      found: lines.flatMap(({ list_resource_found: each }) => (each ? [each] : [])),
      diagnostics: lines.flatMap(({ diagnostic }) => (diagnostic ? [diagnostic.summary] : [])),
    };
  }

  const list = (type: string, config: string, rest = '') =>
    `list "vaultadmin_${type}" "all" {\n  provider = vaultadmin\n${rest}  config {\n${config}\n  }\n}\n`;

  test('a query finds the objects of all types, and its generated configuration imports them without a change', async () => {
    const types = [
      'acl_policy',
      'rgp_policy',
      'egp_policy',
      'managed_key',
      'auto_snapshot',
      'audit_device',
      'namespace',
      'perf_replication_primary',
    ];
    const lists = types.map((type) =>
      list(
        type,
        type === 'acl_policy' ? '    recursive = true' : '    cluster = "us"',
        '  include_resource = true\n',
      ),
    );
    const { found, diagnostics } = await query(lists.join(''), '-generate-config-out=generated.tf');
    expect(diagnostics).toEqual([]);
    expect(found.map(({ display_name: name }) => name).sort()).toEqual([
      'ACL policy "default" on cluster "eu"',
      'ACL policy "default" on cluster "us"',
      'ACL policy "default" on cluster "us", namespace "team"',
      'ACL policy "default" on cluster "us", namespace "team/app"',
      'ACL policy "dev" on cluster "us", namespace "team/app"',
      'ACL policy "ops" on cluster "eu"',
      'ACL policy "ops" on cluster "us"',
      'EGP policy "net" on cluster "us"',
      'RGP policy "hours" on cluster "us"',
      'audit device "log" on cluster "us"',
      'automated snapshot "nightly" on cluster "us"',
      'automated snapshot "s3" on cluster "us"',
      'managed key "hsm" on cluster "us"',
      'managed key "signing" on cluster "us"',
      'namespace "team" on cluster "us"',
      'performance replication primary on cluster "us"',
    ]);
    stack.workspace.remove('estate.tfquery.hcl');
    // Fields with default values are left out. Secrets are null, and their version is 1, which
    // keeps the secret on the server.
    const generated = stack.workspace.read('generated.tf');
    expect(generated).not.toContain(CANARY);
    expect(generated).not.toContain('max_parallel');
    expect(generated).toMatch(/pin_wo\s+= null # sensitive\n\s+pin_wo_version = 1\n/);
    const { code, errors, planned } = await stack.run('plan');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(Object.values(planned)).toEqual(found.map(() => 'import'));
  });

  test('a query generates replication that imports without a change', async () => {
    const replicating = await startClusters({ binary });
    stack = await stack.close().then(() => replicating);
    await enablePrimary(stack);
    await asRoot(stack, 'us', ({ replication }) =>
      replication.performance.writePathsFilter('eu', { mode: 'deny', paths: ['secret/'] }),
    );
    await enableSecondary(stack, 'eu');
    const planOf = async (types: readonly string[]) => {
      const lists = types.map((type) => list(`perf_replication_${type}`, '', '  include_resource = true\n'));
      expect((await query(lists.join(''), '-generate-config-out=generated.tf')).diagnostics).toEqual([]);
      stack.workspace.remove('estate.tfquery.hcl');
      const { errors, planned } = await stack.run('plan');
      stack.workspace.remove('generated.tf');
      return { errors, planned };
    };
    expect(await planOf(['set'])).toEqual({
      errors: [],
      planned: { 'vaultadmin_perf_replication_set.all_0': 'import' },
    });
    expect(await planOf(['primary', 'secondary', 'paths_filter'])).toEqual({
      errors: [],
      planned: {
        'vaultadmin_perf_replication_primary.all_0': 'import',
        'vaultadmin_perf_replication_secondary.all_0': 'import',
        'vaultadmin_perf_replication_paths_filter.all_0': 'import',
      },
    });
  });

  test('a query filters by cluster, namespace and name, and ends at the limit', async () => {
    const named = await query(list('acl_policy', '    name = "o*"\n    cluster = "us"'));
    expect(named.found).toEqual([
      expect.objectContaining({
        display_name: 'ACL policy "ops" on cluster "us"',
        identity: { cluster: 'us', namespace: null, name: 'ops' },
      }),
    ]);
    const inNamespace = await query(
      list('acl_policy', '    namespace = "team/app"\n    name = "dev"\n    cluster = "us"'),
    );
    expect(inNamespace.found.map(({ identity }) => identity)).toEqual([
      { cluster: 'us', namespace: 'team/app', name: 'dev' },
    ]);
    const limited = await query(list('acl_policy', '', '  limit = 1\n'));
    expect(limited.found).toHaveLength(1);

    const replication = await query(
      ['perf_replication_set', 'perf_replication_secondary', 'perf_replication_paths_filter']
        .map((type) => list(type, ''))
        .join(''),
    );
    expect(replication.diagnostics).toEqual([]);
    expect(replication.found).toEqual([
      expect.objectContaining({
        resource_type: 'vaultadmin_perf_replication_set',
        identity: { cluster_id: expect.any(String) },
      }),
    ]);
  });

  test('actions are carried out, and report their progress', async () => {
    const { auth } = await stack.ask('POST', 'auth/token/create', { policies: ['default'] });
    const { accessor, client_token: token } = auth as unknown as { accessor: string; client_token: string };
    await stack.ask('POST', 'sys/replication/performance/primary/secondary-token', { id: 'eu' });
    const action = (type: string, config: string) =>
      `action "vaultadmin_${type}" "it" {\n  config {\n    cluster = "us"\n${config}\n  }\n}\n`;
    stack.resources(
      action('token_revoke_accessor', `    accessor = "${accessor}"`) +
        action('managed_key_test_sign', '    name = "signing"') +
        action('perf_replication_revoke_secondary', '    secondary_id = "eu"'),
    );
    const invoke = async (type: string) =>
      (
        await stack.workspace.must(
          'apply',
          '-auto-approve',
          '-no-color',
          `-invoke=action.vaultadmin_${type}.it`,
        )
      ).stdout;
    expect(await invoke('token_revoke_accessor')).toContain(
      `token with accessor "${accessor}" on cluster "us": revoked`,
    );
    expect((await stack.ask('POST', 'auth/token/lookup', { token })).status).toBe(403);
    expect(await invoke('managed_key_test_sign')).toContain(
      'managed key "signing" on cluster "us": the signature is valid',
    );
    await invoke('perf_replication_revoke_secondary');
    const { data } = await stack.ask('GET', 'sys/replication/performance/status');
    expect(data?.known_secondaries).toEqual([]);

    await stack.ask('POST', 'sys/storage/raft/snapshot-auto/config/hourly', {
      storage_type: 'local',
      interval: 3600,
      path_prefix: stack.workspace.folder,
      local_max_space: 100_000_000,
    });
    const wait = (timeout: string) =>
      stack.resources(
        action('auto_snapshot_wait_healthy', `    name = "hourly"\n    timeout = "${timeout}"`),
      );
    wait('0s');
    const early = await stack.run('apply', '-invoke=action.vaultadmin_auto_snapshot_wait_healthy.it');
    expect(early.errors[0]!.detail).toContain(
      'automated snapshot "hourly" on cluster "us" was not healthy within 0s',
    );
    wait('1m');
    stack.emulator.clock.advance(2 * 3600 * 1000);
    await stack.emulator.clock.settled();
    expect(await invoke('auto_snapshot_wait_healthy')).toContain(
      'automated snapshot "hourly" on cluster "us": the last snapshot succeeded',
    );

    stack.resources(action('managed_key_test_sign', '    name = "unknown"'));
    const { code, errors } = await stack.run('apply', '-invoke=action.vaultadmin_managed_key_test_sign.it');
    expect(code).toBe(1);
    expect(errors[0]!.detail).toContain('managed key "unknown" on cluster "us" does not exist');
  });
});
