import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PerfReplicationSet,
  PolicyStatement,
  VaultadminInstallation,
  VaultCluster,
  ResourceProvider,
} from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { providerSchemaJson } from '../../../src/plugin';
import { PROVIDER, PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../../src/provider';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { platform, terraformBinary } from '../../support/terraform';
import { vaultAdmin } from '../support/cli';

let emulator: Emulator;
let us: RunningCluster;
let folder: string;
let env: Record<string, string>;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 }, unavailableMs: 0 });
  us = emulator.clusters.us as RunningCluster;
  folder = temporaryFolder('doctor');
  env = {
    HOME: folder,
    TERRAFORM_BINARY_NAME: terraformBinary(),
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_US_TOKEN: us.rootToken,
  };
});
afterEach(() => emulator.close());

/** Synthesizes an app with one policy into the folder. */
function synthesize(source?: string): void {
  const app = new App({ outdir: join(folder, 'cdktf.out') });
  if (source !== undefined) new VaultadminInstallation(app, 'Provider', { source });
  const stack = new TerraformStack(app, 'policies');
  new AclPolicy(stack, 'Ops', {
    cluster: new VaultCluster(stack, 'Us', { name: 'us', resourceProvider: ResourceProvider.VAULTADMIN }),
    policyName: 'ops',
    statements: [new PolicyStatement({ paths: ['secret/*'], capabilities: [Capability.READ] })],
  });
  app.synth();
}

async function tokenWith(policy: string, options: object = {}): Promise<string> {
  const api = new Api(us.address, us.rootToken);
  await api.put('sys/policies/acl/deployer', { policy });
  const answer = await api.post('auth/token/create', { policies: ['deployer'], ttl: '1h', ...options });
  return (answer.body as { auth: { client_token: string } }).auth.client_token;
}

interface Report {
  readonly checks: readonly {
    readonly subject: string;
    readonly outcome: string;
    readonly text: string;
    readonly cure?: string;
  }[];
}

async function doctor(changed: Record<string, string> = {}): Promise<{ code: number | null } & Report> {
  const { code, stdout } = await vaultAdmin(['doctor', '--json'], { ...env, ...changed }, folder);
  const report = JSON.parse(stdout) as Report;
  expect(report.checks.filter(({ outcome, cure = '' }) => outcome !== 'ok' && cure === '')).toEqual([]);
  return { code, ...report };
}

const ofSubject = ({ checks }: Report, subject: string) =>
  checks.filter((check) => check.subject === subject).map(({ subject: _subject, ...check }) => check);

test('doctor reports a set-up that works', async () => {
  synthesize();
  const { code, checks } = await doctor();
  expect(checks.map(({ subject, outcome }) => [subject, outcome])).toEqual([
    ['Node.js', 'ok'],
    ['Terraform', 'ok'],
    ["Terraform's settings", 'ok'],
    ['stack "policies"', 'ok'],
    ['cluster "us"', 'ok'],
    ['cluster "us"', 'ok'],
    ['cluster "us"', 'ok'],
  ]);
  expect(checks.slice(-3).map(({ text }) => text)).toEqual([
    `${us.address} answers: 1.21.0+ent`,
    'its token is "root", with root',
    'its token may do everything that the stacks require',
  ]);
  expect(code).toBe(0);
});

test('doctor reports which capabilities a token lacks, and how to grant them', async () => {
  synthesize();
  const token = await tokenWith('path "sys/policies/acl/*" { capabilities = ["read"] }');
  const report = await doctor({ VAULTADMIN_US_TOKEN: token });
  expect(ofSubject(report, 'cluster "us"').at(-1)).toEqual({
    outcome: 'problem',
    text: 'its token lacks update, delete on sys/policies/acl/ops',
    cure: 'add to one of its policies: path "sys/policies/acl/ops" { capabilities = ["read","update","delete"] }',
  });
  expect(report.code).toBe(1);
});

