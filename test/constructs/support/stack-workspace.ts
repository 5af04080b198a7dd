import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import { terraformBinary, type Workspace } from '../../support/terraform';
import { inFolder } from './synthesize';

/** A mirror with `hashicorp/vault`, for tests download nothing: it is built from its sources. */
const UPSTREAM_MIRROR =
  process.env.UPSTREAM_PROVIDER_MIRROR ?? join(homedir(), '.cache', 'upstream-provider', 'mirror');

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

/** Whether stacks with resources of `hashicorp/vault` can be tried. Where not, a notice says so loudly. */
export function hasUpstreamMirror(): boolean {
  const registry = terraformBinary().includes('tofu') ? 'registry.opentofu.org' : 'registry.terraform.io';
  const provider = join(UPSTREAM_MIRROR, registry, 'hashicorp', 'vault');
  if (existsSync(provider)) return true;
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TESTED: resources of hashicorp/vault through the real terraform.\n` +
      `There is no ${provider}; set UPSTREAM_PROVIDER_MIRROR to a mirror that has it.\n${line}`,
  );
  return false;
}

/** What makes terraform take `hashicorp/vault` from the mirror, and nothing from anywhere else. */
export function mirrorSettings(): string {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(UPSTREAM_MIRROR)}\n  }\n}\n`;
}
