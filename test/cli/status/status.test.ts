import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Emulator, RunningCluster } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { createInterface } from 'node:readline';
import { startVaultAdmin, vaultAdmin } from '../support/cli';
import { startPair, type Pair } from '../support/pair';

const SECRET = 'canary-aws-secret';

let emulator: Emulator;
let env: Pair['env'];

beforeAll(async () => {
  const pair = await startPair();
  ({ emulator, env } = pair);
  const { us } = pair;
  await us.post('sys/managed-keys/pkcs11/signing', {
    library: 'hsm',
    slot: '0',
    key_label: 'signing',
    mechanism: '0x0001',
    key_bits: 2048,
    pin: '1234',
  });
  await us.post('sys/storage/raft/snapshot-auto/config/nightly', {
    interval: '24h',
    storage_type: 'aws-s3',
    path_prefix: 'nightly',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: SECRET,
  });
});
afterAll(() => emulator.close());

const cluster = (name: string) => emulator.clusters[name] as RunningCluster;

test('status prints a set, its filters, keys and snapshots as text', async () => {
  const { code, stdout, stderr } = await vaultAdmin(['status', '--public'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const set = /set (\S+),/.exec(stdout)?.[1] ?? '';
  const wal = /running, WAL (\d+)/.exec(stdout)?.[1] ?? '';
  expect(stdout.trimEnd().split('\n')).toEqual([
    `eu  ${cluster('eu').address}  1.21.0+ent`,
    `  secondary eu of set ${set}, stream-wals, connection ready, WAL ${wal} of ${wal}`,
    '  no token is given, so only replication was read',
    '',
    `us  ${cluster('us').address}  1.21.0+ent`,
    `  primary of set ${set}, running, WAL ${wal}`,
    '  secondary eu: connected, paths filter: deny us-only/',
    '  managed key pkcs11/signing',
    '  automated snapshot nightly: waiting',
    '',
    'all is well',
  ]);
});

test('a cluster without a token is reported as not determined', async () => {
  const { code, stdout } = await vaultAdmin(['status'], env);
  expect(code).toBe(3);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    '? eu: token: none is given; set VAULTADMIN_EU_TOKEN, or pass --public to show only replication',
  );
  expect(stdout).not.toContain('all is well');
});

test('status --json prints the same without a secret', async () => {
  const { code, stdout } = await vaultAdmin(['status', '--public', '--json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    clusters: [
      {
        name: 'eu',
        sealed: false,
        authenticated: false,
        replication: { mode: 'secondary', secondary_id: 'eu' },
      },
      {
        name: 'us',
        authenticated: true,
        replication: { mode: 'primary', known_secondaries: ['eu'] },
        paths_filters: { eu: { mode: 'deny', paths: ['us-only/'] } },
        managed_keys: [{ namespace: '', type: 'pkcs11', name: 'signing' }],
        auto_snapshots: [{ name: 'nightly', health: { state: 'waiting' } }],
      },
    ],
    problems: [],
  });
  for (const secret of [SECRET, cluster('us').rootToken, cluster('eu').rootToken]) {
    expect(stdout).not.toContain(secret);
  }
});

test('status --test-keys makes test signatures, and fails if one fails', async () => {
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us', '--test-keys'], env);
  expect(code).toBe(1);
  expect(stdout).toContain('  managed key pkcs11/signing: does not sign\n');
  expect(stdout).toContain('! us: managed key "pkcs11/signing" does not sign: ');
});

test('status reports once that the server does not know the token, and shows what anyone may read', async () => {
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us'], {
    ...env,
    VAULTADMIN_US_TOKEN: 'canary-wrong',
  });
  expect(code).toBe(3);
  expect(stdout).toContain('\n  secondary eu: connected\n');
  expect(stdout.split('\n').filter((line) => line.startsWith('?'))).toEqual([
    expect.stringMatching(/^\? us: token: .*The server does not know the token/),
  ]);
  expect(stdout).not.toContain('canary-wrong');
});

test.each([
  [['--namespace', 'nowhere'], {}, 'managed keys'],
  [[], { VAULTADMIN_US_NAMESPACE: 'nowhere' }, 'token'],
])('status reports a namespace that does not exist: %j %j', async (args, settings, subject) => {
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us', ...args], { ...env, ...settings });
  expect(code).toBe(3);
  expect(stdout).toContain(`? us: ${subject}: `);
  expect(stdout).toContain('in namespace "nowhere"');
});

