/**
 * Builds the files of a release in dist/: for npm and for Python, of the package for cdktf and of
 * its twin for CDK Terrain. Files that were built from the same sources are kept.
 *
 *   npm run flavours                 all of them
 *   npm run flavours -- cdktn        of one flavour
 *   npm run flavours -- cdktn npm    of one flavour, for one registry
 */
import { relative } from 'node:path';
import { compileAssembly } from './assembly.mjs';
import { ROOT } from './files.mjs';
import { FLAVOURS } from './flavours.mjs';
import { packForNpm } from './npm-package.mjs';
import { packForPython } from './python-package.mjs';
import { installTools } from './tools.mjs';

const PACKERS = { npm: packForNpm, python: packForPython };

const words = process.argv.slice(2);
const unknown = words.find((word) => !(word in FLAVOURS) && !(word in PACKERS));
if (unknown !== undefined) {
  const known = [...Object.keys(FLAVOURS), ...Object.keys(PACKERS)].join(', ');
  console.error(`npm run flavours: received ${JSON.stringify(unknown)}; allowed: ${known}`);
  process.exit(1);
}
const chosen = (all) => {
  const named = Object.keys(all).filter((name) => words.includes(name));
  return named.length > 0 ? named : Object.keys(all);
};

await installTools();
for (const name of chosen(FLAVOURS)) {
  const assembly = await compileAssembly(FLAVOURS[name]);
  for (const registry of chosen(PACKERS)) {
    console.log(relative(ROOT, await PACKERS[registry](FLAVOURS[name], assembly)));
  }
}
