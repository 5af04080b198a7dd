import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readPlainFile } from '../../files';

/** In bytes. */
const LONGEST = 16 * 1024 * 1024;
const NAME = 'cdktf-vault-admin';
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Specifiers that are paths, which mean something in the folder of their package.json alone. */
const PATH = /^(file:|link:|portal:|(?=\.{0,2}\/|~\/))(.*)$/;

/**
 * Returns the source of this package for an app in a folder: that of the project around the working
 * directory, which may be a tarball that no registry has.
 *
 * @param folder of the app.
 * @param workingDirectory the folder in which the command was started.
 * @returns `undefined` if no project around it depends on the package.
 */
export function specifierFor(folder: string, workingDirectory: string): string | undefined {
  const found = nearestDependent(resolve(workingDirectory));
  if (found === undefined) return undefined;
  const [, protocol, path] = PATH.exec(found.specifier) ?? [];
  if (protocol === undefined || path === undefined || path.startsWith('~')) return found.specifier;
  const target = relative(resolve(folder), resolve(found.folder, path)).split(sep).join('/');
  return `${protocol || 'file:'}${target}`;
}

/** The nearest folder, upwards, whose package.json depends on this package. */
function nearestDependent(folder: string): { folder: string; specifier: string } | undefined {
  const specifier = dependencyIn(join(folder, 'package.json'));
  if (specifier !== undefined) return { folder, specifier };
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestDependent(parent);
}

function dependencyIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const manifest = JSON.parse(readPlainFile(file, LONGEST).toString()) as Record<
      string,
      Record<string, string>
    >;
    return DEPENDENCIES.map((kind) => manifest[kind]?.[NAME]).find((specifier) => specifier !== undefined);
  } catch {
    // Whoever works in that project learns of it from npm.
    return undefined;
  }
}
