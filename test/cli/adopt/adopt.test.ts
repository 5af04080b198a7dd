import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { startEmulator, type Emulator, type Seed } from '../../../src/emulator';
import { SHIPPED_DEFAULT_POLICY } from '../../../src/model';
import { Api } from '../../emulator/support/api';
import { startVaultAdmin, vaultAdmin } from '../support/cli';
import { until } from '../../support/until';
import { temporaryFolder } from '../../support/temporary-folder';

const POLICY = 'path "secret/*" { capabilities = ["read"] }';
const SNAPSHOTS = 'sys/storage/raft/snapshot-auto/config';
const snapshot = { interval: '1h', storage_type: 'google-gcs', google_gcs_bucket: 'backups' };

let emulator: Emulator;
let us: Api;
let folder: string;

async function start(serverVersion?: string): Promise<void> {
  emulator = await startEmulator({ clusters: { us: 0 }, serverVersion, unavailableMs: 0 });
  us = new Api(emulator.clusters.us!.address, emulator.clusters.us!.rootToken);
}

beforeEach(async () => {
  folder = temporaryFolder('adopt');
  await start();
});
afterEach(() => emulator.close());

const output = () => join(folder, 'estate');
const read = (path: string) => readFileSync(join(output(), path), 'utf8');

function adopt(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { address, rootToken } = emulator.clusters.us!;
  return vaultAdmin(['adopt', '--output', output(), ...args], {
    VAULT_ADDR: address,
    VAULT_TOKEN: rootToken,
    ...env,
  });
}

test('adopt reports what was adopted, and the next commands', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  await us.post('sys/managed-keys/awskms/signing', {
    kms_key: 'alias/signing',
    key_type: 'ECDSA',
    curve: 'P256',
    access_key: 'AKIA',
    secret_key: 'canary',
  });
  const { code, stdout, stderr } = await adopt();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    [
      'stack default',
      '  ACL policies: 1',
      '  managed keys: 1',
      `Written to ${output()}. Its README.md describes the next steps.`,
      '',
    ].join('\n'),
  );
  expect(read('default/managed-keys.ts')).toBe(`import {
  KeyCurve,
  KeySpec,
  ManagedKey,
  ManagedKeyBackend,
  VaultSecret,
  type IVaultCluster,
} from 'cdktf-vault-admin';
import type { Construct } from 'constructs';

/** The managed keys that were there when this app was written. */
export function managedKeys(scope: Construct, cluster: IVaultCluster): void {
  new ManagedKey(scope, 'key-signing', {
    cluster,
    keyName: 'signing',
    backend: ManagedKeyBackend.awsKms({
      kmsKey: 'alias/signing',
      keySpec: KeySpec.ecc(KeyCurve.P256),
      accessKey: VaultSecret.fromOptionalVariable('vault_signing_access_key'),
      secretKey: VaultSecret.fromOptionalVariable('vault_signing_secret_key'),
    }),
  });
}
`);
  expect(read('README.md')).toContain('`TF_VAR_vault_signing_access_key`, `TF_VAR_vault_signing_secret_key`');
});

test('the app and plain Terraform take the provider from the address of --provider-source', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  const source = 'app.terraform.io/acme/vaultadmin';
  expect((await adopt(['--provider-source', source])).code).toBe(0);
  expect(read('main.ts')).toContain(
    `import { VaultCluster, VaultadminInstallation, ResourceProvider } from 'cdktf-vault-admin';\n`,
  );
  expect(read('main.ts')).toContain(
    `const app = new App();\nnew VaultadminInstallation(app, 'Provider', { source: '${source}' });\n`,
  );
  rmSync(output(), { recursive: true });
  expect((await adopt(['--hcl', '--provider-source', source])).code).toBe(0);
  expect(read('default/terraform.tf')).toMatch(
    /required_providers \{\s+vaultadmin = \{\s+source = "app\.terraform\.io\/acme\/vaultadmin"\s+\}\s+\}/,
  );
  expect(read('README.md')).toContain(`1. \`terraform init\` installs the provider from \`${source}\`.\n`);
});

