import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The terraform or tofu to run: `TERRAFORM_BINARY_NAME`, else the first of the two in the PATH.
 *
 * @throws Error that says what to install, where there is none or it is too old.
 */
export function findTerraform(): string {
  const script = join(projectFolder(), 'scripts', 'find-terraform.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}

/** These sources lie at different depths in the project before and after compilation. */
function projectFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
