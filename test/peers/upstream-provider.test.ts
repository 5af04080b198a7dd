import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator';
import { Api } from '../emulator/support/api';
import { actions, Workspace } from '../support/terraform';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());

const stack = readFileSync(join(__dirname, 'upstream-stack.tf'), 'utf8');
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

// The provider behaves differently on these versions of the server.
(mirror ? describe : describe.skip).each(['1.13.0+ent', '1.21.0+ent', '2.0.0+ent'])(
  'hashicorp/vault 5.11 on a server %s',
  (serverVersion) => {
    let emulator: Emulator;
    let workspace: Workspace;
    let api: Api;

    beforeAll(async () => {
      emulator = await startEmulator({ serverVersion, rootToken: 'root', storedMounts: true });
      const { address } = emulator.clusters['default']!;
      api = new Api(address);
      workspace = new Workspace({
        files: { 'main.tf': stack, 'pipeline.pem': publicKey },
        env: { VAULT_ADDR: address, VAULT_TOKEN: 'root' },
      });
      await workspace.init(`-plugin-dir=${mirror}`);
    });

    afterAll(async () => {
      await workspace.dispose();
      await emulator.close();
    });

    /** Runs a plan, which ends with the code 2 if there is a change. */
    function planned(...args: readonly string[]) {
      return workspace.run('plan', '-input=false', '-no-color', '-detailed-exitcode', ...args);
    }

    it('the upstream provider creates the resources of a stack', async () => {
      await workspace.apply();

      const outputs = JSON.parse((await workspace.must('output', '-json')).stdout) as Record<
        string,
        { value: unknown }
      >;
      expect(Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]))).toEqual({
        plain: { password: 'plain-1' },
        versioned: { password: 'versioned-1' },
        secrets: ['app/'],
        namespaces: ['team'],
        auth_methods: ['kubernetes', 'machines', 'pipeline', 'token', 'userpass'],
        login_policies: ['app', 'default'],
        ann: 'ann',
        team: ['app'],
      });
    });

    it('the upstream provider plans no changes afterwards', async () => {
      expect(await planned()).toMatchObject({ code: 0, stderr: '' });
    });

    it('the upstream provider changes resources in place if the stack changes', async () => {
      await workspace.apply('-var=revision=2');

      expect(await planned('-var=revision=2')).toMatchObject({ code: 0, stderr: '' });
      expect((await api.get('sys/policies/rgp/hours')).body.data).toEqual({
        name: 'hours',
        enforcement_level: 'soft-mandatory',
        policy: '# revision 2\nmain = rule { true }',
      });
      expect((await api.get('versioned/metadata/app/db')).body.data.current_version).toBe(2);
    });

    it('detects and repairs changes that were made outside of Terraform', async () => {
      await api.put('sys/policies/acl/app', { policy: 'path "sys/raw" { capabilities = ["deny"] }' });
      await api.delete('sys/mounts/plain');

      const plan = actions(await workspace.plan('-var=revision=2'));
      expect(plan).toMatchObject({
        'vault_policy.app': 'update',
        'vault_mount.plain': 'create',
        'vault_kv_secret.plain': 'create',
      });
      await workspace.apply('tfplan');
      expect((await api.get('plain/app')).body.data).toEqual({ password: 'plain-2' });
    });

    it('destroys all resources', async () => {
      await workspace.destroy('-var=revision=2');

      expect((await api.list('sys/policies/acl')).body.data.keys).toEqual(['default', 'root']);
      expect((await api.list('sys/policies/egp')).status).toBe(404);
      expect((await api.list('sys/namespaces')).status).toBe(404);
      expect(Object.keys((await api.get('sys/auth')).body.data)).toEqual(['token/']);
      expect(Object.keys((await api.get('sys/mounts')).body.data)).toEqual([
        'cubbyhole/',
        'identity/',
        'sys/',
      ]);
    });
  },
);
