import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { VaultCluster, ResourceProvider } from '../../../constructs';
import { inFolder } from './synthesize';

const ROOT = join(__dirname, '..', '..', '..');
export const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
export const EXECUTABLE = `terraform-provider-vaultadmin_v${version}`;
export const BUILT = readFileSync(join(ROOT, 'lib', 'provider', EXECUTABLE));
export const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'];

export const OUT = 'cdktf.out';
export const STACK = join(OUT, 'stacks', 'stack');
export const OURS = join(STACK, 'terraform.d', 'plugins', 'vault-admin.internal', 'cdktf', 'vaultadmin');
export const LOCK_FILE = join(STACK, '.terraform.lock.hcl');

/** A user's home: a folder with a token that only the user may read, and another file. */
export class Home {
  readonly token: string;

  constructor(readonly folder: string) {
    mkdirSync(join(folder, 'home', 'nested'), { recursive: true });
    this.token = join(folder, 'home', '.vault-token');
    writeFileSync(this.token, 'canary-token', { mode: 0o600 });
    writeFileSync(join(folder, 'home', 'nested', 'thesis.txt'), 'years of work', { mode: 0o600 });
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  synthesize(resources = ResourceProvider.VAULTADMIN): void {
    const app = new App({ outdir: this.path(OUT) });
    const stack = new TerraformStack(app, 'stack');
    new VaultCluster(stack, 'Cluster', { resourceProvider: resources }).providerFor(stack);
    app.synth();
  }

  /** Puts something, such as a link, in place of a file or folder that the synthesis writes. */
  plant(place: string, plant: (path: string) => void): void {
    rmSync(this.path(place), { recursive: true, force: true });
    mkdirSync(dirname(this.path(place)), { recursive: true });
    plant(this.path(place));
  }

  expectUntouched(): void {
    expect(statSync(this.token).mode & 0o777).toBe(0o600);
    expect(readFileSync(this.token, 'utf8')).toBe('canary-token');
    expect(readdirSync(this.path('home')).sort()).toEqual(['.vault-token', 'nested']);
    expect(readdirSync(this.path('home', 'nested'))).toEqual(['thesis.txt']);
    expect(statSync(this.path('home', 'nested', 'thesis.txt')).mode & 0o777).toBe(0o600);
  }

  expectPlaced(): void {
    expect(readdirSync(this.path(OURS, version)).sort()).toEqual(PLATFORMS);
    for (const platform of PLATFORMS) {
      const executable = this.path(OURS, version, platform, EXECUTABLE);
      expect(lstatSync(executable).isFile()).toBe(true);
      expect(readFileSync(executable).equals(BUILT)).toBe(true);
      expect(statSync(executable).mode & 0o777).toBe(0o755);
    }
    // The synthesis has removed its temporary folders.
    expect(readdirSync(dirname(this.path(OURS)))).toEqual(['vaultadmin']);
    expect(readdirSync(this.path(STACK)).sort()).toEqual([
      '.terraform.lock.hcl',
      'cdk.tf.json',
      'terraform.d',
    ]);
  }
}

export function atHome(test: (home: Home) => void): void {
  inFolder((folder) => test(new Home(folder)));
}
