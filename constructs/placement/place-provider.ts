import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ISynthesisSession, TerraformProvider } from 'cdktf';
import { FileRefusedError, readFileInPlace } from '../../src/files';
import { cannotPlace } from '../private/messages';
import { printWarning, warn } from '../private/report';
import { lockProvider, type RequiredProvider } from './lock-file';
import { guardOutput } from './output-folder';
import { placePackage, replace } from './place-package';
import { installationOf } from './private/installation';
import { packageFor } from './private/package-for';
import { hiddenProvider, PLUGIN_FOLDER, type PlacedProvider } from './settings/hidden-provider';

/**
 * The maximum size of a lock file that is read, in bytes. Terraform's own files have some
 * kilobytes.
 */
const MAX_LOCK_FILE = 4 * 1024 * 1024;

/**
 * Ensures that the synthesis of a stack places the executable of `provider` beside the stack, where
 * `terraform init` finds it, and locks the provider to the hash of the executable. Warns of
 * settings on this machine that would hide it. If the app has another source for the provider, no
 * file is placed or locked.
 */
export function placeProvider(provider: TerraformProvider): void {
  guardOutput(provider, ({ outdir, manifest }: ISynthesisSession): void => {
    const installation = installationOf(provider);
    // Terraform installs the provider from its source.
    if (installation.source !== undefined) return;
    const stack = provider.cdktfStack;
    const { workingDirectory } = manifest.forStack(stack);
    const folder = join(outdir, workingDirectory);
    const { source } = requirementOf(provider);
    const pack = packageFor(installation);
    placePackage(pack, outdir, join(folder, PLUGIN_FOLDER, ...source.split('/')));

    const lockFile = join(folder, '.terraform.lock.hcl');
    const others = stack.allProviders().filter((other) => other !== provider);
    const before = readLockFile(lockFile);
    const after = lockProvider(before, { ...pack, source }, others.map(requirementOf));
    if (after !== before) replace(lockFile, (file) => writeFileSync(file, after));

    warnOfSettings(provider, { source, version: pack.version }, resolve(folder));
  });
}

function readLockFile(path: string): string {
  try {
    return readFileInPlace(path, MAX_LOCK_FILE)?.toString() ?? '';
  } catch (error) {
    throw error instanceof FileRefusedError ? cannotPlace(path, error.message) : error;
  }
}

/**
 * Warns of settings that hide the provider. Without the cdktf command line, which prints warnings
 * itself, the warning is printed here, so that it is shown before Terraform fails.
 */
function warnOfSettings(provider: TerraformProvider, placed: PlacedProvider, stack: string): void {
  const hidden = hiddenProvider(placed, stack, process.env);
  if (!hidden) return;
  const warning = `${hidden.text}; ${hidden.cure}`;
  warn(provider, warning);
  printWarning(provider, warning);
}

function requirementOf(provider: TerraformProvider): RequiredProvider {
  const { terraform } = provider.toTerraform() as { terraform: { required_providers: RequiredProviders } };
  return (
    terraform.required_providers[provider.terraformResourceType] ?? { source: provider.terraformResourceType }
  );
}

type RequiredProviders = Readonly<Record<string, RequiredProvider>>;