test('resources in plain Terraform have names in snake case, without doubled words, and each its own', async () => {
  for (const name of ['ops', 'acl-ops', 'team.a-ops', 'crlf'])
    await us.post(`sys/policies/acl/${name}`, { policy: POLICY });
  const { stdout } = await adopt(['--hcl', '--json']);
  const [stack] = (
    JSON.parse(stdout) as { stacks: { resources: { address: string; import_id: string }[] }[] }
  ).stacks;
  const resources = [
    ['acl_ops', 'acl-ops'],
    ['acl_crlf', 'crlf'],
    ['acl_ops_2', 'ops'],
    ['acl_team_a_ops', 'team.a-ops'],
  ];
  expect(stack!.resources).toEqual(
    resources.map(([label, name]) => ({
      address: `vaultadmin_acl_policy.${label}`,
      import_id: `default//${name}`,
    })),
  );
  const labels = [...read('default/acl-policies.tf').matchAll(/^resource "vaultadmin_acl_policy" "(.*)"/gm)];
  expect(labels.map(([, label]) => label)).toEqual(resources.map(([label]) => label));
  expect(read('default/acl-policies.tf')).toContain(`resource "vaultadmin_acl_policy" "acl_crlf" {
  cluster = "default"
  name    = "crlf"
  policy  = file("\${path.module}/policies/acl-crlf.hcl")
}
`);
});

test('the commands of the README that copy the provider succeed a second time as well', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  expect((await adopt(['--hcl'])).code).toBe(0);
  const [, command] = /^ +`(mkdir .*cp -R .*)`$/m.exec(read('README.md'))!;
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(__dirname, '..', '..', '..'), join(folder, 'node_modules', 'cdktf-vault-admin'));
  const { status, stderr } = spawnSync('sh', ['-c', `${command}\n${command}`], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const placed = readdirSync(join(folder, '.terraform.d'), { recursive: true, encoding: 'utf8' });
  const files = placed.filter((path) => path.includes('linux_amd64/')).map((path) => basename(path));
  const original = join(__dirname, '..', '..', '..', 'lib', 'provider');
  expect(files.sort()).toEqual(
    readdirSync(original, { recursive: true, encoding: 'utf8' })
      .map((path) => basename(path))
      .sort(),
  );
});

test('a --provider-source that is not an address is refused, with an explanation and an example', async () => {
  const { code, stderr } = await adopt(['--provider-source', 'acme/vaultadmin']);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "option '--provider-source <ADDRESS>' argument 'acme/vaultadmin' is invalid. Allowed: HOST/NAMESPACE/vaultadmin " +
      'in lower case, with letters, digits and "-"; write for example "app.terraform.io/acme/vaultadmin".',
  );
});

test('adopt never overwrites a file: if one exists, nothing is written', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  mkdirSync(output());
  writeFileSync(join(output(), 'main.ts'), 'mine');
  const { code, stdout, stderr } = await adopt();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(
    `vault-admin: ${output()} already contains: main.ts\n` +
      'Nothing was written. Name another folder with --output, or remove these.\n',
  );
  expect(readdirSync(output())).toEqual(['main.ts']);
  expect(read('main.ts')).toBe('mine');
});

test('adopt adds the app to an existing folder, and keeps its content', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  mkdirSync(join(output(), '.git'), { recursive: true });
  expect((await adopt()).code).toBe(0);
  expect(readdirSync(output()).sort()).toEqual([
    '.git',
    '.gitattributes',
    '.gitignore',
    'README.md',
    'cdktf.json',
    'default',
    'main.ts',
    'package.json',
    'tsconfig.json',
  ]);
});

