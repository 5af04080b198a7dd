/** A provider as a stack asks for it. */
export interface RequiredProvider {
  /** As in `required_providers`: `vault`, `hashicorp/vault`, `host/namespace/type`. */
  readonly source: string;
  /** Version constraints: `5.6.0`, `~> 5.6`. */
  readonly version?: string;
}

/** A provider whose package is known. */
export interface LockedProvider {
  readonly source: string;
  readonly version: string;
  readonly hash: string;
}

/**
 * The dependency lock file of a stack, with `provider` locked to its hash. Entries of other providers stay as long
 * as they are for the versions asked for.
 *
 * Other providers without an entry get one that fixes the version and leaves the hashes to `terraform init`: where
 * an entry is missing, the cdktf command line runs `terraform providers lock`, which asks the registry of every
 * provider, and so fails for a provider that is in none.
 */
export function lockProvider(
  lockFile: string,
  provider: LockedProvider,
  others: readonly RequiredProvider[],
): string {
  const entries = readEntries(lockFile);
  for (const other of others) {
    const address = fullAddress(other.source);
    const floor = floorOf(other.version);
    if (!floor || constraintsOf(entries.get(address)) === floor.constraints) continue;
    entries.set(address, entry(address, floor.version, floor.constraints));
  }
  const address = fullAddress(provider.source);
  entries.set(address, entry(address, provider.version, provider.version, provider.hash));

  const sorted = [...entries.keys()].sort().map((key) => entries.get(key));
  return [HEADER, ...sorted].join('\n');
}

const HEADER = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.
`;
const ENTRY = /^provider "([^"]+)" \{\n[^]*?^\}\n/gm;

/** The entries of a lock file by their providers' addresses. */
function readEntries(lockFile: string): Map<string, string> {
  return new Map([...lockFile.matchAll(ENTRY)].map(([text, address]) => [address ?? '', text]));
}

function constraintsOf(entryText: string | undefined): string | undefined {
  return entryText && /^\s*constraints\s*=\s*"([^"]*)"/m.exec(entryText)?.[1];
}

function entry(address: string, version: string, constraints: string, hash?: string): string {
  const hashes = hash ? `  hashes = [\n    "${hash}",\n  ]\n` : '';
  return `provider "${address}" {\n  version     = "${version}"\n  constraints = "${constraints}"\n${hashes}}\n`;
}

/** The address in full: registry and namespace may be left out of a source. */
function fullAddress(source: string): string {
  const [type = '', namespace = 'hashicorp', host = 'registry.terraform.io'] = source
    .toLowerCase()
    .split('/')
    .reverse();
  return `${host}/${namespace}/${type}`;
}

/**
 * The least version that meets constraints such as `5.6.0`, `~> 5.6` or `>= 5.6`, and the constraints as Terraform
 * writes them to the lock file. None for constraints without a floor, or of several parts.
 */
function floorOf(constraints: string | undefined): { version: string; constraints: string } | undefined {
  const match = /^(=|~>|>=)?\s*v?(\d+)(\.\d+)?(\.\d+)?(-[\w.]+)?$/.exec(constraints?.trim() ?? '');
  if (!match) return undefined;
  const [, operator = '=', major = '', minor = '', patch = '', preRelease = ''] = match;
  const version = `${major}${minor || '.0'}${patch || '.0'}${preRelease}`;
  const written = { '=': version, '>=': `>= ${version}`, '~>': `~> ${major}${minor}${patch}${preRelease}` };
  return { version, constraints: written[operator as keyof typeof written] };
}
