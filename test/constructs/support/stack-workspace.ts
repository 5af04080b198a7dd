import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import type { Workspace } from '../../support/terraform';
import { inFolder } from './synthesize';

/** Synthesizes a stack, and brings what it consists of to where terraform runs, as to another machine. */
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

/** What makes terraform take providers from these folders, and nothing from anywhere else. */
export function mirrorSettings(...mirrors: readonly string[]): string {
  const methods = mirrors.map((path) => `  filesystem_mirror {\n    path = ${JSON.stringify(path)}\n  }\n`);
  return `provider_installation {\n${methods.join('')}}\n`;
}

/** Where a synthesized stack has the provider that came with it: settings of one's own have to name it. */
export const PLACED_PROVIDERS = join('terraform.d', 'plugins');
