/**
 * Lists the type declarations in lib/ that no entry of the package refers to, in a .npmignore in
 * each folder, so that npm does not pack them: compilers read only the declarations to which the
 * entries refer. npm compares each file with all lines in the lists of the folders above it, so one
 * long list in lib/ would take eight seconds.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lib = join(root, 'lib');

const paths = readdirSync(lib, { recursive: true });
for (const path of paths.filter((each) => basename(each) === '.npmignore')) rmSync(join(lib, path));
const needed = reachedFrom(entries());
const others = paths
  .filter((path) => /^(src|constructs)\b.*\.d\.ts$/.test(path))
  .map((path) => join(lib, path))
  .filter((file) => !needed.has(file));
for (const file of others.sort()) appendFileSync(join(dirname(file), '.npmignore'), `/${basename(file)}\n`);

/** Returns the declarations in the `exports` of package.json. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((entry) => (entry?.types ? matching(entry.types) : []));
}

/**
 * Returns the files that match a pattern.
 *
 * @param pattern a path, in which `*` stands for the name of a folder.
 */
function matching(pattern) {
  const [before, after] = pattern.split('*').map((part) => join(root, part));
  if (after === undefined) return [before];
  return readdirSync(before)
    .map((name) => join(before, name, relative(root, after)))
    .filter((file) => existsSync(file));
}

function reachedFrom(files) {
  const reached = new Set(files);
  for (const file of reached) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) reached.add(declarationOf(resolve(dirname(file), fileName)));
    }
  }
  return reached;
}

function declarationOf(module) {
  const found = [`${module}.d.ts`, join(module, 'index.d.ts')].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`no declarations for ${module}`);
  return found;
}
