import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { StoryError } from './steps';

/**
 * The terraform or tofu to run: `TERRAFORM_BINARY_NAME`, else the first of the two in the PATH.
 *
 * @throws StoryError that names what to install, if it is missing or too old.
 */
export function findTerraform(): string {
  // By the package's name it is found from the sources as well as from what is built of them.
  const project = dirname(require.resolve('cdktf-vault-admin/package.json'));
  const script = join(project, 'scripts', 'find-terraform.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new StoryError(stderr.trim());
  return stdout.trim();
}
