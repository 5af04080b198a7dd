import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GLIBC, RUNTIME } from './platforms.mjs';

/** Returns the packages whose code is in a bundle, sorted by name. */
export function packagesIn(metafile, root) {
  const names = new Set();
  for (const file of Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    if (name !== undefined) names.add(name);
  }
  return [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    // Some packages state only the name of their licence.
    const text =
      file === undefined
        ? `The texts of ${license} are at https://spdx.org/licenses/..`
        : readFileSync(join(folder, file), 'utf8').trim();
    return { name, version, license, text };
  });
}

/** The version of Debian's package with the source of the library. */
const GLIBC_SOURCE = GLIBC.package.replace('cross1', '');

/** The licence of the library requires that users can replace it. */
const GLIBC_NOTICE =
  `The folder glibc has files of ${GLIBC.name} ${GLIBC.version} (LGPL 2.1 or later), as Debian built them. You may replace them with others of the same\n` +
  `names. Their source is the package cross-toolchain-base of Debian 12, and ${GLIBC.name} ${GLIBC_SOURCE} there. The text of the licence is at\n` +
  'https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html.';

/** Returns the engine that a runtime contains, and the revision of its source. */
export function engineOf(runtime) {
  const version = execFileSync(runtime, ['--print', 'process.versions.webkit'], { encoding: 'utf8' }).trim();
  return { name: 'JavaScriptCore', version };
}

/** Returns the notices that the licences of an executable's contents require. */
export function noticesOf(packages, { engine, hasGlibc }) {
  const source = `https://github.com/oven-sh/bun/tree/bun-v${RUNTIME.version}`;
  const parts = [
    `This executable contains ${RUNTIME.name} ${RUNTIME.version} (MIT licence), with changed names of environment variables. ${RUNTIME.name}\n` +
      `contains ${engine.name} ${engine.version} (LGPL 2.1) and other parts of WebKit, and libraries under other licences.\n` +
      `${source}/LICENSE.md lists them. The source of all of them, with how to link the\n` +
      `runtime with another WebKit, is at ${source}.`,
    ...(hasGlibc ? [GLIBC_NOTICE] : []),
    ...packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`),
  ];
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * Returns the software bill of materials of an executable, in CycloneDX.
 *
 * @param subject its name and version.
 */
export function billOf(subject, packages, engine) {
  const components = packages.map(({ name, version: own, license }) => ({
    type: 'library',
    name,
    version: own,
    licenses: [
      / /.test(license) ? { expression: license.replace(/^\(|\)$/g, '') } : { license: { id: license } },
    ],
    purl: `pkg:npm/${name.replace('@', '%40')}@${own}`,
  }));
  const runtime = {
    type: 'framework',
    name: RUNTIME.name,
    version: RUNTIME.version,
    licenses: [{ license: { id: RUNTIME.licence } }],
    purl: `pkg:github/oven-sh/bun@bun-v${RUNTIME.version}`,
  };
  const engineOfRuntime = {
    type: 'library',
    name: engine.name,
    version: engine.version,
    licenses: [{ license: { id: 'LGPL-2.1-only' } }],
    purl: `pkg:github/oven-sh/webkit@${engine.version}`,
  };
  const glibc = {
    type: 'library',
    name: GLIBC.name,
    version: GLIBC.version,
    description: 'in the executables for Linux',
    licenses: [{ license: { id: GLIBC.licence } }],
    purl: `pkg:deb/debian/glibc@${GLIBC_SOURCE}?distro=bookworm`,
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', ...subject } },
    components: [...components, runtime, engineOfRuntime, glibc],
  };
}