/** Changes the JSON of the app's stack. */
function changeStack(change: (json: StackJson) => void): void {
  const file = join(folder, 'cdktf.out', 'stacks', 'policies', 'cdk.tf.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as StackJson;
  change(json);
  requireRealArguments(json);
  writeFileSync(file, JSON.stringify(json));
}

type Schemas = Record<string, { block: { attributes: object; block_types?: object } }>;
type SchemaKinds = Record<'resource_schemas' | 'data_source_schemas' | 'ephemeral_resource_schemas', Schemas>;

const { provider_schemas: SCHEMAS } = providerSchemaJson(PROVIDER, PROVIDER_ADDRESS) as {
  provider_schemas: Record<string, SchemaKinds>;
};

/**
 * Checks that the blocks of a stack have arguments of the provider's schema. A test with a stack
 * that cannot exist would prove nothing.
 */
function requireRealArguments({ resource = {}, data = {}, ephemeral = {} }: StackJson): void {
  const { resource_schemas, data_source_schemas, ephemeral_resource_schemas } = SCHEMAS[PROVIDER_ADDRESS]!;
  for (const [blocks, schemas] of [
    [resource, resource_schemas],
    [data, data_source_schemas],
    [ephemeral, ephemeral_resource_schemas],
  ] as const) {
    for (const [type, ofType] of Object.entries(blocks as Record<string, Record<string, object>>)) {
      if (!type.startsWith('vaultadmin_')) continue;
      const { attributes, block_types = {} } = schemas[type]!.block;
      const known = [...Object.keys(attributes), ...Object.keys(block_types), 'provider', 'lifecycle', '//'];
      const given = Object.values(ofType).flatMap((block) => Object.keys(block));
      expect(given.filter((name) => !known.includes(name))).toEqual([]);
    }
  }
}

interface StackJson {
  provider: Record<string, object[]>;
  resource?: object;
  data?: object;
  ephemeral?: object;
  variable?: object;
}

/** Returns the rights for a stack that a token without any rights lacks. */
async function lacking(change: (json: StackJson) => void): Promise<readonly string[]> {
  synthesize();
  changeStack(change);
  const token = await tokenWith('path "secret/*" { capabilities = ["read"] }');
  return lackedBy(await doctor({ VAULTADMIN_US_TOKEN: token }), 'us');
}

function lackedBy(report: Report, cluster: string): readonly string[] {
  return ofSubject(report, `cluster ${JSON.stringify(cluster)}`)
    .filter(({ outcome }) => outcome === 'problem')
    .map(({ text }) => text.replace('its token lacks ', ''));
}

/** The rights for reading whether a cluster that joins a set has data. */
const TO_JOIN = [
  'read on sys/mounts',
  'read on sys/auth',
  'list on sys/policies/acl/',
  'list on sys/policies/rgp/',
  'list on sys/policies/egp/',
  'list on sys/namespaces/',
  'list on sys/managed-keys/pkcs11/',
  'list on sys/managed-keys/awskms/',
  'list on sys/managed-keys/azurekeyvault/',
  'list on sys/managed-keys/gcpckms/',
  'list, sudo on sys/storage/raft/snapshot-auto/config/',
  'read, sudo on sys/audit',
  'list on sys/policies/password/',
  'list on sys/quotas/rate-limit/',
  'list on sys/quotas/lease-count/',
  'list on auth/token/roles/',
  'read, sudo on sys/config/cors',
  'list on identity/entity/id/',
  'list on identity/group/id/',
  'list on identity/mfa/method/',
  'list on identity/mfa/login-enforcement/',
  'list on identity/oidc/key/',
  'list on identity/oidc/role/',
  'list on identity/oidc/provider/',
  'list on identity/oidc/scope/',
  'list on identity/oidc/client/',
  'list on identity/oidc/assignment/',
];

test('doctor reports the rights that the steps of replication require', async () => {
  const path = 'sys/replication/performance';
  const resource = {
    vaultadmin_perf_replication_primary: { p: { cluster: 'us' } },
    vaultadmin_perf_replication_secondary: { s: { cluster: 'us' } },
    vaultadmin_perf_replication_paths_filter: { f: { cluster: 'us', secondary_id: 'eu-1' } },
  };
  expect(await lacking((json) => Object.assign(json, { resource }))).toEqual([
    `update on ${path}/primary/enable`,
    `update on ${path}/primary/disable`,
    `update on ${path}/secondary/enable`,
    `update on ${path}/secondary/update-primary`,
    `update on ${path}/secondary/disable`,
    ...TO_JOIN,
    `read, update, delete on ${path}/primary/paths-filter/eu-1`,
  ]);
});

test.each([
  ['whose loss of data is confirmed', { confirm_data_loss: 'us' }, false],
  ['that is in a set already', {}, true],
])('doctor requires no right to read the data of a cluster %s', async (_where, settings, replicates) => {
  if (replicates) {
    await new Api(us.address, us.rootToken).post('sys/replication/performance/primary/enable', {});
  }
  const resource = { vaultadmin_perf_replication_secondary: { s: { cluster: 'us', ...settings } } };
  expect(await lacking((json) => Object.assign(json, { resource }))).toEqual([
    'update on sys/replication/performance/secondary/enable',
    'update on sys/replication/performance/secondary/update-primary',
    'update on sys/replication/performance/secondary/disable',
  ]);
});

test('doctor asks for rights of replication in the root namespace, whatever namespace the settings name', async () => {
  await new Api(us.address, us.rootToken).post('sys/namespaces/team', {});
  const resource = { vaultadmin_perf_replication_primary: { p: { cluster: 'us' } } };
  const inTeam = (json: StackJson) => {
    json.provider.vaultadmin = [{ clusters: { us: { namespace: 'team' } } }];
    Object.assign(json, { resource: { ...resource, vaultadmin_acl_policy: { a: { name: 'a' } } } });
  };
  const path = 'sys/replication/performance/primary';
  synthesize();
  changeStack(inTeam);
  const policy = `path "${path}/+" { capabilities = ["update"] } path "team/sys/*" { capabilities = ["read", "update"] }`;
  const report = await doctor({ VAULTADMIN_US_TOKEN: await tokenWith(policy) });
  expect(ofSubject(report, 'cluster "us"').filter(({ outcome }) => outcome === 'problem')).toEqual([
    expect.objectContaining({
      text: 'its token lacks delete on sys/policies/acl/a in namespace "team"',
      cure: 'add to one of its policies: path "team/sys/policies/acl/a" { capabilities = ["read","update","delete"] }',
    }),
  ]);
});

test('the rights in a namespace that does not exist are a doubt, unless the stacks create the namespace', async () => {
  const policy = (namespace: string) => ({ cluster: 'us', name: 'a', namespace });
  const withNamespaces = (...namespaces: string[]) => {
    synthesize();
    changeStack((json) => {
      const vaultadmin_acl_policy = Object.fromEntries(namespaces.map((name) => [name, policy(name)]));
      const vaultadmin_namespace = { team: { cluster: 'us', path: 'team' } };
      Object.assign(json, { resource: { vaultadmin_acl_policy, vaultadmin_namespace } });
    });
  };
  withNamespaces('team');
  const [, , last] = ofSubject(await doctor(), 'cluster "us"');
  expect(last!.text).toBe('its token may do everything that the stacks require');
  withNamespaces('team', 'taem');
  expect(ofSubject(await doctor(), 'cluster "us"').slice(2)).toEqual([
    {
      outcome: 'doubt',
      text: 'namespace "taem" does not exist, so the permissions in it could not be checked',
      cure: 'create it before the stacks that use it, or correct its name there',
    },
  ]);
});

test('doctor writes the missing rights with paths relative to the namespace of the token', async () => {
  const api = new Api(us.address, us.rootToken);
  await api.post('sys/namespaces/team', {});
  await api.post('sys/namespaces/sub', {}, { namespace: 'team' });
  synthesize();
  changeStack((json) => {
    const name = 'a$${b}';
    Object.assign(json, {
      resource: { vaultadmin_acl_policy: { a: { cluster: 'us', namespace: 'team/sub', name } } },
    });
  });
  const text =
    'its token may not query its capabilities in namespace "team/sub", so its permissions could not be checked';
  const cures = async (token: string, namespace: string) =>
    ofSubject(
      await doctor({ VAULTADMIN_US_TOKEN: token, VAULTADMIN_US_NAMESPACE: namespace }),
      'cluster "us"',
    ).slice(-1);
  const ofRoot = await tokenWith('path "secret/*" { capabilities = ["read"] }');
  expect(await cures(ofRoot, '')).toEqual([
    {
      outcome: 'doubt',
      text,
      cure: 'add to one of its policies: path "team/sub/sys/capabilities-self" { capabilities = ["update"] }',
    },
  ]);

  const inTeam = { namespace: 'team' };
  const query = 'path "sub/sys/capabilities-self" { capabilities = ["update"] }';
  await api.put('sys/policies/acl/deployer', { policy: query }, inTeam);
  const answer = await api.post('auth/token/create', { policies: ['deployer'], ttl: '1h' }, inTeam);
  const ofTeam = (answer.body as { auth: { client_token: string } }).auth.client_token;
  expect(
    ofSubject(
      await doctor({ VAULTADMIN_US_TOKEN: ofTeam, VAULTADMIN_US_NAMESPACE: '' }),
      'cluster "us"',
    ).slice(-1),
  ).toEqual([
    {
      outcome: 'problem',
      text: 'its token lacks read, update, delete on sys/policies/acl/a${b} in namespace "team/sub"',
      cure: 'add to one of its policies: path "sub/sys/policies/acl/a${b}" { capabilities = ["read","update","delete"] }',
    },
  ]);
});

test('doctor reports the rights that a replication set requires on each member, with the secondary ids of its construct', async () => {
  const app = new App({ outdir: join(folder, 'cdktf.out') });
  const stack = new TerraformStack(app, 'set');
  const [us, eu, ap] = ['us', 'eu', 'ap'].map((name) => new VaultCluster(stack, name, { name }));
  new PerfReplicationSet(stack, 'Set', {
    primary: eu!,
    members: [
      { cluster: us!, secondaryId: 'one' },
      { cluster: eu! },
      { cluster: ap!, confirmDataLoss: 'ap' },
    ],
  });
  app.synth();
  const powerless = await tokenWith('path "secret/*" { capabilities = ["read"] }');
  const report = await doctor(
    Object.fromEntries(
      ['US', 'EU', 'AP'].flatMap((name) => [
        [`VAULTADMIN_${name}_ADDR`, env.VAULTADMIN_US_ADDR!],
        [`VAULTADMIN_${name}_TOKEN`, powerless],
      ]),
    ),
  );
  const path = 'sys/replication/performance';
  const ofEveryMember = [
    `update on ${path}/primary/enable`,
    `update on ${path}/primary/demote`,
    `update on ${path}/primary/disable`,
    `update, sudo on ${path}/primary/secondary-token`,
    `update on ${path}/primary/revoke-secondary`,
    `update on ${path}/secondary/generate-public-key`,
    `update on ${path}/secondary/enable`,
    `update on ${path}/secondary/promote`,
    `update on ${path}/secondary/update-primary`,
    `update on ${path}/secondary/disable`,
    `read, update, delete on ${path}/primary/paths-filter/one`,
    `read, update, delete on ${path}/primary/paths-filter/ap`,
    'read, update, delete on sys/policies/acl/vaultadmin-switchover',
    'read, update, delete on sys/policies/acl/vaultadmin-takeover',
    'read on sys/mounts',
    'update, delete on sys/mounts/vaultadmin-promotion',
  ];
  expect(new Set(lackedBy(report, 'us'))).toEqual(new Set([...ofEveryMember, ...TO_JOIN]));
  expect(new Set(lackedBy(report, 'eu'))).toEqual(new Set(ofEveryMember));
  // `ap` needs no rights to read its data, because the loss of the data is confirmed.
  expect(new Set(lackedBy(report, 'ap'))).toEqual(new Set(ofEveryMember));
});

test('doctor reports the rights that keys, snapshots and data sources require', async () => {
  const resource = {
    vaultadmin_managed_key: { k: { cluster: 'us', name: 'k', awskms: {}, test_sign: {} } },
    vaultadmin_auto_snapshot: { s: { cluster: 'us', name: 's' } },
  };
  const data = {
    vaultadmin_acl_policy: { a: { cluster: 'us', name: 'a' } },
    vaultadmin_acl_policies: { all: { cluster: 'us' } },
    vaultadmin_managed_key: { k: { cluster: 'us', type: 'pkcs11', name: 'k' } },
    vaultadmin_managed_keys: { all: { cluster: 'us', type: 'pkcs11' } },
    vaultadmin_auto_snapshots: { all: { cluster: 'us' } },
    vaultadmin_auto_snapshot_status: { s: { cluster: 'us', name: 's' } },
    vaultadmin_perf_replication_dynamic_filter: { eu: { cluster: 'us', secondary_id: 'eu' } },
  };
  const ephemeral = {
    vaultadmin_perf_replication_secondary_token: { t: { cluster: 'us', secondary_id: 'eu' } },
    vaultadmin_perf_replication_public_key: { k: { cluster: 'us' } },
  };
  expect(new Set(await lacking((json) => Object.assign(json, { resource, data, ephemeral })))).toEqual(
    new Set([
      'create, read, update, delete on sys/managed-keys/awskms/k',
      'create, update on sys/managed-keys/awskms/k/test/sign',
      'read, update, delete, sudo on sys/storage/raft/snapshot-auto/config/s',
      'read on sys/policies/acl/a',
      'read on sys/storage/raft/snapshot-auto/status/s',
      'list on sys/policies/acl/',
      'read on sys/managed-keys/pkcs11/k',
      'list on sys/managed-keys/pkcs11/',
      'list, sudo on sys/storage/raft/snapshot-auto/config/',
      'read on sys/replication/performance/primary/dynamic-filter/eu',
      'read on sys/replication/performance/secondary/dynamic-filter/eu',
      'update, sudo on sys/replication/performance/primary/secondary-token',
      'update on sys/replication/performance/primary/revoke-secondary',
      'update on sys/replication/performance/secondary/generate-public-key',
    ]),
  );
});

describe('settings in the stacks', () => {
  const elsewhere = { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1', VAULTADMIN_US_MAX_RETRIES: '0' };

  /** Synthesizes the stack with settings of its cluster. One of them is a variable. */
  function synthesizeWith(settings: object): void {
    synthesize();
    changeStack((json) => {
      json.provider.vaultadmin = [{ clusters: { us: { address: us.address, ...settings } } }];
      json.variable = { token: { sensitive: true }, address: { default: us.address } };
    });
  }

  test('settings in the stacks come before those of the environment', async () => {
    synthesizeWith({ token: us.rootToken });
    expect((await doctor({ ...elsewhere, VAULTADMIN_US_TOKEN: 'canary-wrong' })).code).toBe(0);
  });

  test('settings may be variables, with values from the environment or defaults', async () => {
    synthesizeWith({ address: '${var.address}', token: '${var.token}' });
    expect((await doctor({ ...elsewhere, TF_VAR_token: us.rootToken })).code).toBe(0);
  });

  test.each([
    ['${var.token}', {}],
    ['${random_id.x.hex}', {}],
  ])('settings that only Terraform knows are a doubt: %s', async (token) => {
    synthesizeWith({ token });
    const report = await doctor(elsewhere);
    expect(ofSubject(report, 'cluster "us"')).toEqual([
      { outcome: 'ok', text: `${us.address} answers: 1.21.0+ent` },
      {
        outcome: 'doubt',
        text: 'its token in the stacks is only known when Terraform runs',
        cure: "set the stacks' variables in the environment (TF_VAR_...), as for Terraform",
      },
    ]);
    expect(report.code).toBe(3);
  });

  test('an address that only Terraform knows is a doubt, and no server is asked', async () => {
    synthesizeWith({ address: '${var.elsewhere}' });
    expect(ofSubject(await doctor(), 'cluster "us"')).toEqual([
      expect.objectContaining({
        outcome: 'doubt',
        text: 'its address in the stacks is only known when Terraform runs',
      }),
    ]);
  });

  test('settings of the provider hashicorp/vault, also its login, count as well', async () => {
    synthesize();
    const login = { path: 'auth/userpass/login/canary', parameters: { password: 'canary-password' } };
    changeStack((json) => {
      json.provider = { vault: [{ alias: 'us', address: us.address, auth_login: [login] }] };
    });
    const report = await doctor(elsewhere);
    expect(ofSubject(report, 'cluster "us"')).toEqual([
      {
        outcome: 'problem',
        text: expect.stringContaining(`cannot log in at ${login.path} on ${us.address}`) as string,
        cure:
          'correct the cause that is named here; the settings of the cluster are VAULTADMIN_US_ADDR and so on, ' +
          "or in the provider's configuration",
      },
    ]);
    expect(JSON.stringify(report)).not.toContain('canary-password');
  });
});

describe('several stacks', () => {
  /** Writes a stack that contains only the settings of clusters. */
  function stackWith(name: string, provider: object): void {
    const stack = join(folder, 'cdktf.out', 'stacks', name);
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ provider }));
  }
  const address = 'http://127.0.0.1:1';
  const answers = ({ checks }: Report) =>
    checks.filter(({ text }) => text.includes(' answers: ')).map(({ subject, text }) => [subject, text]);

  test('the clusters of several stacks are those of each stack: a stack with one cluster takes the usual variables', async () => {
    stackWith('one', { vaultadmin: [{}] });
    stackWith('two', {
      vaultadmin: [{ clusters: { us: {}, eu: { address: us.address, token: us.rootToken } } }],
    });
    const report = await doctor({ VAULT_ADDR: us.address, VAULT_TOKEN: us.rootToken });
    expect(answers(report)).toEqual(
      ['default', 'us', 'eu'].map((name) => [`cluster "${name}"`, `${us.address} answers: 1.21.0+ent`]),
    );
  });

  test('a cluster with the same settings in several stacks is checked once, with others once for each', async () => {
    stackWith('one', { vaultadmin: [{ clusters: { us: {} } }] });
    stackWith('two', { vaultadmin: [{ clusters: { us: {} } }] });
    stackWith('upstream', { vault: [{ alias: 'us' }] });
    const report = await doctor({ VAULT_ADDR: address, VAULT_MAX_RETRIES: '0' });
    expect(answers(report)).toEqual([
      [
        'cluster "us" of vaultadmin in stack "one", vaultadmin in stack "two"',
        `${us.address} answers: 1.21.0+ent`,
      ],
    ]);
    // The provider hashicorp/vault does not read VAULTADMIN_US_ADDR.
    const [upstream] = ofSubject(report, 'cluster "us" of vault in stack "upstream"');
    expect(upstream).toMatchObject({ outcome: 'problem', text: expect.stringContaining(address) as string });
  });
});