test('a namespace without objects is well; filters are in the root namespace, and are shown if the token may read them', async () => {
  const api = new Api(cluster('us').address, cluster('us').rootToken);
  await api.post('sys/namespaces/team', {});
  const settings = { ...env, VAULTADMIN_US_NAMESPACE: 'team' };
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us'], settings);
  expect(code).toBe(0);
  expect(stdout).toContain('\n  secondary eu: connected, paths filter: deny us-only/\n\nall is well\n');

  await api.put('sys/policies/acl/team', {
    policy: 'path "team/*" { capabilities = ["read", "list", "sudo"] }',
  });
  const { body } = await api.post('auth/token/create', { policies: ['team'] });
  const token = (body as { auth: { client_token: string } }).auth.client_token;
  const narrow = await vaultAdmin(['status', '--cluster', 'us'], { ...settings, VAULTADMIN_US_TOKEN: token });
  expect(narrow.code).toBe(0);
  expect(narrow.stdout).toContain('\n  secondary eu: connected\n\nall is well\n');
});

test('status reads keys from all namespaces', async () => {
  const api = new Api(cluster('us').address, cluster('us').rootToken);
  await api.post('sys/namespaces/region', {});
  await api.post('sys/namespaces/app', {}, { namespace: 'region' });
  const key = { kms_key: 'alias/a', key_type: 'RSA', key_bits: 2048 };
  await api.post('sys/managed-keys/awskms/deep', key, { namespace: 'region/app' });
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us', '--namespace', '*'], env);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.startsWith('  managed key'))).toEqual([
    '  managed key pkcs11/signing',
    '  managed key region/app//awskms/deep',
  ]);
});

test('status prints the text format of Prometheus', async () => {
  const { code, stdout } = await vaultAdmin(['status', '--public', '--prometheus'], env);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '# HELP vault_admin_replication_streaming Whether a secondary receives the writes of its primary.\n' +
      '# TYPE vault_admin_replication_streaming gauge\n' +
      'vault_admin_replication_streaming{cluster="eu"} 1\n',
  );
  expect(stdout).toContain('\nvault_admin_replication_secondary_connected{cluster="us",secondary="eu"} 1\n');
  expect(stdout).toContain('\nvault_admin_problems{cluster="us"} 0\n');
});

test('status --watch repeats its output until it is interrupted', async () => {
  const child = startVaultAdmin(['status', '--public', '--json', '--watch', '0'], env);
  const ended = once(child, 'close');
  const readings: { problems: unknown[] }[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    readings.push(JSON.parse(line) as { problems: unknown[] });
    if (readings.length === 2) child.kill('SIGINT');
  }
  expect(await ended).toEqual([0, null]);
  expect(readings.slice(0, 2).map(({ problems }) => problems)).toEqual([[], []]);
});

describe('status with the settings of stacks', () => {
  let folder: string;

  beforeEach(() => (folder = temporaryFolder('status')));

  function stackWith(name: string, content: object): void {
    const stack = join(folder, 'cdktf.out', 'stacks', name);
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(content));
  }

  const stacks = (args: readonly string[] = [], settings: Record<string, string> = {}) =>
    vaultAdmin(['status', '--stacks', ...args], settings, folder);

  test('status logs in as the stacks do, with secrets from the environment', async () => {
    const api = new Api(cluster('us').address, cluster('us').rootToken);
    const policy = 'path "*" { capabilities = ["read", "list", "sudo"] }';
    await api.put('sys/policies/acl/monitor', { policy });
    await api.put('sys/auth/userpass', { type: 'userpass' });
    await api.put('auth/userpass/users/ann', { password: 'canary-pw', token_policies: ['monitor'] });
    const login = { path: 'auth/userpass/login/ann', parameters: { password: '${var.pw}' } };
    const us = { address: cluster('us').address, auth_login: login };
    const content = {
      provider: { vaultadmin: [{ clusters: { us } }] },
      variable: { pw: { sensitive: true } },
    };
    stackWith('one', content);
    stackWith('two', content);
    const { code, stdout } = await stacks([], { TF_VAR_pw: 'canary-pw' });
    expect(code).toBe(0);
    expect(stdout.match(/^us /gm)).toHaveLength(1);
    expect(stdout).toContain('secondary eu: connected, paths filter: deny us-only/');
    expect(stdout).not.toContain('canary-pw');

    const without = await stacks();
    expect(without.code).toBe(3);
    expect(without.stdout).toContain(
      '? us: settings: its auth_login in the stacks is only known when Terraform runs; ' +
        "set the stacks' variables in the environment (TF_VAR_...), as for Terraform\n",
    );
  });

  test('status shows a server once that two stacks know by different names, and not as two primaries', async () => {
    const { address, rootToken: token } = cluster('us');
    stackWith('one', { provider: { vaultadmin: [{ clusters: { main: { address, token } } }] } });
    stackWith('two', { provider: { vaultadmin: [{ clusters: { us: { address, token } } }] } });
    const { code, stdout } = await stacks();
    expect({ code, shown: stdout.match(/^(main|us|!) .*$/gm) }).toEqual({
      code: 0,
      shown: [expect.stringContaining(address) as string],
    });
  });

  test('status sends no request if only Terraform knows the address', async () => {
    stackWith('one', { provider: { vaultadmin: [{ clusters: { us: { address: '${var.where}' } } }] } });
    const { code, stdout } = await stacks();
    expect({ code, stdout: stdout.split(' when ')[0] }).toEqual({
      code: 3,
      stdout: 'us  unknown\n\n? us: settings: its address in the stacks is only known',
    });
  });

  test.each([
    [[], 'cdktf.out'],
    [['elsewhere'], 'elsewhere'],
  ])('status refuses %j if there are no stacks', async (args, named) => {
    expect(await stacks(args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `vault-admin: no stacks found in ${named}\n` +
        'To do: synthesize the app, or set --stacks to its output folder.\n',
    });
  });

  test('status refuses stacks without clusters', async () => {
    stackWith('one', {});
    const { code, stdout, stderr } = await stacks();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('no stack in cdktf.out uses a cluster\nUsed: none.\n');
  });

  test('status refuses a cluster that no stack uses', async () => {
    stackWith('one', { provider: { vaultadmin: [{ clusters: { us: {} } }] } });
    const { code, stderr } = await stacks(['--cluster', 'eu']);
    expect(code).toBe(2);
    expect(stderr).toContain('no stack in cdktf.out uses cluster "eu"\nUsed: us.\n');
  });
});

