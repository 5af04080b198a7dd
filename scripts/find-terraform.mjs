/**
 * Prints the terraform or tofu to run: that of TERRAFORM_BINARY_NAME, which cdktf reads as
 * well, else terraform or tofu in the PATH, else an OpenTofu that it downloads to the cache folder
 * of the user. If that is too old or cannot be downloaded, the script fails with a message about
 * what to install. It has to work before anything is installed.
 *
 *   node scripts/find-terraform.mjs          prints the name
 *   node scripts/find-terraform.mjs --check  prints only downloads and failures
 */
import { spawnSync } from 'node:child_process';
import { keptOpenTofu } from './open-tofu.mjs';

const OLDEST = '1.11';
const { TERRAFORM_BINARY_NAME: chosen } = process.env;
const candidates = chosen ? [chosen] : ['terraform', 'tofu'];
const found = firstOf(candidates) ?? (chosen ? undefined : await downloaded());

if (!found) {
  fail(`neither terraform nor tofu was found (looked for: ${candidates.join(', ')})`);
} else if (isOlder(found.version, OLDEST)) {
  fail(`${found.binary} ${found.version} is too old`);
} else if (!process.argv.includes('--check')) {
  console.log(found.binary);
}

function firstOf(binaries) {
  return binaries.map((binary) => ({ binary, version: versionOf(binary) })).find(({ version }) => version);
}

async function downloaded() {
  try {
    return firstOf([await keptOpenTofu(process.env, (line) => console.error(line))]);
  } catch (error) {
    console.error(error.message);
    return undefined;
  }
}

function versionOf(binary) {
  const env = { ...process.env, CHECKPOINT_DISABLE: '1' };
  const { stdout } = spawnSync(binary, ['version', '-json'], { encoding: 'utf8', env });
  // Terraform may print warnings about the user's settings before the JSON.
  return /"terraform_version":\s*"([^"]+)"/.exec(stdout ?? '')?.[1];
}

function isOlder(version, oldest) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function fail(problem) {
  console.error(
    `${problem}. Install Terraform ${OLDEST} or newer (https://developer.hashicorp.com/terraform/install) or ` +
      `OpenTofu ${OLDEST} or newer (https://opentofu.org/docs/intro/install), and have it in the PATH; ` +
      'or name another one in TERRAFORM_BINARY_NAME.',
  );
  process.exitCode = 1;
}
