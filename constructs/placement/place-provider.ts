import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Manifest, type ISynthesisSession, type TerraformProvider } from 'cdktf';
import { cannotPlace } from '../private/messages';
import { warn } from '../private/report';
import { CUSTOM_SYNTHESIS } from '../private/framework';
import { lockProvider, type RequiredProvider } from './lock-file';
import { kindOf, placePackage, replace } from './place-package';
import { providerPackage } from './provider-package';
import { hiddenProvider, PLUGIN_FOLDER, type PlacedProvider } from './settings/hidden-provider';

/** The largest lock file that is read, in bytes. Terraform's own have some kilobytes. */
const MAX_LOCK_FILE = 4 * 1024 * 1024;

/** Set where the app is run by the cdktf command line. */
const COMMAND_LINE = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/**
 * Sees to it that, when the stack that `provider` is declared in is synthesized, its executable lies beside the
 * stack, where `terraform init` finds it, and is locked to its hash. Settings on this machine that would hide it there are
 * warned of.
 */
export function placeProvider(provider: TerraformProvider): void {
  const onSynthesize = ({ outdir, manifest }: ISynthesisSession): void => {
    const stack = provider.cdktfStack;
    const { workingDirectory, synthesizedStackPath } = manifest.forStack(stack);
    const folder = join(outdir, workingDirectory);
    const { source } = requirementOf(provider);
    const pack = providerPackage();
    placePackage(pack, outdir, join(folder, PLUGIN_FOLDER, ...source.split('/')));

    const lockFile = join(folder, '.terraform.lock.hcl');
    const others = stack.allProviders().filter((other) => other !== provider);
    const before = readLockFile(lockFile);
    const after = lockProvider(before, { ...pack, source }, others.map(requirementOf));
    if (after !== before) replace(lockFile, (file) => writeFileSync(file, after));

    for (const file of [synthesizedStackPath, Manifest.fileName]) removeShared(join(outdir, file));

    warnOfSettings(provider, { source, version: pack.version }, resolve(folder));
  };
  Object.defineProperty(provider, CUSTOM_SYNTHESIS, { value: { onSynthesize } });
}

/** The cdktf command line prints warnings itself. Without it, this one would not be shown until Terraform fails. */
function warnOfSettings(provider: TerraformProvider, placed: PlacedProvider, stack: string): void {
  const hidden = hiddenProvider(placed, stack, process.env);
  if (!hidden) return;
  const warning = `${hidden.text}; ${hidden.cure}`;
  warn(provider, warning);
  if (!process.env[COMMAND_LINE]) console.warn(`Warning: [${provider.node.path}] ${warning}`);
}

/** The framework writes its own files into what is there: a link, or the second name of another file, has to go. */
function removeShared(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat && (stat.isSymbolicLink() || (stat.isFile() && stat.nlink > 1))) rmSync(file, { force: true });
}

/** The lock file's text, empty if there is none. A link is refused: its target may be any file. */
function readLockFile(file: string): string {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return '';
  if (!stat.isFile()) throw cannotPlace(file, `it is ${kindOf(stat)}, not a file`);
  if (stat.size > MAX_LOCK_FILE) {
    throw cannotPlace(file, `it has ${stat.size} bytes; a lock file has at most ${MAX_LOCK_FILE}`);
  }
  return readFileSync(file, 'utf8');
}

function requirementOf(provider: TerraformProvider): RequiredProvider {
  const { terraform } = provider.toTerraform() as { terraform: { required_providers: RequiredProviders } };
  return (
    terraform.required_providers[provider.terraformResourceType] ?? { source: provider.terraformResourceType }
  );
}

type RequiredProviders = Readonly<Record<string, RequiredProvider>>;
