/** The provider that a stack requires. */
export interface RequiredProvider {
  /** The source as in `required_providers`: `vault`, `hashicorp/vault`, `host/namespace/type`. */
  readonly source: string;
  /** The version constraints: `5.6.0`, `~> 5.6`. */
  readonly version?: string;
}

/** A provider with a known package. */
interface LockedProvider {
  readonly source: string;
  readonly version: string;
  /** The hashes of all packages of the version that Terraform may install. */
  readonly hashes: readonly string[];
}

/**
 * Returns the dependency lock file of a stack, with `provider` locked to its hashes. Entries of
 * other providers stay while their versions meet the constraints. Other providers without an entry
 * get an entry in a comment, because the cdktf command line reads comments as well. If a provider
 * has no entry, or one with other constraints, the command line runs `terraform providers lock`.
 * This asks the registry of every provider, so it fails for a provider that is in no registry.
 */
export function lockProvider(
  lockFile: string,
  provider: LockedProvider,
  others: readonly RequiredProvider[],
): string {
  const entries = readEntries(lockFile);
  const missing: string[] = [];
  for (const other of others) {
    const address = fullAddress(other.source);
    const constraints = constraintsOf(entries.get(address));
    if (normalized(constraints) !== normalized(other.version)) entries.delete(address);
    if (!constraints || !entries.has(address)) missing.push(address);
  }
  const address = fullAddress(provider.source);
  entries.set(address, lockEntry(address, provider));

  const sorted = [...entries.keys()].sort().map((key) => entries.get(key));
  return [HEADER, ...sorted, ...(missing.length > 0 ? [commentOn(missing)] : [])].join('\n');
}

const HEADER = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.
`;
/**
 * Matches an entry. An entry or comment without an end extends to the end of the text, so that its
 * end is searched for only once.
 */
const ENTRY = /^provider "([^"]+)" \{\n[^]*?(?:^\}\n|(?![^]))/gm;
const COMMENT = /\/\*[^]*?(?:\*\/\n?|$)/g;

/** Returns the entries of a lock file, by the addresses of their providers. */
function readEntries(lockFile: string): Map<string, string> {
  const entries = [...lockFile.replace(COMMENT, '').matchAll(ENTRY)];
  const whole = entries.filter(([text]) => text.endsWith('\n}\n'));
  return new Map(whole.map(([text, address]) => [address ?? '', text]));
}

function constraintsOf(entry: string | undefined): string | undefined {
  return entry && /^[ \t]*constraints[ \t]*=[ \t]*"([^"]*)"/m.exec(entry)?.[1];
}

/** Returns the entry of a provider in a lock file, in Terraform's form. */
export function lockEntry(
  address: string,
  { version, hashes }: Pick<LockedProvider, 'version' | 'hashes'>,
): string {
  const lines = [...new Set(hashes)].sort().map((hash) => `    "${hash}",\n`);
  return (
    `provider "${address}" {\n  version     = "${version}"\n  constraints = "${version}"\n` +
    `  hashes = [\n${lines.join('')}  ]\n}\n`
  );
}

/**
 * Returns a comment with entries whose constraints are empty: the cdktf command line accepts these
 * for any required version.
 */
function commentOn(addresses: readonly string[]): string {
  const entries = addresses.map((address) => `provider "${address}" {\n  constraints = ""\n}\n`);
  return `/* For the cdktf command line, until "terraform init" has chosen versions.\n${entries.join('')}*/\n`;
}

/** Returns the full address of a source, which may leave out the registry and the namespace. */
function fullAddress(source: string): string {
  const [type = '', namespace = 'hashicorp', host = 'registry.terraform.io'] = source
    .toLowerCase()
    .split('/')
    .reverse();
  return `${host}/${namespace}/${type}`;
}

/**
 * Returns constraints such as `5.6`, `~> 5.6` or `>= 5.6, < 6` in one canonical form, because
 * Terraform rewrites them.
 */
function normalized(constraints = ''): string {
  return constraints.split(',').map(normalizedPart).sort().join();
}

function normalizedPart(constraint: string): string {
  const written = constraint.replaceAll(/\s/g, '');
  const [operator = ''] = /^[^\dv]*/.exec(written) ?? [];
  const version = written.slice(operator.length).replace(/^v/, '');
  // For `~>`, the number of parts has a meaning. For other operators, missing parts count as zero.
  const [parts = ''] = /^[\d.]*/.exec(version) ?? [];
  const preRelease = version.slice(parts.length);
  const full = operator === '~>' ? parts : [...parts.split('.'), '0', '0'].slice(0, 3).join('.');
  return `${operator === '=' ? '' : operator}${full}${preRelease}`;
}
