/**
 * Writes lib/sbom.cdx.json, the software bill of materials in CycloneDX: the packages of an
 * installation, with the versions and hashes of package-lock.json. Every machine writes the same
 * bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version, dependencies, peerDependencies, peerDependenciesMeta } = read('package.json');
const { packages } = read('package-lock.json');

// "--omit dev" is not used, because it would also leave out installed packages that a development
// tool needs as well.
const printed = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
  stdio: ['ignore', 'pipe', 'ignore'],
  shell: process.platform === 'win32',
});
const { bomFormat, specVersion, metadata, components, dependencies: edges } = JSON.parse(printed);

const self = `${name}@${version}`;
const direct = Object.keys({ ...dependencies, ...peerDependencies })
  .filter((each) => !peerDependenciesMeta[each]?.optional)
  .map((each) => `${each}@${packages[`node_modules/${each}`].version}`)
  .sort();
const graph = new Map(edges.map(({ ref, dependsOn }) => [ref, dependsOn]));
graph.set(self, direct);
const needed = reachable(self);

const bill = {
  bomFormat,
  specVersion,
  version: 1,
  metadata: { component: { ...metadata.component, 'bom-ref': self, name } },
  // A package that is installed twice in the same version is listed once.
  components: [...new Map(components.map((each) => [each['bom-ref'], each])).values()].filter((each) =>
    needed.has(each['bom-ref']),
  ),
  dependencies: [...needed].sort().map((ref) => ({ ref, dependsOn: graph.get(ref) ?? [] })),
};
mkdirSync(join(root, 'lib'), { recursive: true });
writeFileSync(join(root, 'lib', 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);

function reachable(start) {
  const found = new Set([start]);
  for (const ref of found) graph.get(ref)?.forEach((next) => found.add(next));
  return found;
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