test('a token that may not look itself up is a doubt, with the rule to add', async () => {
  synthesize();
  const policy = 'path "sys/policies/acl/*" { capabilities = ["read", "update", "delete"] }';
  const token = await tokenWith(policy, { no_default_policy: true });
  const report = await doctor({ VAULTADMIN_US_TOKEN: token });
  expect(ofSubject(report, 'cluster "us"').slice(1)).toEqual([
    {
      outcome: 'doubt',
      text: 'its token may not look itself up, so its expiry could not be determined',
      cure:
        'if the token from VAULTADMIN_US_TOKEN is that of another server, replace it; otherwise add to one of its policies: ' +
        'path "auth/token/lookup-self" { capabilities = ["read"] }',
    },
    {
      outcome: 'doubt',
      text: 'its token may not query its capabilities, so its permissions could not be checked',
      cure: 'add to one of its policies: path "sys/capabilities-self" { capabilities = ["update"] }',
    },
  ]);
  expect(report.code).toBe(3);
});

test.each<[source: string, given: Record<string, string>]>([
  ['VAULTADMIN_US_TOKEN', { VAULTADMIN_US_TOKEN: 'wrong' }],
  ['VAULT_TOKEN', { VAULTADMIN_US_TOKEN: '', VAULT_TOKEN: 'wrong' }],
  ['~/.vault-token', { VAULTADMIN_US_TOKEN: '' }],
])(
  'a token from %s that the server does not know is a problem, and its source is named',
  async (source, given) => {
    writeFileSync(join(folder, '.vault-token'), 'wrong');
    synthesize();
    const report = await doctor(given);
    expect(ofSubject(report, 'cluster "us"').at(-1)).toMatchObject({
      outcome: 'problem',
      text: expect.stringContaining('The server does not know the token') as string,
      cure: `its token is from ${source}: set a token there that this server knows`,
    });
    expect(report.code).toBe(1);
  },
);

