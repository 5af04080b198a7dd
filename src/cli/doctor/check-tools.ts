import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isOlder, OLDEST_NODE, OLDEST_TERRAFORM } from '../../model/versions';
import { ok, problem, type Check, doubt } from './check';
import {
  nodeNotFound,
  nodeTooOld,
  terraformNotFound,
  terraformTooOld,
  settingsFileMissing,
} from './messages';
import { hiddenProvider } from '../../../constructs/placement/settings/hidden-provider';
import { settingsFiles } from '../../../constructs/placement/settings/settings-files';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../provider';
import { providerAddressIn, type Stack } from '../stacks/stacks';

const SUBJECT = "Terraform's settings";

/**
 * Checks the programs that a deployment needs on this machine.
 *
 * @param withNode whether Node.js is one of them.
 */
export function checkTools(env: NodeJS.ProcessEnv, withNode: boolean): readonly Check[] {
  return [...(withNode ? [checkNode(env)] : []), checkTerraform(env)];
}

/**
 * Checks the `node` in the PATH, because Terraform starts the provider with it. Another version may
 * run this command.
 */
function checkNode(env: NodeJS.ProcessEnv): Check {
  const version = /^v(\S+)/.exec(output('node', ['--version'], env) ?? '')?.[1];
  if (version === undefined) return problem('Node.js', ...nodeNotFound());
  return isOlder(version, OLDEST_NODE) ? problem('Node.js', ...nodeTooOld(version)) : ok('Node.js', version);
}

function checkTerraform(env: NodeJS.ProcessEnv): Check {
  const candidates = env.TERRAFORM_BINARY_NAME ? [env.TERRAFORM_BINARY_NAME] : ['terraform', 'tofu'];
  for (const binary of candidates) {
    // The output may have warnings about the user's settings before the JSON.
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

/** Whether the provider is in a folder beside the stack. A provider with another address is not. */
function isPlaced(stack: Stack): boolean {
  return providerAddressIn(stack) === PROVIDER_ADDRESS;
}

/**
 * Checks the user's settings for Terraform, which can prevent `terraform init` from finding the
 * provider beside the stacks.
 */
export function checkTerraformSettings(stacks: readonly Stack[], env: NodeJS.ProcessEnv): readonly Check[] {
  const files = settingsFiles(env);
  const missing = files.find((file) => !existsSync(file));
  if (missing) return [doubt(SUBJECT, ...settingsFileMissing(missing))];

  const provider = { source: PROVIDER_ADDRESS, version: PROVIDER_VERSION };
  for (const { folder } of stacks.filter(isPlaced)) {
    const hidden = hiddenProvider(provider, resolve(folder), env);
    if (hidden) return [problem(SUBJECT, hidden.text, hidden.cure)];
  }
  return [ok(SUBJECT, files.join(', ') || 'defaults')];
}
