import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { AclPolicy, Capability, PolicyStatement, VaultCluster, VaultResources } from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { terraformBinary } from '../../support/terraform';
import { vaultAdmin } from '../support/cli';

let emulator: Emulator;
let us: RunningCluster;
let folder: string;
let env: Record<string, string>;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  us = emulator.clusters.us as RunningCluster;
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  env = {
    HOME: folder,
    TERRAFORM_BINARY_NAME: terraformBinary(),
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_US_TOKEN: us.rootToken,
  };
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await emulator.close();
});

/** An app with one policy, synthesized into the folder. */
function synthesize(): void {
  const app = new App({ outdir: join(folder, 'cdktf.out') });
  const stack = new TerraformStack(app, 'policies');
  new AclPolicy(stack, 'Ops', {
    cluster: new VaultCluster(stack, 'Us', { name: 'us', resources: VaultResources.VAULTADMIN }),
    policyName: 'ops',
    statements: [new PolicyStatement({ paths: ['secret/*'], capabilities: [Capability.READ] })],
  });
  app.synth();
}

async function tokenWith(policy: string): Promise<string> {
  const api = new Api(us.address, us.rootToken);
  await api.put('sys/policies/acl/deployer', { policy });
  const answer = await api.post('auth/token/create', { policies: ['deployer'], ttl: '1h' });
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
  return { code, ...(JSON.parse(stdout) as Report) };
}

const ofSubject = ({ checks }: Report, subject: string) =>
  checks.filter((check) => check.subject === subject).map(({ subject: _subject, ...check }) => check);

test('finds a set-up that works', async () => {
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
    'its token may do all that the stacks need',
  ]);
  expect(code).toBe(0);
});

test('says which capabilities a token lacks, and how to grant them', async () => {
  synthesize();
  const token = await tokenWith('path "sys/policies/acl/*" { capabilities = ["read"] }');
  const report = await doctor({ VAULTADMIN_US_TOKEN: token });
  expect(ofSubject(report, 'cluster "us"').at(-1)).toEqual({
    outcome: 'problem',
    text: 'its token lacks update, delete on sys/policies/acl/ops',
    cure: 'grant it in one of its policies: path "sys/policies/acl/ops" { capabilities = ["read","update","delete"] }',
  });
  expect(report.code).toBe(1);
});

test.each([
  ['an address where nothing listens', { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1' }, 'no connection'],
  ['a token that is none', { VAULTADMIN_US_TOKEN: 'canary-wrong' }, 'The server does not know the token'],
])('finds %s', async (_what, changed, text) => {
  const report = await doctor({ ...changed, VAULTADMIN_US_MAX_RETRIES: '0' });
  const found = ofSubject(report, 'cluster "us"').at(-1);
  expect(found).toMatchObject({ outcome: 'problem' });
  expect(found?.text).toContain(text);
  expect(JSON.stringify(report)).not.toContain('canary-wrong');
  expect(report.code).toBe(1);
});

test('finds a sealed cluster, and one without an enterprise edition', async () => {
  await new Api(us.address, us.rootToken).put('sys/seal');
  expect(ofSubject(await doctor(), 'cluster "us"')).toEqual([
    { outcome: 'problem', text: `${us.address} is sealed`, cure: 'run vault operator unseal' },
  ]);

  const open = await startEmulator({ clusters: { us: 0 }, serverVersion: '1.21.0' });
  try {
    const { address, rootToken } = open.clusters.us as RunningCluster;
    const report = await doctor({ VAULTADMIN_US_ADDR: address, VAULTADMIN_US_TOKEN: rootToken });
    expect(ofSubject(report, 'cluster "us"')[1]).toMatchObject({ outcome: 'doubt' });
    expect(report.code).toBe(3);
  } finally {
    await open.close();
  }
});

test('finds clocks that differ', async () => {
  emulator.clock.advance(3_600_000);
  const [, found] = ofSubject(await doctor(), 'cluster "us"');
  expect(found?.outcome).toBe('doubt');
  expect(found?.text).toMatch(/^its clock and this machine's differ by (59m|1h)/);
});

test("finds that the user's settings of terraform hide the provider, and says what to write", async () => {
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

test('finds settings that are named and not there', async () => {
  const [found] = ofSubject(
    await doctor({ TF_CLI_CONFIG_FILE: join(folder, 'gone') }),
    "Terraform's settings",
  );
  expect(found).toEqual({
    outcome: 'doubt',
    text: `TF_CLI_CONFIG_FILE names ${join(folder, 'gone')}, which is not there`,
    cure: 'unset it, or correct the path',
  });
});

test('finds stacks without their provider or its lock', async () => {
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
    text: expect.stringContaining('does not lie beside it') as string,
  });
});

test('says in words that a stack cannot be read', async () => {
  const stack = join(folder, 'cdktf.out', 'stacks', 'broken');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), '{');
  const { code, stderr } = await vaultAdmin(['doctor'], env, folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^vault-admin: cdktf\.out\/stacks\/broken\/cdk\.tf\.json cannot be read: .*; synthesize the app again\n$/,
  );
});

test('finds programs that are missing', async () => {
  const report = await doctor({ TERRAFORM_BINARY_NAME: 'no-such-terraform', PATH: folder });
  expect(ofSubject(report, 'Node.js')[0]).toMatchObject({
    outcome: 'problem',
    text: 'no "node" is in the PATH',
  });
  expect(ofSubject(report, 'Terraform')[0]).toMatchObject({
    outcome: 'problem',
    text: 'none was found (looked for: no-such-terraform)',
  });
});