describe('an adopt that fails leaves nothing behind', () => {
  test('no folder stays behind if a file cannot be written', async () => {
    await us.post('sys/policies/acl/ops', { policy: POLICY });
    mkdirSync(output());
    // A link to a file that does not exist is not found, but is in the way.
    symlinkSync(join(folder, 'nowhere'), join(output(), 'default'));
    const { code, stdout, stderr } = await adopt();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^vault-admin: the app could not be written to .*estate: a part of its path is a file, not a folder\n/,
    );
    expect(stderr).toMatch(/\nNothing was written. Name a folder that can be written with --output.\n$/);
    expect(readdirSync(output())).toEqual(['default']);
    expect(readdirSync(folder)).toEqual(['estate']);
  });

  test('no file stays behind if the folder is a file', async () => {
    await us.post('sys/policies/acl/ops', { policy: POLICY });
    writeFileSync(output(), 'mine');
    const { code, stderr } = await adopt();
    expect(code).toBe(2);
    expect(stderr).toBe(
      `vault-admin: ${output()} is not a folder\nNothing was written. Name another one with --output.\n`,
    );
  });

  test('no folder stays behind after Ctrl-C', async () => {
    await us.post('sys/policies/acl/ops', { policy: POLICY });
    emulator.faults.inject({ path: 'sys/policies/acl/ops', latencyMs: 60_000 });
    const { address, rootToken } = emulator.clusters.us!;
    const command = startVaultAdmin(['adopt', '--output', output()], {
      VAULT_ADDR: address,
      VAULT_TOKEN: rootToken,
    });
    await until(() => emulator.requests.list().some(({ path }) => path === 'sys/policies/acl/ops'));
    command.kill('SIGINT');
    const [, signal] = (await once(command, 'close')) as [null, string];
    expect(signal).toBe('SIGINT');
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('adopt --json reports what was adopted, and what was not', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  await us.post(`${SNAPSHOTS}/bad`, { ...snapshot, path_prefix: 'vault' });
  const { code, stdout, stderr } = await adopt(['--json']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    folder: output(),
    files: [
      'main.ts',
      'default/stack.ts',
      'default/acl-policies.ts',
      'default/imports.ts',
      'default/policies/acl-ops.hcl',
      'cdktf.json',
      'package.json',
      'tsconfig.json',
      '.gitignore',
      '.gitattributes',
      'README.md',
    ],
    stacks: [
      {
        name: 'default',
        resources: [{ address: 'vaultadmin_acl_policy.acl-ops', import_id: 'default//ops' }],
      },
    ],
    variables: [],
    estate: {
      clusters: {
        default: [{ path: 'sys/policies/acl/ops', namespace: '', body: { policy: POLICY }, secrets: [] }],
      },
      sets: [],
    },
    left_out: [
      {
        cluster: 'default',
        subject: 'automated snapshot "bad"',
        text: 'path_prefix must end with a slash for this storage type; received "vault"; write "vault/"',
      },
    ],
    not_read: [],
    notes: [],
  });
});

test('adopt --json reports that nothing was found', async () => {
  const { code, stdout } = await adopt(['--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    folder: null,
    files: [],
    stacks: [],
    variables: [],
    estate: { clusters: {}, sets: [] },
    left_out: [],
    not_read: [],
    notes: [],
  });
});

test('the report of adopt can be used as a seed of an emulator', async () => {
  await us.post('sys/namespaces/team');
  await us.post('sys/policies/acl/ops', { policy: POLICY }, { namespace: 'team' });
  await us.post('sys/managed-keys/awskms/signing', {
    kms_key: 'alias/signing',
    key_type: 'ECDSA',
    curve: 'P256',
    access_key: 'AKIA-canary',
    secret_key: 'canary',
  });
  await us.post(`${SNAPSHOTS}/hourly`, {
    ...snapshot,
    path_prefix: 'vault/',
    google_service_account_key: 'canary',
  });
  await us.post('sys/audit/log', { type: 'socket', options: { address: '127.0.0.1:1' }, local: true });
  const { stdout } = await adopt(['--json', '--namespace', '*']);
  expect(stdout).not.toContain('canary');

  const { estate } = JSON.parse(stdout) as { estate: Seed };
  await using copy = await startEmulator({ clusters: { default: 0 }, seed: estate });
  const there = new Api(copy.clusters.default.address, copy.clusters.default.rootToken);
  for (const [path, ask] of [
    ['sys/policies/acl/ops', { namespace: 'team' }],
    ['sys/managed-keys/awskms/signing', {}],
    [`${SNAPSHOTS}/hourly`, {}],
    ['sys/audit', {}],
  ] as const) {
    const [before, after] = [(await us.get(path, ask)).body.data, (await there.get(path, ask)).body.data];
    const secret = { UUID: '', google_service_account_key: '' };
    expect({ ...after, ...secret }).toEqual({ ...before, ...secret });
  }
});

test.each([
  ['is wrong', 'canary-wrong', /^\? not read: default: token: .*The server does not know the token/],
  ['is not given', '', /^\? not read: default: token: none is given; set VAULT_TOKEN$/],
])('a token that %s is reported once, and nothing is written', async (_what, token, message) => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  const { code, stdout } = await adopt([], { VAULT_TOKEN: token, HOME: folder });
  expect(code).toBe(3);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(message),
    'Nothing was found to adopt, and nothing was written.',
  ]);
  expect(stdout).not.toContain('canary');
  expect(existsSync(output())).toBe(false);
});

