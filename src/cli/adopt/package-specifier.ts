import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readPlainFile } from '../../files';

/** The maximum size of a package.json in bytes. */
const LONGEST = 16 * 1024 * 1024;
const NAME = 'cdktf-vault-admin';
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Matches specifiers that are paths, which are relative to the folder of their package.json. */
const PATH = /^(file:|link:|portal:|(?=\.{0,2}\/|~\/))(.*)$/;

/**
 * Returns the specifier of this package for an app in a folder. It is taken from the project around
 * the working directory, because that may use a tarball that no registry has.
 *
 * @param folder the folder of the app.
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

/** Returns the nearest folder, upwards, whose package.json depends on this package. */
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
    // npm reports a package.json that is not valid to whoever works in that project.
    return undefined;
  }
}
