import { TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  Capability,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  PolicyStatement,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from '../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { Workspace } from '../support/terraform';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';
import { mirrorSettings, synthesizeInto } from './support/stack-workspace';

const ROOT_TOKEN = 'canary-root-token';
const SENTINEL = 'import "strings"\n\nmain = rule {\n  strings.has_prefix(request.path, "secret/")\n}\n';
/**
 * A text with all characters that are special in Terraform, HCL or JSON. It must arrive unchanged.
 */
const TRICKY =
  '# 100%{ "ü" \\ ${not an expression} <<EOT\npath "secret/{{identity.entity.name}}/*" {\n\tcapabilities = ["read"]\n}\n';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const switches = [ResourceProvider.VAULTADMIN, ...(mirror ? [ResourceProvider.UPSTREAM] : [])];

describe.each(switches)('an app with resources of %s, through the real terraform', (resources) => {
  let emulator: Emulator;
  let workspace: Workspace;

  beforeEach(async () => {
    emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, rootToken: ROOT_TOKEN });
    workspace = new Workspace({
      files: mirror ? { 'settings.tfrc': mirrorSettings(mirror) } : {},
      env: resources === ResourceProvider.UPSTREAM ? { TF_CLI_CONFIG_FILE: 'settings.tfrc' } : {},
    });
  });
  afterEach(async () => {
    await workspace.dispose();
    await emulator.close();
  });

  const clusterOf = (name: string) => emulator.clusters[name] as RunningCluster;

  test('policies of every kind are created on two clusters, have no further changes, and are destroyed', async () => {
    synthesizeInto(workspace, (stack) => {
      for (const name of ['us', 'eu']) {
        const { address } = clusterOf(name);
        const token = VaultSecret.fromVariable(`${name}_token`);
        const cluster = new VaultCluster(stack, name, { name, address, token, resourceProvider: resources });
        const team = new TerraformVariable(stack, `${name}_team`, {
          type: 'string',
          default: `team-${name}`,
        });
        const statement = new PolicyStatement({
          paths: [`secret/data/${team.stringValue}/*`],
          capabilities: [Capability.CREATE, Capability.READ],
          allowedParameters: { owner: ['ops'] },
        });
        new AclPolicy(stack, `Acl-${name}`, { cluster, policyName: 'readers', statements: [statement] });
        new RgpPolicy(stack, `Rgp-${name}`, {
          cluster,
          policyName: 'rgp',
          document: SentinelDocument.fromText(SENTINEL),
          enforcementLevel: EnforcementLevel.SOFT_MANDATORY,
        });
        new EgpPolicy(stack, `Egp-${name}`, {
          cluster,
          policyName: 'egp',
          document: SentinelDocument.fromText(SENTINEL),
          enforcementLevel: EnforcementLevel.ADVISORY,
          paths: ['secret/*', 'sys/mounts'],
        });
      }
    });
    const secrets = { TF_VAR_us_token: ROOT_TOKEN, TF_VAR_eu_token: ROOT_TOKEN };
    await workspace.init();
    const planned = await workspace.runWith(secrets, 'plan', '-out=tfplan', '-no-color');
    expect(planned.stdout).toContain('Plan: 6 to add, 0 to change, 0 to destroy.');
    expect(await workspace.runWith(secrets, 'apply', '-no-color', 'tfplan')).toMatchObject({ code: 0 });

    for (const name of ['us', 'eu']) {
      expect(await read(clusterOf(name), 'acl/readers')).toEqual({
        name: 'readers',
        policy:
          `path "secret/data/team-${name}/*" {\n  capabilities = ["create", "read"]\n` +
          '  allowed_parameters = {\n    "owner" = ["ops"]\n  }\n}\n',
      });
      expect(await read(clusterOf(name), 'rgp/rgp')).toEqual({
        name: 'rgp',
        policy: SENTINEL,
        enforcement_level: 'soft-mandatory',
      });
      expect(await read(clusterOf(name), 'egp/egp')).toEqual({
        name: 'egp',
        policy: SENTINEL,
        enforcement_level: 'advisory',
        paths: ['secret/*', 'sys/mounts'],
      });
    }
    expect((await workspace.must('show', '-json', 'tfplan')).stdout).not.toContain(ROOT_TOKEN);
    expect(workspace.read('terraform.tfstate')).not.toContain(ROOT_TOKEN);

    const again = await workspace.runWith(secrets, 'plan', '-detailed-exitcode', '-no-color');
    expect(again.stdout).toContain('No changes.');

    expect(await workspace.runWith(secrets, 'destroy', '-auto-approve', '-no-color')).toMatchObject({
      code: 0,
    });
    expect(await read(clusterOf('us'), 'acl/readers')).toBeUndefined();
    expect(await read(clusterOf('eu'), 'egp/egp')).toBeUndefined();
  });

  test('a policy that exists is not overwritten', async () => {
    const cluster = clusterOf('us');
    const url = `${cluster.address}/v1/sys/policies/acl/ops`;
    const headers = { 'X-Vault-Token': ROOT_TOKEN };
    const policy = 'path "sys/seal" { capabilities = ["update", "sudo"] }';
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ policy }) });
    synthesizeInto(workspace, (stack) => {
      const { address } = cluster;
      const token = VaultSecret.fromVariable('token');
      new AclPolicy(stack, 'Ops', {
        cluster: new VaultCluster(stack, 'Cluster', { address, token, resourceProvider: resources }),
        policyName: 'ops',
        statements: [new PolicyStatement({ paths: ['kv/*'], capabilities: [Capability.READ] })],
      });
    });
    await workspace.init();
    const secrets = { TF_VAR_token: ROOT_TOKEN };
    const applied = await workspace.runWith(secrets, 'apply', '-auto-approve', '-no-color');
    expect(applied).toMatchObject({ code: 1 });
    expect(applied.stderr).toContain('already exists');
    expect(await read(cluster, 'acl/ops')).toEqual({ name: 'ops', policy });
  });

  test('a cluster without settings uses VAULT_ADDR and VAULT_TOKEN, and text is sent unchanged', async () => {
    workspace.write('tricky.hcl', TRICKY);
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: resources });
      const document = PolicyDocument.fromFile(`${workspace.folder}/tricky.hcl`);
      new AclPolicy(stack, 'Tricky', { cluster, policyName: 'tricky', document });
    });
    const us = clusterOf('us');
    const environment = { VAULT_ADDR: us.address, VAULT_TOKEN: ROOT_TOKEN };
    await workspace.init();
    expect(await workspace.runWith(environment, 'apply', '-auto-approve', '-no-color')).toMatchObject({
      code: 0,
    });
    expect(await read(us, 'acl/tricky')).toEqual({ name: 'tricky', policy: TRICKY });
    expect(await read(clusterOf('eu'), 'acl/tricky')).toBeUndefined();
  });

  test('a login is used in place of a token', async () => {
    const us = clusterOf('us');
    await write(us, 'sys/auth/userpass', { type: 'userpass' });
    await write(us, 'sys/policies/acl/admin', {
      policy:
        'path "sys/policies/*" { capabilities = ["create", "read", "update", "delete"] }\npath "auth/token/*" { capabilities = ["update", "sudo"] }',
    });
    await write(us, 'auth/userpass/users/alice', { password: 'canary-password', token_policies: 'admin' });
    synthesizeInto(workspace, (stack) => {
      const parameters = { password: VaultSecret.fromVariable('password') };
      const cluster = new VaultCluster(stack, 'Cluster', {
        name: 'us',
        address: us.address,
        authLogin: { path: 'auth/userpass/login/alice', parameters },
        resourceProvider: resources,
      });
      const statements = [new PolicyStatement({ paths: ['secret/*'], capabilities: [Capability.READ] })];
      new AclPolicy(stack, 'Readers', { cluster, policyName: 'readers', statements });
    });
    await workspace.init();
    const secrets = { TF_VAR_password: 'canary-password' };
    expect(await workspace.runWith(secrets, 'apply', '-auto-approve', '-no-color')).toMatchObject({
      code: 0,
    });
    expect(await read(us, 'acl/readers')).toMatchObject({ name: 'readers' });
    expect(workspace.read('terraform.tfstate')).not.toContain('canary');
  });
});

async function read(cluster: RunningCluster, policy: string): Promise<unknown> {
  const response = await fetch(`${cluster.address}/v1/sys/policies/${policy}`, {
    headers: { 'X-Vault-Token': ROOT_TOKEN },
  });
  if (response.status === 404) return undefined;
  return ((await response.json()) as { data: unknown }).data;
}

async function write(cluster: RunningCluster, path: string, body: object): Promise<void> {
  const response = await fetch(`${cluster.address}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': ROOT_TOKEN },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(204);
}