describe('a server that fails during adopt', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await us.post(`sys/policies/acl/${name}`, { policy: POLICY });
  });

  test.each([
    ['limits the rate', { status: 429, retryAfter: 1 }],
    ['has no active node', { status: 503, errors: ['node is not active'] }],
    ['drops connections', { drop: 'before' as const }],
  ])('the server is asked again if it %s', async (_what, effect) => {
    emulator.faults.inject({ path: 'sys/policies/acl/b', count: 2, ...effect });
    const { code, stdout } = await adopt();
    expect(code).toBe(0);
    expect(stdout).toContain('  ACL policies: 3\n');
  });

  test('objects that could not be read are listed, and the rest is written', async () => {
    emulator.faults.inject({ path: 'sys/policies/acl/b', status: 429 });
    const { code, stdout } = await adopt([], { VAULT_MAX_RETRIES: '1' });
    expect(code).toBe(3);
    expect(stdout).toContain('  ACL policies: 2\n');
    expect(stdout).toContain('? not read: default: ACL policy "b": ');
    expect(read('default/imports.ts')).not.toContain("id: 'default//b'");
  });
});

describe('the policy default', () => {
  test('the policy default is not adopted if it is as servers create it', async () => {
    const { code, stdout } = await adopt();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Nothing was found to adopt, and nothing was written.\n',
    });
    expect(existsSync(output())).toBe(false);
  });

  test('the policy default is adopted with --default-policy', async () => {
    expect((await adopt(['--default-policy'])).code).toBe(0);
    expect(read('default/policies/acl-default.hcl')).toBe(SHIPPED_DEFAULT_POLICY);
  });

  test('the policy default is adopted if it was changed', async () => {
    await us.post('sys/policies/acl/default', { policy: POLICY });
    expect((await adopt()).code).toBe(0);
    expect(read('default/policies/acl-default.hcl')).toBe(POLICY);
  });
});

