/** Finds a Terraform with queries, actions and identities: 1.14 or later. */
import { spawnSync } from 'node:child_process';
import { isOlder } from '../../src/model/versions';

const LEAST = '1.14';

/**
 * Returns the binary to run: `NEWER_TERRAFORM_BINARY`, else the `terraform` in the PATH if it is
 * new enough.
 */
export function newerTerraform(): string | undefined {
  const candidates = [process.env.NEWER_TERRAFORM_BINARY, 'terraform'].filter((each) => each !== undefined);
  return candidates.find((binary) => {
    const { status, stdout } = spawnSync(binary, ['version', '-json'], { encoding: 'utf8' });
    if (status !== 0) return false;
    const { terraform_version: version } = JSON.parse(stdout) as { terraform_version: string };
    return !isOlder(version, LEAST);
  });
}

/** Returns the warning that tests print if this machine has no Terraform of that version. */
export function newerTerraformMissing(): string {
  const line = '!'.repeat(100);
  return (
    `${line}\nNOT TRIED: queries and actions under the real terraform. The "terraform" in the PATH is older than ${LEAST}; ` +
    `NEWER_TERRAFORM_BINARY names one elsewhere.\n${line}`
  );
}