test('doctor reports that there are no stacks, no address and no token', async () => {
  const report = await doctor({
    VAULTADMIN_US_ADDR: '',
    VAULTADMIN_US_TOKEN: '',
    VAULT_MAX_RETRIES: '0',
    VAULT_ADDR: '',
  });
  expect(ofSubject(report, 'stacks')).toEqual([
    {
      outcome: 'doubt',
      text: 'no stacks found in cdktf.out: their requirements could not be determined',
      cure: 'synthesize the app, or set --stacks to its output folder',
    },
  ]);
  expect(report.checks.find(({ cure }) => cure?.startsWith('set '))).toMatchObject({
    outcome: 'doubt',
    text: 'no address is configured: assuming a server on this machine',
    cure: 'set VAULT_ADDR',
  });
  const anonymous = await doctor({ VAULTADMIN_US_TOKEN: '' });
  expect(ofSubject(anonymous, 'cluster "us"').at(-1)).toEqual({
    outcome: 'doubt',
    text: 'no token is configured: its permissions could not be checked',
    cure: "set VAULTADMIN_US_TOKEN, or configure a login in the provider's configuration (auth_login)",
  });
});

test('doctor reports a token that ends soon', async () => {
  const token = await tokenWith('path "secret/*" { capabilities = ["read"] }', { ttl: '2m' });
  const found = ofSubject(await doctor({ VAULTADMIN_US_TOKEN: token }), 'cluster "us"').at(-1);
  expect(found).toMatchObject({ outcome: 'doubt', cure: 'renew it, or use another token' });
  expect(found?.text).toMatch(/^its token is "token", with default, deployer, and expires in (2m0s|1m\d+s)$/);
});