describe('adopt beside an app', () => {
  const app = () => join(folder, 'app');

  /** Writes a stack as apps synthesize it, with one policy of each provider. */
  function synthesized(names: { own: string; upstream: string }): void {
    const { address } = emulator.clusters.us!;
    const stack = join(app(), 'cdktf.out', 'stacks', 'default');
    mkdirSync(stack, { recursive: true });
    mkdirSync(join(app(), 'default'), { recursive: true });
    const json = {
      provider: { vaultadmin: [{}], vault: [{ address }] },
      resource: {
        vaultadmin_acl_policy: { a: { name: names.own, policy: POLICY } },
        vaultadmin_namespace: { Team: { path: 'team' } },
        vault_policy: {
          b: { name: names.upstream, namespace: '${vaultadmin_namespace.Team.path_fq}', policy: POLICY },
        },
        vaultadmin_managed_key: { k: { name: 'signing', awskms: {} } },
      },
    };
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(json));
  }

  /** Runs the command in the folder of the app. */
  function inApp(...args: readonly string[]) {
    const { address, rootToken } = emulator.clusters.us!;
    return vaultAdmin(
      ['adopt', '--namespace', '*', ...args],
      { VAULT_ADDR: address, VAULT_TOKEN: rootToken },
      app(),
    );
  }

  beforeEach(async () => {
    await us.post('sys/namespaces/team', {});
    await us.post('sys/policies/acl/ops', { policy: POLICY });
    await us.post('sys/policies/acl/app', { policy: POLICY }, { namespace: 'team' });
    const key = {
      kms_key: 'alias/a',
      key_type: 'RSA',
      key_bits: 2048,
      access_key: 'A',
      secret_key: 'canary',
    };
    await us.post('sys/managed-keys/awskms/signing', key);
  });

  test('nothing is written if stacks manage all objects', async () => {
    synthesized({ own: 'ops', upstream: 'app' });
    expect(await inApp('--check')).toEqual({
      code: 0,
      stdout: 'The stacks in cdktf.out manage all objects that were found.\n',
      stderr: '',
    });
    expect((await inApp('--into', '.')).stdout).toBe(
      'Nothing was found to adopt, and nothing was written.\n',
    );
  });

  test('objects whose names contain what Terraform escapes are recognized as managed', async () => {
    await us.post('sys/policies/acl/%24%7Ba%7D', { policy: POLICY });
    await us.post('sys/policies/acl/%25%7Bb%7D', { policy: POLICY }, { namespace: 'team' });
    await us.delete('sys/policies/acl/ops');
    await us.delete('sys/policies/acl/app', { namespace: 'team' });
    synthesized({ own: '$${a}', upstream: '%%{b}' });
    expect((await inApp('--check')).stdout).toBe(
      'The stacks in cdktf.out manage all objects that were found.\n',
    );

    // Only Terraform knows the values of these names.
    synthesized({ own: '${var.a}', upstream: '%{if true}b%{endif}' });
    expect((await inApp('--check')).stdout).toBe(
      '! not managed: vaultadmin_acl_policy default//${a}\n' +
        '! not managed: vaultadmin_acl_policy default/team//%{b}\n' +
        'The stacks in cdktf.out do not manage 2 objects. To do: adopt them (--into), or remove them.\n',
    );
  });

  test('unmanaged objects are reported, and then adopted beside the managed ones', async () => {
    synthesized({ own: 'ops', upstream: 'another' });
    expect(await inApp('--check')).toEqual({
      code: 1,
      stdout:
        '! not managed: vaultadmin_acl_policy default/team//app\n' +
        'The stacks in cdktf.out do not manage 1 object. To do: adopt them (--into), or remove them.\n',
      stderr: '',
    });
    expect(readdirSync(app()).sort()).toEqual(['cdktf.out', 'default']);

    const { code, stdout } = await inApp('--into', '.');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `stack default-2
  ACL policies: 1
Written to .: default-2. Add to the file of the app:
  import { Default2Stack } from './default-2/stack';
  new Default2Stack(app, 'default-2', defaultCluster);
The clusters are those of the app (VaultCluster), with resourceProvider: ResourceProvider.VAULTADMIN. If those of the app have another \
resource provider, add a VaultCluster with the same name for these stacks: the import blocks are for resources of vaultadmin.
`,
    });
    expect(readdirSync(app()).sort()).toEqual(['cdktf.out', 'default', 'default-2']);
    expect(readFileSync(join(app(), 'default-2', 'acl-policies.ts'), 'utf8')).toContain(
      "document: PolicyDocument.fromFile('default-2/policies/acl-team-app.hcl')",
    );
  });

  test('an object that stacks manage is accepted, even if it could not be declared', async () => {
    await us.post(`${SNAPSHOTS}/ours`, { ...snapshot, path_prefix: 'vault' });
    synthesized({ own: 'ops', upstream: 'app' });
    const file = join(app(), 'cdktf.out', 'stacks', 'default', 'cdk.tf.json');
    const left = 'automated snapshot "ours": path_prefix must end with a slash';
    const before = await inApp('--check');
    expect(before.code).toBe(1);
    expect(before.stdout).toContain(`! left out: default: ${left}`);

    const json = JSON.parse(readFileSync(file, 'utf8')) as { resource: object };
    const resource = { ...json.resource, vaultadmin_auto_snapshot: { s: { name: 'ours' } } };
    writeFileSync(file, JSON.stringify({ ...json, resource }));
    expect(await inApp('--check')).toEqual({
      code: 0,
      stdout: 'The stacks in cdktf.out manage all objects that were found.\n',
      stderr: '',
    });
  });

  test('an app without stacks is refused, because its objects are not known', async () => {
    mkdirSync(app());
    const { code, stderr } = await inApp('--check');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'vault-admin: no stacks found in cdktf.out, so the objects that they manage could not be determined\n' +
        'To do: synthesize the app, or set --stacks to its output folder.\n',
    });
  });
});

