import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageHash } from '../../../constructs/placement/provider-package';
import { PLUGIN_FOLDER } from '../../../constructs/placement/settings/hidden-provider';
import { readPlainFile } from '../../files';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../provider';
import { doubt, ok, problem, type Check } from './check';
import {
  initializedWithOther,
  noStacks,
  otherBuildLocked,
  providerMissing,
  providerNotLocked,
} from './messages';
import { usesProvider, type Stack } from '../stacks/stacks';

/** In bytes. Terraform's own have some kilobytes. */
const LONGEST_LOCK_FILE = 4 * 1024 * 1024;

/**
 * Whether there are stacks, and `terraform init` will find the provider beside each.
 *
 * @param output where they were looked for.
 */
export function checkStacks(stacks: readonly Stack[], output: string): readonly Check[] {
  if (stacks.length > 0) return stacks.filter(usesProvider).map(checkStack);
  return [doubt('stacks', ...noStacks(output))];
}

/** Returns the block of a provider in a lock file. */
function entryOf(address: string, lock: string): string | undefined {
  const opening = `provider "${address}" {`;
  const start = lock.indexOf(opening);
  const end = lock.indexOf('}', start);
  return start < 0 || end < 0 ? undefined : lock.slice(start + opening.length, end);
}

function checkStack({ name, folder }: Stack): Check {
  const subject = `stack ${JSON.stringify(name)}`;
  const provider = join(folder, PLUGIN_FOLDER, ...PROVIDER_ADDRESS.split('/'), PROVIDER_VERSION);
  const [platform] = existsSync(provider) ? readdirSync(provider) : [];
  if (platform === undefined) return problem(subject, ...providerMissing());

  const lockFile = join(folder, '.terraform.lock.hcl');
  const lock = existsSync(lockFile) ? readPlainFile(lockFile, LONGEST_LOCK_FILE).toString() : '';
  const entry = entryOf(PROVIDER_ADDRESS, lock);
  if (!entry?.includes(`"${PROVIDER_VERSION}"`)) return problem(subject, ...providerNotLocked());
  // Of the platforms, all have the same files.
  if (!entry.includes(packageHash(join(provider, platform)))) return problem(subject, ...otherBuildLocked());
  return checkInitialized(subject, folder, entry);
}

/** After an upgrade, the records of an earlier `terraform init` belong to another provider. */
function checkInitialized(subject: string, folder: string, lockEntry: string): Check {
  const noted = join(folder, '.terraform', 'providers', ...PROVIDER_ADDRESS.split('/'));
  const versions = existsSync(noted) ? readdirSync(noted) : [];
  const current = versions.includes(PROVIDER_VERSION);
  const platforms = current ? readdirSync(join(noted, PROVIDER_VERSION)) : [];
  const isSame = platforms
    .map((each) => join(noted, PROVIDER_VERSION, each))
    .every((provider) => existsSync(provider) && lockEntry.includes(packageHash(provider)));
  if (versions.length === 0 || (current && isSame))
    return ok(subject, `provider ${PROVIDER_VERSION} is in its folder, and locked`);
  return doubt(subject, ...initializedWithOther(current ? [] : versions, folder));
}
