import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { mirrorSettings, PLACED_PROVIDERS } from '../constructs/support/stack-workspace';
import { inFolder } from '../constructs/support/synthesize';
import { startEmulator } from '../../src/emulator';
import { actions, Workspace } from '../support/terraform';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';
import { appsOf, runApp } from './support/programs';

const [page] = appsOf('docs/guides/changing-providers.md', 'ts') as [string];

/** The code that the page adds for one apply, and deletes afterwards. */
const TEMPORARY = /\n\/\/ For one apply:\n[^]*?\n\n/;

const before = withoutTemporary(page).replace('ResourceProvider.UPSTREAM', 'ResourceProvider.VAULTADMIN');
const after = withoutTemporary(page);

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const testWithUpstream = mirror ? test : test.skip;

testWithUpstream('a return to hashicorp/vault as the page shows it changes only the state', async () => {
  const emulator = await startEmulator({ rootToken: 'root' });
  const workspace = new Workspace({
    files: {
      'settings.tfrc': mirrorSettings(mirror!, PLACED_PROVIDERS),
      [join(PLACED_PROVIDERS, '.keep')]: '',
    },
    env: {
      VAULT_ADDR: emulator.clusters.default.address,
      VAULT_TOKEN: 'root',
      TF_CLI_CONFIG_FILE: 'settings.tfrc',
    },
  });
  const plan = async (code: string) => {
    synthesizeInto(workspace, code);
    await workspace.init('-upgrade');
    return actions(await workspace.plan());
  };
  try {
    expect(await plan(before)).toEqual({ 'vaultadmin_acl_policy.Reader': 'create' });
    await workspace.apply('tfplan');

    expect(await plan(after)).toEqual({
      'vault_policy.Reader': 'create',
      'vaultadmin_acl_policy.Reader': 'delete',
    });

    emulator.requests.clear();
    expect(await plan(page)).toEqual({
      'vault_policy.Reader': 'no-op',
      'vaultadmin_acl_policy.Reader': 'forget',
    });
    const { stdout } = await workspace.apply('tfplan');
    expect(stdout).toContain('Apply complete! Resources: 1 imported, 0 added, 0 changed, 0 destroyed.');
    expect(await plan(after)).toEqual({ 'vault_policy.Reader': 'no-op' });
    const writes = emulator.requests
      .list()
      .filter(({ method, path }) => method !== 'GET' && path.startsWith('sys'));
    expect(writes).toEqual([]);
  } finally {
    await workspace.dispose();
    await emulator.close();
  }
});

function withoutTemporary(code: string): string {
  return code.replace(TEMPORARY, '\n');
}

function synthesizeInto(workspace: Workspace, code: string): void {
  inFolder((folder) => {
    runApp(withLocalState(code), folder);
    cpSync(join(folder, 'stacks', 'policies'), workspace.folder, { recursive: true, verbatimSymlinks: true });
  });
}

/**
 * Sets the file of the state to one in the folder of the test. The default is the folder of the
 * app.
 */
function withLocalState(code: string): string {
  const stack = "const stack = new TerraformStack(app, 'policies');\n";
  return code
    .replace('{ App, ', '{ App, LocalBackend, ')
    .replace(stack, `${stack}new LocalBackend(stack, { path: 'terraform.tfstate' });\n`);
}
