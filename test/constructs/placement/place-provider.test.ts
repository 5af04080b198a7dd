import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { AclPolicy, PolicyDocument, VaultCluster, ResourceProvider } from '../../../constructs';
import { packageHash, readPackage } from '../../../constructs/placement/provider-package';
import { actions, Workspace } from '../../support/terraform';
import { synthesizeInto } from '../support/stack-workspace';
import { inFolder, warnings } from '../support/synthesize';

const ROOT = join(__dirname, '..', '..', '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const PLUGIN = join('terraform.d', 'plugins', 'vault-admin.internal', 'cdktf', 'vaultadmin');
const EXECUTABLE = `terraform-provider-vaultadmin_v${version}`;

const built = () => readFileSync(join(ROOT, 'lib', 'provider', EXECUTABLE));

/**
 * Synthesizes a stack for each of `clusters` into `folder`.
 *
 * @returns the folders of the stacks
 */
function synthesize(folder: string, clusters: Record<string, ResourceProvider>): string[] {
  const app = new App({ outdir: folder });
  for (const [id, resources] of Object.entries(clusters)) {
    const stack = new TerraformStack(app, id);
    const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: resources });
    new AclPolicy(stack, 'P', {
      cluster,
      document: PolicyDocument.fromText('path "a" { capabilities = ["read"] }'),
    });
  }
  app.synth();
  return Object.keys(clusters).map((id) => join(folder, 'stacks', id));
}

test('the executable is placed beside the stack for every platform, and locked to its hash', () => {
  inFolder((folder) => {
    const [stack = ''] = synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
    const platforms = readdirSync(join(stack, PLUGIN, version));
    expect(platforms.sort()).toEqual(['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64']);
    for (const platform of platforms) {
      const placed = join(stack, PLUGIN, version, platform, EXECUTABLE);
      expect(readFileSync(placed).equals(built())).toBe(true);
      expect(statSync(placed).mode & 0o111).toBe(0o111);
      expect(readFileSync(join(stack, '.terraform.lock.hcl'), 'utf8')).toContain(
        `provider "vault-admin.internal/cdktf/vaultadmin" {\n  version     = "${version}"\n` +
          `  constraints = "${version}"\n  hashes = [\n    "${packageHash(join(placed, '..'))}",\n  ]\n}\n`,
      );
    }
  });
});

test('stacks without resources of vaultadmin have neither executable nor lock file', () => {
  inFolder((folder) => {
    const [ours = '', upstream = ''] = synthesize(folder, {
      ours: ResourceProvider.VAULTADMIN,
      upstream: ResourceProvider.UPSTREAM,
    });
    expect(existsSync(join(ours, '.terraform.lock.hcl'))).toBe(true);
    expect(readdirSync(upstream)).toEqual(['cdk.tf.json']);
  });
});

test('unchanged files stay, changed files are replaced, and other versions are removed', () => {
  inFolder((folder) => {
    const [stack = ''] = synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
    const placed = join(stack, PLUGIN, version, 'linux_amd64', EXECUTABLE);
    const { ino, ctimeMs } = statSync(placed);
    synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
    expect(statSync(placed)).toMatchObject({ ino, ctimeMs });

    chmodSync(placed, 0o644);
    rmSync(join(stack, PLUGIN, version, 'darwin_arm64'));
    synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
    expect(statSync(placed.replace('linux_amd64', 'darwin_arm64')).mode & 0o111).toBe(0o111);

    writeFileSync(placed, 'another build');
    mkdirSync(join(stack, PLUGIN, '0.0.1'));
    synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
    expect(readdirSync(join(stack, PLUGIN))).toEqual([version]);
    expect(readFileSync(placed).equals(built())).toBe(true);
  });
});

test('every platform has a copy if links are not possible', () => {
  const refused = jest.spyOn(fs, 'symlinkSync').mockImplementation(() => {
    throw new Error('EPERM: operation not permitted');
  });
  try {
    inFolder((folder) => {
      const [stack = ''] = synthesize(folder, { stack: ResourceProvider.VAULTADMIN });
      for (const platform of ['darwin_amd64', 'linux_arm64']) {
        const place = join(stack, PLUGIN, version, platform);
        expect(lstatSync(place).isDirectory()).toBe(true);
        expect(readFileSync(join(place, EXECUTABLE)).equals(built())).toBe(true);
        expect(statSync(join(place, EXECUTABLE)).mode & 0o111).toBe(0o111);
      }
    });
  } finally {
    refused.mockRestore();
  }
});

test('the lock file names the other required providers, so that the cdktf command line does not look them up', () => {
  inFolder((folder) => {
    const app = new App({ outdir: folder });
    const stack = new TerraformStack(app, 'stack');
    new VaultCluster(stack, 'Ours', { resourceProvider: ResourceProvider.VAULTADMIN }).providerFor(stack);
    new VaultCluster(stack, 'Upstream', { name: 'eu' }).providerFor(stack);
    app.synth();
    expect(readFileSync(join(folder, 'stacks', 'stack', '.terraform.lock.hcl'), 'utf8')).toContain(
      'provider "registry.terraform.io/hashicorp/vault" {\n  constraints = ""\n}\n',
    );
  });
});

test('settings of Terraform that hide the provider are an annotation, or a printed warning if no command line shows annotations', () => {
  const printed = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const { TF_CLI_CONFIG_FILE: before } = process.env;
  try {
    inFolder((folder) => {
      process.env.TF_CLI_CONFIG_FILE = join(folder, 'rc');
      writeFileSync(process.env.TF_CLI_CONFIG_FILE, 'provider_installation {\n  direct {}\n}\n');
      const build = (stack: TerraformStack) =>
        new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN }).providerFor(
          stack,
        );
      const [warning = ''] = warnings(build);
      expect(warning).toMatch(
        /^stack\/VaultadminProvider: provider_installation in .* keeps "terraform init" from/,
      );
      expect(printed.mock.calls).toEqual([
        [`Warning: ${warning.replace('stack/VaultadminProvider:', '[stack/VaultadminProvider]')}`],
      ]);

      process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS = 'true';
      expect(warnings(build)).toHaveLength(1);
      expect(printed).toHaveBeenCalledTimes(1);
    });
  } finally {
    delete process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS;
    delete process.env.TF_CLI_CONFIG_FILE;
    if (before !== undefined) process.env.TF_CLI_CONFIG_FILE = before;
    printed.mockRestore();
  }
});

test('terraform finds the executable, and does not change the lock file', async () => {
  const workspace = new Workspace();
  try {
    synthesizeInto(workspace, (stack) => {
      const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
      const document = PolicyDocument.fromText('path "a" { capabilities = ["read"] }');
      new AclPolicy(stack, 'Readers', { cluster, document });
    });
    const lockFile = workspace.read('.terraform.lock.hcl');
    await workspace.init('-lockfile=readonly');
    await workspace.must('validate');
    expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.Readers': 'create' });
    expect(workspace.read('.terraform.lock.hcl')).toBe(lockFile);
  } finally {
    await workspace.dispose();
  }
});

test('the synthesis fails with the cure if the provider was not built', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'package.json'), '{"version": "9.9.9"}');
    const missing = join(folder, 'lib', 'provider', 'terraform-provider-vaultadmin_v9.9.9');
    expect(() => readPackage(folder)).toThrow(
      `the vaultadmin provider is missing: ${missing} does not exist; in a clone, build it with "npm run build"; ` +
        'otherwise install cdktf-vault-admin again',
    );
  });
});
