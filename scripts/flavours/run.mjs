/**
 * Builds the files of a release in dist/: for npm and for Python, of the package for cdktf and of
 * its twin for CDK Terrain. Files that were built from the same sources are kept.
 *
 *   npm run flavours                 all of them
 *   npm run flavours -- cdktn        of one flavour
 *   npm run flavours -- cdktn npm    of one flavour, for one registry
 */
import { relative } from 'node:path';
import { Argument } from 'commander';
import { npmRun } from '../npm-run.mjs';
import { compileAssembly } from './assembly.mjs';
import { ROOT } from './files.mjs';
import { FLAVOURS } from './flavours.mjs';
import { packForNpm } from './npm-package.mjs';
import { packForPython } from './python-package.mjs';
import { installTools } from './tools.mjs';

const PACKERS = { npm: packForNpm, python: packForPython };

const chosen = npmRun('flavours', 'Builds the files of a release in dist/.')
  .addArgument(
    new Argument('[NAME...]', 'flavours and registries').choices([
      ...Object.keys(FLAVOURS),
      ...Object.keys(PACKERS),
    ]),
  )
  .parse().args;
const among = (all) => {
  const named = Object.keys(all).filter((name) => chosen.includes(name));
  return named.length > 0 ? named : Object.keys(all);
};

await installTools();
for (const name of among(FLAVOURS)) {
  const assembly = await compileAssembly(FLAVOURS[name]);
  for (const registry of among(PACKERS)) {
    console.log(relative(ROOT, await PACKERS[registry](FLAVOURS[name], assembly)));
  }
}