test('policies whose names end with dots are written to files without the dots', async () => {
  await us.post('sys/policies/acl/trailing.', { policy: POLICY });
  await us.post('sys/policies/acl/...', { policy: POLICY });
  expect((await adopt()).code).toBe(0);
  expect(readdirSync(join(output(), 'default', 'policies'))).toEqual(['acl-trailing.hcl', 'acl.hcl']);
});

test('objects that cannot be declared are left out, and named', async () => {
  await us.post(`${SNAPSHOTS}/good`, { ...snapshot, path_prefix: 'vault/' });
  await us.post(`${SNAPSHOTS}/bad`, { ...snapshot, path_prefix: 'vault' });
  const { code, stdout } = await adopt();
  expect(code).toBe(1);
  expect(stdout).toContain(
    '! left out: default: automated snapshot "bad": path_prefix must end with a slash',
  );
  expect(read('default/imports.ts')).not.toContain('bad');
});

test('a key is left out if the server does not return all that its declaration requires', async () => {
  await emulator.close();
  await start('1.21.0+ent.hsm');
  await us.post('sys/managed-keys/pkcs11/by-id', {
    library: 'hsm',
    slot: '1',
    key_id: '0x1f',
    mechanism: '0x0001',
    pin: 'canary',
  });
  const { code, stdout } = await adopt();
  expect(code).toBe(1);
  expect(stdout).toContain('! left out: default: managed key "by-id": key_label or key_id is required; ');
  expect(stdout).toContain('; the server does not return key_id\n');
});
test('objects that the token may not read are listed, and the rest is adopted', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  await us.post('sys/policies/acl/hidden', { policy: POLICY });
  const rules = [
    'path "sys/policies/*" { capabilities = ["read", "list"] }',
    'path "sys/policies/acl/hidden" { capabilities = ["deny"] }',
    'path "sys/managed-keys/*" { capabilities = ["read", "list"] }',
  ];
  await us.post('sys/policies/acl/adopter', { policy: rules.join('\n') });
  const { body } = await us.post('auth/token/create', { policies: ['adopter'], no_default_policy: true });
  const { code, stdout } = await adopt([], { VAULT_TOKEN: body.auth.client_token });
  expect(code).toBe(3);
  expect(stdout).toContain('  ACL policies: 2\n');
  expect(stdout).toContain('? not read: default: ACL policy "hidden": ');
  expect(stdout).toContain('? not read: default: automated snapshots: ');
});

test('the other clusters are adopted if one cluster cannot be reached', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  const { address, rootToken } = emulator.clusters.us!;
  const { code, stdout } = await vaultAdmin(['adopt', '--output', output()], {
    VAULTADMIN_US_ADDR: address,
    VAULTADMIN_US_TOKEN: rootToken,
    VAULTADMIN_EU_ADDR: 'http://127.0.0.1:1',
    VAULTADMIN_EU_TOKEN: 'x',
    VAULTADMIN_EU_MAX_RETRIES: '0',
  });
  expect(code).toBe(3);
  expect(stdout).toContain('? not read: eu: ');
  expect(read('main.ts')).toContain("new UsStack(app, 'us', usCluster);");
  expect(read('main.ts')).not.toContain('eu');
});