test('doctor reports a provider that is not the one in the lock file', async () => {
  synthesize();
  const stack = join(folder, 'cdktf.out', 'stacks', 'policies');
  const lockFile = join(stack, '.terraform.lock.hcl');
  writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replace(/"h1:.*"/, '"h1:another"'));
  expect(ofSubject(await doctor(), 'stack "policies"')[0]).toMatchObject({
    outcome: 'problem',
    text: 'its .terraform.lock.hcl locks a different build of the provider than the one in its folder',
  });
});

test('doctor reports a folder .terraform that has the provider of before an upgrade', async () => {
  synthesize();
  const stack = join(folder, 'cdktf.out', 'stacks', 'policies');
  const place = (root: string) => join(stack, root, ...PROVIDER_ADDRESS.split('/'));
  const noted = place(join('.terraform', 'providers'));
  mkdirSync(noted, { recursive: true });
  const plugins = place(join('terraform.d', 'plugins'));
  const [version] = readdirSync(plugins);
  symlinkSync(join(plugins, version!), join(noted, version!));
  expect(ofSubject(await doctor(), 'stack "policies"')[0]).toMatchObject({ outcome: 'ok' });

  renameSync(join(noted, version!), join(noted, '0.0.9'));
  expect(ofSubject(await doctor(), 'stack "policies"')).toEqual([
    {
      outcome: 'doubt',
      text: 'its .terraform folder belongs to provider 0.0.9, so terraform refuses to plan',
      cure: 'run "terraform init" in cdktf.out/stacks/policies; cdktf-cli does so itself',
    },
  ]);
});

