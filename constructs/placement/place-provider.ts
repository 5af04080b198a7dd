import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Annotations, type ISynthesisSession, type TerraformProvider } from 'cdktf';
import { lockProvider, type RequiredProvider } from './lock-file';
import { packageHash, providerPackage, type ProviderPackage } from './provider-package';
import { hiddenProvider, PLUGIN_FOLDER, type PlacedProvider } from './settings/hidden-provider';

/** What the framework calls when it writes a stack; its own helper for this is not exported. */
const CUSTOM_SYNTHESIS = Symbol.for('cdktf/customSynthesis');

/** Set where the app is run by the cdktf command line. */
const COMMAND_LINE = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/**
 * Where Terraform may run: the provider is the same file everywhere, so that a stack that is synthesized on one
 * platform can be applied on another.
 */
const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

/**
 * Sees to it that, when the stack that `provider` is declared in is synthesized, its executable lies beside the
 * stack, where `terraform init` finds it, and is locked to its hash. Settings on this machine that would hide it there are
 * warned of.
 */
export function placeProvider(provider: TerraformProvider): void {
  const onSynthesize = ({ outdir, manifest }: ISynthesisSession): void => {
    const stack = provider.cdktfStack;
    const folder = join(outdir, manifest.forStack(stack).workingDirectory);
    const { source } = requirementOf(provider);
    const pack = providerPackage();
    placePackage(pack, join(folder, PLUGIN_FOLDER, ...source.split('/')));

    const lockFile = join(folder, '.terraform.lock.hcl');
    const others = stack.allProviders().filter((other) => other !== provider);
    const before = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : '';
    writeFileSync(lockFile, lockProvider(before, { ...pack, source }, others.map(requirementOf)));

    warnOfSettings(provider, { source, version: pack.version }, resolve(folder));
  };
  Object.defineProperty(provider, CUSTOM_SYNTHESIS, { value: { onSynthesize } });
}

/** The cdktf command line prints warnings itself. Without it, nobody would see this one until Terraform fails. */
function warnOfSettings(provider: TerraformProvider, placed: PlacedProvider, stack: string): void {
  const hidden = hiddenProvider(placed, stack, process.env);
  if (!hidden) return;
  const warning = `${hidden.text}; ${hidden.cure}`;
  Annotations.of(provider).addWarning(warning);
  if (!process.env[COMMAND_LINE]) console.warn(`Warning: [${provider.node.path}] ${warning}`);
}

function placePackage(pack: ProviderPackage, folder: string): void {
  const places = PLATFORMS.map((platform) => join(folder, pack.version, platform));
  const [first = '', ...others] = places;
  if (!existsSync(first) || packageHash(first) !== pack.hash) {
    rmSync(folder, { recursive: true, force: true });
    // File by file: of a package that may only be read, the folder's copy could not be removed again.
    mkdirSync(first, { recursive: true });
    for (const file of readdirSync(pack.folder)) copyFileSync(join(pack.folder, file), join(first, file));
  }
  // Also of what is there already: pipelines hand folders on without links, and files without leave to execute them.
  for (const other of others) if (!existsSync(other)) linkOrCopy(first, other);
  for (const place of places) {
    for (const file of readdirSync(place)) makeExecutable(join(place, file));
  }
}

/** Leaves alone what is executable: only its owner could change that. */
function makeExecutable(file: string): void {
  if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
}

/** A copy where the file system of the moment has no links. */
function linkOrCopy(folder: string, place: string): void {
  try {
    symlinkSync(basename(folder), place, 'dir');
  } catch {
    cpSync(folder, place, { recursive: true });
  }
}

function requirementOf(provider: TerraformProvider): RequiredProvider {
  const { terraform } = provider.toTerraform() as { terraform: { required_providers: RequiredProviders } };
  return (
    terraform.required_providers[provider.terraformResourceType] ?? { source: provider.terraformResourceType }
  );
}

type RequiredProviders = Readonly<Record<string, RequiredProvider>>;