test('status waits no longer for a cluster that hangs than monitors do', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const settings = { ...env, VAULTADMIN_AP_ADDR: `http://127.0.0.1:${port}` };
    const { code, stdout } = await vaultAdmin(['status'], settings);
    expect(code).toBe(3);
    expect(stdout).toContain('  secondary eu: connected, paths filter: deny us-only/\n');
    expect(stdout).toMatch(/\? ap: health: .*: no answer within 10 s\. .*VAULTADMIN_AP_CLIENT_TIMEOUT/);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test('status reports what could not be determined', async () => {
  const { code, stdout } = await vaultAdmin(['status'], {
    VAULT_ADDR: 'http://127.0.0.1:1',
    VAULT_MAX_RETRIES: '0',
  });
  expect(code).toBe(3);
  expect(stdout).toContain(
    '? default: health: cannot look up sys/health on http://127.0.0.1:1: no connection',
  );
});

describe('pictures of clusters', () => {
  const EU = { id: 'c1', line: 'secondary, stream-wals, connection ready' };

  test('status draws clusters as SVG', async () => {
    const { code, stdout, stderr } = await vaultAdmin(['status', '--public', '--format', 'svg'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^<svg [^]*<\/svg>\n$/);
    const texts = [...stdout.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(texts).toEqual([
      expect.stringMatching(/^Replication set [-0-9a-f]{36}$/),
      'deny us-only/',
      'us',
      'primary, running',
      expect.stringMatching(/^WAL \d+$/),
      cluster('us').address,
      '1.21.0+ent',
      'eu',
      EU.line,
      expect.stringMatching(/^WAL (\d+) of \1$/),
      cluster('eu').address,
      '1.21.0+ent',
    ]);
  });

  test('status draws clusters with their faults in Mermaid, with the same exit code', async () => {
    const args = ['status', '--public', '--test-keys', '--format', 'mermaid'];
    const { code, stdout, stderr } = await vaultAdmin(args, env);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^%%.*%%\nflowchart LR\n/);
    expect(stdout).toContain(`    ${EU.id}["eu<br/>${EU.line}<br/>WAL `);
    expect(stdout).toContain('managed key #34;pkcs11/signing#34; does');
    expect(stdout).toContain('  c2 -->|"deny us-only/"| c1\n');
    expect(stdout).not.toContain(cluster('us').rootToken);
  });
});

test.each([
  [['status', '--format', 'png'], {}, 'Allowed choices are svg, mermaid.'],
  [
    ['status', '--format', 'svg', '--watch'],
    {},
    "option '--format <FORMAT>' cannot be used with option '--watch",
  ],
  [['status', '--max-wal-distance', 'far'], {}, 'Allowed are whole numbers from 0.'],
  [['status', '--watch', '-1'], {}, 'Allowed are seconds from 0 to 86400.'],
  [
    ['status', '--prometheus', '--json'],
    {},
    "vault-admin: option '--prometheus' cannot be used with option '--json'",
  ],
  [['status', '--all'], {}, "vault-admin: unknown option '--all'"],
  [
    ['status', '--cluster', 'us,eu'],
    { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1', VAULTADMIN_EU_ADDR: 'http://127.0.0.1:1' },
    '"us,eu" is not described by the environment: VAULTADMIN_US_EU_ADDR is not set\nDescribed: eu, us.\n',
  ],
  [
    ['status', '--cluster', 'us', 'eu'],
    { VAULT_ADDR: 'http://127.0.0.1:1' },
    '"us" is not described by the environment: VAULTADMIN_US_ADDR is not set\nDescribed: none.\n',
  ],
  [['status'], { VAULT_ADDR: 'here' }, 'VAULT_ADDR is not valid: received "here"'],
])('status refuses %j with %j', async (args, settings, message) => {
  const { code, stdout, stderr } = await vaultAdmin(args, settings);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
});