test('a provider with another address is installed from that address, in the version of this package', async () => {
  const address = 'app.terraform.io/acme/vaultadmin';
  synthesize(address);
  writeFileSync(join(folder, '.terraformrc'), 'provider_installation {\n  direct {}\n}\n');
  const { code, ...report } = await doctor();
  expect(ofSubject(report, 'stack "policies"')).toEqual([
    { outcome: 'ok', text: `"terraform init" installs provider 0.1.0 from ${address}` },
  ]);
  expect(ofSubject(report, "Terraform's settings")).toMatchObject([{ outcome: 'ok' }]);
  expect(code).toBe(0);

  const noted = join(folder, 'cdktf.out', 'stacks', 'policies', '.terraform', 'providers', address);
  mkdirSync(join(noted, '0.0.9'), { recursive: true });
  expect(ofSubject(await doctor(), 'stack "policies"')).toMatchObject([
    {
      outcome: 'doubt',
      text: 'its .terraform folder belongs to provider 0.0.9, so terraform refuses to plan',
    },
  ]);
});

test('the provider may be in a mirror instead of beside the stack, if the settings of Terraform name one', async () => {
  synthesize(PROVIDER_ADDRESS);
  expect(ofSubject(await doctor(), 'stack "policies"')).toMatchObject([
    { outcome: 'problem', text: 'provider 0.1.0 is missing in its folder' },
  ]);
  writeFileSync(
    join(folder, '.terraformrc'),
    'provider_installation {\n  network_mirror {\n    url = "https://mirror.example.com/"\n' +
      '    include = ["vault-admin.internal/*/*"]\n  }\n}\n',
  );
  expect(ofSubject(await doctor(), 'stack "policies"')).toEqual([
    { outcome: 'ok', text: `"terraform init" installs provider 0.1.0 from ${PROVIDER_ADDRESS}` },
  ]);
});

