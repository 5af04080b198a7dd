import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/tarball';

/**
 * The maximum number of packages that `npm install cdktf-vault-admin` adds to a project. A new
 * dependency must be intended.
 */
const MOST_PACKAGES = 25;
const MOST_MEGABYTES = 46;
const MOST_MEGABYTES_WITHOUT_PEERS = 35;

interface LockedPackage {
  /** Whether another package contains this one in its tarball. */
  readonly inBundle?: boolean;
  /** The name of the package, if it differs from the folder. */
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Bill {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly hashes?: readonly { readonly content: string }[];
  }[];
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = reachable();
/**
 * The packages after `npm install --omit=peer`, for users of only the emulator, the client or the
 * command line.
 */
const withoutPeers = reachable({ peers: false });

test(`an installation has at most ${MOST_PACKAGES} packages`, () => {
  const downloaded = installed.filter((path) => lock.packages[path]!.inBundle !== true);
  expect(downloaded).toContain('node_modules/undici');
  expect(downloaded).toContain('node_modules/cdktf');
  expect(downloaded.length).toBeLessThanOrEqual(MOST_PACKAGES);
});

test(`an installation has at most ${MOST_MEGABYTES} MB`, () => {
  const bytes = installed.reduce((sum, path) => sum + sizeOf(join(ROOT, path)), 0);
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(bytes / 1_000_000).toBeLessThan(MOST_MEGABYTES);
});

test(`an installation has at most ${MOST_MEGABYTES_WITHOUT_PEERS} MB without its peers, and no cdktf`, () => {
  expect(withoutPeers).not.toContain('node_modules/cdktf');
  expect(withoutPeers).toContain('node_modules/undici');
  const bytes = withoutPeers.reduce((sum, path) => sum + sizeOf(join(ROOT, path)), 0);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(bytes / 1_000_000).toBeLessThan(MOST_MEGABYTES_WITHOUT_PEERS);
});

test('no package of an installation has an install script', () => {
  const scripts = installed.filter((path) => 'hasInstallScript' in lock.packages[path]!);
  expect(scripts).toEqual([]);
});

/**
 * Licences that only require that the authors are named. The Mozilla licence also requires that
 * changes to its files are published.
 */
const LICENCES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'MPL-2.0', 'Public Domain'];

test(`the licences of an installation are ${LICENCES.join(', ')}`, () => {
  const used = installed.map((path) => {
    const { license = '' } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
      license?: string;
    };
    return {
      path,
      others: license.split(/ AND |[()]/).filter((each) => each !== '' && !LICENCES.includes(each)),
    };
  });
  expect(used.length).toBeGreaterThan(26);
  expect(used.filter(({ others }) => others.length > 0)).toEqual([]);
});

test('the bill of materials has each package of an installation once, with its hash', () => {
  const bill = JSON.parse(readFileSync(join(ROOT, 'lib', 'sbom.cdx.json'), 'utf8')) as Bill;
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'cdktf-vault-admin' } },
  });
  const hashes = new Map(bill.components.map((each) => [each['bom-ref'], each.hashes?.[0]?.content]));
  expect(hashes.size).toBe(bill.components.length);
  for (const path of installed) {
    const { name, version, integrity } = lock.packages[path]!;
    const ref = `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`;
    expect([...hashes.keys()]).toContain(ref);
    if (integrity === undefined) continue;
    expect({ ref, hash: hashes.get(ref) }).toEqual({
      ref,
      hash: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    });
  }
  // The file does not depend on the time and the place of its creation.
  const unique = ['serialNumber', 'timestamp', ROOT].filter((text) => JSON.stringify(bill).includes(text));
  expect(unique).toEqual([]);
});

/** Returns the folders of the packages that npm installs for a user, by package-lock.json. */
function reachable({ peers = true } = {}): string[] {
  const paths = new Set<string>();
  const visit = (path: string) => {
    for (const name of neededBy(lock.packages[path]!, peers)) {
      const found = resolve(path, name);
      if (paths.has(found)) continue;
      paths.add(found);
      visit(found);
    }
  };
  visit('');
  return [...paths];
}

function neededBy(entry: LockedPackage, withPeers: boolean): string[] {
  const peers = withPeers ? Object.keys(entry.peerDependencies ?? {}) : [];
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** Returns the folder in which a package finds another: the nearest node_modules of its parents. */
function resolve(from: string, name: string): string {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in lock.packages) return place;
  if (from === '') throw new Error(`package-lock.json has no ${name}`);
  return resolve(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/**
 * Returns the size of a package's files in bytes, without the packages inside, which are counted
 * separately.
 */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}