test('an open-source server has only policies to adopt', async () => {
  await emulator.close();
  await start('1.21.0');
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  const { code, stdout } = await adopt();
  expect(code).toBe(0);
  for (const missing of ['RGP policies', 'EGP policies', 'automated snapshots']) {
    expect(stdout).toContain(`- default: ${missing}: the server does not support them\n`);
  }
});

test('adopt with --only reads and writes only the given kinds', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  await us.post(`${SNAPSHOTS}/good`, { ...snapshot, path_prefix: 'vault/' });
  expect((await adopt(['--only', 'snapshots'])).stdout).toContain(
    'stack default\n  automated snapshots: 1\nWritten to',
  );
});

test('the objects of a given namespace are adopted, and a given namespace that does not exist is reported', async () => {
  await us.post('sys/namespaces/team', {});
  await us.post('sys/policies/acl/ops', { policy: POLICY }, { namespace: 'team' });
  const { code, stdout } = await adopt(['--namespace', 'team/', 'nowhere']);
  expect(code).toBe(3);
  expect(stdout.split('\n').filter((line) => line.startsWith('?'))).toEqual([
    expect.stringContaining('? not read: default: ACL policies in namespace "nowhere": '),
  ]);
  expect(stdout).not.toContain('does not offer');
  expect(read('default/imports.ts')).toContain("id: 'default/team//ops'");
});

test('adopt lists the secondaries that the primary of a set has, and whose clusters were not read', async () => {
  const path = 'sys/replication/performance/primary';
  await us.post(`${path}/enable`, { primary_cluster_addr: 'https://lb.example:8201' });
  await us.post(`${path}/secondary-token`, { id: 'eu' });
  const { code, stdout } = await adopt();
  expect(code).toBe(0);
  expect(stdout).toContain('- default: secondary "eu": its cluster was not read; ');
  expect(read('replication/replication-sets.ts')).toContain(`{
    primary: defaultCluster,
    primaryClusterAddr: 'https://lb.example:8201',
    members: [
      {
        cluster: defaultCluster,
      },
    ],
  }`);
});

test('the command of the guide works, and the guide lists every option of adopt', async () => {
  await us.post('sys/policies/acl/ops', { policy: POLICY });
  const guide = readFileSync(join(__dirname, '../../../docs/guides/adopting.md'), 'utf8');
  const command = /^npx cdktf-vault-admin adopt (.*)$/m.exec(guide)?.[1] ?? '';
  const options = [...guide.matchAll(/^\| `(--.*?)` \|/gm)].map(([, option]) => option!);
  expect(options).toHaveLength(8);
  const { address, rootToken } = emulator.clusters.us!;
  const env = {
    VAULTADMIN_US_ADDR: address,
    VAULTADMIN_US_TOKEN: rootToken,
    VAULTADMIN_EU_ADDR: address,
    VAULTADMIN_EU_TOKEN: rootToken,
  };
  for (const [number, option] of [command, ...options].entries()) {
    const args = option.split(' ').map((word) => word.replaceAll("'", ''));
    const cwd = join(folder, String(number));
    mkdirSync(cwd);
    const { stderr } = await vaultAdmin(['adopt', ...args], env, cwd);
    expect({ option, stderr }).toEqual({ option, stderr: '' });
  }
  expect(existsSync(join(folder, '0', 'estate', 'us', 'policies', 'acl-ops.hcl'))).toBe(true);
});

test.each([
  [
    ['--only', 'policies,mounts'],
    {},
    'Allowed are namespaces, policies, managed-keys, snapshots, audit-devices, replication',
  ],
  [['--only', 'policy'], {}, 'separated by commas. Did you mean policies?'],
  [['--everything'], {}, "vault-admin: unknown option '--everything'"],
  [['--cluster', '1us'], {}, '"1us" is not a valid cluster name\nAllowed: a letter, followed by'],
  [[], { VAULT_DIALECT: 'french' }, 'VAULT_DIALECT is not valid: received "french"'],
])('adopt refuses %j with %j', async (args, settings, message) => {
  const { code, stdout, stderr } = await adopt(args, settings);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
