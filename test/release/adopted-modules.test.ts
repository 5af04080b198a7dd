/** Tests modules that `adopt --hcl` wrote, with the provider installed as their README says. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator';
import { vaultAdmin } from '../cli/support/cli';
import { temporaryFolder } from '../support/temporary-folder';
import { platform, Workspace } from '../support/terraform';
import { smallRelease } from './support/release';

const ROOT = join(__dirname, '..', '..');

test.each<[what: string, command: RegExp, prepare: (folder: string) => Promise<string>]>([
  ['the zips of a release', /`(mkdir .*\.zip .*)`/, () => Promise.resolve(join(smallRelease(), 'assets'))],
  [
    'the npm package',
    /`(mkdir .*node_modules.*)`/,
    (folder) => {
      mkdirSync(join(folder, 'node_modules', 'cdktf-vault-admin'), { recursive: true });
      symlinkSync(join(ROOT, 'lib'), join(folder, 'node_modules', 'cdktf-vault-admin', 'lib'));
      return Promise.resolve(folder);
    },
  ],
])('a plan after the commands of the README contains only imports, with %s', async (_, command, prepare) => {
  const folder = temporaryFolder('adopted');
  const emulator = await startEmulator({ clusters: { us: 0 } });
  const workspace = new Workspace();
  try {
    const { address, rootToken } = emulator.clusters.us;
    const settings = { VAULT_ADDR: address, VAULT_TOKEN: rootToken };
    Object.assign(workspace.env, settings);
    const response = await fetch(`${address}/v1/sys/policies/acl/ops`, {
      method: 'POST',
      headers: { 'X-Vault-Token': rootToken },
      body: '{"policy": "path \\"a\\" { capabilities = [\\"read\\"] }"}',
    });
    expect(response.status).toBe(204);
    const output = join(folder, 'estate');
    expect(await vaultAdmin(['adopt', '--hcl', '--output', output], settings)).toMatchObject({ code: 0 });
    cpSync(join(output, 'default'), workspace.folder, { recursive: true });

    const [, install] = command.exec(readFileSync(join(output, 'README.md'), 'utf8'))!;
    execFileSync('sh', ['-ec', install!.replaceAll('linux_amd64', platform())], {
      cwd: await prepare(folder),
      env: { ...process.env, HOME: workspace.home },
    });
    await workspace.init();
    const { resource_changes: changes = [] } = await workspace.plan();
    expect(
      changes.map(({ address: name, change }) => [name, change.actions, Boolean(change.importing)]),
    ).toEqual([['vaultadmin_acl_policy.acl_ops', ['no-op'], true]]);
  } finally {
    await workspace.dispose();
    await emulator.close();
  }
});