test.each([
  ['an address where nothing listens', { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1' }, 'no connection'],
  ['a wrong token', { VAULTADMIN_US_TOKEN: 'canary-wrong' }, 'The server does not know the token'],
])('doctor reports %s', async (_what, changed, text) => {
  const report = await doctor({ ...changed, VAULTADMIN_US_MAX_RETRIES: '0' });
  const found = ofSubject(report, 'cluster "us"').at(-1);
  expect(found).toMatchObject({ outcome: 'problem' });
  expect(found?.text).toContain(text);
  expect(JSON.stringify(report)).not.toContain('canary-wrong');
  expect(report.code).toBe(1);
});

test('doctor reports a sealed cluster, and one without an enterprise edition', async () => {
  await new Api(us.address, us.rootToken).put('sys/seal');
  expect(ofSubject(await doctor(), 'cluster "us"')).toEqual([
    { outcome: 'problem', text: `${us.address} is sealed`, cure: 'run vault operator unseal' },
  ]);

  await using open = await startEmulator({ clusters: { us: 0 }, serverVersion: '1.21.0' });
  const { address, rootToken } = open.clusters.us;
  const report = await doctor({ VAULTADMIN_US_ADDR: address, VAULTADMIN_US_TOKEN: rootToken });
  expect(ofSubject(report, 'cluster "us"')[1]).toMatchObject({
    outcome: 'doubt',
    text: expect.stringMatching(/^it is not an Enterprise server: it supports only ACL policies/) as string,
  });
  expect(report.code).toBe(3);

  synthesize();
  const settings = { VAULTADMIN_US_ADDR: address, VAULTADMIN_US_TOKEN: rootToken };
  expect((await doctor(settings)).code).toBe(0);
  const rgp = { vault_rgp_policy: { a: { name: 'a', provider: 'vault.us' } } };
  changeStack((json) => {
    json.provider.vault = [{ alias: 'us', address }];
    Object.assign(json.resource!, rgp);
  });
  const refused = await doctor({ ...settings, VAULT_TOKEN: rootToken });
  expect(refused.checks.filter(({ outcome }) => outcome === 'problem').map(({ text }) => text)).toEqual([
    'it is not an Enterprise server, and does not support vault_rgp_policy of the stacks',
  ]);
  expect(refused.code).toBe(1);
});

test('doctor reports clocks that differ', async () => {
  emulator.clock.advance(3_600_000);
  const [, found] = ofSubject(await doctor(), 'cluster "us"');
  expect(found?.outcome).toBe('doubt');
  expect(found?.text).toMatch(/^its clock differs from this machine's by (59m|1h)/);
});

test('doctor reports settings of terraform that hide the provider, and the settings to write', async () => {
  synthesize();
  const file = join(folder, '.terraformrc');
  const exclude = '"exclude" of its direct';
  writeFileSync(file, 'provider_installation {\n  direct {}\n}\n');
  expect(ofSubject(await doctor(), "Terraform's settings")).toEqual([
    {
      outcome: 'problem',
      text: expect.stringContaining(`provider_installation in ${file} keeps "terraform init" from`) as string,
      cure: expect.stringContaining(exclude) as string,
    },
  ]);
  writeFileSync(file, '# provider_installation { }\n');
  expect(ofSubject(await doctor(), "Terraform's settings")).toEqual([{ outcome: 'ok', text: file }]);
});

test('doctor reports that the file with the settings of Terraform does not exist', async () => {
  const [found] = ofSubject(
    await doctor({ TF_CLI_CONFIG_FILE: join(folder, 'gone') }),
    "Terraform's settings",
  );
  expect(found).toEqual({
    outcome: 'doubt',
    text: `TF_CLI_CONFIG_FILE is ${join(folder, 'gone')}, which does not exist`,
    cure: 'unset it, or correct the path',
  });
});

test('doctor reports stacks without their provider or its lock', async () => {
  synthesize();
  const stack = join(folder, 'cdktf.out', 'stacks', 'policies');
  writeFileSync(join(stack, '.terraform.lock.hcl'), '');
  expect(ofSubject(await doctor(), 'stack "policies"')[0]).toMatchObject({
    outcome: 'problem',
    text: expect.stringContaining('does not lock provider') as string,
  });
  rmSync(join(stack, 'terraform.d'), { recursive: true });
  expect(ofSubject(await doctor(), 'stack "policies"')[0]).toMatchObject({
    outcome: 'problem',
    text: expect.stringContaining('is missing in its folder') as string,
  });
});

test('doctor reports a stack that cannot be read, without a stack trace', async () => {
  const stack = join(folder, 'cdktf.out', 'stacks', 'broken');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), '{');
  const { code, stderr } = await vaultAdmin(['doctor'], env, folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^vault-admin: cdktf\.out\/stacks\/broken\/cdk\.tf\.json cannot be read: .*; synthesize the app again\n$/,
  );
});

test('doctor reports programs that are missing', async () => {
  synthesize();
  const report = await doctor({ TERRAFORM_BINARY_NAME: 'no-such-terraform', PATH: folder });
  expect(ofSubject(report, 'Node.js')[0]).toMatchObject({
    outcome: 'problem',
    text: '"node" was not found in the PATH',
  });
  expect(ofSubject(report, 'Terraform')[0]).toMatchObject({
    outcome: 'problem',
    text: 'not found (looked for: no-such-terraform)',
  });
});

test('doctor does not ask for Node.js if the provider beside the stack is an executable', async () => {
  synthesize();
  const plugins = join(folder, 'cdktf.out', 'stacks', 'policies', 'terraform.d', 'plugins');
  const provider = join(plugins, PROVIDER_ADDRESS, PROVIDER_VERSION, platform());
  rmSync(join(provider, 'package.json'));
  expect(ofSubject(await doctor({ PATH: folder }), 'Node.js')).toEqual([]);
});

test('a cluster whose settings may lead the two providers to different servers is a problem', async () => {
  const app = new App({ outdir: join(folder, 'cdktf.out') });
  const stack = new TerraformStack(app, 'both');
  const cluster = new VaultCluster(stack, 'Us', { name: 'us' });
  new AclPolicy(stack, 'Ops', {
    cluster,
    policyName: 'ops',
    statements: [new PolicyStatement({ paths: ['secret/*'], capabilities: [Capability.READ] })],
  });
  cluster.providerFor(stack, ResourceProvider.VAULTADMIN);
  app.synth();

  const { VAULTADMIN_US_ADDR: address = '', VAULTADMIN_US_TOKEN: token = '' } = env;
  const { code, checks } = await doctor({ VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: token });
  expect(code).toBe(1);
  expect(checks.filter(({ subject }) => subject === 'settings')).toEqual([
    {
      subject: 'settings',
      outcome: 'problem',
      text:
        'cluster "us": VAULTADMIN_US_ADDR differs from VAULT_ADDR. The provider hashicorp/vault also manages objects of ' +
        'this cluster, and reads only VAULT_ADDR: the two providers could use different clusters.',
      cure: 'unset VAULTADMIN_US_ADDR, or set VAULT_ADDR to the same value, or configure the setting in the app for both.',
    },
  ]);
  const same = await doctor({ VAULT_ADDR: address, VAULT_TOKEN: token });
  expect(same.checks.filter(({ subject }) => subject === 'settings')).toEqual([]);
});

test('doctor prints the policy that the token needs, and a token with this policy lacks nothing', async () => {
  synthesize();
  const print = () => vaultAdmin(['doctor', '--least-policy'], env, folder);
  const { code, stdout } = await print();
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `# For the token of cluster "us", in the root namespace, in addition to the policy "default".

path "sys/policies/acl/ops" {
  capabilities = ["read", "update", "delete"]
}
`,
  });
  expect((await doctor({ VAULTADMIN_US_TOKEN: await tokenWith(stdout) })).code).toBe(0);

  // In other namespaces, the policy "default" of the token does not count.
  const root = new Api(us.address, us.rootToken);
  await root.post('sys/namespaces/team', {});
  await root.post('sys/namespaces/sub', {}, { namespace: 'team' });
  changeStack((json) => {
    const block = { cluster: 'us', name: 'ops', namespace: 'sub' };
    const filter = { cluster: 'us', secondary_id: 'eu' };
    Object.assign(json.resource!, {
      vaultadmin_acl_policy: { here: { ...block, namespace: '' }, below: block },
      vaultadmin_perf_replication_paths_filter: { f: filter },
    });
  });
  const within = { VAULTADMIN_US_NAMESPACE: 'team' };
  const reaching = await vaultAdmin(['doctor', '--least-policy'], { ...env, ...within }, folder);
  expect(reaching.stdout.match(/^path .*/gm)).toEqual([
    'path "team/sys/policies/acl/ops" {',
    'path "team/sub/sys/policies/acl/ops" {',
    'path "sys/replication/performance/primary/paths-filter/eu" {',
    'path "team/auth/token/lookup-self" {',
    'path "team/sys/capabilities-self" {',
    'path "team/sub/sys/capabilities-self" {',
  ]);
  const checked = await doctor({ ...within, VAULTADMIN_US_TOKEN: await tokenWith(reaching.stdout) });
  expect(checked.checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(checked.code).toBe(0);

  const acl = { a: { cluster: 'us', name: 'ops' } };
  const mount = { kv: { path: 'kv' } };
  changeStack((json) =>
    Object.assign(json, { resource: { vaultadmin_acl_policy: acl, vault_mount: mount } }),
  );
  const partial = await print();
  expect({ code: partial.code, last: partial.stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 3,
    last: '# Not included: what vault_mount.kv of stack "policies" requires could not be determined.',
  });
});
