import { join } from 'node:path';
import { VaultClient, VaultError } from '../../src/client';
import { Project } from '../cli/adopt/support/project';
import { vaultAdminAlone } from '../cli/support/cli';
import { Api } from '../emulator/support/api';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { providerPackage } from '../../constructs/placement/provider-package';
import {
  openServerBinary,
  openServerMissing,
  startOpenServer,
  type OpenServer,
} from '../support/open-server';
import { temporaryFolder } from '../support/temporary-folder';
import { actions, Workspace } from '../support/terraform';

const binary = openServerBinary();
if (!binary) console.warn(openServerMissing());

const TEXT = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';

(binary ? describe : describe.skip)('a real OpenBao or Vault, in its open edition,', () => {
  let server: OpenServer;
  let api: Api;
  let client: VaultClient;
  let workspace: Workspace;

  const env = () => ({ VAULT_ADDR: server.address, VAULT_TOKEN: server.rootToken });

  beforeAll(async () => {
    server = await startOpenServer(binary!);
    console.info(`tried with ${server.version}`);
    api = new Api(server.address, server.rootToken);
    client = new VaultClient({ address: server.address, token: server.rootToken });
    await api.put('sys/policies/acl/operator', {
      policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }',
    });
    workspace = new Workspace({ env: { VAULT_ADDR: server.address, VAULT_TOKEN: server.rootToken } });
    workspace.place({ address: PROVIDER_ADDRESS, version: PROVIDER_VERSION, path: providerPackage().folder });
  });
  afterAll(async () => {
    await workspace?.dispose();
    await client?.close();
    await server?.close();
  });

  test('an open server stores ACL policies for the client', async () => {
    const { acl } = client.policies;
    expect(await acl.read('client')).toBeUndefined();
    await acl.write('client', { policy: TEXT });
    expect((await acl.read('client'))?.data).toEqual({ name: 'client', policy: TEXT });
    expect((await acl.list()).data.keys).toEqual(expect.arrayContaining(['client', 'default', 'root']));
    await acl.delete('client');
    expect(await acl.read('client')).toBeUndefined();
    await expect(acl.write('broken', { policy: 'path' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('accepts logins of the client', async () => {
    await api.put('sys/auth/userpass', { type: 'userpass' });
    await api.put('auth/userpass/users/ann', { password: 'canary-pw', token_policies: ['operator'] });
    const { token } = await client.auth.login('auth/userpass/login/ann', { password: 'canary-pw' });
    const info = await client.withToken(token).token.lookupSelf();
    expect(info.data.policies).toEqual(['default', 'operator']);
    const refused = client.auth.login('auth/userpass/login/ann', { password: 'wrong' });
    await expect(refused).rejects.toMatchObject({ code: 'login_refused' });
  });

  test('causes a clear error for features that it does not have', async () => {
    const missing = await client.policies.rgp
      .write('rgp', {
        policy: 'main = rule { true }',
        enforcement_level: 'advisory',
      })
      .catch((error: unknown) => error);
    expect(VaultError.is(missing) && missing.code).toBe('unsupported_path');
  });

  test('an open server stores ACL policies for the provider with an AppRole: create, drift, repair, import, destroy', async () => {
    await api.put('sys/auth/approle', { type: 'approle' });
    await api.put('auth/approle/role/pipeline', { token_policies: ['operator'] });
    const role = await api.get('auth/approle/role/pipeline/role-id');
    const secret = await api.put('auth/approle/role/pipeline/secret-id');
    const parameters = {
      role_id: (role.body as { data: { role_id: string } }).data.role_id,
      secret_id: (secret.body as { data: { secret_id: string } }).data.secret_id,
    };
    const configuration = (policy: string) => ({
      terraform: { required_providers: { vaultadmin: { source: PROVIDER_ADDRESS } } },
      provider: {
        vaultadmin: { clusters: { open: { auth_login: { path: 'auth/approle/login', parameters } } } },
      },
      resource: { vaultadmin_acl_policy: { it: { name: 'provider', policy } } },
    });
    workspace.write('main.tf.json', configuration(TEXT));
    await workspace.init();
    await workspace.apply();
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.it': 'no-op' });

    await api.put('sys/policies/acl/provider', { policy: 'path "x" { capabilities = ["list"] }' });
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.it': 'update' });
    await workspace.apply();
    expect((await client.policies.acl.read('provider'))?.data.policy).toBe(TEXT);

    await workspace.must('state', 'rm', 'vaultadmin_acl_policy.it');
    await workspace.must('import', 'vaultadmin_acl_policy.it', 'provider');
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.it': 'no-op' });

    await workspace.must('destroy', '-auto-approve');
    expect(await client.policies.acl.read('provider')).toBeUndefined();
  });

  test('has its edition shown by status and doctor', async () => {
    const status = await vaultAdminAlone(['status', '--json'], env());
    expect(JSON.parse(status.stdout)).toMatchObject({
      clusters: [
        {
          sealed: false,
          replication: { mode: 'unsupported' },
          managed_keys: [],
          auto_snapshots: [],
          failures: [],
        },
      ],
      problems: [],
    });
    expect(status.code).toBe(0);
    const doctor = await vaultAdminAlone(['doctor'], env());
    expect(doctor.stdout).toContain('it is not an Enterprise server');
    expect(doctor.code).toBe(3);
  });

  test('verify leaves an open server unchanged, and reports what it could observe', async () => {
    const estate = async () => [
      (await api.get('sys/mounts')).body.data,
      (await api.get('sys/auth')).body.data,
      (await api.list('sys/policies/acl')).body.data,
      (await api.list('sys/namespaces')).body,
    ];
    const before = await estate();
    const { code, stdout, stderr } = await vaultAdminAlone(['verify', '--json'], env());
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const { assumptions } = JSON.parse(stdout);
    // Go's router decides this, so Vault behaves in the same way.
    expect(assumptions.untidyPaths).toMatchObject({ outcome: 'otherwise', alternative: '307' });
    expect(assumptions.jsonErrorText.measured).toEqual({ status: 400, text: 'error parsing JSON' });
    for (const name of ['egpList', 'managedKeyWrites', 'lastRemoteWal', 'snapshotSpace']) {
      expect(assumptions[name].outcome).toBe('not_seen');
    }
    expect(await estate()).toEqual(before);
  });

  describe('if it has namespaces', () => {
    let below: boolean;

    beforeAll(async () => {
      below = (await api.post('sys/namespaces/team', {})).status === 200;
      if (!below) return console.warn('NOT TRIED: namespaces, which this server has not');
      await client.withNamespace('team').write('sys/namespaces/web', {});
      const policy = { policy: TEXT };
      for (const namespace of ['', 'team', 'team/web'])
        await client.withNamespace(namespace).policies.acl.write('by-hand', policy);
    });

    test('has its objects adopted by a plan and an apply that only import', async () => {
      if (!below) return;
      const folder = temporaryFolder('open-estate');
      const project = new Project(join(folder, 'estate'));
      try {
        const args = ['adopt', '--namespace', '*', '--output', project.folder];
        expect((await vaultAdminAlone(args, env())).code).toBe(0);
        project.install();
        expect(project.synth()).toEqual(['default']);
        const stack = await project.stack('default', env());
        const { resource_changes: changes = [] } = await stack.plan();
        expect(changes.filter(({ change }) => change.actions.join() !== 'no-op')).toEqual([]);
        expect(changes.map(({ change }) => change.importing?.id)).toEqual(
          expect.arrayContaining(['default//by-hand', 'default/team//by-hand', 'default/team/web//by-hand']),
        );
        const { stdout } = await stack.must('apply', '-input=false', '-no-color', 'tfplan');
        expect(stdout).toMatch(/ imported, 0 added, 0 changed, 0 destroyed/);
      } finally {
        await project.dispose();
      }
    });

    test('an error for a namespace that does not exist contains its name', async () => {
      if (!below) return;
      const missing = client.withNamespace('nowhere').policies.acl.read('x');
      await expect(missing).rejects.toThrow('Namespace "nowhere" does not exist: create it first');
      const status = await vaultAdminAlone(['status'], { ...env(), VAULT_NAMESPACE: 'nowhere' });
      expect(status.code).toBe(3);
      expect(status.stdout).toContain('Namespace "nowhere" does not exist');
    });

    test('causes no failure for features that are not available in namespaces', async () => {
      if (!below) return;
      expect((await vaultAdminAlone(['status'], { ...env(), VAULT_NAMESPACE: 'team' })).code).toBe(0);
    });
  });
});
