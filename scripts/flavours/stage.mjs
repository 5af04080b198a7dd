/** Copies the sources of a flavour into a folder of its own. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readPublisher } from '../release/publisher.mjs';
import { filesBelow, readJson, ROOT, WORK } from './files.mjs';

export function folderOf({ framework }, part) {
  return join(WORK, framework, part);
}

/**
 * Copies files and folders of the project, in the words of the flavour. Everything else in the
 * folder is removed.
 */
export function stage(flavour, folder, paths) {
  rmSync(folder, { recursive: true, force: true });
  add(flavour, folder, paths);
}

/** Copies further files into the folder. */
export function add(flavour, folder, paths) {
  for (const file of paths.flatMap((path) => filesBelow(join(ROOT, path)))) {
    const copy = join(folder, relative(ROOT, file));
    mkdirSync(dirname(copy), { recursive: true });
    if (isText(file)) writeFileSync(copy, flavour.rewrite(readFileSync(file, 'utf8')));
    else copyFileSync(file, copy);
  }
}

function isText(file) {
  return /\.(?:ts|mjs|md|json|ya?ml|tf|hcl|html)$/.test(file);
}

/** Returns the part of package.json that is the same for every language. */
export function commonManifest(flavour) {
  const { version, description, license, keywords, engines } = readJson(ROOT, 'package.json');
  return {
    name: flavour.name,
    version,
    description: flavour.rewrite(description),
    license,
    keywords,
    engines,
    author: { name: flavour.name },
    repository: { type: 'git', url: `git+${readPublisher().repository}.git` },
    stability: 'stable',
    jsii: { outdir: 'packages', targets: flavour.targets, excludeTypescript: ['lib'] },
  };
}
