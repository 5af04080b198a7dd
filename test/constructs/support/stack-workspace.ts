import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import type { Workspace } from '../../support/terraform';
import { inFolder } from './synthesize';

/**
 * Synthesizes a stack, and copies its files to the folder where terraform runs, as if to another
 * machine.
 */
export function synthesizeInto(workspace: Workspace, build: (stack: TerraformStack) => void): void {
  inFolder((folder) => {
    const app = new App({ outdir: folder });
    const stack = new TerraformStack(app, 'stack');
    new LocalBackend(stack, { path: 'terraform.tfstate' });
    build(stack);
    app.synth();
    cpSync(join(folder, 'stacks', 'stack'), workspace.folder, { recursive: true, verbatimSymlinks: true });
  });
}

/** Returns a configuration with which terraform installs providers from these folders only. */
export function mirrorSettings(...mirrors: readonly string[]): string {
  const methods = mirrors.map((path) => `  filesystem_mirror {\n    path = ${JSON.stringify(path)}\n  }\n`);
  return `provider_installation {\n${methods.join('')}}\n`;
}

/**
 * The folder of the provider in a synthesized stack. A user's own settings of Terraform have to
 * name it.
 */
export const PLACED_PROVIDERS = join('terraform.d', 'plugins');
