/**
 * A project in which the package is installed, with an app of one stack and the folder in which
 * Terraform runs.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCluster } from '../../../src/emulator';
import { Workspace } from '../../support/terraform';
import { install, type Tarball } from './tarball';

const STACK = 'policies';
/** The folder of the provider beside the stack, in which Terraform looks. */
export const PLUGINS = 'terraform.d/plugins/vault-admin.internal/cdktf/vaultadmin';
export const LOCK_FILE = '.terraform.lock.hcl';

/**
 * An app with a policy of this package's provider. If the variable `UPSTREAM` is set, it also has a
 * policy of hashicorp/vault.
 */
const APP = `
const { App, TerraformStack } = require('cdktf');
const { AclPolicy, Capability, PolicyStatement, VaultCluster, ResourceProvider } = require('cdktf-vault-admin');

const app = new App();
const stack = new TerraformStack(app, '${STACK}');
const policy = (id, resources) =>
  new AclPolicy(stack, id, {
    cluster: new VaultCluster(stack, id + 'Cluster', { resourceProvider: resources }),
    policyName: id.toLowerCase(),
    statements: [new PolicyStatement({ paths: ['secret/data/' + id], capabilities: [Capability.READ] })],
  });
policy('Ours', ResourceProvider.VAULTADMIN);
if (process.env.UPSTREAM) policy('Theirs', ResourceProvider.UPSTREAM);
app.synth();
`;

export class Project {
  readonly folder: string;
  /**
   * The environment for Terraform in the stack's folder, and for the app. It contains no settings
   * of the user.
   */
  readonly terraform: Workspace;
  private installed: string;

  constructor(
    private readonly tarball: Tarball,
    { address, rootToken }: RunningCluster,
  ) {
    this.terraform = new Workspace({
      folder: join('project', 'cdktf.out', 'stacks', STACK),
      env: { VAULT_ADDR: address, VAULT_TOKEN: rootToken },
    });
    this.folder = join(this.terraform.home, 'project');
    this.installed = install(tarball, this.folder);
    writeFileSync(join(this.folder, 'main.js'), APP);
  }

  /** Installs the package again, as if it had been built and released as `version`. */
  reinstallAs(version: string): void {
    rmSync(this.installed, { recursive: true });
    this.installed = install(this.tarball, this.folder);
    const built = this.packageVersion();
    const provider = join(this.installed, 'lib', 'provider');
    const executable = (of: string) => join(provider, `terraform-provider-vaultadmin_v${of}`);
    const bindings = join(this.installed, 'lib', 'constructs', 'generated', 'providers', 'vaultadmin');
    const compiled = readdirSync(bindings, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(bindings, name));
    for (const file of [join(this.installed, 'package.json'), join(provider, 'handshake.js'), ...compiled]) {
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(built, version));
    }
    if (version !== built) renameSync(executable(built), executable(version));
  }

  packageVersion(): string {
    return (JSON.parse(readFileSync(join(this.installed, 'package.json'), 'utf8')) as { version: string })
      .version;
  }

  /**
   * Runs the app by hand.
   *
   * @returns its output on stderr
   */
  synthesize(env: Readonly<Record<string, string>> = {}): string {
    const { status, stderr } = spawnSync(process.execPath, ['main.js'], {
      cwd: this.folder,
      env: { ...this.terraform.env, ...env },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the app failed:\n${stderr}`);
    return stderr;
  }

  dispose(): Promise<void> {
    return this.terraform.dispose();
  }
}
