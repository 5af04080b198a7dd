import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  ResourceProvider,
  VaultadminInstallation,
  VaultCluster,
  type VaultadminInstallationProps,
} from '../../../constructs';
import { inFolder, readStack } from '../support/synthesize';

const SOURCE = 'app.terraform.io/acme/vaultadmin';

function addStack(app: App, id: string, resources = ResourceProvider.VAULTADMIN): void {
  const stack = new TerraformStack(app, id);
  new VaultCluster(stack, 'Cluster', { resourceProvider: resources }).providerFor(stack);
}

test('an installation with another source makes all stacks require the provider from there, and places and locks no file', () => {
  inFolder((folder) => {
    const app = new App({ outdir: folder });
    addStack(app, 'before');
    new VaultadminInstallation(app, 'Provider', { source: SOURCE });
    addStack(app, 'after');
    addStack(app, 'upstream', ResourceProvider.UPSTREAM);
    app.synth();
    for (const id of ['before', 'after']) {
      expect(readStack(folder, id).terraform.required_providers).toEqual({
        vaultadmin: { source: SOURCE, version: '0.1.0' },
      });
      expect(readdirSync(join(folder, 'stacks', id))).toEqual(['cdk.tf.json']);
    }
    expect(readStack(folder, 'upstream').terraform.required_providers).toMatchObject({
      vault: { source: 'hashicorp/vault' },
    });
  });
});

test('an installation with the usual address as the source, as for a mirror, places and locks no file', () => {
  inFolder((folder) => {
    const app = new App({ outdir: folder });
    new VaultadminInstallation(app, 'Provider', { source: 'vault-admin.internal/cdktf/vaultadmin' });
    addStack(app, 'stack');
    app.synth();
    expect(readdirSync(join(folder, 'stacks', 'stack'))).toEqual(['cdk.tf.json']);
  });
});

test.each([{}, undefined])('an installation with %j places the provider as usual', (props) => {
  inFolder((folder) => {
    const app = new App({ outdir: folder });
    new VaultadminInstallation(app, 'Provider', props);
    addStack(app, 'stack');
    app.synth();
    expect(readdirSync(join(folder, 'stacks', 'stack')).sort()).toEqual([
      '.terraform.lock.hcl',
      'cdk.tf.json',
      'terraform.d',
    ]);
    expect(readStack(folder, 'stack').terraform.required_providers).toEqual({
      vaultadmin: { source: 'vault-admin.internal/cdktf/vaultadmin', version: '0.1.0' },
    });
  });
});

/** Returns a function that prepares the stack of an app with an installation. */
function installing(props: VaultadminInstallationProps): () => void {
  return () => {
    const app = new App();
    new VaultadminInstallation(app, 'Provider', props);
    const stack = new TerraformStack(app, 'stack');
    new VaultCluster(stack, 'Cluster');
    stack.prepareStack();
  };
}

test('an invalid address is refused with the field, the received value, the allowed values and an example', () => {
  expect(installing({ source: 'acme/vaultadmin' })).toThrow(
    '[Provider] VaultadminInstallation: source is "acme/vaultadmin"; allowed: HOST/NAMESPACE/vaultadmin in lower ' +
      'case, with letters, digits and "-"; write for example "app.terraform.io/acme/vaultadmin"',
  );
  expect(installing({ source: 7 as unknown as string })).toThrow(
    '[Provider] VaultadminInstallation: source is 7; allowed: text; write text in quotes',
  );
});

const PLATFORMS = '"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"';

test.each<[what: string, props: object, problem: string]>([
  [
    'an unknown platform',
    { executables: ['linux_amd64', 'linux_386'] },
    `executables has "linux_386"; allowed: ${PLATFORMS}; write one of these`,
  ],
  [
    'an empty list of platforms',
    { executables: [] },
    `executables is empty; allowed: one or more of ${PLATFORMS}; leave it out to place the form for Node.js`,
  ],
  [
    'a platform instead of a list',
    { executables: 'linux_amd64' },
    'executables is "linux_amd64"; allowed: a list; write ["linux_amd64"]',
  ],
  [
    'a source together with executables',
    { source: SOURCE, executables: ['linux_amd64'] },
    'source and executables are both given; allowed: one of the two; leave out executables to have Terraform install ' +
      'the provider',
  ],
  [
    'a folder without platforms',
    { executablesFolder: 'executables' },
    'executablesFolder is given without executables; allowed: both; name the platforms in executables',
  ],
])('%s is refused', (_what, props, problem) => {
  expect(installing(props)).toThrow(`[Provider] VaultadminInstallation: ${problem}`);
});

test('an installation in a stack is refused, because it is a setting of the app', () => {
  const stack = new TerraformStack(new App(), 'stack');
  new VaultadminInstallation(stack, 'Provider', { source: SOURCE });
  expect(() => stack.prepareStack()).toThrow(
    '[stack/Provider] VaultadminInstallation: scope is stack; allowed: the app; write for example new ' +
      'VaultadminInstallation(app, "Provider", {...})',
  );
});

test('a second installation in one app is refused, and another app may have one', () => {
  const app = new App();
  const stack = new TerraformStack(app, 'stack');
  new VaultadminInstallation(app, 'Provider', { source: SOURCE });
  new VaultadminInstallation(app, 'Second', { source: SOURCE });
  expect(() => stack.prepareStack()).toThrow(
    '[Second] VaultadminInstallation: the app has one already: [Provider]; allowed: one in an app; remove one of the two',
  );
  expect(installing({ source: SOURCE })).not.toThrow();
});
