/** A provider as a stack asks for it. */
export interface RequiredProvider {
  /** As in `required_providers`: `vault`, `hashicorp/vault`, `host/namespace/type`. */
  readonly source: string;
  /** Version constraints: `5.6.0`, `~> 5.6`. */
  readonly version?: string;
}

/** A provider whose package is known. */
interface LockedProvider {
  readonly source: string;
  readonly version: string;
  /** The hashes of all packages of the version that Terraform may find. */
  readonly hashes: readonly string[];
}

/**
 * The dependency lock file of a stack, with `provider` locked to its hashes. Entries of other
 * providers stay as long as they are for the versions asked for.
 *
 * Other providers without an entry stand in a comment, for the cdktf command line, which reads
 * comments too: where it misses an entry, or its constraints, it runs `terraform providers lock`,
 * which asks the registry of every provider, and so fails for a provider that is in none.
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
/** An entry or comment without an end is read to that of the text: it is searched for once. */
const ENTRY = /^provider "([^"]+)" \{\n[^]*?(?:^\}\n|(?![^]))/gm;
const COMMENT = /\/\*[^]*?(?:\*\/\n?|$)/g;

/** The entries of a lock file by their providers' addresses. */
function readEntries(lockFile: string): Map<string, string> {
  const entries = [...lockFile.replace(COMMENT, '').matchAll(ENTRY)];
  const whole = entries.filter(([text]) => text.endsWith('\n}\n'));
  return new Map(whole.map(([text, address]) => [address ?? '', text]));
}

function constraintsOf(entry: string | undefined): string | undefined {
  return entry && /^[ \t]*constraints[ \t]*=[ \t]*"([^"]*)"/m.exec(entry)?.[1];
}

/** Returns the entry of a provider in a lock file, as Terraform writes it. */
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

/** No constraints are met by whatever is asked for. */
function commentOn(addresses: readonly string[]): string {
  const entries = addresses.map((address) => `provider "${address}" {\n  constraints = ""\n}\n`);
  return `/* For the cdktf command line, until "terraform init" has chosen versions.\n${entries.join('')}*/\n`;
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
 * Constraints such as `5.6`, `~> 5.6` or `>= 5.6, < 6`, in one canonical form: Terraform rewrites
 * them.
 */
function normalized(constraints = ''): string {
  return constraints.split(',').map(normalizedPart).sort().join();
}

function normalizedPart(constraint: string): string {
  const written = constraint.replaceAll(/\s/g, '');
  const [operator = ''] = /^[^\dv]*/.exec(written) ?? [];
  const version = written.slice(operator.length).replace(/^v/, '');
  // The number of parts is what `~>` is about; for the others, those left out are zero.
  const [parts = ''] = /^[\d.]*/.exec(version) ?? [];
  const preRelease = version.slice(parts.length);
  const full = operator === '~>' ? parts : [...parts.split('.'), '0', '0'].slice(0, 3).join('.');
  return `${operator === '=' ? '' : operator}${full}${preRelease}`;
}
