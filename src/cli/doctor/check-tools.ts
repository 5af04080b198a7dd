import { spawnSync } from 'node:child_process';
import { isOlder, OLDEST_NODE, OLDEST_TERRAFORM } from '../../model/versions';
import { ok, problem, type Check } from './check';
import { nodeNotFound, nodeTooOld, terraformNotFound, terraformTooOld } from './messages';

/** The programs that a deployment needs on this machine. */
export function checkTools(env: NodeJS.ProcessEnv): readonly Check[] {
  return [checkNode(env), checkTerraform(env)];
}

/** Terraform starts the provider with the `node` in its PATH, which need not be the one that runs this. */
function checkNode(env: NodeJS.ProcessEnv): Check {
  const version = /^v(\S+)/.exec(output('node', ['--version'], env) ?? '')?.[1];
  if (version === undefined) return problem('Node.js', ...nodeNotFound());
  return isOlder(version, OLDEST_NODE) ? problem('Node.js', ...nodeTooOld(version)) : ok('Node.js', version);
}

function checkTerraform(env: NodeJS.ProcessEnv): Check {
  const candidates = env.TERRAFORM_BINARY_NAME ? [env.TERRAFORM_BINARY_NAME] : ['terraform', 'tofu'];
  for (const binary of candidates) {
    // Warnings on the user's settings may stand before the JSON.
    const version = /"terraform_version":\s*"([^"]+)"/.exec(
      output(binary, ['version', '-json'], env) ?? '',
    )?.[1];
    if (version === undefined) continue;
    return isOlder(version, OLDEST_TERRAFORM)
      ? problem('Terraform', ...terraformTooOld(binary, version))
      : ok('Terraform', `${binary} ${version}`);
  }
  return problem('Terraform', ...terraformNotFound(candidates));
}

function output(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...env, CHECKPOINT_DISABLE: '1' },
  });
  return status === 0 ? stdout : undefined;
}
