import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageHash } from '../../../constructs/placement/provider-package';
import { isInMirror, PLUGIN_FOLDER } from '../../../constructs/placement/settings/hidden-provider';
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
import { providerAddressIn, type Stack } from '../stacks/stacks';

/** The maximum size in bytes. Lock files of Terraform have some kilobytes. */
const LONGEST_LOCK_FILE = 4 * 1024 * 1024;

/**
 * Checks that there are stacks, and that `terraform init` will find the provider beside each of
 * them.
 *
 * @param output the folder with the stacks.
 */
export function checkStacks(
  stacks: readonly Stack[],
  output: string,
  env: NodeJS.ProcessEnv,
): readonly Check[] {
  if (stacks.length > 0) {
    return stacks.flatMap((stack) => {
      const address = providerAddressIn(stack);
      return address === undefined ? [] : [checkStack(stack, address, env)];
    });
  }
  return [doubt('stacks', ...noStacks(output))];
}

/**
 * Returns whether the provider beside a stack is the form for Node.js, which has a package.json.
 */
export function needsNode(stack: Stack): boolean {
  const address = providerAddressIn(stack);
  if (address === undefined) return false;
  const provider = placedFolder(stack.folder, address);
  return (
    existsSync(provider) &&
    readdirSync(provider).some((platform) => existsSync(join(provider, platform, 'package.json')))
  );
}

/** Returns the block of a provider in a lock file. */
function entryOf(address: string, lock: string): string | undefined {
  const opening = `provider "${address}" {`;
  const start = lock.indexOf(opening);
  const end = lock.indexOf('}', start);
  return start < 0 || end < 0 ? undefined : lock.slice(start + opening.length, end);
}

/** Returns the folder of the provider's version beside a stack. */
function placedFolder(folder: string, address: string): string {
  return join(folder, PLUGIN_FOLDER, ...address.split('/'), PROVIDER_VERSION);
}

function checkStack({ name, folder }: Stack, address: string, env: NodeJS.ProcessEnv): Check {
  const subject = `stack ${JSON.stringify(name)}`;
  const provider = placedFolder(folder, address);
  const [platform] = existsSync(provider) ? readdirSync(provider) : [];
  if (platform === undefined) {
    const required = { source: address, version: PROVIDER_VERSION };
    return address !== PROVIDER_ADDRESS || isInMirror(required, resolve(folder), env)
      ? checkInstalled(subject, folder, address)
      : problem(subject, ...providerMissing());
  }

  const lockFile = join(folder, '.terraform.lock.hcl');
  const lock = existsSync(lockFile) ? readPlainFile(lockFile, LONGEST_LOCK_FILE).toString() : '';
  const entry = entryOf(address, lock);
  if (!entry?.includes(`"${PROVIDER_VERSION}"`)) return problem(subject, ...providerNotLocked());
  // The package is the same for all platforms.
  if (!entry.includes(packageHash(join(provider, platform)))) return problem(subject, ...otherBuildLocked());
  return checkInitialized(subject, folder, address, entry);
}

/**
 * Returns the versions of the provider that `terraform init` found, and the folder in which it
 * recorded them.
 */
function notedVersions(folder: string, address: string): { noted: string; versions: readonly string[] } {
  const noted = join(folder, '.terraform', 'providers', ...address.split('/'));
  return { noted, versions: existsSync(noted) ? readdirSync(noted) : [] };
}

/**
 * Checks only what `terraform init` recorded: a provider from a registry or a mirror is not beside
 * the stack.
 */
function checkInstalled(subject: string, folder: string, address: string): Check {
  const { versions } = notedVersions(folder, address);
  return versions.length === 0 || versions.includes(PROVIDER_VERSION)
    ? ok(subject, `"terraform init" installs provider ${PROVIDER_VERSION} from ${address}`)
    : doubt(subject, ...initializedWithOther(versions, folder));
}

/**
 * Checks that what `terraform init` recorded belongs to this provider: after an upgrade, it may
 * belong to the previous one.
 */
function checkInitialized(subject: string, folder: string, address: string, lockEntry: string): Check {
  const { noted, versions } = notedVersions(folder, address);
  const current = versions.includes(PROVIDER_VERSION);
  const platforms = current ? readdirSync(join(noted, PROVIDER_VERSION)) : [];
  const isSame = platforms
    .map((each) => join(noted, PROVIDER_VERSION, each))
    .every((provider) => existsSync(provider) && lockEntry.includes(packageHash(provider)));
  if (versions.length === 0 || (current && isSame))
    return ok(subject, `provider ${PROVIDER_VERSION} is in its folder, and locked`);
  return doubt(subject, ...initializedWithOther(current ? [] : versions, folder));
}
